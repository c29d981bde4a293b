"""Whether anything moves over the board, from a coarse view that costs about a millisecond a frame."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import HEIGHT, BoardGeometry, Image

Coarse = NDArray[np.float32]

#: The coarse view is this much smaller than the straightened one, with a margin in straightened pixels
#: around it.
FACTOR = 8
MARGIN = 40
#: Pictures are first averaged down to so much smaller ones.
FIRST = 4
#: Grey levels by which a coarse pixel must change to count, and the share of the view that is then "motion".
CHANGED = 7.0
MOVING_SHARE = 0.0012


class CoarseView:
    """Cuts the board's surroundings out of frames, small and grey."""

    def __init__(self, board: BoardGeometry) -> None:
        shrink = np.array([[1 / FACTOR, 0, MARGIN / FACTOR], [0, 1 / FACTOR, MARGIN / FACTOR], [0, 0, 1]])
        self._size = ((board.width + 2 * MARGIN) // FACTOR, (HEIGHT + 2 * MARGIN) // FACTOR)
        matrix = shrink @ board.homography()
        self._left, self._top, self._right, self._bottom = _surroundings(matrix, self._size)
        # of four columns the middle of all, of four rows that of the first and the third
        quarter = np.array([[FIRST, 0, 1.5 + self._left], [0, FIRST, 1.0 + self._top], [0, 0, 1]])
        self._matrix = matrix @ quarter

    def __call__(self, image: Image) -> Coarse:
        """The coarse view of a frame, smoothed, 0-255."""
        # every other row is left out: it is fetching the picture from memory that takes time
        part = image[self._top : self._bottom : 2, self._left : self._right]
        half = cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        small = cv2.resize(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), None, fx=0.5, fy=1.0)
        view = cv2.warpPerspective(small, self._matrix, self._size, flags=cv2.INTER_LINEAR)
        return np.asarray(cv2.blur(view.astype(np.float32), (2, 2)), np.float32)


def _surroundings(matrix: NDArray[np.float64], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom (picture pixels) of what a view shows; what lies outside the picture, slicing
    leaves out. `matrix` leads from the picture to the view.
    """
    width, height = size
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64).reshape(-1, 1, 2)
    seen = cv2.perspectiveTransform(corners, np.linalg.inv(matrix)).reshape(-1, 2)
    left, top = (max(int(x) // FIRST * FIRST, 0) for x in seen.min(axis=0) - FIRST)
    right, bottom = (max(int(x) // FIRST * FIRST, 2 * FIRST) for x in seen.max(axis=0) + 2 * FIRST)
    return left, top, max(right, left + FIRST), max(bottom, top + FIRST)


def changed_share(a: Coarse, b: Coarse) -> float:
    """Share of the view that differs between two coarse views; a change of all light at once does not
    count.
    """
    difference = a - b
    difference -= middle(difference[::2, ::2])
    return int(np.count_nonzero(np.abs(difference) > CHANGED)) / difference.size


def middle(values: NDArray[np.float32]) -> float:
    """The middle one of some numbers, of two the greater; `np.median` takes five times as long."""
    flat, half = values.flatten(), values.size // 2
    flat.partition(half)
    return float(flat[half])
