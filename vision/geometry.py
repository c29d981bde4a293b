"""Where the board is in the picture, and the straightened view that everything is read from.

OpenCV is only loaded where pictures are: who goes through recorded looks needs half the memory without it.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

#: A colour picture: height × width × 3, BGR, 8 bits.
Image = NDArray[np.uint8]

#: What `cv2.remap` takes most quickly: whole pixels, and parts of them.
Ways = tuple[NDArray[Any], NDArray[Any]]

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]

#: Straightened view: pixels per point width, and the height of the field.
PITCH = 40
HEIGHT = 520
COLUMNS = 12


class BoardGeometry(msgspec.Struct, frozen=True):
    """The playing area (24 points and the bar between, without the frame) in a picture.

    `corners` in pixels, clockwise from the picture's top left; `bar` the bar's width in point widths
    (0: no bar); `rotate_cw_deg` 90 for a board seen from its end. Where `lens` is not 0, the picture is the
    camera's as `vision.lens.unbent` makes it.
    """

    corners: Quad
    bar: float = 1.0
    rotate_cw_deg: Literal[0, 90] = 0
    lens: float = 0.0

    @property
    def width(self) -> int:
        """Width of the straightened view in pixels."""
        return round((COLUMNS + self.bar) * PITCH)

    def homography(self) -> NDArray[np.float64]:
        """3 × 3 matrix from picture pixels to the straightened view."""
        import cv2

        near_far = self.corners if self.rotate_cw_deg == 0 else (self.corners[3], *self.corners[:3])
        target = np.array([[0, 0], [self.width, 0], [self.width, HEIGHT], [0, HEIGHT]], np.float32)
        found = cv2.getPerspectiveTransform(np.array(near_far, np.float32), target)
        return np.asarray(found, np.float64)

    def column_x(self, column: int) -> float:
        """Centre of a column 0-11 in the straightened view, pixels."""
        return (column + 0.5 + (self.bar if column >= 6 else 0.0)) * PITCH

    def bar_x(self) -> float:
        """Centre of the bar in the straightened view, pixels."""
        return (6 + self.bar / 2) * PITCH


def straighten(image: Image, board: BoardGeometry, margin: int = 0) -> Image:
    """The playing area seen from straight above: `HEIGHT` × `board.width` pixels, and a margin around."""
    import cv2

    shift = np.array([[1, 0, margin], [0, 1, margin], [0, 0, 1]], np.float64)
    size = (board.width + 2 * margin, HEIGHT + 2 * margin)
    view = cv2.warpPerspective(image, shift @ board.homography(), size, flags=cv2.INTER_LINEAR)
    return np.asarray(view, np.uint8)


def ways(
    matrix: NDArray[np.float64], rows: NDArray[np.float64], columns: NDArray[np.float64], halved: int = 0
) -> Ways:
    """Where the spots of a view come from: kept for the next picture of the same board, this costs half of
    `cv2.warpPerspective`. `matrix` leads from the picture to the view, in which the spots lie at `rows` and
    `columns`; `halved`: so often the picture is halved before.
    """
    import cv2

    places = cv2.perspectiveTransform(np.dstack([columns, rows]), np.linalg.inv(matrix))
    places = (places + 0.5) / 2**halved - 0.5
    whole, part = cv2.convertMaps(places.astype(np.float32), np.empty(0), cv2.CV_16SC2)
    return whole, part


def to_picture(board: BoardGeometry, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """N × 2 positions of the straightened view → picture pixels."""
    import cv2

    back = np.linalg.inv(board.homography())
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), back)
    return np.asarray(moved, np.float64).reshape(-1, 2)
