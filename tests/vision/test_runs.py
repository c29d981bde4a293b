"""What lies on a bar that was never seen covered: its edges look like nothing known, but it is there."""

from __future__ import annotations

import numpy as np
import pytest

from vision.learned import DARK, LIGHT, NONE, Disc
from vision.runs import EDGES, bar_beliefs
from vision.strips import FIELD_ROWS, Array

DISC = Disc(0.0, 10.0)
SIDES = {LIGHT: 0, DARK: 1}


def bar(*parts: tuple[int, int, float]) -> Array:
    """Rows of an empty bar but for parts: from a row on so many have something on them, light's with this
    probability.
    """
    rows = np.full((FIELD_ROWS, 3), 0.001, np.float32)
    rows[:, NONE] = 0.998
    for first, number, light in parts:
        rows[first : first + number] = (0.002, 0.998 * light, 0.998 * (1 - light))
    return rows


@pytest.mark.parametrize(("light", "mine"), [(0.99, LIGHT), (0.01, DARK)])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_checkers_of_which_few_rows_are_known_are_counted(light: float, mine: int, number: int) -> None:
    every, known = round(number * DISC.pitch) + EDGES, round(0.4 * DISC.pitch)
    beliefs = bar_beliefs(bar((50, every, 0.5), (50 + EDGES, known, light)), DISC)
    other = beliefs[1 - SIDES[mine]]
    assert abs(beliefs[SIDES[mine]].best) == number
    assert beliefs[SIDES[mine]].p(beliefs[SIDES[mine]].best) > 0.8
    assert other.p(0) > 0.95


def test_where_no_row_tells_whose_it_is_either_side_may_have_it() -> None:
    for belief in bar_beliefs(bar((50, 14, 0.5)), DISC):
        assert 0.3 < belief.p(0) < 0.7
        assert belief.p(0) + max(belief.p(1), belief.p(-1)) > 0.95


def test_a_die_is_no_checker() -> None:
    assert all(b.p(0) > 0.9 for b in bar_beliefs(bar((50, 8, 0.5)), DISC))
    assert all(b.p(0) > 0.99 for b in bar_beliefs(bar(), DISC))


def test_a_checker_that_is_well_known_is_counted_as_before() -> None:
    light, dark = bar_beliefs(bar((40, 11, 0.99), (60, 12, 0.02)), DISC)
    assert light.p(1) > 0.99
    assert dark.p(-1) > 0.99
