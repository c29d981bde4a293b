"""The live view of a sensor board: what it shows, and what it calls a fault."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from rich.console import Console

from firmware_bridge import board
from firmware_bridge.messages import BOTH, NORTH, SOUTH, BoardState, Stats
from firmware_bridge.sensing import Sensing, seen
from firmware_bridge.serial_board import LinkNews
from firmware_bridge.sim_board import SimBoard
from kibitz.board_doctor import BoardCheck, check_board, lamp_styles, slot_name, view

START = (-5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0, 0)


def _poles(changes: dict[int, int], faults: int = 0) -> Sensing:
    poles = [changes.get(slot, 0) for slot in range(180)]
    packed = bytes(
        poles[i] << 6 | poles[i + 1] << 4 | poles[i + 2] << 2 | poles[i + 3] for i in range(0, 180, 4)
    )
    return seen(Sensing(), BoardState(packed, (0,) * 9, faults), 1.0)


def _shown(check: BoardCheck) -> str:
    said = io.StringIO()
    console = Console(file=said, width=140)
    console.print(view(check))
    return said.getvalue()


def _up() -> BoardCheck:
    check = BoardCheck()
    check.heard(LinkNews(0.0, True, "board connected, firmware 0.1.0"))
    return check


def test_slots_and_numbers_are_on_the_screen() -> None:
    check = _up()
    check.sensed(_poles({0: NORTH, 1: SOUTH, 2: BOTH}, faults=0b10000), 1.0)
    check.stats, check.broken = Stats(9, 2, 1, 3, 100, 1200, 0, 0), 7
    text = _shown(check)
    assert "ox!···" in text
    assert "???????????????" in text, "the trays' chain is broken"
    assert "frames that came broken: 7" in text
    assert "3 states dropped" in text.replace("\n", " ")


def test_a_slot_is_tried_when_it_has_felt_both_poles() -> None:
    check = _up()
    for slot in range(180):
        for pole in (NORTH, SOUTH):
            check.sensed(_poles({slot: pole}), 1.0)
    assert check.untested == []
    assert "180 of 180" in _shown(check)
    assert check.faults() == []


@pytest.mark.parametrize(
    ("sensing", "words"),
    [(_poles({}, faults=0b00010), "chain 1"), (_poles({7: BOTH}), "S1_1: feels both poles")],
)
def test_faults_are_named(sensing: Sensing, words: str) -> None:
    check = _up()
    check.sensed(sensing, 1.0)
    assert [fault for fault in check.faults() if words in fault]


def test_the_lamp_test_reaches_every_lamp_in_every_colour() -> None:
    steps = [lamp_styles(step) for step in range(4 * board.LAMPS)]
    assert {(lamp, colour) for lamp, colour, _ in steps} == {
        (lamp, colour) for lamp in range(board.LAMPS) for colour in ("white", "red", "green", "blue")
    }
    assert all(styles.styles[lamp] and sum(map(bool, styles.styles)) == 1 for lamp, _, styles in steps)


@pytest.fixture
def sim() -> Iterator[SimBoard]:
    made = SimBoard(START)
    yield made
    made.close()


def test_a_good_board_is_good(sim: SimBoard) -> None:
    said = io.StringIO()
    console = Console(file=said, width=140)
    assert check_board(sim.url, console, seconds=1.0) == 0
    assert "board connected" in said.getvalue()
    assert sim.leds()


def test_a_board_that_is_not_there_is_a_fault() -> None:
    said = io.StringIO()
    console = Console(file=said, width=140)
    assert check_board("serial:/dev/no-such-port", console, seconds=0.3) == 1
    assert "no board at serial:/dev/no-such-port" in said.getvalue()


def test_slots_are_named_as_in_the_wiring_diagram() -> None:
    assert (slot_name(0), slot_name(37), slot_name(179)) == ("S0_0", "S6_1", "S27_14")
