"""What the point network looks at: each point, and the bar, cut out of the straightened picture.

A strip is two point widths wide and reaches from beyond the field's edge past its middle, the point's foot
up.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import HEIGHT, PITCH, BoardGeometry, Image, straighten

#: Straightened pixels around the field, so that what leans over its edge is still there.
MARGIN = PITCH
#: The network sees the straightened view at half its size.
SHRINK = 2
STRIP_WIDTH, STRIP_HEIGHT = 2 * PITCH // SHRINK, 160
#: A strip starts this far (in network pixels) outside the field.
BEYOND = 17
BAR_HEIGHT = 264
#: The network's face map has cells of this many pixels.
CELL = 4
#: Pictures in which a point is wider than this many pixels are reduced first, or details are lost.
WIDEST = 64.0

#: Boards whose field is lower than this (point widths) are made lower for the network, or checkers look long.
USUAL_HEIGHT, LOW = 10.5, 9.0

Sheet = NDArray[np.uint8]


def small_view(image: Image, board: BoardGeometry) -> Image:
    """The straightened view with a margin, at the network's scale."""
    points = np.array(board.corners)
    sides = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
    scale = WIDEST * (12 + board.bar) / max(float(sides.max()), 1.0)
    if scale < 1:
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        a, b, c, d = ((float(x) * scale, float(y) * scale) for x, y in board.corners)
        board = BoardGeometry((a, b, c, d), board.bar, board.rotate_cw_deg)
    return halved(straighten(image, board, MARGIN))


def halved(view: Image) -> Image:
    """A straightened view at the network's scale."""
    size = (view.shape[1] // SHRINK, view.shape[0] // SHRINK)
    return np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.uint8)


def strip_left(board: BoardGeometry, column: int) -> int:
    """Left edge of a column's strip in the small view."""
    return round((board.column_x(column) + MARGIN) / SHRINK) - STRIP_WIDTH // 2


def cut_strips(small: Sheet, board: BoardGeometry) -> list[Sheet]:
    """The 24 strips of a small view (any number of channels), foot up, in table order."""
    start = MARGIN // SHRINK - BEYOND
    bottom = (HEIGHT + 2 * MARGIN) // SHRINK - start
    strips = []
    for point in range(24):
        left = strip_left(board, point % 12)
        part = small[:, left : left + STRIP_WIDTH]
        far = part[start : start + STRIP_HEIGHT]
        strips.append(far if point < 12 else part[bottom - STRIP_HEIGHT : bottom][::-1])
    return strips


def field_height(board: BoardGeometry) -> float:
    """The field's height in point widths as the picture shows it; a tilted camera makes it less."""
    points = np.roll(np.array(board.corners), 1 if board.rotate_cw_deg else 0, axis=0)
    across = np.linalg.norm(points[1] - points[0]) + np.linalg.norm(points[2] - points[3])
    along = np.linalg.norm(points[3] - points[0]) + np.linalg.norm(points[2] - points[1])
    return float((12 + board.bar) * along / max(float(across), 1.0))


def shortening(board: BoardGeometry) -> float:
    """How much the strips of a low board are shortened (share; 1 for most boards)."""
    height = field_height(board)
    return 1.0 if height > LOW else max(height / USUAL_HEIGHT, 0.6)


def shortened(strips: list[Sheet], board: BoardGeometry) -> list[Sheet]:
    """Strips of a low board made shorter from the field's edge on, so that checkers are round; others
    unchanged.
    """
    share = shortening(board)
    if share == 1:
        return strips
    rows = round((STRIP_HEIGHT - BEYOND) * share)
    out = []
    for strip in strips:
        inner = cv2.resize(strip[BEYOND:], (STRIP_WIDTH, rows), interpolation=cv2.INTER_AREA)
        whole = np.concatenate([strip[:BEYOND], inner])
        lower = STRIP_HEIGHT - BEYOND - rows
        out.append(np.asarray(cv2.copyMakeBorder(whole, 0, lower, 0, 0, cv2.BORDER_REPLICATE), np.uint8))
    return out


def cut_bar(small: Sheet, board: BoardGeometry) -> Sheet:
    """The bar's strip, from the far edge to the near one, `BAR_HEIGHT` × `STRIP_WIDTH`."""
    left = round((board.bar_x() + MARGIN) / SHRINK) - STRIP_WIDTH // 2
    top = (small.shape[0] - BAR_HEIGHT) // 2
    return small[top : top + BAR_HEIGHT, left : left + STRIP_WIDTH]
