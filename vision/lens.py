"""The lens of a wide camera: pictures that bulge are unbent first, everything else sees straight ones.

One number k says how far: a place seen at r from the picture's middle, in halves of its longer side, belongs
at r · (1 + k·r²). Barrels, as wide webcams give, have k above zero (OpenCV's k1 has about the same size and
the other sign); cushions below.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import BoardGeometry, Image, Quad

#: Lenses that are understood; weaker ones than `STRAIGHT` change nothing that matters.
WEAKEST, STRONGEST, STRAIGHT = -0.15, 0.5, 0.004
#: Newton steps from a straight place back to the seen one.
STEPS = 8
#: A cushion shows nothing that lies farther out than a certain distance; so near to it (share) all is one.
EDGE = 0.98

Places = NDArray[np.float64]
Size = tuple[int, int]


def unbent(image: Image, k: float) -> Image:
    """The picture (H × W × 3) as a lens without distortion would give it, of the same size."""
    if abs(k) < STRAIGHT:
        return image
    maps = _maps(k, (image.shape[1], image.shape[0]))
    return np.asarray(cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def straight(places: Places, k: float, size: Size) -> Places:
    """N × 2 pixels of a picture (width, height) → where they are in the unbent one."""
    middle, unit = _frame(size)
    off = (places - middle) / unit
    grown: Places = off * (1 + k * (off**2).sum(axis=1, keepdims=True)) * unit + middle
    return grown


def seen(places: Places, k: float, size: Size) -> Places:
    """N × 2 pixels of the unbent picture → where they are in the one that the camera gave."""
    middle, unit = _frame(size)
    off = (places - middle) / unit
    far = np.linalg.norm(off, axis=1, keepdims=True)
    back: Places = off * _shrink(far, k) * unit + middle
    return back


def _shrink(far: Places, k: float) -> Places:
    """By what a straight place's distance from the middle is to be multiplied to be the seen one."""
    if k < 0:
        far = np.minimum(far, EDGE / np.sqrt(-27 * k / 4))
    r = far.copy()
    for _ in range(STEPS):
        r -= (r * (1 + k * r**2) - far) / np.maximum(1 + 3 * k * r**2, 0.05)
    return np.where(far > 1e-9, r / np.maximum(far, 1e-9), 1.0)


def seen_corners(board: BoardGeometry, size: Size) -> Quad:
    """A board's corners in the picture (width, height) that the camera gave."""
    if abs(board.lens) < STRAIGHT:
        return board.corners
    a, b, c, d = seen(np.array(board.corners), board.lens, size).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def straight_corners(corners: Quad, k: float, size: Size) -> Quad:
    """Corners seen in the camera's picture → those in the unbent one."""
    a, b, c, d = straight(np.array(corners), k, size).tolist()
    return (a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1])


def _frame(size: Size) -> tuple[Places, float]:
    """Middle and unit of a picture, pixels."""
    return np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]), max(size) / 2


@lru_cache(maxsize=2)
def _maps(k: float, size: Size) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Where each pixel of the unbent picture comes from, as cv2.remap likes it best."""
    middle, unit = _frame(size)
    x, y = (np.arange(n, dtype=np.float32) - m for n, m in zip(size, middle, strict=True))
    table = np.linspace(0, 1.5, 600)
    far = np.hypot(x[None, :], y[:, None]) / unit
    shrink = np.interp(far, table, _shrink(table, k))
    across, down = x[None, :] * shrink + middle[0], y[:, None] * shrink + middle[1]
    whole, part = cv2.convertMaps(across.astype(np.float32), down.astype(np.float32), cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(part, np.uint16)
