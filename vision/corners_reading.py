"""Which of several places is the board's, told by what is read there.

A board one column off loses the checkers of the other end, and sees a frame where it looks for a point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.observation import POINTS, Belief, totals
from vision.geometry import BoardGeometry, Image
from vision.joint import FULL, Together, together
from vision.lens import unbent
from vision.net import read_points

Differences = tuple[tuple[int, int, int], ...]
#: What a reading that is sure of all places says for a board, in units of its score, and each checker.
SURE, CHECKER = 0.3, 0.01
#: What a point that holds something else, or that cannot be seen, says against a position (natural log).
MOST_SAID = -math.log(1e-4)


def merit(image: Image, board: BoardGeometry) -> float:
    """What the reading of a board at this place says for it."""
    beliefs = read_points(unbent(image, board.lens), board)
    read = together(beliefs if beliefs[-1].seen else beliefs[:-2])
    return SURE * read.sure + CHECKER * _checkers(read)


def _checkers(read: Together) -> int:
    """Checkers seen, of each side no more than there are."""
    counts = [belief.best for belief in read.beliefs if belief.seen]
    light, dark = totals(counts)
    return min(light, FULL) + min(dark, FULL)


def against(
    image: Image, board: BoardGeometry, tables: Sequence[Sequence[int]]
) -> dict[tuple[int, ...], float]:
    """For each position (24 signed counts and more) by how much the point network likes what it reads on a
    board at this place better (natural log, 0: nothing): a whole column off it is some fifty or more.
    """
    beliefs = read_points(unbent(image, board.lens), board)[:POINTS]
    return {tuple(table): sum(map(_says, beliefs, table[:POINTS])) for table in tables}


def unlike(image: Image, board: BoardGeometry, table: Sequence[int], row: int) -> tuple[float, Differences]:
    """The same for one position that has piles where more than `row` would lie in a row, which may look like
    fewer; and the points that are read otherwise (point, expected, seen).
    """
    beliefs = read_points(unbent(image, board.lens), board)[:POINTS]
    told = [(k, n, b) for k, (n, b) in enumerate(zip(table, beliefs, strict=False)) if not _piled(b, n, row)]
    differ = tuple((k, n, b.best) for k, n, b in told if b.best != n)
    return sum(_says(b, n) for _, n, b in told), differ


def _piled(place: Belief, count: int, row: int) -> bool:
    return place.seen and abs(count) > row and place.best * count > 0 and abs(place.best) >= row


def _says(place: Belief, count: int) -> float:
    if not place.seen:
        return MOST_SAID
    return min(math.log(place.p(place.best) / max(place.p(count), 1e-9)), MOST_SAID)
