"""What is measured on the emulated board in real time: sensor to lamp, and the return of a pulled board."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence

from firmware_bridge.messages import NORTH
from firmware_bridge.serial_board import BoardEvent, LinkNews, SerialBoard
from referee.observation import Observation
from referee.signal import Sign, Signal
from tests.emulator.emulated import put_counts
from tests.emulator.player import Host, wait_for
from tests.emulator.pty_bridge import PtyBridge

START = (-5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0, 0)
EMPTY = [point for point in range(24) if not START[point]]
#: What has not come after so long never comes; nothing is measured by it.
PATIENCE_S = 60.0


def counts(host: Host) -> tuple[int, ...]:
    """The counts that the host saw last."""
    seen = [event for event in host.events[-40:] if isinstance(event, Observation)]
    return tuple(belief.best for belief in seen[-1].places) if seen else ()


def is_up(host: Host) -> bool:
    news = [event for event in host.events if isinstance(event, LinkNews)]
    return bool(news) and news[-1].up


class Lit:
    """Lamps lit now; the board is asked for changes only, so the last picture is kept."""

    def __init__(self, bridge: PtyBridge) -> None:
        self._bridge = bridge
        self._last: frozenset[int] = frozenset()

    def now(self) -> frozenset[int]:
        with self._bridge.held() as emulated:
            for picture in emulated.shown():
                self._last = frozenset(i for i, lamp in enumerate(picture.lamps) if lamp[0])
        return self._last


class Answerer:
    """A host that answers each change of a sensor with another signal."""

    def __init__(self, bridge: PtyBridge) -> None:
        self._board = SerialBoard(f"serial:{bridge.port}")
        self._bridge = bridge
        self._points: tuple[int, ...] = START[:24]
        self._answers = 0
        self._answered = threading.Event()
        self.host = Host(self._board, self._answer)
        wait_for(lambda: counts(self.host) == START, PATIENCE_S)

    def _answer(self, event: BoardEvent) -> None:
        points = tuple(b.best for b in event.points) if isinstance(event, Observation) else self._points
        if points != self._points:
            self._points, self._answers = points, self._answers + 1
            self._board.show(Signal(0.0, (Sign.ILLEGAL, Sign.AMBIGUOUS)[self._answers % 2], (10,)))
            self._answered.set()

    def delays(self, turns: int) -> list[float]:
        """Seconds of the board's own clock from a sensor's change to that of the string."""
        return [self._delay(turn) for turn in range(turns)]

    def _delay(self, turn: int) -> float:
        """A checker more on an empty point, or one less; no slot so often that it looks like a weak one."""
        time.sleep(0.06 + turn % 7 * 0.0011)
        with self._bridge.held() as emulated:
            emulated.shown()
            self._answered.clear()
            begun = emulated.t
            emulated.put(EMPTY[turn % len(EMPTY)], 0, 0 if turn // len(EMPTY) % 2 else NORTH)
        assert self._answered.wait(PATIENCE_S)
        shown: list[float] = []

        def changed() -> bool:
            with self._bridge.held() as emulated:
                shown.extend(picture.t for picture in emulated.shown())
            return bool(shown)

        wait_for(changed, PATIENCE_S)
        return shown[0] - begun


def replugs(bridge: PtyBridge, turns: int) -> list[float]:
    """Seconds until state and lamps are right again after each replug, at random moments, half of them with
    the board's power; checkers and lamps change meanwhile.
    """
    chance = random.Random(6)
    board = SerialBoard(f"serial:{bridge.port}")
    host, lit = Host(board), Lit(bridge)
    try:
        wait_for(lambda: counts(host) == START, PATIENCE_S)
        return [_replug(bridge, board, host, lit, chance, turn) for turn in range(turns)]
    finally:
        host.close()


def _replug(
    bridge: PtyBridge, board: SerialBoard, host: Host, lit: Lit, chance: random.Random, turn: int
) -> float:
    time.sleep(chance.uniform(0, 0.06))
    bridge.unplug()
    time.sleep(chance.uniform(0, 0.12))
    lying, lamp = START if turn % 2 else _moved(START), turn % 24
    with bridge.held() as emulated:
        put_counts(emulated, lying)
    board.show(Signal(0.0, Sign.AMBIGUOUS, (lamp,)))
    before = len(host.events)
    bridge.plug(reset=chance.random() < 0.5)

    def right() -> bool:
        return len(host.events) > before and is_up(host) and counts(host) == lying and lit.now() == {lamp}

    return wait_for(right, PATIENCE_S)


def _moved(table: Sequence[int]) -> tuple[int, ...]:
    return (*table[:12], table[12] - 1, 1, *table[14:])
