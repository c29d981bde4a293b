"""A guessed board, improved by all the tips that agree with it: cheaper than looking at the picture again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners_tips import Array, Tips
from vision.geometry import COLUMNS

#: A tip belongs to a column when it is nearer to its place than this, in local point widths.
NEAR = 0.5
#: What an agreeing tip's direction and the guess as it stands count beside the tip's place.
AXIS, INERTIA = 0.4, 0.3
ROUNDS = 4


@dataclass(frozen=True)
class Guess:
    """A board from four tips. `quad`: its corners, 4 × 2 pixels, clockwise from far left in board order.

    `bar` in point widths, `length` of the spikes as a share of the height, `fit` how many tips agree (0-24).
    """

    quad: Array
    bar: float
    length: float
    fit: float


def polished(up: Tips, down: Tips, guess: Guess) -> Guess:
    """The guess moved onto the tips that agree with it, as far as more agree then; `fit` how well (0-24)."""
    best = replace(guess, fit=0.0)
    for _ in range(ROUNDS):
        place, at, toward, base, fit = _matched(up, down, guess)
        if fit > best.fit:
            best = replace(guess, fit=fit)
        if len(place) < 6:
            break
        guess = replace(guess, quad=_moved(guess, place, at, toward, base))
    return best


def _unit_to_picture(guess: Guess) -> Array:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(square, guess.quad.astype(np.float32)), np.float64)


def _places(guess: Guess, columns: Array, near: bool) -> Array:
    """Tips' places on the unit square for columns, N × 2."""
    y = 1 - guess.length if near else guess.length
    return np.stack([columns / (COLUMNS + guess.bar), np.full(len(columns), y)], axis=1)


def _matched(up: Tips, down: Tips, guess: Guess) -> tuple[Array, Array, Array, Array, float]:
    """Places on the unit square, the tips there, their directions, their bases; and how well all fit."""
    k = np.arange(COLUMNS)
    columns = k + 0.5 + guess.bar * (k >= COLUMNS // 2)
    rows, fit = [], 0.0
    for near, tips in ((False, up), (True, down)):
        inner, outer = (
            _places(guess, columns, near),
            _places(guess, np.array([-0.5, COLUMNS + 0.5 + guess.bar]), near),
        )
        which, distance = _nearest(guess, inner, tips)
        fit += float(_credit(distance).sum() - _credit(_nearest(guess, outer, tips)[1]).sum())
        good = distance < NEAR
        base = np.stack([inner[good, 0], np.full(int(good.sum()), float(near))], axis=1)
        rows.append((inner[good], tips.at[which[good]], tips.toward[which[good]], base))
    place, at, toward, base = (np.concatenate(column) for column in zip(*rows, strict=True))
    return place, at, toward, base, fit


def _nearest(guess: Guess, places: Array, tips: Tips) -> tuple[NDArray[np.intp], Array]:
    """For each place the nearest tip and how far it is, in local point widths."""
    homography = _unit_to_picture(guess)
    one = np.array([1 / (COLUMNS + guess.bar), 0])
    expected = cv2.perspectiveTransform(places.reshape(-1, 1, 2), homography).reshape(-1, 2)
    beside = cv2.perspectiveTransform((places + one).reshape(-1, 1, 2), homography).reshape(-1, 2)
    step = tips.at[None] - expected[:, None]
    along = np.abs(np.sum(step * tips.toward[None], axis=2))
    across = np.abs(step[..., 0] * tips.toward[None, :, 1] - step[..., 1] * tips.toward[None, :, 0])
    far = np.hypot(across, 0.5 * along)
    which = far.argmin(axis=1)
    pitch = np.maximum(np.linalg.norm(beside - expected, axis=1), 1e-6)
    return which, far[np.arange(len(places)), which] / pitch


def _credit(distance: Array) -> Array:
    credit: Array = np.exp(-0.5 * (distance / 0.14) ** 2)
    return credit


def _moved(guess: Guess, place: Array, at: Array, toward: Array, base: Array) -> Array:
    """The corners after a weighted least-squares homography from the unit square to the picture."""
    homography = _unit_to_picture(guess)
    size = float(np.ptp(guess.quad))
    middle = guess.quad.mean(axis=0)
    corner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    across = np.stack([-toward[:, 1], toward[:, 0]], axis=1)
    one, zero = np.ones(len(place)), np.zeros(len(place))
    rows = [
        _rows(homography, place, (at - middle) / size, np.stack([one, zero], 1), 1.0),
        _rows(homography, place, (at - middle) / size, np.stack([zero, one], 1), 1.0),
        _rows(homography, base, (at - middle) / size, across, AXIS),
        _rows(homography, corner, (guess.quad - middle) / size, np.tile([1.0, 0.0], (4, 1)), INERTIA),
        _rows(homography, corner, (guess.quad - middle) / size, np.tile([0.0, 1.0], (4, 1)), INERTIA),
    ]
    matrix, wanted = (np.concatenate(part) for part in zip(*rows, strict=True))
    solution = np.linalg.lstsq(matrix, wanted, rcond=None)[0]
    moved = cv2.perspectiveTransform(corner.reshape(-1, 1, 2), np.append(solution, 1.0).reshape(3, 3))
    quad: Array = np.asarray(moved, np.float64).reshape(4, 2) * size + middle
    return quad


def _rows(homography: Array, place: Array, at: Array, way: Array, weight: float) -> tuple[Array, Array]:
    """Equations: the picture of `place` and `at` do not differ in direction `way` (each N × 2)."""
    x, y, (px, py), (nx, ny) = place[:, 0], place[:, 1], at.T, way.T
    scale = weight / np.abs(place @ homography[2, :2] + homography[2, 2])
    along = nx * px + ny * py
    matrix = np.stack([nx * x, nx * y, nx, ny * x, ny * y, ny, -along * x, -along * y], axis=1)
    return np.asarray(matrix * scale[:, None], np.float64), np.asarray(along * scale, np.float64)
