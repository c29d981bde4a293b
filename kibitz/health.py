"""Whether a source can be trusted: silent, frozen, dark, covered. Pure but for what it remembers."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from kibitz.feed import Health
from referee.events import Input, Seen
from referee.observation import Observation
from vision.source import Frame

#: Frames that are the same to the last bit for so long (seconds) come from a camera that hangs: sensors are
#: noisy.
FROZEN = 4.0
#: A picture with a mean below this (0-255) is dark whatever was read before.
BLACK = 6.0
#: Most points hidden for so long is no hand.
COVERED, COVERED_POINTS = 5.0, 18


class HealthWatch:
    """Tells changes of health, each once."""

    def __init__(self, silent_seconds: float) -> None:
        self._silent = silent_seconds
        self._state = "searching"
        self._last = self._changed = self._clear = self._told = 0.0
        self._print = 0
        self._black = False
        self._frames = 0
        self._fps_since = 0.0
        self._fps = 0.0

    def frame(self, frame: Frame, *, film: bool = False) -> Iterator[Health]:
        """One frame has come. Pictures of a film may well be the same for long: its codec is thrifty."""
        few = frame.image[::16, ::16]
        self._black = float(few.mean()) < BLACK
        print_ = zlib.adler32(few.tobytes())
        if film or print_ != self._print or not self._changed:
            self._print, self._changed = print_, frame.t
        self._last = frame.t
        self._count(frame.t)
        if frame.t - self._changed > FROZEN and self._state not in ("dark", "covered"):
            yield from self._say(frame.t, "frozen")
        elif self._state in ("frozen", "unplugged", "searching", "bumped"):
            yield from self._say(frame.t, "ok")
        elif frame.t - self._told > 2.0:
            self._told = frame.t
            yield Health(frame.t, self._state, "", self._fps)

    def look(self, t: float, given: Input | None, seen: Observation | None) -> Iterator[Health]:
        """A frame was judged: `given` is what is new (None: nothing), `seen` the last reading of the table.

        A sight that does not change is told as `Still`: what was read then holds. While something moves
        nothing is read, and nobody can say yet that the camera is covered.
        """
        if given is None or seen is None or (isinstance(given, Seen) and given.look.hand):
            return
        hidden = sum(not b.seen for b in seen.points)
        if hidden < COVERED_POINTS or not self._clear:
            self._clear = t
        if self._black or not seen.quality.sight:
            yield from self._say(t, "dark")
        elif t - self._clear > COVERED:
            yield from self._say(t, "covered")
        elif self._state in ("dark", "covered") and hidden < COVERED_POINTS:
            yield from self._say(t, "ok")

    def bumped(self) -> None:
        """The board was found again where it was pushed to: the next frame says that all is well."""
        self._state = "bumped"

    def silent(self, t: float) -> Iterator[Health]:
        """No frame has come just now."""
        if self._last and t - self._last > self._silent:
            yield from self._say(t, "unplugged", "no pictures come any more")

    def _count(self, t: float) -> None:
        self._frames += 1
        if t - self._fps_since >= 2.0:
            self._fps = round(self._frames / (t - self._fps_since), 1) if self._fps_since else 0.0
            self._frames, self._fps_since = 0, t

    def _say(self, t: float, state: str, detail: str = "") -> Iterator[Health]:
        if state != self._state:
            self._state, self._told = state, t
            yield Health(t, state, detail, self._fps)
