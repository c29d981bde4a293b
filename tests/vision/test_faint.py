"""Doubt where a spike's foot looks unlike its body."""

from __future__ import annotations

import numpy as np

from vision.faint import BODY, DOUBT, FOOT, contrasts, doubted


def test_contrast_is_that_of_foot_and_body() -> None:
    plain = np.full((160, 40, 3), 120, np.uint8)
    covered = plain.copy()
    covered[FOOT] = 220
    assert contrasts([plain])[0] < 0.1
    assert contrasts([covered])[0] > 10
    covered[BODY] = 220
    assert contrasts([covered])[0] < 0.1


def empty() -> np.ndarray:
    counts = np.zeros((24, 16))
    counts[:, 0] = 1.0
    return counts


def test_one_odd_foot_is_doubted_and_its_neighbours_are_not() -> None:
    contrast = np.full(24, 2.0)
    contrast[14] = 15.0
    out = doubted(empty(), contrast, np.zeros(24))
    assert out[14, 1] == DOUBT
    assert np.delete(out[:, 0], 14).min() == 1.0
    assert np.allclose(out.sum(axis=1), 1)


def test_feet_that_all_differ_are_the_board_s_own_look() -> None:
    assert np.array_equal(doubted(empty(), np.full(24, 15.0), np.zeros(24)), empty())


def test_points_that_hold_checkers_or_are_hidden_are_left_alone() -> None:
    counts, hidden = empty(), np.zeros(24)
    counts[3] = np.eye(16)[2]
    hidden[7] = 0.9
    contrast = np.full(24, 2.0)
    contrast[[3, 7]] = 20.0
    assert np.array_equal(doubted(counts, contrast, hidden), counts)
