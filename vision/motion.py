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
#: Grey levels by which a coarse pixel must change to count, and the share of the view that is then "motion".
CHANGED = 7.0
MOVING_SHARE = 0.0012


class CoarseView:
    """Cuts the board's surroundings out of frames, small and grey."""

    def __init__(self, board: BoardGeometry) -> None:
        shrink = np.array([[1 / FACTOR, 0, MARGIN / FACTOR], [0, 1 / FACTOR, MARGIN / FACTOR], [0, 0, 1]])
        self._size = ((board.width + 2 * MARGIN) // FACTOR, (HEIGHT + 2 * MARGIN) // FACTOR)
        self._matrix = shrink @ board.homography()

    def __call__(self, image: Image) -> Coarse:
        """The coarse view of a frame, smoothed, 0-255."""
        half = cv2.resize(image, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)
        quarter = np.array([[4, 0, 1.5], [0, 4, 1.5], [0, 0, 1]], np.float64)
        small = cv2.warpPerspective(grey, self._matrix @ quarter, self._size, flags=cv2.INTER_LINEAR)
        return np.asarray(cv2.blur(small.astype(np.float32), (2, 2)), np.float32)


def changed_share(a: Coarse, b: Coarse) -> float:
    """Share of the view that differs between two coarse views; a change of all light at once does not
    count.
    """
    difference = a - b
    return float((np.abs(difference - np.median(difference)) > CHANGED).mean())
