"""Finding and learning the board at the beginning of a film or a live picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.errors import KibitzError
from referee.observation import POINTS
from vision.calibrate import Calibrated, Wrong, calibrate, not_the_start
from vision.corners import FoundBoard, find_boards
from vision.corners_reading import against, unlike
from vision.errors import NoBoard, NotTheStart
from vision.geometry import BoardGeometry, Image
from vision.learned import best_discs, learn
from vision.source import Frame
from vision.strips import Cells, straight_cells

#: A board found with less is not taken for one.
LEAST_SCORE = 0.5
#: So many points may be misread where a recording begins; where a person gave the corners.
MOST_MISREAD, MOST_WITH_CORNERS = 2, 8
#: What the point network may have against a known position (natural log) where it reads just that; and where
#: it may take piles for less. It has 32 and more against nearly all drawn boards that are a column off.
BORNE_OUT, THERE = 3.0, 24.0
#: A board is taken with as little where a known position must be on it as well.
LEAST_IN_FILM = 0.35
#: The board is looked for in calm frames, this far apart (seconds), for at most this long.
BETWEEN_TRIES = 1.0
LONGEST_SEARCH = 30.0
#: A place that only nearly shows the position, and hardly looks like a board, or shows it in one of two
#: pictures, is taken when for so long (seconds) none showed it quite.
STRICT = 3.0
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
    tried, since = float("-inf"), None
    for frame in frames:
        since = frame.t if since is None else since
        if frame.t > LONGEST_SEARCH:
            break
        if before is not None and frame.t - tried >= BETWEEN_TRIES and calm(before.image, frame.image):
            tried = frame.t
            late = frame.t - since >= STRICT
            found = _try(before, frame, tables, board, patient=patient, late=late)
            if isinstance(found, Acquired):
                return found
            problem = _worse_known(problem, found)
        before = frame
    raise problem


def _worse_known(known: KibitzError, new: KibitzError) -> KibitzError:
    """What to tell: of boards that were found the one that came nearest, else the newest."""
    if not isinstance(known, NotTheStart):
        return new
    return new if isinstance(new, NotTheStart) and _amiss(new) < _amiss(known) else known


def _amiss(error: NotTheStart) -> int:
    """Points that differ; exchanged colours are worse than misreadings and better than another position."""
    return len(error.wrong) if error.table else MOST_WITH_CORNERS + 1


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


@dataclass(frozen=True, slots=True)
class _Place:
    """A place where the board may be, and what the point network has against each known position there;
    whether it looks like a board by itself.
    """

    board: BoardGeometry
    against: dict[tuple[int, ...], float]
    likely: bool = True
    by_hand: bool = False

    @property
    def least(self) -> float:
        """What it has against the position that it reads best."""
        return min(self.against.values())

    def nearly(self, error: NotTheStart, before: Image, *, late: bool) -> bool:
        """Whether what differs from the position was misread: what the network reads as it should be, in the
        picture `before`, too, or after long; or checkers too many or too few of one side.
        """
        said = self.against.get(error.table, math.inf)
        read = said <= BORNE_OUT
        if read and (late or (self.likely and self._read_in(before, error.table))):
            return True
        if self.by_hand:
            return miscounted(error, MOST_WITH_CORNERS)
        return (read or (self.likely and said <= THERE)) and miscounted(error, MOST_MISREAD)

    def _read_in(self, image: Image, table: tuple[int, ...]) -> bool:
        return against(image, self.board, [table])[table] <= BORNE_OUT


def _try(
    before: Frame,
    frame: Frame,
    tables: Sequence[Sequence[int]],
    board: BoardGeometry | None,
    *,
    patient: bool,
    late: bool,
) -> Acquired | KibitzError:
    """The first of the boards that the frame may show which holds one of the positions, or what is wrong."""
    if frame.image.mean() < BLACK:
        return NoBoard("the picture is black; uncover the camera or give the board more light")
    places = _places(frame.image, tables, board, patient=patient)
    if not places:
        return NoBoard(NONE_FOUND)
    amiss: list[tuple[_Place, list[Cells], NotTheStart]] = []
    for place in places:
        views = [straight_cells(seen.image, place.board) for seen in (before, frame)]
        try:
            found = calibrate(views, tables)
        except NotTheStart as error:
            amiss.append((place, views, error))
            continue
        doubt = _doubt(place, found, frame.image)
        if doubt is None:
            return Acquired(found, frame)
        amiss.append((replace(place, likely=False), views, doubt))
    for place, views, wrong in amiss if not patient else ():
        if wrong.table and place.nearly(wrong, before.image, late=late):
            learned = learn(views, wrong.table, best_discs(views, wrong.table))
            found = Calibrated(place.board, learned, wrong.table[:POINTS])
            if _doubt(place, found, frame.image) is None:
                return Acquired(found, frame)
    return min((wrong for _, _, wrong in amiss), key=_amiss)


def _doubt(place: _Place, found: Calibrated, image: Image) -> NotTheStart | None:
    """What speaks against the position, unless a person says that the board lies there."""
    return None if place.by_hand else doubt_of(found, image, likely=place.likely)


def doubt_of(found: Calibrated, image: Image, *, likely: bool = True) -> NotTheStart | None:
    """How long piles are proves little, and no more does a place that is not `likely` the board's: there the
    network must read all that is no pile as it should be. What it reads otherwise in the picture as it was
    taken.
    """
    row = found.learned.discs[0].row
    if likely and row >= max(map(abs, found.table)):
        return None
    said, wrong = unlike(image, found.board, found.table, row)
    if said <= BORNE_OUT:
        return None
    return not_the_start(found.table, [Wrong(*point) for point in wrong])


def _places(
    image: Image, tables: Sequence[Sequence[int]], board: BoardGeometry | None, *, patient: bool
) -> list[_Place]:
    """Where the board may be, in a recording first where a known position is read best. One that hardly looks
    like a board may be there if nothing but piles speaks against it.
    """
    if patient:
        if board is not None:
            return [_Place(board, {}, by_hand=True)]
        return [_Place(one, {}) for one in _likely(find_boards(image), LEAST_SCORE)]
    if board is not None:
        return [_Place(board, against(image, board, tables), by_hand=True)]
    found = find_boards(image)
    likely = _likely(found, LEAST_IN_FILM)
    places = [
        _Place(one.geometry, against(image, one.geometry, tables), one.geometry in likely) for one in found
    ]
    kept = [one for one in places if one.likely or one.least <= THERE]
    # where a position is read just so on one of them, others are not asked
    read = [one for one in kept if one.least <= BORNE_OUT]
    return sorted(read or kept, key=lambda one: one.least)


def locate(image: Image, least: float = LEAST_SCORE) -> BoardGeometry:
    """The board in one picture.

    Raises:
        NoBoard: nothing in the picture looks like one.
    """
    likely = _likely(find_boards(image), least)
    if not likely:
        raise NoBoard(NONE_FOUND)
    return likely[0]


def _likely(found: Sequence[FoundBoard], least: float) -> list[BoardGeometry]:
    """Those that look like boards, if the first of them does."""
    if not found or found[0].score < least:
        return []
    return [board.geometry for board in found if board.score >= least]


def calm(a: Image, b: Image) -> bool:
    """Whether nothing moves between two pictures of one size."""
    small = [cv2.resize(x, (160, 90), interpolation=cv2.INTER_AREA).astype(np.int16) for x in (a, b)]
    return bool(np.abs(small[0] - small[1]).mean() < CALM)
