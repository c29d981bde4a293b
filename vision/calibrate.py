"""Learning the board in front of the camera from a position that is known, and checking that it is that
position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.errors import NotTheStart
from vision.geometry import BoardGeometry
from vision.learned import (
    Disc,
    LearnedBoard,
    Shown,
    Signed,
    best_discs,
    learn_from,
    shown,
    strip_probabilities,
)
from vision.runs import hidden, point_belief
from vision.side_by_side import side_by_side
from vision.strips import STRIPS, Array, Cells

#: A point is called wrong when what is seen is this many times likelier than what should be there.
SURE = 20.0
#: Points that are left out together when the rest must tell what they hold.
FOLDS = 6


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A board that can be read: where it is, how it looks, and the position (24 counts) it was learned
    from. `beside`: how it looked next to it then (see `vision.trays`), if that was kept.
    """

    board: BoardGeometry
    learned: LearnedBoard
    table: tuple[int, ...]
    beside: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """A point (0-23) that does not hold what it should: expected and seen signed counts."""

    point: int
    expected: int
    seen: int


#: What is told where no known table has its light checkers in the light places.
EXCHANGED = "the lighter checkers stand where the position has dark ones; exchange light and dark"


def point_name(point: int) -> str:
    """A table point in words: row and place from the left."""
    return f"{'far' if point < 12 else 'near'} row {point % 12 + 1}"


def describe(wrong: Iterable[Wrong]) -> str:
    """Wrong points in one line."""
    return ", ".join(
        f"{point_name(w.point)} ({_checkers(w.expected)} expected, {_checkers(w.seen)} seen)" for w in wrong
    )


def not_the_start(table: tuple[int, ...], wrong: Sequence[Wrong]) -> NotTheStart:
    """What is wrong where a board does not show the table."""
    differs = tuple((w.point, w.expected, w.seen) for w in wrong)
    return NotTheStart(f"this is not the start: differs on {describe(wrong)}", table, differs)


def _checkers(count: int) -> str:
    return "empty" if not count else f"{abs(count)} {'light' if count > 0 else 'dark'}"


def calibrate(views: Sequence[Cells], tables: Iterable[Sequence[int]]) -> Calibrated:
    """Learn from still views that show one of `tables` (24 or 28 signed counts each, e.g. a start in its four
    ways).

    Raises:
        NotTheStart: no table fits; names the points of the best one, and none where light and dark are
            exchanged in all of them.
    """
    nearest: tuple[Wrong, ...] | None = None
    start: tuple[int, ...] = ()
    seen = shown(views)
    lit = _lit_rightly(seen, tables)
    if not lit:
        raise NotTheStart(EXCHANGED)
    for table in lit:
        calibrated, wrong = _tried(views, seen, table)
        if not wrong:
            return calibrated
        if nearest is None or len(wrong) < len(nearest):
            nearest, start = wrong, table
    raise not_the_start(start, nearest or ())


def _lit_rightly(seen: Shown, tables: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """The tables whose light checkers are the lighter ones in the picture; one of a pair of swapped ones
    stays.
    """
    return [tuple(table) for table in tables if _contrast(seen.rows, table) >= 0]


def _contrast(rows: Array, table: Sequence[int]) -> float:
    """Lightness of the light checkers minus that of the dark ones, by one checker of each point: of the
    middle ones, for where one lies off its place the ground is seen.
    """
    middle = rows.shape[2] // 2 // 4 * 4
    lightness = rows[:, 3:7, middle].mean(1)
    counts = np.array(table[:STRIPS])
    if not (counts > 0).any() or not (counts < 0).any():
        return 0.0
    return float(np.median(lightness[counts > 0]) - np.median(lightness[counts < 0]))


def _tried(
    views: Sequence[Cells], seen: Shown, table: tuple[int, ...]
) -> tuple[Calibrated, tuple[Wrong, ...]]:
    discs = best_discs(views, table)
    learned = learn_from(seen, table, discs, range(STRIPS))
    wrong = wrong_points(views[0], seen, table, discs)
    return Calibrated(views[0].board, learned, table[:STRIPS]), tuple(wrong)


def wrong_points(view: Cells, seen: Shown, table: Signed, discs: tuple[Disc, Disc]) -> list[Wrong]:
    """Points that look otherwise than they should, each judged by what the other points taught."""
    folds = [[s for s in range(STRIPS) if s % FOLDS == fold] for fold in range(FOLDS)]
    parts = [strips for left_out in folds for strips in _halves(left_out, table)]
    found = side_by_side(lambda strips: _judged(view, seen, table, discs, strips), parts)
    return sorted((wrong for some in found for wrong in some), key=lambda w: w.point)


def _halves(strips: Sequence[int], table: Signed) -> list[list[int]]:
    """Occupied points are left out one by one (they are few), empty ones together."""
    empty = [s for s in strips if not table[s]]
    return [[s] for s in strips if table[s]] + ([empty] if empty else [])


def _judged(
    view: Cells, seen: Shown, table: Signed, discs: tuple[Disc, Disc], strips: Sequence[int]
) -> list[Wrong]:
    taught = [s for s in range(STRIPS) if s not in strips]
    learned = learn_from(seen, table, discs, taught)
    points = strip_probabilities(learned, view, strips)
    wrong = []
    for strip, rows in zip(strips, points, strict=True):
        belief = point_belief(rows, discs[strip // 12])
        if not hidden(rows) and belief.p(belief.best) > SURE * belief.p(table[strip]):
            wrong.append(Wrong(strip, table[strip], belief.best))
    return wrong
