"""A recording skimmed: each thing that lies still is read once or twice, nothing else is read at all.

Unlike the live watcher nobody waits for a verdict: pictures come a few times a second, a sight is read when
two pictures in a row agree on it, and read again only where the first reading was in doubt. In a time lapse
each picture stands for itself, and what a hand covers is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

from referee.events import Seen, Still
from referee.observation import UNSEEN, Belief, Observation, Quality, totals
from vision.calibrate import Calibrated
from vision.corners import refine
from vision.geometry import Image
from vision.joint import together
from vision.learned import remember
from vision.lens import unbent
from vision.look import Sight, take_look
from vision.motion import MOVING_SHARE, Coarse, CoarseView, changed_share
from vision.register import anchor, far, moved, shifted
from vision.strips import STRIPS, has_bar
from vision.unchanged import SURE_DIE, Known, sure

#: Most readings of one sight: looks at what lies still make the same mistakes.
MOST_READINGS = 2
#: A reading teaches how emptied points look when each of its points is this sure and no checker is missing.
TEACHES = 0.97
#: Seconds between signs of life of an unchanged sight.
BETWEEN_STILL = 0.4
#: What has covered so few points since so many movements ago is no hand.
MOST_HIDDEN, LIES = 3, 2
#: When this share of the view changed the camera may have moved.
ALL_CHANGED = 0.12


class Skimmer:
    """Skims the frames of one board, in order. `lapse`: each picture stands for itself; the dice are read
    `beside` the points.
    """

    def __init__(
        self,
        calibrated: Calibrated,
        first: Image,
        men: int,
        *,
        lapse: bool = False,
        beside: Executor | None = None,
    ) -> None:
        self.board = calibrated.board
        self.learned = calibrated.learned
        self._men = men
        self._lapse = lapse
        self._anchor = anchor(unbent(first, self.board.lens), self.board)
        self._coarse = CoarseView(self.board)
        self._clean = calibrated.learned.reference
        self._known: Known | None = None
        self._before: Coarse | None = None
        self._read: Coarse | None = None
        self._seen: Coarse | None = None
        self._wanted = self._readings = 0
        self._said_at = float("-inf")
        self._moving = False
        self._hidden: tuple[int, ...] = ()
        self._lain: tuple[int, ...] = ()
        self._moves_seen = self._since = 0
        self._beside = beside

    def frame(self, t: float, image: Image) -> Seen | Still | None:
        """What one frame has to say; None while it adds nothing."""
        image = unbent(image, self.board.lens)
        coarse = self._coarse(image)
        still = self._before is None or changed_share(coarse, self._before) <= MOVING_SHARE
        self._before = coarse
        if still and self._read is not None and changed_share(coarse, self._read) <= MOVING_SHARE / 2:
            return self._again(t, image, coarse)
        if not (still or self._lapse):
            return self._moves(t)
        if self._seen is not None and changed_share(coarse, self._seen) > ALL_CHANGED and self._follow(image):
            coarse = self._before = self._coarse(image)
        self._readings = 0
        return self._look(t, image, coarse)

    def _moves(self, t: float) -> Seen | None:
        self._read = None
        if self._moving:
            return None
        self._moving = True
        self._moves_seen += 1
        return Seen(Observation(t, (UNSEEN,) * STRIPS, hand=True, quality=Quality(motion=1.0)))

    def _again(self, t: float, image: Image, coarse: Coarse) -> Seen | Still | None:
        self._moving = False
        if self._readings < self._wanted:
            return self._look(t, image, coarse)
        if t - self._said_at < BETWEEN_STILL - 1e-6:
            return None
        self._said_at = t
        return Still(t)

    def _look(self, t: float, image: Image, coarse: Coarse) -> Seen:
        self._moving = False
        self._said_at, self._read, self._seen = t, coarse, coarse
        self._readings += 1
        sight = take_look(t, image, self.board, self.learned, self._clean, self._known, self._beside)
        seen, self._known = sight.observation, sight.known
        self._wanted = self._readings if _sure(seen) else min(self._readings + 1, MOST_READINGS)
        if not seen.unseen:
            self._clean = sight.view.values
            self._learn(sight)
        elif self._lies(seen.unseen):
            self._clean = sight.view.values
            if seen.unseen != self._lain:
                # what it covers now is read anew, and once: a point that looks like nothing known stays so
                self._lain, self._known = seen.unseen, None
        return Seen(seen)

    def _lies(self, hidden: tuple[int, ...]) -> bool:
        """Whether what covers these points has lain there while other things moved: a cube on the rim, no
        hand.
        """
        if hidden != self._hidden or len(hidden) > MOST_HIDDEN:
            self._hidden, self._since = hidden, self._moves_seen
        return len(hidden) <= MOST_HIDDEN and self._moves_seen - self._since >= LIES

    def _learn(self, sight: Sight) -> None:
        """Learn from a reading in which everything is sure and every checker is there, at least when all
        places are weighed together.
        """
        seen = sight.observation
        places: Sequence[Belief] = (*seen.points, *seen.bar) if has_bar(self.board) else seen.points
        told = places if self._whole(places) else together(places).beliefs
        if self._whole(told) and all(b.p(b.best) >= TEACHES for b in told):
            self.learned = remember(self.learned, sight.view, [b.best for b in told])

    def _whole(self, places: Sequence[Belief]) -> bool:
        """Whether both sides have all their checkers on the board."""
        return totals([b.best for b in places]) == (self._men, self._men)

    def _follow(self, image: Image) -> bool:
        """Look whether the camera moved; True when the board was found elsewhere."""
        way = moved(self._anchor, image)
        if way is None:
            return False
        before = self._anchor.board
        board = shifted(before, way)
        self.board = refine(image, board) if far(before, board) else board
        self._anchor, self._coarse, self._known = anchor(image, self.board), CoarseView(self.board), None
        return True


def _sure(seen: Observation) -> bool:
    """True when another look would hardly say anything else."""
    return all(sure(b) for b in seen.points if b.seen) and all(d.p >= SURE_DIE for d in seen.dice or ())
