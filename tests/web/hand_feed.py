"""A table that a test sets up by hand, seen perfectly: a feed like a camera's, pictures included."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import lru_cache

import cv2

from kibitz.feed import Health, Known, Outline, Post
from kibitz.moment import SessionClock
from referee.events import Output, Seen, Still
from tests.referee.tables import dice_at, look
from vision.film import Director, Turn
from vision.geometry import Image
from vision.synth import Camera, Painter, Scene, Style

Table = tuple[int, ...]


class HandFeed:
    """Says what lies on the table every 50 ms; `lay` changes it at once."""

    url = "sim:hand"

    def __init__(self, clock: SessionClock, table: Table) -> None:
        self._clock, self._table, self._true = clock, table, table
        self._dice: tuple[int, ...] = ()
        self._closed = threading.Event()
        self._changed = True
        self.number = 0
        self.outline: Outline = ()

    def lay(self, table: Table, dice: tuple[int, ...] = (), misread: Table | None = None) -> None:
        """From now on this lies on the table; with `misread` something else is read."""
        self._true, self._table, self._dice = table, misread or table, dice
        self._changed = True

    def start(self, post: Post, known: Callable[[], Known]) -> None:
        """Begin to tell."""
        del known
        self._thread = threading.Thread(target=self._tell, args=(post,), daemon=True)
        self._thread.start()

    def _tell(self, post: Post) -> None:
        post(Health(self._clock(), "ok", "", 20.0))
        while not self._closed.wait(0.05):
            t, fresh, self._changed = self._clock(), self._changed, False
            self.number += fresh
            post(Seen(look(t, self._table, dice_at(self._dice))) if fresh else Still(t))

    def heard(self, made: Iterable[Output]) -> None:
        """Nothing to learn here."""

    @property
    def pictures(self) -> int:
        """How often the table changed."""
        return self.number

    def picture(self, drawn: bool) -> tuple[int, bytes] | None:
        """The table as a camera would show it; the reading is not drawn on it."""
        del drawn
        return self.number, _jpeg(self._true, self._dice)

    def place(self, corners: Outline) -> bool:
        """The board lies where it is said to lie."""
        self.outline = corners
        return True

    def close(self) -> None:
        """Stop telling."""
        self._closed.set()
        self._thread.join(5)


@lru_cache(maxsize=32)
def _jpeg(table: Table, dice: tuple[int, ...]) -> bytes:
    lying = Director(Style(), 1).thrown(Turn(0, dice, ()), table) if dice else ()
    image: Image = _painter(table).again(lying, None, 0)
    return cv2.imencode(".jpg", image)[1].tobytes()


@lru_cache(maxsize=8)
def _painter(table: Table) -> Painter:
    painter = Painter(Scene(table, style=Style(), camera=Camera(), seed=1))
    painter.paint()
    return painter
