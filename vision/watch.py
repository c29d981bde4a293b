"""Frames of one learned board in, inputs for the referee out.

Moving pictures are not read; a picture in which nothing changed is not read again.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.events import Seen, Still
from referee.observation import UNSEEN, Observation, Quality
from vision.calibrate import Calibrated
from vision.geometry import Image
from vision.learned import remember
from vision.lens import unbent
from vision.look import Sight, take_look
from vision.motion import MOVING_SHARE, Coarse, CoarseView, changed_share
from vision.strips import STRIPS

#: Seconds without motion before a picture is read; seconds between looks; between signs of life while moving.
CALM = 0.12
BETWEEN_LOOKS = 0.2
#: The first looks after motion follow each other faster: somebody waits for the verdict.
BETWEEN_FIRST = 0.1
BETWEEN_MOVING = 0.5
#: The same sight is read this often before it is taken for granted: noise differs, the board does not.
LOOKS_AT_SAME = 3


class Watcher:
    """Watches one board. Not thread-safe: one thread feeds it frames in order."""

    def __init__(self, calibrated: Calibrated) -> None:
        self.board = calibrated.board
        self.learned = calibrated.learned
        self.last: Sight | None = None
        self._coarse = CoarseView(calibrated.board)
        self._clean = calibrated.learned.reference
        self._before: Coarse | None = None
        self._looked: Coarse | None = None
        self._looks = 0
        self._moved_at = float("-inf")
        self._said_at = float("-inf")

    def frame(self, t: float, image: Image) -> Seen | Still | None:
        """What one frame has to say; None while it adds nothing."""
        image = unbent(image, self.board.lens)
        coarse = self._coarse(image)
        motion = 0.0 if self._before is None else changed_share(coarse, self._before)
        self._before = coarse
        if motion > MOVING_SHARE:
            return self._moving(t, motion)
        between = BETWEEN_FIRST if self._looks < LOOKS_AT_SAME else BETWEEN_LOOKS
        if t - self._moved_at < CALM or t - self._said_at < between - 1e-6:
            return None
        self._said_at = t
        if self._looked is not None and changed_share(coarse, self._looked) <= MOVING_SHARE / 2:
            self._looks += 1
        else:
            self._looks = 1
        self._looked = coarse
        return Still(t) if self._looks > LOOKS_AT_SAME else self._look(t, image)

    def _moving(self, t: float, motion: float) -> Seen | None:
        first = t - self._moved_at > CALM
        self._moved_at = t
        self._looks = 0
        self._looked = None
        if not first and t - self._said_at < BETWEEN_MOVING:
            return None
        self._said_at = t
        quality = Quality(motion=round(min(motion, 1.0), 3))
        return Seen(Observation(t, (UNSEEN,) * STRIPS, hand=True, quality=quality))

    def _look(self, t: float, image: Image) -> Seen:
        self.last = take_look(t, image, self.board, self.learned, self._clean)
        if not self.last.observation.unseen:
            self._clean = self.last.view.values
        return Seen(self.last.observation)

    def confirm(self, table: Sequence[int]) -> None:
        """The referee is sure that the last look showed this table: remember how its empty points look."""
        if self.last is not None and not self.last.observation.unseen:
            self.learned = remember(self.learned, self.last.view, table)
