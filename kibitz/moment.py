"""One clock for a whole session, in seconds, which goes on from where a resumed journal stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Session time, now."""

    def __call__(self) -> float: ...


class SessionClock:
    """Monotonic seconds since the session began."""

    def __init__(self, began: float = 0.0, now: Callable[[], float] = time.monotonic) -> None:
        self._now, self._zero, self._began = now, now(), began

    def __call__(self) -> float:
        return round(self._began + self._now() - self._zero, 3)


class FilmClock:
    """The time of a film that waits for its viewer: the film sets it, frame by frame."""

    def __init__(self, began: float = 0.0) -> None:
        self.began = self._t = began

    def __call__(self) -> float:
        return self._t

    def set(self, film_seconds: float) -> None:
        """A frame of the film is shown."""
        self._t = round(self.began + film_seconds, 3)
