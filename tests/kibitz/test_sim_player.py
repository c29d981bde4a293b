"""The players at the simulated board go by its lamps, as people do."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from engine.rules import BACKGAMMON
from firmware_bridge.buttons import Pressed, RollEntered
from firmware_bridge.serial_board import SerialBoard
from firmware_bridge.sim_board import SimBoard
from kibitz.sim_player import Manner, SimPlayer
from referee.layout import LIGHT, Layout, table_of
from referee.observation import Observation
from referee.signal import Sign, Signal
from tests.emulator.player import Host, wait_for

START = table_of(Layout(), BACKGAMMON, LIGHT, BACKGAMMON.start)
PATIENCE_S = 30


@pytest.fixture
def board() -> Iterator[SimBoard]:
    made = SimBoard(START)
    yield made
    made.close()


@pytest.fixture
def host(board: SimBoard) -> Iterator[Host]:
    made = Host(SerialBoard(board.url))
    yield made
    made.close()


def presses(host: Host) -> list[str]:
    return [event.button for event in host.events if isinstance(event, Pressed)]


def rolls(host: Host) -> int:
    return sum(isinstance(event, RollEntered) for event in host.events)


def seated(board: SimBoard, host: Host, manner: Manner) -> SimPlayer:
    """Players who have been told to begin and have rolled once."""
    wait_for(lambda: any(isinstance(event, Observation) for event in host.events), PATIENCE_S)
    player = SimPlayer(board, BACKGAMMON, manner)
    player.start()
    time.sleep(0.1)
    assert board.counts == START, "nobody plays before white shows"
    host.board.show(Signal(0.0, Sign.YOUR_TURN, (), None))
    wait_for(lambda: rolls(host) == 1, PATIENCE_S)
    return player


def test_the_clock_is_pressed_when_green_has_shown_and_not_before(board: SimBoard, host: Host) -> None:
    player = seated(board, host, Manner(pace=200.0, wrong=0.0))
    wait_for(lambda: board.counts != START, PATIENCE_S)
    time.sleep(0.5)
    assert presses(host) == []
    host.board.show(Signal(0.0, Sign.ACCEPTED, (3,)))
    wait_for(lambda: presses(host) == ["clock_light"], PATIENCE_S)
    assert rolls(host) == 1, "the other side waits for its white lamp"
    host.board.show(Signal(0.0, Sign.YOUR_TURN, (), 1))
    wait_for(lambda: rolls(host) == 2, PATIENCE_S)
    player.close()


def test_an_illegal_play_lies_until_red_has_shown(board: SimBoard, host: Host) -> None:
    player = seated(board, host, Manner(seed=3, pace=200.0, wrong=1.0))
    wait_for(lambda: board.counts != START, PATIENCE_S)
    time.sleep(0.5)
    assert board.counts != START
    host.board.show(Signal(0.0, Sign.ILLEGAL, (3,)))
    wait_for(lambda: board.counts == START, PATIENCE_S)
    time.sleep(0.2)
    assert board.counts == START, "they wait until red is gone"
    host.board.show(Signal(0.0, Sign.OFF))
    wait_for(lambda: board.counts != START, PATIENCE_S)
    player.close()
