"""The host's link and the real firmware over a bad line, in virtual time.

`KIBITZ_NOISE_FRAMES=100000` (make firmware-noise) is the whole of it; the tests of every day take a part.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from firmware_bridge.frames import Broken, Decoder
from firmware_bridge.link import PING_S, Link, StateSeen, Unanswered
from firmware_bridge.messages import NORTH, SOUTH, Styles, Type
from tests.emulator.emulated import EmulatedBoard
from tests.emulator.noise import NoisyLine

FRAMES = int(os.environ.get("KIBITZ_NOISE_FRAMES", "3000"))
REQUESTS = FRAMES // 10
STEP_S = 0.002


class Table:
    """Moves magnets at random moments, one at a time, and remembers how the board has lain."""

    def __init__(self, emulated: EmulatedBoard, seed: int) -> None:
        self._emulated = emulated
        self._chance = random.Random(seed)
        self._poles = emulated.poles()
        self.lain: Counter[tuple[int, ...]] = Counter([tuple(self._poles)])

    def move(self) -> None:
        slot = self._chance.randrange(len(self._poles))
        pole = self._chance.choice((0, NORTH, SOUTH))
        self._poles[slot] = pole
        wired = self._emulated.board.slots[slot]
        self._emulated.put(wired.place, wired.level, pole)
        self.lain[tuple(self._poles)] += 1


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.0, 0.01, 0.04])
def test_no_wrong_state_and_no_request_without_an_end(emulated: EmulatedBoard, rate: float) -> None:
    down, up = NoisyLine(1, rate), NoisyLine(2, rate)
    link, table = Link(emulated.t), Table(emulated, 3)
    counted = Decoder()
    frames = wrong = right = reported = turn = 0
    while frames < FRAMES:
        turn += 1
        if turn % 6 == 0:
            table.move()
        if turn % 25 == 0 and link.up:
            link.show(Styles(bytes([turn // 25 % 6] * 30)), emulated.t)
        sent = link.to_send()
        emulated.send(up.carry(sent))
        emulated.run(STEP_S)
        said = emulated.received()
        frames += len([f for f in counted.feed(said) if not isinstance(f, Broken)]) + sent.count(b"\0") // 2
        events = link.receive(down.carry(said), emulated.t) + link.tick(emulated.t)
        for event in events:
            if isinstance(event, StateSeen):
                poles = tuple(event.state.poles())
                wrong, right = wrong + (poles not in table.lain), right + (poles in table.lain)
            reported += isinstance(event, Unanswered)
    print(
        f"{frames} frames, {rate:.0%} of bytes bad, {up.damaged + down.damaged}: {right} states accepted, "
        f"{wrong} wrong; {reported} requests reported as unanswered"
    )
    assert wrong == 0
    assert right > 0
    assert reported == 0 or rate > 0
    _settles(emulated, link)


def _settles(emulated: EmulatedBoard, link: Link) -> None:
    """Once the line is good again: the state is right, the lamps are right, nothing is left open."""
    last: tuple[int, ...] = ()
    styles = Styles(bytes([2] * 30))
    link.show(styles, emulated.t)
    until = emulated.t + 3 * PING_S
    while emulated.t < until:
        emulated.send(link.to_send())
        emulated.run(STEP_S)
        for event in link.receive(emulated.received(), emulated.t) + link.tick(emulated.t):
            if isinstance(event, StateSeen):
                last = tuple(event.state.poles())
    assert link.up
    assert last == tuple(emulated.poles())
    pictures = emulated.shown()
    while more := emulated.shown():
        pictures = more
    assert set(pictures[-1].lamps) == {(8, 0, 255, 0)}


@pytest.mark.slow
def test_each_request_on_a_bad_line_is_answered_or_reported(emulated: EmulatedBoard) -> None:
    """Requests for STATS, one at a time: each ends in an answer or in a report."""
    down, up = NoisyLine(11, 0.01), NoisyLine(12, 0.01)
    link = Link(emulated.t)
    ends: Counter[str] = Counter()
    for _ in range(REQUESTS):
        while not link.up:
            _pass(emulated, link, up, down)
        link.ask(Type.STATS, emulated.t)
        ends[_end(emulated, link, up, down)] += 1
    print(f"{REQUESTS} requests at 1 %: {dict(ends)}")
    assert ends["nothing"] == 0
    assert ends["answered"] > REQUESTS * 2 // 3


def _pass(emulated: EmulatedBoard, link: Link, up: NoisyLine, down: NoisyLine) -> list[str]:
    emulated.send(up.carry(link.to_send()))
    emulated.run(STEP_S)
    events = link.receive(down.carry(emulated.received()), emulated.t) + link.tick(emulated.t)
    return [type(event).__name__ for event in events]


def _end(emulated: EmulatedBoard, link: Link, up: NoisyLine, down: NoisyLine) -> str:
    until = emulated.t + 2.0
    while emulated.t < until:
        names = _pass(emulated, link, up, down)
        if "StatsSeen" in names:
            return "answered"
        if "Unanswered" in names or "Disconnected" in names:
            return "reported"
    return "nothing"
