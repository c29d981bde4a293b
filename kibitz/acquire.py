"""Finding and learning the board at the beginning of a film or a live picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.errors import KibitzError
from referee.observation import POINTS
from vision.calibrate import Calibrated, calibrate
from vision.corners import find_boards
from vision.errors import NoBoard, NotTheStart
from vision.geometry import BoardGeometry, Image
from vision.learned import best_discs, learn
from vision.lens import unbent
from vision.source import Frame
from vision.strips import cells

#: A board found with less is not taken for one.
LEAST_SCORE = 0.5
#: So many points may be misread where a recording begins; where a person gave the corners.
MOST_MISREAD, MOST_WITH_CORNERS = 2, 8
#: A board is taken with as little where a known position must be on it as well.
LEAST_IN_FILM = 0.35
#: The board is looked for in calm frames, this far apart (seconds), for at most this long.
BETWEEN_TRIES = 1.0
LONGEST_SEARCH = 30.0
#: Mean change of grey between two frames that still counts as calm; mean grey below which all is black.
CALM = 1.5
BLACK = 8.0
NONE_FOUND = "no board found; show the whole board, or give its corners with --corners"


@dataclass(frozen=True, slots=True)
class Acquired:
    """A board ready to be read, the frame it was learned from, and the time up to which frames were used."""

    calibrated: Calibrated
    frame: Frame


def first_of(frames: Iterator[Frame], url: str) -> Frame:
    """The first frame that a source has.

    Raises:
        NoBoard: there is none.
    """
    first = next(frames, None)
    if first is None:
        raise NoBoard(f"{url}: holds no pictures; check that it is a whole video")
    return first


def acquire(
    frames: Iterator[Frame],
    tables: Sequence[Sequence[int]],
    board: BoardGeometry | None = None,
    *,
    patient: bool = True,
) -> Acquired:
    """Look at calm frames until one shows the board with one of the known positions.

    Not `patient`: a recording cannot be asked to show more, so a doubtful board that holds the position is
    taken, and a checker or two too many or too few for misreadings.

    Raises:
        NoBoard: none was found; says whether the picture is black.
        NotTheStart: a board was found, but it holds something else; names the points.
        SourceError: the source broke off.
    """
    problem: KibitzError = NoBoard("the source holds no pictures; check that it is a whole video")
    before: Frame | None = None
    tried = float("-inf")
    for frame in frames:
        if frame.t > LONGEST_SEARCH:
            break
        if before is not None and frame.t - tried >= BETWEEN_TRIES and calm(before.image, frame.image):
            tried = frame.t
            found = _try(before, frame, tables, board, LEAST_SCORE if patient else LEAST_IN_FILM)
            most = MOST_MISREAD if board is None else MOST_WITH_CORNERS
            if not patient and isinstance(found, _Nearly) and miscounted(found.error, most):
                return found.acquired
            found = found.error if isinstance(found, _Nearly) else found
            if isinstance(found, Acquired):
                return found
            problem = _worse_known(problem, found)
        before = frame
    raise problem


def _worse_known(known: KibitzError, new: KibitzError | Acquired) -> KibitzError:
    """What to tell: of boards that were found the one that came nearest, else the newest."""
    if not isinstance(new, KibitzError) or (
        isinstance(known, NotTheStart) and not (isinstance(new, NotTheStart) and _amiss(new) < _amiss(known))
    ):
        return known
    return new


def _amiss(error: NotTheStart) -> int:
    """Points that differ; exchanged colours are worse than misreadings and better than another position."""
    return len(error.wrong) if error.table else MOST_WITH_CORNERS + 1


@dataclass(frozen=True, slots=True)
class _Nearly:
    """A board that is not quite as it should be: what differs, and what is learned if that does not count."""

    error: NotTheStart
    acquired: Acquired


def miscounted(error: NotTheStart, most: int) -> bool:
    """Whether a side seems to have more or fewer checkers than there are, on no more than `most` points which
    are all its own: they were misread. After a play its number would be right.
    """
    shift = {1: 0, -1: 0}
    for _, expected, seen in error.wrong:
        if seen == 0 or seen * expected < 0:
            return False
        shift[1 if seen > 0 else -1] += abs(seen) - abs(expected)
    sides = {1 if seen > 0 else -1 for _, _, seen in error.wrong}
    return len(error.wrong) <= most and all(shift[side] for side in sides)


def _try(
    before: Frame,
    frame: Frame,
    tables: Sequence[Sequence[int]],
    board: BoardGeometry | None,
    least: float,
) -> Acquired | _Nearly | KibitzError:
    """The first of the boards that the frame may show which holds one of the positions, or what is wrong."""
    if frame.image.mean() < BLACK:
        return NoBoard("the picture is black; uncover the camera or give the board more light")
    try:
        boards = [board] if board is not None else _located(frame.image, least)
    except NoBoard as error:
        return error
    nearest: list[_Nearly | NotTheStart] = []
    for where in boards:
        found = _taught(before, frame, tables, where)
        if isinstance(found, Acquired):
            return found
        nearest.append(found)
    return min(nearest, key=lambda found: _amiss(found.error if isinstance(found, _Nearly) else found))


def _taught(
    before: Frame, frame: Frame, tables: Sequence[Sequence[int]], where: BoardGeometry
) -> Acquired | _Nearly | NotTheStart:
    """What a board there is learned to look like from one of the positions."""
    views = [cells(unbent(seen.image, where.lens), where) for seen in (before, frame)]
    try:
        return Acquired(calibrate(views, tables), frame)
    except NotTheStart as error:
        if not error.table:
            return error
        learned = learn(views, error.table, best_discs(views, error.table))
        return _Nearly(error, Acquired(Calibrated(where, learned, error.table[:POINTS]), frame))


def locate(image: Image, least: float = LEAST_SCORE) -> BoardGeometry:
    """The board in one picture.

    Raises:
        NoBoard: nothing in the picture looks like one.
    """
    return _located(image, least)[0]


def _located(image: Image, least: float) -> list[BoardGeometry]:
    """Boards that the picture may show, the likeliest first: at least one."""
    found = find_boards(image)
    if not found or found[0].score < least:
        raise NoBoard(NONE_FOUND)
    return [board.geometry for board in found if board.score >= least]


def calm(a: Image, b: Image) -> bool:
    """Whether nothing moves between two pictures of one size."""
    small = [cv2.resize(x, (160, 90), interpolation=cv2.INTER_AREA).astype(np.int16) for x in (a, b)]
    return bool(np.abs(small[0] - small[1]).mean() < CALM)
