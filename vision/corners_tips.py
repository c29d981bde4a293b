"""Where the spikes end: pairs of straight edges that meet at a sharp angle, the mark of a board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

Array = NDArray[np.float64]

#: Opening of a spike in a picture, degrees: wider and narrower ones need strong foreshortening.
OPENING = (3.0, 34.0)
#: How far beyond their ends two edges may meet, as a share of their length: spikes may be blunt.
BLUNT = 0.7


@dataclass(frozen=True)
class Tips:
    """N tips: `at` N × 2 pixels, `toward` N × 2 unit vectors from the tip to the spike's base.

    `weight` is the shorter edge's length, `reach` how far the edges could be followed; N pixels each.
    """

    at: Array
    toward: Array
    weight: Array
    reach: Array

    def __len__(self) -> int:
        return len(self.at)

    def pick(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Tips:
        """The chosen ones."""
        return Tips(self.at[which], self.toward[which], self.weight[which], self.reach[which])


def segments(image: Image) -> Array:
    """Straight edges, N × 4 (x, y, x, y), of the brightness and of the two colour axes."""
    detector = cv2.createLineSegmentDetector()
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    found = [detector.detect(_stretched(np.ascontiguousarray(lab[:, :, k])))[0] for k in range(3)]
    rows = [lines.reshape(-1, 4).astype(np.float64) for lines in found if lines is not None]
    return np.concatenate(rows) if rows else np.zeros((0, 4))


def _stretched(channel: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The channel with its contrast stretched: dim pictures and weak colours count like strong ones."""
    low, high = np.percentile(channel, (1, 99))
    scale = min(255.0 / max(high - low, 1.0), 4.0)
    return np.asarray(cv2.convertScaleAbs(channel, alpha=scale, beta=-low * scale), np.uint8)


def find_tips(lines: Array, shortest: float) -> Tips:
    """All tips made by two of the segments (N × 4) that are at least `shortest` pixels long."""
    ends = lines.reshape(-1, 2, 2)
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    keep = np.argsort(-length)[: min(int(np.sum(length >= shortest)), 700)]
    ends, length = ends[keep], length[keep]
    first, second = _sharp_pairs(ends, length)
    return _merged(_meeting(ends[first], ends[second]), shortest)


def _sharp_pairs(ends: Array, length: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index pairs of segments whose directions differ by a spike's opening and which lie near each other."""
    direction = (ends[:, 1] - ends[:, 0]) / length[:, None]
    angle = np.degrees(np.arctan2(direction[:, 1], direction[:, 0]))
    apart = np.abs((angle[:, None] - angle[None, :] + 90) % 180 - 90)
    middle = ends.mean(axis=1)
    near = np.linalg.norm(middle[:, None] - middle[None, :], axis=2) < (length[:, None] + length[None, :])
    first, second = np.nonzero(np.triu((apart > OPENING[0]) & (apart < OPENING[1]) & near, 1))
    return first, second


def _meeting(one: Array, two: Array) -> Tips:
    """Tips of segment pairs (each N × 2 × 2) that come together at an end of both, arms on the same side."""
    apex = _intersection(one, two)
    arms = [_arm(segment, apex) for segment in (one, two)]
    (near1, far1), (near2, far2) = arms
    size1, size2 = np.linalg.norm(far1 - near1, axis=1), np.linalg.norm(far2 - near2, axis=1)
    gap1, gap2 = np.linalg.norm(near1 - apex, axis=1), np.linalg.norm(near2 - apex, axis=1)
    reach1, reach2 = np.linalg.norm(far1 - apex, axis=1), np.linalg.norm(far2 - apex, axis=1)
    unit1 = (far1 - apex) / np.maximum(reach1, 1e-9)[:, None]
    unit2 = (far2 - apex) / np.maximum(reach2, 1e-9)[:, None]
    meets = (gap1 < 3 + BLUNT * size1) & (gap2 < 3 + BLUNT * size2)
    meets &= (np.sum(unit1 * unit2, axis=1) > 0) & (np.maximum(size1, size2) < 4 * np.minimum(size1, size2))
    toward = unit1 + unit2
    toward /= np.maximum(np.linalg.norm(toward, axis=1), 1e-9)[:, None]
    return Tips(apex, toward, np.minimum(size1, size2), np.maximum(reach1, reach2)).pick(meets)


def _intersection(one: Array, two: Array) -> Array:
    """Where the lines through the segments cross, N × 2."""
    a, b = one[:, 1] - one[:, 0], two[:, 1] - two[:, 0]
    across = two[:, 0] - one[:, 0]
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    along = (across[:, 0] * b[:, 1] - across[:, 1] * b[:, 0]) / np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    crossing: Array = one[:, 0] + along[:, None] * a
    return crossing


def _arm(segment: Array, apex: Array) -> tuple[Array, Array]:
    """The segment's end nearer to the apex, and the farther one."""
    distance = np.linalg.norm(segment - apex[:, None], axis=2)
    rows = np.arange(len(segment))
    near = np.argmin(distance, axis=1) if len(segment) else np.zeros(0, np.int64)
    return segment[rows, near], segment[rows, 1 - near]


def _merged(tips: Tips, shortest: float) -> Tips:
    """One tip where several pairs of edges gave nearly the same: the one with the longest arms."""
    order = np.argsort(-tips.weight)
    tips = tips.pick(order)
    alive = np.ones(len(tips), bool)
    for k in range(len(tips)):
        if alive[k]:
            step = tips.at - tips.at[k]
            along = step @ tips.toward[k]
            sideways = np.abs(step[:, 0] * tips.toward[k, 1] - step[:, 1] * tips.toward[k, 0])
            close = (np.abs(along) < shortest) & (sideways < 0.3 * shortest)
            close &= tips.toward @ tips.toward[k] > 0.9
            close[: k + 1] = False
            alive &= ~close
    return tips.pick(alive)
