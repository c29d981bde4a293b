"""Pictures that are not what they should be: without colour, mirrored, larger than is of use."""

from __future__ import annotations

import math
from typing import Literal

import cv2
import numpy as np

from vision.cube import Cube, read_cube
from vision.geometry import BoardGeometry, Image, Quad

#: The longer side that is read, pixels: more makes no checker clearer, only noise and memory larger.
LARGEST = 2560
#: A picture whose a* and b* are nowhere (but in a hundredth) farther from grey than this has no colour.
GREY = 6.0
#: How sure the mirrored picture's cube must be, and the cube of the picture as it is at most.
PROOF, DOUBT = 0.95, 0.5
#: How much surer than the other's it must be to be told of.
SURER = 0.05
#: The number that is the same in a mirror, and how far apart a cube and its mirror image may seem to lie
#: (fractions of the field).
EVEN, SAME_PLACE = 8, 0.06


Mirror = Literal["no", "likely", "proved"]


def shrunk(image: Image) -> tuple[Image, float]:
    """The picture made no larger than is of use, and how many of its own pixels one then stands for."""
    scale = max(image.shape[:2]) / LARGEST
    if scale <= 1:
        return image, 1.0
    small = cv2.resize(image, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def scaled(corners: Quad, scale: float) -> Quad:
    """Corners in a picture each of whose pixels is `scale` times as small; pixels' middles stay middles."""
    a, b, c, d = (((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in corners)
    return a, b, c, d


def colourless(image: Image) -> bool:
    """Whether the picture is grey all over."""
    small = cv2.resize(image, (160, 120), interpolation=cv2.INTER_AREA)
    chroma = np.abs(cv2.cvtColor(small, cv2.COLOR_BGR2LAB)[..., 1:].astype(np.int16) - 128)
    return bool(np.percentile(chroma, 99) < GREY)


def mirrored(image: Image, board: BoardGeometry, here: Cube | None) -> Mirror:
    """Whether the doubling cube, read as it is (`here`), tells that left and right are exchanged: its number
    reads better in a mirror.

    Nothing else does: a board and its dice may be made either way round.
    """
    there = read_cube(*in_mirror(image, board))
    if proves(here, there):
        return "proved"
    return "likely" if suggests(here, there) else "no"


def proves(here: Cube | None, there: Cube | None) -> bool:
    """Whether the number of a cube reads only in the mirrored picture."""
    return _one_cube(here, there) and _p(here) < DOUBT and _p(there) > PROOF


def suggests(here: Cube | None, there: Cube | None) -> bool:
    """Whether the number of a cube reads surely in the mirrored picture, and less so as it is."""
    return _one_cube(here, there) and _p(there) > max(PROOF, _p(here) + SURER)


def _p(cube: Cube | None) -> float:
    return 0.0 if cube is None else cube.p


def _one_cube(here: Cube | None, there: Cube | None) -> bool:
    """Whether the cubes of a picture as it is and of the mirrored picture are one with two readings. A cube
    that is seen in one of the two alone proves nothing, it may be none.
    """
    if here is None or there is None or here.value == there.value or there.value == EVEN:
        return False
    across = math.hypot(here.x + there.x - 1, here.y - there.y)
    # A board that is seen from its end has its far side left or right.
    along = math.hypot(here.x - there.x, here.y + there.y - 1)
    return min(across, along) < SAME_PLACE


def in_mirror(image: Image, board: BoardGeometry) -> tuple[Image, BoardGeometry]:
    """Picture and board with left and right exchanged."""
    (a, b, c, d), last = board.corners, image.shape[1] - 1
    a, b, c, d = ((last - x, y) for x, y in (b, a, d, c))
    return np.ascontiguousarray(image[:, ::-1]), BoardGeometry((a, b, c, d), board.bar, board.rotate_cw_deg)
