"""The smoke test of the firmware on a second emulator (make firmware-crosscheck; not part of make test)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from firmware_bridge import board as tables
from firmware_bridge.frames import Frame, encode
from firmware_bridge.messages import NORTH, SOUTH, Ack, BoardState, Boot, Hello, Refusal, Stats, Type
from hardware.describe import Board
from tests.emulator.emulated import EmulatedBoard
from tests.emulator.talker import Talker
from tests.emulator.yasim_board import YasimBoard

POWER = 1


@pytest.fixture
def chip(elf: Path, board: Board) -> YasimBoard:
    return YasimBoard(elf, board)


@pytest.fixture
def talker(chip: YasimBoard) -> Talker:
    made = Talker(cast("EmulatedBoard", chip))  # all that a Talker calls is there
    made.listen(0.02)
    return made


def test_boot_and_hello(talker: Talker) -> None:
    assert talker.heard[0][2] == Boot(POWER, tables.PROTOCOL)
    hello = talker.ask(Type.HELLO)
    assert isinstance(hello, Hello)
    assert (hello.slots, hello.lamps) == (180, 30)


def test_slots_of_every_chain_and_both_poles(talker: Talker, board: Board) -> None:
    for number, slot in list(enumerate(board.slots))[::7]:
        pole = (NORTH, SOUTH)[number % 2]
        talker.emulated.put(slot.place, slot.level, pole)
        poles = [m for m in talker.listen(0.04) if isinstance(m, BoardState)][-1].poles()
        assert (poles[number], sum(poles)) == (pole, pole)
        talker.emulated.put(slot.place, slot.level, 0)
        talker.listen(0.04)


def test_the_string_a_button_and_the_chains_health(chip: YasimBoard, talker: Talker) -> None:
    styles = bytes([2, 3] + [0] * (tables.LAMPS - 2))
    assert talker.light(styles) == Ack(Type.LED, Refusal.OK)
    talker.listen(0.01)
    assert chip.lit() == {0: (0, 255, 0), 1: (255, 0, 0)}
    talker.emulated.press("die_5")
    talker.listen(0.05)
    state = talker.state()
    assert state.edges == tuple(name == "die_5" for name in tables.BUTTONS)
    assert state.faults == 0


def test_a_broken_frame_and_a_reset(talker: Talker) -> None:
    talker.emulated.send(encode(Frame(Type.GET, 4))[:-3] + b"\x55\x55\0")
    assert Ack(0, Refusal.BROKEN_FRAME) in talker.listen(0.05)
    assert talker.ask(Type.RESET) == Ack(Type.RESET, Refusal.OK)
    assert any(isinstance(message, Boot) for message in talker.listen(0.6))
    assert isinstance(talker.ask(Type.STATS), Stats)


def test_it_runs_on_both_emulators_alike(talker: Talker, power: Callable[[], EmulatedBoard]) -> None:
    """The same requests, the same answers, byte for byte."""
    other = Talker(power())
    other.listen(0.02)
    for each in (talker, other):
        each.emulated.put(3, 1, NORTH)
        each.listen(0.05)
        for request in (Type.HELLO, Type.GET, Type.LED, Type.GET):
            each.ask(request, bytes(2 + tables.LAMPS) if request is Type.LED else b"")
    assert [(seq, message) for _, seq, message in talker.heard] == [
        (seq, message) for _, seq, message in other.heard
    ]
