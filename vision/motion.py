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
#: Pictures are halved so often, averaged, before they are straightened, and are so much smaller then.
HALVED = 2
FIRST = 1 << HALVED
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
        middle = (FIRST - 1) / 2
        quarter = np.array([[FIRST, 0, middle + self._left], [0, FIRST, middle + self._top], [0, 0, 1]])
        self._matrix = matrix @ quarter

    def __call__(self, image: Image) -> Coarse:
        """The coarse view of a frame, smoothed, 0-255."""
        small = image[self._top : self._bottom, self._left : self._right]
        for _ in range(HALVED):
            # OpenCV is three times as fast at this as at a quarter at once
            half = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            small = np.asarray(half, np.uint8)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        view = cv2.warpPerspective(grey, self._matrix, self._size, flags=cv2.INTER_LINEAR)
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
    light = np.median(difference[::2, ::2])
    return float((np.abs(difference - light) > CHANGED).mean())
