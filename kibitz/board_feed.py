"""A board with sensors as a feed: its looks, presses and typed rolls become inputs of the session."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from msgspec.structs import replace

from firmware_bridge.buttons import CLOCK_DARK, CLOCK_LIGHT, Pressed, RollEntered
from firmware_bridge.serial_board import BoardEvent, LinkNews
from firmware_bridge.sim_board import SimBoard
from kibitz.feed import Health, Known, Outline, Post
from referee.events import ClockPressed, Input, Output, RollGiven, Seen, Still, TurnEnd
from referee.observation import Observation


class Board(Protocol):
    """What a feed needs of a board: `firmware_bridge` has several."""

    def events(self) -> Iterator[BoardEvent]: ...

    def close(self) -> None: ...


class BoardFeed:
    """One thread that listens to a board. `also` is closed with it (a simulated board and its player).

    `sim` is the board itself where it is a simulated one: hands may move it.
    """

    def __init__(
        self,
        url: str,
        board: Board,
        also: Iterable[Callable[[], None]] = (),
        sim: SimBoard | None = None,
    ) -> None:
        self.url, self.sim = url, sim
        self._board, self._also = board, tuple(also)
        self._thread: threading.Thread | None = None
        self._last: Observation | None = None
        self._up = False

    def start(self, post: Post, _known: Callable[[], Known]) -> None:
        self._thread = threading.Thread(target=self._listen, args=(post,), name="board", daemon=True)
        self._thread.start()

    def heard(self, made: Iterable[Output]) -> None:
        """Sensors learn nothing."""

    def picture(self, _drawn: bool) -> tuple[int, bytes] | None:
        """A board takes no pictures."""
        return None

    @property
    def pictures(self) -> int:
        return 0

    @property
    def outline(self) -> Outline:
        return ()

    def place(self, _corners: Outline) -> bool:
        """A board knows its own points."""
        return False

    def close(self) -> None:
        self._board.close()
        for close in self._also:
            close()
        if self._thread is not None:
            self._thread.join(5.0)

    def _listen(self, post: Post) -> None:
        for event in self._board.events():
            if isinstance(event, LinkNews):
                self._up = event.up
                post(Health(event.t, "ok" if event.up else "unplugged", event.words))
                continue
            if not self._up:
                self._up = True
                post(Health(event.t, "ok"))
            post(self._input(event))

    def _input(self, event: Observation | Pressed | RollEntered) -> Input:
        if isinstance(event, RollEntered):
            return RollGiven(event.t, event.roll)
        if isinstance(event, Pressed):
            side = {CLOCK_LIGHT: 0, CLOCK_DARK: 1}.get(event.button)
            return TurnEnd(event.t) if side is None else ClockPressed(event.t, side)
        same = self._last is not None and replace(self._last, t=event.t) == event
        self._last = event
        return Still(event.t) if same else Seen(event)
