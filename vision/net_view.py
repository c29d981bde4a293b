"""What the point network looks at: the straightened board in four quarters, and its bar.

A quarter holds six points and more than half a point width on either side, from beyond the field's edge to
its middle, the points' feet up (near quarters are turned over): the network sees a point among its
neighbours.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import COLUMNS, HEIGHT, PITCH, BoardGeometry, Image

#: Pixels per point width in the network's view.
FINE = 24
#: The view shows this much around the field (pixels), so that what leans over its edge is still there.
MARGIN = 20
#: Its height; the field is always as high as in `vision.geometry`.
VIEW_HEIGHT = HEIGHT * FINE // PITCH + 2 * MARGIN
SIDE = COLUMNS // 2
#: A quarter shows so much (pixels) beside its six points.
BESIDE = 16
QUARTER_WIDTH, QUARTER_HEIGHT = SIDE * FINE + 2 * BESIDE, VIEW_HEIGHT // 2
#: The bar's view is this wide.
BAR_WIDTH = 80
#: The network's face map has cells of this many pixels.
CELL = 4
#: Columns of the face map that a quarter's first point owns; the others' follow at `CELLS` each.
CELLS = FINE // CELL
OWN = slice(BESIDE // CELL + 1, BESIDE // CELL + CELLS - 1)
#: The picture is straightened so many times finer than it is looked at, and averaged: no detail is lost.
FINER = 2
#: Pictures in which a point is wider than this many pixels are reduced first, for the same reason.
WIDEST = 80.0

#: Boards whose field is lower than this (point widths) are made lower for the network, or checkers look long.
USUAL_HEIGHT, LOW = 10.5, 9.0

Sheet = NDArray[np.uint8]


def board_view(image: Image, board: BoardGeometry) -> Image:
    """The straightened board with a margin, at the network's scale."""
    points = np.array(board.corners)
    sides = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
    scale = WIDEST * (COLUMNS + board.bar) / max(float(sides.max()), 1.0)
    if scale < 1:
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        a, b, c, d = ((float(x) * scale, float(y) * scale) for x, y in board.corners)
        board = BoardGeometry((a, b, c, d), board.bar, board.rotate_cw_deg)
    fine = straight(image, board, cv2.INTER_LINEAR, 0, FINER)
    return np.asarray(cv2.resize(fine, view_size(board), interpolation=cv2.INTER_AREA), np.uint8)


def view_size(board: BoardGeometry) -> tuple[int, int]:
    """Width and height of a board's view."""
    return round((COLUMNS + board.bar) * FINE) + 2 * MARGIN, VIEW_HEIGHT


def straight(sheet: Sheet, board: BoardGeometry, how: int, outside: int, finer: int = 1) -> Sheet:
    """A picture, or labels, straightened to the network's scale or `finer` times that; `outside` fills what
    the picture lacks.
    """
    share, width, height = FINE / PITCH, *view_size(board)
    move = np.array([[share, 0, MARGIN], [0, share, MARGIN], [0, 0, 1]]) @ board.homography()
    # Pixels are squares about their middles: those of a finer sheet lie half a pixel beside the coarse ones'.
    off = (finer - 1) / 2
    move = np.array([[finer, 0, off], [0, finer, off], [0, 0, 1]]) @ move
    view = cv2.warpPerspective(
        sheet, move, (width * finer, height * finer),
        flags=how, borderMode=cv2.BORDER_CONSTANT, borderValue=(outside,) * 3,
    )  # fmt: skip
    return np.asarray(view, np.uint8)


def halves(sheet: Sheet, left: int, width: int) -> list[Sheet]:
    """The far and the near half of an upright stripe of the view, both with the field's edge up."""
    part = sheet[:, left : left + width]
    return [part[:QUARTER_HEIGHT], part[QUARTER_HEIGHT:][::-1]]


def field_height(board: BoardGeometry) -> float:
    """The field's height in point widths as the picture shows it; a tilted camera makes it less."""
    points = np.roll(np.array(board.corners), 1 if board.rotate_cw_deg else 0, axis=0)
    across = np.linalg.norm(points[1] - points[0]) + np.linalg.norm(points[2] - points[3])
    along = np.linalg.norm(points[3] - points[0]) + np.linalg.norm(points[2] - points[1])
    return float((COLUMNS + board.bar) * along / max(float(across), 1.0))


def shortening(board: BoardGeometry) -> float:
    """How much the quarters of a low board are shortened (share; 1 for most boards)."""
    height = field_height(board)
    return 1.0 if height > LOW else max(height / USUAL_HEIGHT, 0.6)


def shortened(quarter: Sheet, share: float) -> Sheet:
    """A quarter made shorter from the field's edge on, so that checkers are round; its end is repeated."""
    if share == 1:
        return quarter
    rows = round((QUARTER_HEIGHT - MARGIN) * share)
    inner = cv2.resize(quarter[MARGIN:], (quarter.shape[1], rows), interpolation=cv2.INTER_AREA)
    whole = np.concatenate([quarter[:MARGIN], inner])
    lower = QUARTER_HEIGHT - MARGIN - rows
    return np.asarray(cv2.copyMakeBorder(whole, 0, lower, 0, 0, cv2.BORDER_REPLICATE), np.uint8)


def quarters(view: Sheet, board: BoardGeometry) -> list[Sheet]:
    """Four quarters of a view (any number of channels): far left, far right, near left, near right."""
    lefts = [MARGIN - BESIDE, round((SIDE + board.bar) * FINE) + MARGIN - BESIDE]
    (far_left, near_left), (far_right, near_right) = (halves(view, x, QUARTER_WIDTH) for x in lefts)
    return [far_left, far_right, near_left, near_right]


def bar_left(board: BoardGeometry, width: int) -> int:
    """Where a stripe of the view begins that has the bar in its middle."""
    return round((SIDE + board.bar / 2) * FINE) + MARGIN - width // 2


def bar_halves(view: Sheet, board: BoardGeometry) -> list[Sheet]:
    """The bar in the middle of what is beside it, as large as quarters: its far half, its near half."""
    return halves(view, bar_left(board, QUARTER_WIDTH), QUARTER_WIDTH)


def bar_stripe(view: Sheet, board: BoardGeometry) -> Sheet:
    """The bar from far to near with a little beside it, `VIEW_HEIGHT` × `BAR_WIDTH`."""
    left = bar_left(board, BAR_WIDTH)
    return view[:, left : left + BAR_WIDTH]
