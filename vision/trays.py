"""Checkers beside the field that were not there when the board was learned: those that were borne off.

Their number is seldom to be seen. On edge they make a row as long as they are thick, and how thick they are
nobody knows; flat ones lie on each other; some are kept elsewhere. What is seen tells how likely each number
is, no more.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import totals
from vision.bar import runs
from vision.calibrate import Calibrated
from vision.geometry import HEIGHT, PITCH, BoardGeometry, Image, straighten
from vision.joint import FULL
from vision.learned import Disc, LearnedBoard
from vision.strips import ALONG, STRIPS, Cells, point_strip

#: From where on and how far beyond the field's ends is looked, in point widths (what stands on the outermost
#: points leans over the edge), and the side of a cell, pixels of the view.
GAP, REACH, CELL = 0.35, 2.6, 4
#: A cell has changed when its colour did by this much (CIE Lab), and by so many times what most did.
LEAST_CHANGE, TIMES = 9.0, 4.0
#: A row of cells is covered when so much of a checker's width is; narrower things, in cells, are none. A row
#: of round ones is so much narrower between them.
COVERED, NARROWEST, NOTCH = 0.35, 5.0, 0.85
#: How tall a checker is in the straightened view, in its width: fields are not equally far stretched.
LEAST_TALL, MOST_TALL = 0.95, 1.5

Array = NDArray[np.float32]


def beside(image: Image, board: BoardGeometry) -> Array:
    """What lies left and right of the field: 2 × rows × columns × 3 (CIE Lab), from far to near. `image` is
    unbent.
    """
    margin, wide = round(REACH * PITCH), round((REACH - GAP) * PITCH)
    view = straighten(image, board, margin)[margin:-margin]
    size = (wide // CELL, HEIGHT // CELL)
    sides = [
        cv2.resize(part, size, interpolation=cv2.INTER_AREA) for part in (view[:, :wide], view[:, -wide:])
    ]
    lab = [cv2.cvtColor(np.asarray(part, np.float32) / np.float32(255), cv2.COLOR_BGR2Lab) for part in sides]
    return np.asarray(lab, np.float32)


def rows_beside(image: Image, kept: Calibrated) -> tuple[float, float] | None:
    """How long the rows of light and of dark checkers are that lie beside a board and did not when it was
    learned, in checkers' widths; None where nothing is known of how it looked there. `image` is unbent.
    """
    if kept.beside is None or not all(totals(kept.table)):
        return None
    size = sum(disc.pitch for disc in kept.learned.discs) / 2
    colours = set_colours(kept.learned, kept.board, kept.table)
    return lengths(beside(image, kept.board), kept.beside, colours, size)


def set_colours(learned: LearnedBoard, board: BoardGeometry, table: Sequence[int]) -> tuple[Array, Array]:
    """The usual colour of light and of dark checkers (CIE Lab), from the position that a board was learned
    from.
    """
    view = Cells(learned.reference, board)
    found = []
    for sign in (1, -1):
        faces = [_face(view, s, learned.discs[s // 12]) for s in range(STRIPS) if table[s] * sign > 0]
        found.append(np.median(np.concatenate(faces), axis=0))
    return found[0], found[1]


def _face(view: Cells, strip: int, disc: Disc) -> Array:
    """The middle of a point's first checker, cells × 3."""
    middle = ALONG + round(disc.first + disc.pitch / 2)
    cells = point_strip(view, strip)[max(middle - 1, 0) : middle + 2]
    across = cells.shape[1] // 2
    return np.asarray(cells[:, across - 1 : across + 2, :3].reshape(-1, 3), np.float32)


def lengths(now: Array, empty: Array, colours: tuple[Array, Array], size: float) -> tuple[float, float]:
    """How long the rows of light and of dark checkers beside the field are, in checkers' widths (about `size`
    cells). `now` and `empty` as `beside` gives them.
    """
    now = now - np.median((now - empty).reshape(-1, 3), axis=0)
    change = np.linalg.norm(now - empty, axis=-1)
    changed = change > max(LEAST_CHANGE, TIMES * float(np.median(change)))
    light, dark = (np.linalg.norm(now - colour, axis=-1) for colour in colours)
    there = changed & (np.minimum(light, dark) < change)
    both = [_of_each(side, own, size) for side, own in zip(there, light < dark, strict=True)]
    return both[0][0] + both[1][0], both[0][1] + both[1][1]


def _of_each(there: NDArray[np.bool_], lights: NDArray[np.bool_], size: float) -> tuple[float, float]:
    """The same on one side of the field: cells that show a checker, and those that are light's colour rather
    than dark's. Edges lie in shade: most of what is around tells whose a row is.
    """
    around = np.ones(round(size))
    light, dark = (np.convolve((there & own).sum(axis=1), around, "same") for own in (lights, ~lights))
    across = np.convolve(there.sum(axis=1), np.full(3, 1 / 3), "same")
    return _length(np.where(light > dark, across, 0), size), _length(np.where(light > dark, 0, across), size)


def _length(across: NDArray[np.float64], size: float) -> float:
    """How long one set's row is, from how wide it is in each row of cells."""
    wide = float(across.max())
    if wide < NARROWEST:
        return 0.0
    size = float(np.clip(size, LEAST_TALL * wide, MOST_TALL * wide))
    rows = [across[first:last] for first, last in runs(across > COVERED * wide)]
    return sum(len(row) / size if (discs := _discs(row)) < 2 else float(discs) for row in rows)


def _discs(across: NDArray[np.float64]) -> int:
    """How many round checkers lie in a row that is so wide: between two of them it is narrower."""
    found, falling, mark = 1, False, float(across[0])
    for wide in map(float, across):
        mark = min(mark, wide) if falling else max(mark, wide)
        if falling and wide * NOTCH > mark:
            found, falling, mark = found + 1, False, wide
        elif not falling and wide < NOTCH * mark:
            falling, mark = True, wide
    return found


#: How often borne-off checkers are kept elsewhere, lie flat in rows, stand on edge, or are in part behind the
#: frame or in glare; and what a length says that is none of these.
ELSEWHERE, FLAT, ON_EDGE, IN_PART, ODD = 0.15, 0.4, 0.4, 0.05, 0.02
#: Flat ones lie in rows of at most so many, this often; up to so many high; this often as low as they can.
ROWS, SHARES, HIGH, LOW = (5, 6, 7, 12), (0.7, 0.15, 0.1, 0.05), 3, 0.7
#: How thick checkers are, in their width; how far a row's length strays, in the same.
THICK = np.linspace(0.1, 0.5, 9)
STRAY = 0.3


def likely(length: float) -> NDArray[np.float64]:
    """How likely rows of one side's checkers that are so long (in their width) make each number, 0-15."""
    return np.array([_likely(length, n) for n in range(FULL + 1)]) + ODD


def _likely(length: float, number: int) -> float:
    if not number:
        return float(_near(length, 0.0))
    flat = sum(share * _flat(length, number, row) for row, share in zip(ROWS, SHARES, strict=True))
    on_edge = float(np.mean(_near(length, number * THICK)))
    in_part = float(length < min(number, ROWS[0])) / min(number, ROWS[0])
    gone = float(_near(length, 0.0))
    return ELSEWHERE * gone + FLAT * flat + ON_EDGE * on_edge + IN_PART * in_part


def _flat(length: float, number: int, row: int) -> float:
    low, least = min(number, row), -(-number // HIGH)
    piled = _near(length, np.arange(min(least, low), low + 1.0))
    return LOW * float(_near(length, low)) + (1 - LOW) * float(np.mean(piled))


def _near(length: float, expected: float | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.exp(-(((length - expected) / STRAY) ** 2) / 2))
