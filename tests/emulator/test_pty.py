"""The real firmware in real time behind a pty, with pyserial and the host's own code on the other side.

How fast it is `make bench-board` says; here nothing depends on how busy the machine is.
"""

from __future__ import annotations

from firmware_bridge.messages import DARK
from firmware_bridge.serial_board import LinkNews, SerialBoard
from tests.emulator.measured import PATIENCE_S, START, Answerer, Lit, counts, replugs
from tests.emulator.player import Host, wait_for
from tests.emulator.pty_bridge import PtyBridge


def test_the_position_comes_through(bridge: PtyBridge) -> None:
    host = Host(SerialBoard(f"serial:{bridge.port}"))
    try:
        wait_for(lambda: counts(host) == START, PATIENCE_S)
    finally:
        host.close()


def test_a_port_is_never_shared(bridge: PtyBridge) -> None:
    first, second = Host(SerialBoard(f"serial:{bridge.port}")), None
    try:
        wait_for(lambda: counts(first) == START, PATIENCE_S)
        second = Host(SerialBoard(f"serial:{bridge.port}"))
        wait_for(lambda: bool(second.events), PATIENCE_S)
        news = second.events[0]
        assert isinstance(news, LinkNews)
        assert not news.up
        assert "lock" in news.words
    finally:
        first.close()
        if second is not None:
            second.close()


def test_each_change_of_a_sensor_is_answered_on_the_string(bridge: PtyBridge) -> None:
    answerer = Answerer(bridge)
    try:
        assert len(answerer.delays(15)) == 15
    finally:
        answerer.host.close()


def test_pulled_and_plugged_at_random_moments(bridge: PtyBridge) -> None:
    """State and lamps are right again each time."""
    assert len(replugs(bridge, 15)) == 15


def test_a_board_that_nobody_hears_shows_it_and_recovers(bridge: PtyBridge) -> None:
    host, lit = Host(SerialBoard(f"serial:{bridge.port}")), Lit(bridge)
    wait_for(lambda: counts(host) == START, PATIENCE_S)
    host.close()
    wait_for(lambda: lit.now() == frozenset(range(24)), PATIENCE_S)
    board = SerialBoard(f"serial:{bridge.port}")
    board.light(DARK)
    host = Host(board)
    try:
        wait_for(lambda: lit.now() == frozenset(), PATIENCE_S)
    finally:
        host.close()
