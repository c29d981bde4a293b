"""The straightened view cut into what the point reader looks at: short rows across each point, from rim to
tip.

A strip is one point (or the bar) seen from its base. A row is a patch as wide as a checker and a third as
deep; its
features are colours (CIE Lab) and the strength of edges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import HEIGHT, PITCH, BoardGeometry, Image, Ways, ways
from vision.lens import unbent
from vision.motion import middle

Array = NDArray[np.float32]

#: The view is reduced by this much before rows are cut: a cell is 4 × 4 pixels, a point is ten cells wide.
CELL = 4
#: Cells around the field, so that checkers that lean over its edge are still whole.
RIM = 6
#: A row: cells to either side of the point's axis, and rows of cells before and after.
ACROSS, ALONG = 4, 1
FIELD_ROWS = HEIGHT // CELL
#: Rows of one point's strip, from the field's edge to a little past the middle.
DEPTH = FIELD_ROWS // 2 + 2
STRIPS = 24
EDGE_WEIGHT = 0.7
#: Pixels from which a cell is made, along each side: half as many as it has in the straightened view.
MADE_OF = 2
#: A picture is halved first as long as more of its pixels than this fall on one of those.
FINER = 1.7
#: From OpenCV's 8-bit Lab, and the root of the change of its L over such a pixel, to a cell's four numbers.
_UNITS = (100 / 255, 1.0, 1.0, EDGE_WEIGHT * (100 / 255 / MADE_OF) ** 0.5)
_TO_CELLS = np.column_stack([np.diag(_UNITS), (0.0, -128.0, -128.0, 0.0)])
_COLOURS = np.array([[1.0, 1.0, 1.0, 0.0]])


@dataclass(frozen=True, slots=True)
class Cells:
    """A reduced, straightened view: rows × columns × 4 (L, a, b, edge strength), with `RIM` cells around
    the field.
    """

    values: Array
    board: BoardGeometry


def cells(image: Image, board: BoardGeometry) -> Cells:
    """Straighten and reduce a picture."""
    lab = cv2.cvtColor(_straightened(image, board), cv2.COLOR_BGR2Lab)
    light = cv2.extractChannel(lab, 0)
    edge = cv2.magnitude(cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1))
    size = (lab.shape[1] // MADE_OF, lab.shape[0] // MADE_OF)
    parts = [
        cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        for part in (lab.astype(np.float32), cv2.sqrt(edge))
    ]
    return Cells(np.asarray(cv2.transform(cv2.merge(parts), _TO_CELLS), np.float32), board)


def straight_cells(image: Image, board: BoardGeometry) -> Cells:
    """The same of a picture as the camera took it, through its lens."""
    return cells(unbent(image, board.lens), board)


def _straightened(image: Image, board: BoardGeometry) -> Image:
    """The board from straight above with its rim, `MADE_OF` × `MADE_OF` pixels for each cell: quicker than
    `geometry.straighten` where many pictures show one board, and a large picture is averaged.
    """
    halvings = _halvings(board)
    for _ in range(halvings):
        even = image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2]
        half = cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        image = np.asarray(half, np.uint8)
    return np.asarray(cv2.remap(image, *_ways(board, halvings), cv2.INTER_LINEAR), np.uint8)


def _halvings(board: BoardGeometry) -> int:
    """How often a picture can be halved without losing what the cells show."""
    area = cv2.contourArea(np.array(board.corners, np.float32))
    pixels = (board.width // CELL * MADE_OF) * (HEIGHT // CELL * MADE_OF)
    return max(math.ceil(math.log2(max(area / pixels, 1e-6) ** 0.5 / FINER)), 0)


@lru_cache(maxsize=4)
def _ways(board: BoardGeometry, halvings: int) -> Ways:
    """Where each pixel of the view comes from in the halved picture."""
    step, margin = CELL // MADE_OF, RIM * CELL
    size = ((n + 2 * margin) // CELL * CELL for n in (HEIGHT, board.width))
    rows, columns = (n + (step - 1) / 2 - margin for n in np.mgrid[tuple(np.s_[0:n:step] for n in size)])
    return ways(board.homography(), rows, columns, halvings)


def _axis(board: BoardGeometry, strip: int) -> int:
    return RIM + round(board.column_x(strip % 12) / CELL - 0.5)


def strip_place(board: BoardGeometry, strip: int) -> tuple[slice, slice]:
    """Rows and columns of the view's cells that one point's strip takes."""
    x, rows = _axis(board, strip), FIELD_ROWS + 2 * RIM
    columns = slice(x - ACROSS, x + ACROSS + 1)
    if strip < 12:
        return slice(RIM - ALONG, RIM + DEPTH + ALONG), columns
    return slice(rows - RIM - DEPTH - ALONG, rows - RIM + ALONG), columns


def point_strip(view: Cells, strip: int, shift: int = 0) -> Array:
    """One point's cells, base first: (DEPTH + 2 · ALONG) × (2 · ACROSS + 1) × 4. `shift` moves it sideways,
    in cells.
    """
    x = _axis(view.board, strip) + shift
    columns = view.values[:, x - ACROSS : x + ACROSS + 1]
    rows = columns if strip < 12 else columns[::-1]
    return rows[RIM - ALONG : RIM + DEPTH + ALONG]


def bar_strip(view: Cells) -> Array:
    """The bar's cells from the far end to the near one; as wide as a point's strip."""
    return view.values[RIM - ALONG : RIM + FIELD_ROWS + ALONG, bar_columns(view.board)]


def bar_columns(board: BoardGeometry) -> slice:
    """The columns of the view's cells that the bar's strip takes."""
    x = RIM + round(board.bar_x() / CELL - 0.5)
    return slice(x - ACROSS, x + ACROSS + 1)


def row_features(strip: Array) -> Array:
    """Features of every row of a strip: rows × (3 · 9 · 4)."""
    depth = strip.shape[0] - 2 * ALONG
    parts = [strip[k : k + depth].reshape(depth, -1) for k in range(2 * ALONG + 1)]
    return np.concatenate(parts, axis=1)


def all_rows(view: Cells, shift: int = 0) -> Array:
    """Features of all 24 strips: 24 × DEPTH × features."""
    return np.stack([row_features(point_strip(view, s, shift)) for s in range(STRIPS)])


def difference_of(a: Array, b: Array) -> Array:
    """What is to be added to the cells `b` to have `a`."""
    return np.asarray(cv2.subtract(a, b), np.float32)


def brightened(values: Array, light: float, a: float, b: float) -> Array:
    """Cells with so much more of L, a and b."""
    return np.asarray(cv2.transform(values, np.column_stack([np.eye(4), (light, a, b, 0.0)])), np.float32)


def usual(step: Array) -> tuple[float, float, float]:
    """By how much most cells of a difference (rows × columns × 4) differ in L, a and b; every ninth is
    asked.
    """
    light, a, b = (middle(step[::3, ::3, k]) for k in range(3))
    return light, a, b


def colour_size(step: Array) -> Array:
    """Colour distance (Lab) that a difference of cells (rows × columns × 4) stands for, for each of them."""
    return np.asarray(cv2.sqrt(cv2.transform(cv2.multiply(step, step), _COLOURS)), np.float32)


def has_bar(board: BoardGeometry) -> bool:
    """True when a checker fits on the bar."""
    return board.bar * PITCH >= 0.6 * PITCH
