"""Which of several places is the board's, told by what is read there.

A board one column off loses the checkers of the other end, and sees a frame where it looks for a point.
"""

from __future__ import annotations

from referee.observation import totals
from vision.geometry import BoardGeometry, Image
from vision.joint import FULL, Together, together
from vision.lens import unbent
from vision.net import read_points

#: What a reading that is sure of all places says for a board, in units of its score, and each checker.
SURE, CHECKER = 0.3, 0.01


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
