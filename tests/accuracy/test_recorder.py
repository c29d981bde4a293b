"""The second pass on looks that were kept from filmed matches (tests/data/films, made by
`make recorder-accuracy`): fast, no picture is read.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.recording import Recording, infer
from tests.accuracy.filmed import Spec, Staged, recordings
from tests.accuracy.recorder import aligned, scored

FILMS = Path(__file__).parent.parent / "data/films"
KEPT = [spec for spec in recordings() if (FILMS / f"{spec.seed}.looks").exists()]


@pytest.mark.parametrize("spec", KEPT, ids=lambda spec: str(spec.seed))
def test_what_happened_is_written_down_and_nothing_else_for_sure(spec: Spec) -> None:
    staged = Staged(spec)
    for _ in staged.stagings():
        pass
    found = scored(staged.truth, infer(Recording.load(FILMS / f"{spec.seed}.looks")))
    assert found.sure_wrong == 0
    assert found.results_right
    assert (found.gaps > 0) == found.cut
    assert found.exact == found.turns


def test_films_are_kept() -> None:
    assert len(KEPT) == 5


def test_what_is_in_both_is_found_in_order() -> None:
    a, b, c = ((side, (1, 2), (side,)) for side in range(3))
    assert aligned([a, b, c], [b, a, c]) in ({0, 2}, {1, 2})
    assert aligned([a, b], []) == set()
