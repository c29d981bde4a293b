"""The straightened view cut into what the point reader looks at: short rows across each point, from rim to
tip.

A strip is one point (or the bar) seen from its base. A row is a patch as wide as a checker and a third as
deep; its
features are colours (CIE Lab) and the strength of edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import HEIGHT, PITCH, BoardGeometry, Image

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
#: From OpenCV's 8-bit Lab, and the root of the change of its L, to a cell's four numbers.
_UNITS = np.array([100 / 255, 1, 1, EDGE_WEIGHT * (100 / 255) ** 0.5], np.float32)
_ZEROS = np.array([0, 128, 128, 0], np.float32)


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
    light = cv2.GaussianBlur(cv2.extractChannel(lab, 0).astype(np.float32), (0, 0), 1.0)
    edge = cv2.magnitude(cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1))
    size = (lab.shape[1] // CELL, lab.shape[0] // CELL)
    parts = (lab.astype(np.float32), cv2.sqrt(edge))
    reduced = np.dstack([cv2.resize(part, size, interpolation=cv2.INTER_AREA) for part in parts])
    return Cells(np.asarray(reduced * _UNITS - _ZEROS, np.float32), board)


def _straightened(image: Image, board: BoardGeometry) -> Image:
    """The board from straight above with its rim, as `geometry.straighten` makes it, but quicker where many
    pictures show one board.
    """
    return np.asarray(cv2.remap(image, *_ways(board), cv2.INTER_LINEAR), np.uint8)


@lru_cache(maxsize=4)
def _ways(board: BoardGeometry) -> tuple[NDArray[Any], NDArray[Any]]:
    """Where each pixel of the view comes from, as `cv2.remap` takes it most quickly."""
    margin = RIM * CELL
    rows, columns = np.mgrid[0.0 : HEIGHT + 2 * margin, 0.0 : board.width + 2 * margin] - margin
    back = np.linalg.inv(board.homography())
    places = cv2.perspectiveTransform(np.dstack([columns, rows]), back)
    first, second = cv2.convertMaps(places.astype(np.float32), np.empty(0), cv2.CV_16SC2)
    return first, second


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


def has_bar(board: BoardGeometry) -> bool:
    """True when a checker fits on the bar."""
    return board.bar * PITCH >= 0.6 * PITCH
