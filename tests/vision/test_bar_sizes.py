"""The bar's checkers from a map of faces, and one size for all checkers."""

from __future__ import annotations

import numpy as np
import pytest

from vision.bar import (
    BarChecker,
    at_least,
    bar_beliefs,
    checkers,
    numbers,
    own_columns,
    surer,
    usual_size,
)
from vision.colours import Groups
from vision.sizes import one_size

GROUPS = Groups(np.array([[90.0, 0, 0], [20.0, 0, 0]]), np.zeros(2), np.full(2, 4.0), 20, 20.0)
SIZE = 6.0


def bar(*spots: tuple[int, int, float]) -> tuple[np.ndarray, np.ndarray]:
    """A face map and its colours: (first row, checkers in a row, lightness) each."""
    faces, lab = np.zeros((88, 6)), np.full((88, 6, 3), 50.0)
    for first, many, level in spots:
        rows = slice(first, first + int(SIZE * many))
        faces[rows, 1:6] = 0.99
        lab[rows, 1:6] = (level, 0.0, 0.0)
    return faces, lab


@pytest.mark.parametrize(
    ("spots", "light", "dark"),
    [
        ((), 0, 0),
        (((47, 1, 90.0),), 1, 0),
        (((27, 2, 20.0), (46, 3, 90.0)), 3, -2),
        (((11, 4, 20.0),), 0, -4),
        (((5, 1, 90.0),), 0, 0),
    ],
)
def test_faces_along_the_bar_are_counted(
    spots: tuple[tuple[int, int, float], ...], light: int, dark: int
) -> None:
    faces, lab = bar(*spots)
    beliefs = bar_beliefs(checkers(faces, lab, SIZE), GROUPS)
    assert (beliefs[0].best, beliefs[1].best) == (light, dark)


def test_a_face_that_is_far_too_short_is_at_most_as_many_checkers_as_it_has_rows() -> None:
    faces, lab = bar((44, 1, 90.0))
    faces[47:] = 0.0
    assert sum(c.p for c in checkers(faces, lab, 6.5)) < 3
    assert checkers(faces, lab, 10.5) == []


def test_a_face_that_is_hardly_seen_leaves_doubt() -> None:
    faces, lab = bar((47, 1, 90.0))
    faint = bar_beliefs(checkers(0.3 * faces, lab, SIZE), GROUPS)[0]
    assert faint.best == 0
    assert 0.1 < faint.p(1) < 0.5
    assert bar_beliefs(checkers(0.05 * faces, lab, SIZE), GROUPS)[0].p(0) > 0.99


def test_a_face_that_is_likely_there_is_there_nearly_always_and_an_unlikely_one_stays_in_doubt() -> None:
    assert surer(0.3) == 0.3
    assert surer(0.5) == pytest.approx(0.5)
    assert 0.9 < surer(0.8) < surer(0.9) < 1
    assert surer(1.0) == 1.0
    faces, lab = bar((47, 1, 90.0))
    one, several = checkers(0.8 * faces, lab, SIZE), checkers(0.8 * faces, lab, SIZE, several=True)
    assert several[0].p > one[0].p


def test_a_narrow_bar_owns_fewer_columns() -> None:
    assert own_columns(20, 1.0, 6) == slice(7, 13)
    assert own_columns(20, 0.4, 6) == slice(9, 11)


def test_a_length_tells_how_many_checkers_there_are() -> None:
    assert at_least(6.2, SIZE)[:2] == pytest.approx([1, 0], abs=0.03)
    assert at_least(18.0, SIZE)[:4] == pytest.approx([1, 1, 1, 0], abs=0.05)
    assert 0.2 < at_least(9.0, SIZE)[1] < 0.8


def test_numbers_are_a_distribution() -> None:
    told = numbers([0.9, 0.5, 0.1])
    assert sum(p for _, p in told) == pytest.approx(1)
    assert max(told, key=lambda t: t[1])[0] in (1, 2)


def test_no_bar_is_surely_empty() -> None:
    assert bar_beliefs([], GROUPS)[0].p(0) < 1
    between = BarChecker(0.99, np.array([63.0, 0, 0]), np.zeros(2))
    assert bar_beliefs([between], GROUPS)[0].p(0) < 0.6


def test_a_fringe_one_column_wide_is_no_checker() -> None:
    faces, lab = bar((20, 1, 90.0))
    faces[26:38, 3] = 0.9
    assert bar_beliefs(checkers(faces, lab, SIZE), GROUPS)[0].best == 1


def counts_of(*rows: dict[int, float]) -> np.ndarray:
    out = np.full((len(rows), 16), 1e-4)
    for row, shares in zip(out, rows, strict=True):
        for n, p in shares.items():
            row[n] = p
    return np.asarray(out / out.sum(axis=1, keepdims=True))


def test_one_size_settles_a_doubtful_row() -> None:
    counts = counts_of({1: 0.9, 2: 0.1}, {2: 0.9, 3: 0.1}, {4: 0.35, 6: 0.4, 5: 0.25})
    out = one_size(counts, np.array([6.0, 12.0, 24.0]), np.zeros(3))
    assert out[2].argmax() == 4
    assert out.sum(axis=1) == pytest.approx(1)


def test_high_stacks_may_be_short() -> None:
    counts = counts_of({1: 0.99}, {3: 0.99}, {9: 0.9, 5: 0.1})
    assert one_size(counts, np.array([5.0, 15.0, 25.0]), np.zeros(3))[2].argmax() == 9


def test_hidden_rows_are_left_alone() -> None:
    counts = counts_of({1: 0.9, 2: 0.1}, {2: 0.9}, {5: 0.6, 2: 0.4})
    out = one_size(counts, np.array([5.0, 10.0, 9.0]), np.array([0.0, 0.0, 0.9]))
    assert np.array_equal(out[2], counts[2])


def test_a_checkers_size_comes_from_sure_rows() -> None:
    counts = counts_of({1: 0.99}, {3: 0.99}, {9: 0.5, 8: 0.5})
    assert usual_size(counts, np.array([5.0, 15.0, 40.0]), np.zeros(3)) == pytest.approx(5.0)
