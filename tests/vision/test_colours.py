"""Two sets of checkers told apart by what is on this board."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.colours import Array, OneSet, grouped, sets_in

WHITE, BLACK, RED, BLUE = (90.0, 0.0, 4.0), (22.0, 1.0, -1.0), (52.0, 58.0, 38.0), (46.0, 10.0, -50.0)


def board(first: tuple[float, ...], second: tuple[float, ...], fall: float, seed: int) -> tuple[Array, Array]:
    """Eight colours of each set with a little noise, scattered over the board under uneven light."""
    rng = np.random.default_rng(seed)
    at = rng.uniform(-1, 1, (16, 2))
    lab = np.array([first] * 8 + [second] * 8) + rng.normal(0, 1.5, (16, 3))
    lab[:, 0] += fall * at[:, 0]
    return lab, at


@pytest.mark.parametrize(("light", "dark"), [(WHITE, BLACK), (RED, BLUE), (WHITE, RED), (BLUE, BLACK)])
@settings(max_examples=25, deadline=None)
@given(fall=st.floats(-9, 9), seed=st.integers(0, 1000))
def test_sets_are_told_apart_under_uneven_light(
    light: tuple[float, ...], dark: tuple[float, ...], fall: float, seed: int
) -> None:
    lab, at = board(light, dark, fall, seed)
    groups = grouped(lab, at, np.full(16, 1.5))
    assert groups is not None
    assert (groups.light(lab, at) > 0.5).tolist() == [True] * 8 + [False] * 8


def test_one_set_is_not_split() -> None:
    lab, at = board(RED, RED, 6.0, 3)
    assert grouped(lab, at, np.ones(16)) is None


def test_a_single_checker_of_the_other_set_is_found() -> None:
    lab, at = board(WHITE, WHITE, 8.0, 5)
    lab[4] = (70.0, 30.0, 10.0)
    groups = grouped(lab, at, np.full(16, 0.9))
    assert groups is not None
    assert np.flatnonzero(groups.light(lab, at) < 0.5).tolist() == [4]


def test_glare_on_a_dark_checker_leaves_doubt_not_a_sure_mistake() -> None:
    lab, at = board(WHITE, BLACK, 0.0, 7)
    lab[12] = 0.45 * lab[12] + 0.55 * np.array([97.0, 0, 0])
    groups = grouped(lab, at, np.full(16, 0.9))
    assert groups is not None
    assert groups.light(lab, at)[12] < 0.9


def test_a_light_checker_in_the_shade_is_not_surely_dark() -> None:
    lab, at = board(WHITE, BLACK, 0.0, 8)
    lab[2] = (58.0, 5.0, 15.0)
    groups = grouped(lab, at, np.full(16, 0.9))
    assert groups is not None
    assert groups.light(lab, at)[2] > 0.1


def test_where_only_one_set_is_seen_lightness_decides_for_all_its_checkers_at_once() -> None:
    for colour, light in ((WHITE, True), (BLACK, False)):
        lab, at = board(colour, colour, 0.0, 6)
        one = sets_in(lab, at, np.full(16, 0.9))
        assert isinstance(one, OneSet)
        assert one.is_light == light
        assert 0.8 < one.named < 0.999
        assert ((one.light(lab, at) > 0.5) == light).all()
    assert sets_in(lab[:0], at[:0], np.zeros(0)).named == 1.0


def test_a_set_that_may_be_two_halves_of_one_is_in_doubt_unless_it_is_too_many() -> None:
    darker = (RED[0] - 17.0, *RED[1:])
    lab, at = board(RED, darker, 0.0, 6)
    few, many = (grouped(lab, at, np.full(16, share)) for share in (0.9, 1.5))
    assert few is not None
    assert many is not None
    assert 0.5 < few.named < 0.7
    assert many.named > 0.99


def test_the_lighter_set_is_called_light_and_sure_of_it_as_far_as_its_checkers_agree() -> None:
    near = (RED[0] - 3.0, *BLUE[1:])
    lab, at = board(RED, near, 0.0, 4)
    even = grouped(lab, at, np.full(16, 1.5))
    loose = lab + np.array([6.0, 0, 0]) * np.tile([1, -1], 8)[:, None]
    uneven = grouped(loose, at, np.full(16, 1.5))
    wide = grouped(*board(WHITE, BLACK, 0.0, 4), np.full(16, 1.5))
    assert even is not None
    assert uneven is not None
    assert wide is not None
    assert 0.7 < uneven.named < even.named < wide.named
    assert wide.named > 0.9999
    assert even.colours[0, 2] > 0
