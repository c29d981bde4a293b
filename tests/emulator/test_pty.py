"""The real firmware in real time behind a pty, with pyserial and the host's own code on the other side."""

from __future__ import annotations

import random
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.messages import DARK, NORTH
from firmware_bridge.serial_board import BoardEvent, LinkNews, SerialBoard
from referee.observation import Observation
from referee.signal import Sign, Signal
from tests.emulator.emulated import EmulatedBoard, put_counts
from tests.emulator.player import Host, wait_for
from tests.emulator.pty_bridge import PtyBridge

START = (-5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0, 0)
REPLUGS = 100
TRIES = 3


@pytest.fixture
def bridge(emulated: EmulatedBoard, tmp_path: Path) -> Iterator[PtyBridge]:
    put_counts(emulated, START)
    made = PtyBridge(emulated, tmp_path)
    yield made
    made.close()


def _counts(host: Host) -> tuple[int, ...]:
    seen = [event for event in host.events if isinstance(event, Observation)]
    return tuple(belief.best for belief in seen[-1].places) if seen else ()


def _is_up(host: Host) -> bool:
    news = [event for event in host.events if isinstance(event, LinkNews)]
    return bool(news) and news[-1].up


def _lit(emulated: EmulatedBoard, last: list[frozenset[int]]) -> frozenset[int]:
    """Lamps lit now; the string is asked for changes only, so the last picture is kept in `last`."""
    for picture in emulated.shown():
        last[0] = frozenset(i for i, lamp in enumerate(picture.lamps) if lamp[0])
    return last[0]


def test_the_position_comes_through(bridge: PtyBridge) -> None:
    host = Host(SerialBoard(f"serial:{bridge.port}"))
    try:
        wait_for(lambda: _counts(host) == START, 3)
    finally:
        host.close()


@pytest.mark.slow
def test_sensor_to_lamp_in_real_time(bridge: PtyBridge) -> None:
    """The host answers each change of a sensor with a signal; both times are the board's own.

    A machine that is busy with something else gets three tries of a hundred changes.
    """
    answered = threading.Event()
    known: list[tuple[int, ...]] = []

    def answer(event: BoardEvent) -> None:
        counts = tuple(belief.best for belief in event.points) if isinstance(event, Observation) else ()
        if known and counts and counts != known[-1]:
            known.append(counts)
            board.show(Signal(0.0, (Sign.ILLEGAL, Sign.AMBIGUOUS)[len(known) % 2], (10,)))
            answered.set()

    board = SerialBoard(f"serial:{bridge.port}")
    host = Host(board, answer)
    try:
        wait_for(lambda: _counts(host) == START, 3)
        known.append(START[:24])
        good = any(_fast_enough(bridge, answered, series) for series in range(TRIES))
    finally:
        host.close()
    assert good


def _fast_enough(bridge: PtyBridge, answered: threading.Event, series: int) -> bool:
    delays = [_delay(bridge, answered, 100 * series + turn) for turn in range(100)]
    middle, most = statistics.median(delays), statistics.quantiles(delays, n=100)[98]
    print(f"sensor to lamp over the pty: median {middle * 1000:.1f} ms, 99 % {most * 1000:.1f} ms")
    return middle <= 0.040 and most <= 0.080


def _delay(bridge: PtyBridge, answered: threading.Event, turn: int) -> float:
    """A checker more on an empty point, or one less; no slot so often that it looks like a weak one."""
    time.sleep(0.06 + turn % 7 * 0.0011)
    empty = [point for point in range(24) if not START[point]]
    with bridge.held() as emulated:
        emulated.shown()
        answered.clear()
        begun = emulated.t
        emulated.put(empty[turn % len(empty)], 0, 0 if turn // len(empty) % 2 else NORTH)
    assert answered.wait(1)
    shown: list[float] = []

    def lamp_changed() -> bool:
        with bridge.held() as emulated:
            shown.extend(picture.t for picture in emulated.shown())
        return bool(shown)

    wait_for(lamp_changed, 1)
    return shown[0] - begun


@pytest.mark.slow
def test_pulled_and_plugged_a_hundred_times(bridge: PtyBridge) -> None:
    """At random moments, half of them with the board's power; checkers and lamps change meanwhile."""
    chance = random.Random(6)
    board = SerialBoard(f"serial:{bridge.port}")
    host = Host(board)
    longest = 0.0
    try:
        wait_for(lambda: _counts(host) == START, 3)
        for turn in range(REPLUGS):
            longest = max(longest, _replug(bridge, board, host, chance, turn))
    finally:
        host.close()
    print(f"state and lamps right again after at most {longest:.2f} s in {REPLUGS} replugs")
    assert longest <= 2.0


def _replug(bridge: PtyBridge, board: SerialBoard, host: Host, chance: random.Random, turn: int) -> float:
    time.sleep(chance.uniform(0, 0.06))
    bridge.unplug()
    time.sleep(chance.uniform(0, 0.12))
    counts, lamp = START if turn % 2 else _moved(START), turn % 24
    with bridge.held() as emulated:
        put_counts(emulated, counts)
    board.show(Signal(0.0, Sign.AMBIGUOUS, (lamp,)))
    before = len(host.events)
    last = [frozenset[int]()]
    bridge.plug(reset=chance.random() < 0.5)

    def right() -> bool:
        with bridge.held() as emulated:
            lit = _lit(emulated, last)
        return len(host.events) > before and _is_up(host) and _counts(host) == counts and lit == {lamp}

    return wait_for(right, 4)


def _moved(counts: tuple[int, ...]) -> tuple[int, ...]:
    table = list(counts)
    table[12], table[13] = table[12] - 1, 1
    return tuple(table)


def test_a_board_that_nobody_hears_shows_it_and_recovers(bridge: PtyBridge) -> None:
    host = Host(SerialBoard(f"serial:{bridge.port}"))
    wait_for(lambda: _counts(host) == START, 3)
    host.close()
    last = [frozenset[int]()]

    def all_points() -> bool:
        with bridge.held() as emulated:
            return _lit(emulated, last) == frozenset(range(24))

    wait_for(all_points, 5)
    board = SerialBoard(f"serial:{bridge.port}")
    board.light(DARK)
    host = Host(board)

    def dark() -> bool:
        with bridge.held() as emulated:
            return _lit(emulated, last) == frozenset()

    try:
        wait_for(dark, 2)
    finally:
        host.close()
