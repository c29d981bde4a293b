"""What lies as it did when it was read keeps its reading: only what changed is read anew.

Another look at what has not changed would make the same mistakes again and costs as much as the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import Belief, Die
from vision.dice_view import Box
from vision.geometry import HEIGHT
from vision.motion import middle
from vision.runs import FULL
from vision.strips import (
    CELL,
    FIELD_ROWS,
    RIM,
    STRIPS,
    Array,
    Cells,
    bar_columns,
    brightened,
    colour_size,
    difference_of,
    strip_place,
    usual,
)

Mask = NDArray[np.bool_]

#: Colour distance (Lab, mean of 3 × 3 cells) to the known view from which on a cell has changed: so many
#: times what most cells differ by, and never less than this. On filmed and drawn games what stayed differed
#: by up to 4, a checker more or less by 16 and more.
TIMES_NOISE, LEAST_CHANGE = 7.0, 4.0
#: Only a reading this sure is kept: of a point, of a die.
SURE_POINT, SURE_DIE = 0.9, 0.9
#: A die reaches this far (cells) from its middle, and the change around it so much farther.
DIE_CELLS = 4


@dataclass(frozen=True, slots=True)
class Known:
    """What was read last of each point, of the bar and of the dice (None: not read), and `values`, the cells
    that each was read in (as `Cells.values`).
    """

    values: Array
    points: tuple[Belief, ...]
    bar: tuple[Belief, Belief]
    dice: tuple[Die, ...] | None


def changed_cells(view: Cells, known: Known) -> Mask:
    """Cells (rows × columns) that no longer look as they did; the light of all together may have changed."""
    step = difference_of(view.values, known.values)
    step = brightened(step, *(-most for most in usual(step)))
    size = colour_size(np.asarray(cv2.blur(step, (3, 3)), np.float32))
    mask: Mask = size > max(TIMES_NOISE * middle(size[::2, ::2]), LEAST_CHANGE)
    return mask


def changed_points(changed: Mask, view: Cells, known: Known) -> list[int]:
    """Points to be read: those with a changed cell, and those that no reading was sure of."""

    def doubtful(strip: int) -> bool:
        return not (known.points[strip].seen and sure(known.points[strip]))

    return [s for s in range(STRIPS) if doubtful(s) or changed[strip_place(view.board, s)].any()]


def bar_changed(changed: Mask, view: Cells, known: Known) -> bool:
    """Whether the bar is to be read."""
    doubtful = not all(b.seen and sure(b) for b in known.bar)
    return doubtful or bool(changed[:, bar_columns(view.board)].any())


def sure(belief: Belief) -> bool:
    """Whether another look would hardly say anything else; what lies on top of a full row none tells."""
    best = belief.best
    if abs(best) < FULL:
        return belief.p(best) >= SURE_POINT
    share = sum(c.p for c in belief.counts if c.checkers * best > 0 and abs(c.checkers) >= FULL)
    return share >= SURE_POINT


def kept_dice(changed: Mask, known: Known) -> tuple[Die, ...] | None:
    """The dice that still lie there as they were read; None where all must be read: none were, or one alone,
    whose fellow may have been overlooked.
    """
    if known.dice is None or len(known.dice) == 1:
        return None
    return tuple(die for die in known.dice if die.p >= SURE_DIE and not changed[_around(die, changed)].any())


def _around(die: Die, cells: Mask) -> tuple[slice, slice]:
    """The cells that a die lies on."""
    rows, columns = cells.shape
    y, x = RIM + round(die.y * FIELD_ROWS), RIM + round(die.x * (columns - 2 * RIM))
    return (
        slice(max(y - DIE_CELLS, 0), min(y + DIE_CELLS + 1, rows)),
        slice(max(x - DIE_CELLS, 0), min(x + DIE_CELLS + 1, columns)),
    )


def renewed(known: Known, view: Cells, changed: Mask, read: list[int], *, bar: bool) -> Array:
    """The known cells with those that changed, or belong to what was read, as they look now."""
    new = changed.copy()
    new[:, bar_columns(view.board)] |= bar
    for strip in read:
        new[strip_place(view.board, strip)] = True
    return np.where(new[:, :, None], view.values, known.values)


def to_look_at(changed: Mask, known: Known, kept: tuple[Die, ...]) -> Mask:
    """The cells where dice are to be looked for: what has changed or holds a die that is in doubt now."""
    look = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    for die in set(known.dice or ()) - set(kept):
        look[_around(die, changed)] = True
    return look


def to_ignore(look: Mask) -> Mask:
    """What the other cells are on the field (`HEIGHT` × width of the straightened view)."""
    field = look[RIM : RIM + FIELD_ROWS, RIM:-RIM].astype(np.uint8)
    size = (field.shape[1] * CELL, HEIGHT)
    ignored: Mask = cv2.resize(field, size, interpolation=cv2.INTER_NEAREST) == 0
    return ignored


def box_of(look: Mask) -> Box:
    """The smallest part of the field around these cells; at the edge of what the cells show it goes on as far
    as dice are looked for.
    """
    left, right = _reach(np.flatnonzero(look.any(axis=0)), look.shape[1])
    top, bottom = _reach(np.flatnonzero(look.any(axis=1)), look.shape[0])
    return left, top, right, bottom


def _reach(cells: NDArray[np.int_], number: int) -> tuple[float, float]:
    """From where to where these rows or columns of cells reach, in fractions of the field's."""
    first, last = int(cells[0]), int(cells[-1]) + 1
    field = number - 2 * RIM
    return -1.0 if first == 0 else (first - RIM) / field, 2.0 if last == number else (last - RIM) / field
