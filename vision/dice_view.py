"""The view in which dice are looked for: straightened, truly proportioned, a little beyond the field.

`geometry.straighten` gives every field the same height; a die on a wide field would not be square in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_nets import CELL, CROP, SEEN_PITCH, Crop, Part, upright
from vision.geometry import COLUMNS, HEIGHT, BoardGeometry, Image, Ways, ways

Matrix = NDArray[np.float64]

#: A part of the field: left, top, right, bottom in fractions of it, below 0 or above 1 beside it.
Box = tuple[float, float, float, float]

#: Field width : height of real boards.
FLATTEST, TALLEST = 1.5, 0.9
#: Focal length of the usual camera in picture widths.
FOCAL = 1.0
#: No camera is thought to lean more than this (shift of the picture per height).
STEEPEST = 1.5


@lru_cache(maxsize=4)
def _ways(matrix: tuple[float, ...], size: tuple[int, int]) -> Ways:
    """Where each pixel of a view (width, height) comes from; `matrix`: from the picture to it, by rows."""
    rows, columns = np.mgrid[0.0 : size[1], 0.0 : size[0]]
    return ways(np.reshape(matrix, (3, 3)), rows, columns)


def proportion(board: BoardGeometry, size: tuple[int, int]) -> float:
    """Width : height of the field itself, judged from its corners by the usual focal length.

    `size` is the picture's (height, width). Both sides come out of the same homography, so that an error in
    the focal length matters only for a steep camera.
    """
    h = np.linalg.inv(board.homography()) @ np.diag([board.width, HEIGHT, 1.0])
    sides = np.linalg.norm(np.linalg.inv(_lens(size)) @ h[:, :2], axis=0)
    return float(np.clip(sides[0] / sides[1], TALLEST, FLATTEST))


def camera_over(matrix: Matrix, size: tuple[int, int]) -> tuple[float, float, float]:
    """Where the camera is over a plane: its foot and its height in the plane's units, by the usual focal
    length. `matrix` maps picture pixels to the plane, `size` is the picture's (height, width).
    """
    h = np.linalg.inv(_lens(size)) @ np.linalg.inv(matrix)
    a, b, t = (h / math.sqrt(np.linalg.norm(h[:, 0]) * np.linalg.norm(h[:, 1]))).T
    x, y, z = np.linalg.solve(np.column_stack([a, b, np.cross(a, b)]), -t)
    return float(x), float(y), max(abs(float(z)), 1e-6)


def _lens(size: tuple[int, int]) -> Matrix:
    """3 × 3: rays → pixels of the usual camera."""
    rows, columns = size
    focal = FOCAL * max(rows, columns)
    return np.array([[focal, 0, columns / 2], [0, focal, rows / 2], [0, 0, 1.0]])


@dataclass(frozen=True)
class DiceView:
    """A picture's table as the dice finder wants it.

    `matrix` maps picture pixels to view pixels; `size` is the view's (width, height), `field` the field's,
    `edge` what the view shows on each side of it, and `camera` where the camera hangs: over which spot, and
    how high, all in view pixels.
    """

    picture: Image
    matrix: Matrix
    size: tuple[int, int]
    field: tuple[float, float]
    edge: float
    camera: tuple[float, float, float]

    @cached_property
    def outward(self) -> Matrix:
        """View pixels → picture pixels."""
        return np.asarray(np.linalg.inv(self.matrix), np.float64)

    @cached_property
    def seen(self) -> Image:
        """The view itself; made once."""
        picture, matrix = self.picture, self.matrix
        shrink = 1 / max(self.scale((self.size[0] / 2, self.size[1] / 2)), 1e-6)
        if shrink < 0.6:
            small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            picture = np.asarray(small, np.uint8)
            matrix = matrix @ np.diag([1 / shrink, 1 / shrink, 1.0])
        ways = _ways(tuple(matrix.ravel().tolist()), self.size)
        view = cv2.remap(picture, *ways, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(view, np.uint8)

    def scale(self, spot: tuple[float, float]) -> float:
        """Picture pixels per view pixel at a spot of the view."""
        a, b, c = self.back(np.array([spot, (spot[0] + 1, spot[1]), (spot[0], spot[1] + 1)]))
        return math.sqrt(abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])))

    def back(self, spots: Matrix) -> Matrix:
        """N × 2 view pixels → picture pixels."""
        places = spots.reshape(-1, 1, 2).astype(np.float64)
        moved = cv2.perspectiveTransform(places, self.outward)
        return np.asarray(moved, np.float64).reshape(-1, 2)

    def crop(self, x: float, y: float, span: float, turn: float = 0.0) -> Crop:
        """A reader's crop around a spot of the view, `span` view pixels wide, in which upright things lean
        up, turned by a further angle in radians.

        It is taken from the picture, not from the view, so that no detail is lost.
        """
        across, along = self._lean(x, y)
        turn += upright(across, along)
        finer = int(np.clip(math.ceil(self.scale((x, y)) * span / CROP - 0.5), 1, 6))
        step = span / (CROP * finer)
        c, s, half = step * math.cos(turn), step * math.sin(turn), CROP * finer / 2
        place = np.array([[c, -s, x - (c - s) * half], [s, c, y - (s + c) * half], [0, 0, 1]])
        cut = cv2.warpPerspective(
            self.picture,
            self.outward @ place,
            (CROP * finer, CROP * finer),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        crop = cut if finer == 1 else cv2.resize(cut, (CROP, CROP), interpolation=cv2.INTER_AREA)
        return Crop(np.asarray(crop, np.uint8), min(math.hypot(across, along), STEEPEST))

    def aside(self, x: float, y: float, right: float, down: float) -> tuple[float, float]:
        """The spot so far (view pixels) right of and below another one, in a crop around that."""
        turn = upright(*self._lean(x, y))
        c, s = math.cos(turn), math.sin(turn)
        return x + c * right - s * down, y + s * right + c * down

    def _lean(self, x: float, y: float) -> tuple[float, float]:
        """How upright things lean at a spot: shift of the picture per height, right and down."""
        across, along = ((a - b) / self.camera[2] for a, b in zip((x, y), self.camera, strict=False))
        return across, along

    def fraction(self, x: float, y: float) -> tuple[float, float]:
        """View pixels → fractions of the field."""
        return float((x - self.edge) / self.field[0]), float((y - self.edge) / self.field[1])

    def part(self, within: Box) -> Part:
        """The cells of a part of the field, which may reach beyond it."""
        left, top, right, bottom = within
        x = [(f * self.field[0] + self.edge) / CELL for f in (left, right)]
        y = [(f * self.field[1] + self.edge) / CELL for f in (top, bottom)]
        columns, rows = (side // CELL for side in self.size)
        first = max(int(y[0]), 0), max(int(x[0]), 0)
        last = min(math.ceil(y[1]), rows), min(math.ceil(x[1]), columns)
        return Part(first[0], max(last[0], first[0] + 1), first[1], max(last[1], first[1] + 1))


def dice_view(picture: Image, board: BoardGeometry, beside: float) -> DiceView:
    """Lay the finder's view over a picture, reaching `beside` point widths beyond the field."""
    width = (COLUMNS + board.bar) * SEEN_PITCH
    height = width / proportion(board, picture.shape[:2])
    edge = beside * SEEN_PITCH
    fit = np.diag([width / board.width, height / HEIGHT, 1.0])
    shift = np.array([[1, 0, edge], [0, 1, edge], [0, 0, 1.0]])
    size = tuple(math.ceil((side + 2 * edge) / CELL) * CELL for side in (width, height))
    matrix = shift @ fit @ board.homography()
    camera = camera_over(matrix, picture.shape[:2])
    return DiceView(picture, matrix, (size[0], size[1]), (width, height), edge, camera)
