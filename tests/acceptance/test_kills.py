"""A small part of `make kills`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.acceptance.kills import run


@pytest.mark.slow
def test_nothing_that_was_accepted_is_lost_by_a_kill(tmp_path: Path) -> None:
    found = run(kills=4, seed=3, folder=tmp_path)
    assert found.faults == []
    assert found.turns > 0
