"""Corner stickers: four printed ArUco markers that say where the board is, whatever the board looks like.

Sticker k (0 far left, 1 far right, 2 near right, 3 near left, as seen from the near side) is stuck upright
outside its corner of the playing area, with the corner of its white paper on the corner of the playing
area. The dictionary is DICT_4X4_50; the paper is one cell wider than the black square on every side.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners_fit import project
from vision.geometry import Image

#: Cells of a marker from black edge to black edge, and of white paper around it.
CELLS, PAPER = 6, 1
#: The corner of a sticker's paper that lies on the board's corner, in cells from the black square's top left.
INNER = (
    (CELLS + PAPER, CELLS + PAPER),
    (-PAPER, CELLS + PAPER),
    (-PAPER, -PAPER),
    (CELLS + PAPER, -PAPER),
)


def sticker(number: int, cell: int = 24) -> NDArray[np.uint8]:
    """Sticker 0-3 for printing, grey, with its paper: `cell` pixels for each of its 8 × 8 cells."""
    if not 0 <= number < len(INNER):
        raise ValueError(f"no sticker {number}: a board has stickers 0 to 3")
    black = cv2.aruco.generateImageMarker(_dictionary(), number, CELLS * cell)
    rim = PAPER * cell
    return np.asarray(
        cv2.copyMakeBorder(black, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=[255]), np.uint8
    )


def sticker_corners(image: Image) -> NDArray[np.float64] | None:
    """The playing area's corners between four stickers, 4 × 2 pixels from the far left clockwise, as seen
    from the near side; None when not all four are seen (picture H × W × 3, BGR).
    """
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(_dictionary(), settings)
    seen, numbers, _ = detector.detectMarkers(image)
    if numbers is None:
        return None
    places = {
        int(n): np.asarray(s, np.float64).reshape(4, 2) for s, n in zip(seen, numbers.ravel(), strict=True)
    }
    if not set(range(len(INNER))) <= places.keys():
        return None
    return np.concatenate([_inner_corner(places[k], k) for k in range(len(INNER))])


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _inner_corner(square: NDArray[np.float64], number: int) -> NDArray[np.float64]:
    """Where a sticker's paper touches the board, 1 × 2 pixels; `square` its black corners (4 × 2)."""
    cells = np.array([[0, 0], [CELLS, 0], [CELLS, CELLS], [0, CELLS]], np.float32)
    to_picture = np.asarray(cv2.getPerspectiveTransform(cells, square.astype(np.float32)), np.float64)
    return project(to_picture, np.array([INNER[number]], np.float64))
