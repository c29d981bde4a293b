"""Dice in photos: all of one size, and looked at more often."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.test_dice import BOARD, EDGE, HEIGHT, SPOTS, WIDTH, field, put
from vision.dice import Judged
from vision.dice_nets import CROP, Crop, Found, toned
from vision.dice_photo import apart, of_one_size, read_dice

shares = st.floats(0.01, 0.99)
sides = st.floats(-1.8, -0.2)


def judged(*places: tuple[float, float]) -> list[float]:
    """Probabilities, of one size, of places given as probability alone and side in point widths."""
    alone, widths = np.array(places).T
    return [float(p) for p in of_one_size(alone, np.log(widths))]


def test_what_is_as_large_as_a_sure_die_is_one_the_more_probably() -> None:
    _, same = judged((0.99, 0.4), (0.5, 0.4))
    _, other = judged((0.99, 0.4), (0.5, 0.7))
    (alone,) = judged((0.5, 0.4))
    assert same > alone
    assert same > 0.7
    assert other < 0.25


def test_one_doubtful_place_says_little_of_the_size_of_another() -> None:
    _, beside_doubtful = judged((0.05, 0.6), (0.9, 0.4))
    (alone,) = judged((0.9, 0.4))
    assert beside_doubtful == pytest.approx(alone, abs=0.02)


@given(st.lists(st.tuples(shares, sides), min_size=1, max_size=7), st.randoms())
def test_the_order_of_places_does_not_matter(places: list[tuple[float, float]], random: Random) -> None:
    order = list(range(len(places)))
    random.shuffle(order)
    first = of_one_size(*np.array(places).T)
    again = of_one_size(*np.array([places[k] for k in order]).T)
    assert again == pytest.approx(first[order])
    assert ((first >= 0) & (first <= 1)).all()


def test_no_places_are_no_dice() -> None:
    assert len(of_one_size(np.array([]), np.array([]))) == 0
    assert read_dice(field(), BOARD) == ()


def test_dice_in_a_photo_are_read_where_they_lie() -> None:
    right = total = 0
    for seed in range(1, 9):
        picture, truths = put(field(), seed, SPOTS[: 1 + seed % 4])
        told = [(d.value, d.x * WIDTH + EDGE, d.y * HEIGHT + EDGE) for d in read_dice(picture, BOARD)]
        total += len(truths)
        for t in truths:
            right += any(v == t.value and np.hypot(x - t.x, y - t.y) < 0.5 * t.side for v, x, y in told)
    assert right / total >= 0.9


def test_of_two_places_where_one_die_lies_the_likelier_is_kept() -> None:
    faces = np.full(6, 1 / 6)
    upper, side, other = (
        Judged(Found(x, y, 14.0, 0.9), odds, faces, 0.0)
        for x, y, odds in ((50, 50, 3.0), (52, 60, 2.0), (50, 80, 1.0))
    )
    assert apart([side, other, upper]) == [upper, other]


def test_pips_as_bright_as_their_die_stand_out_in_a_tone() -> None:
    picture = np.full((CROP, CROP, 3), (30, 100, 30), np.uint8)
    picture[16:24, 16:24] = (30, 30, 167)
    grey, red = (toned(Crop(picture, 0.0), tone).picture.astype(int) for tone in ("grey", "red"))
    assert np.ptp(grey) <= 20
    assert np.ptp(red) > 100
    assert (red == red[..., :1]).all()
