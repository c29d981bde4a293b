"""A board by URL, against the software board: over a real socket, and with ports that fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import board, ports
from firmware_bridge.buttons import Pressed, RollEntered
from firmware_bridge.leds import Lamp
from firmware_bridge.messages import Feature, Hello
from firmware_bridge.ports import Port, PortError
from firmware_bridge.serial_board import (
    BACKOFF_S,
    MOST_BACKOFF_S,
    BoardEvent,
    LinkNews,
    SerialBoard,
    backoff,
    styles_of,
)
from firmware_bridge.sim_board import SimBoard, SimProtocol
from referee.observation import Observation
from referee.signal import Sign, Signal
from tests.emulator.player import Host, wait_for

#: What has not come after so long never comes; nothing is measured by it.
PATIENCE_S = 30
START = (-5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0, 0)


@pytest.fixture
def sim() -> Iterator[SimBoard]:
    made = SimBoard(START)
    yield made
    made.close()


@pytest.fixture
def host(sim: SimBoard) -> Iterator[Host]:
    made = Host(SerialBoard(sim.url))
    yield made
    made.close()


def _counts(events: list[BoardEvent]) -> tuple[int, ...]:
    looks = [event for event in events if isinstance(event, Observation)]
    return tuple(belief.best for belief in looks[-1].places) if looks else ()


def test_the_position_and_its_changes(sim: SimBoard, host: Host) -> None:
    wait_for(lambda: _counts(host.events) == START, PATIENCE_S)
    sim.set_point(4, 2)
    sim.set_point(5, 1)
    moved = (*START[:4], 2, 1, *START[6:])
    wait_for(lambda: _counts(host.events) == moved, PATIENCE_S)


def test_a_signal_lights_the_lamps_and_ends(sim: SimBoard, host: Host) -> None:
    host.board.show(Signal(0.0, Sign.HINT, (4, 5)))
    wait_for(
        lambda: sim.leds() == {4: Lamp("blue", "alternate"), 5: Lamp("blue", "alternate", True)}, PATIENCE_S
    )
    host.board.show(Signal(0.0, Sign.ACCEPTED, (4, 5)))
    wait_for(lambda: sim.leds() == dict.fromkeys((4, 5), Lamp("green", "steady")), PATIENCE_S)
    wait_for(lambda: sim.leds() == {}, PATIENCE_S)


def test_buttons_and_dice(sim: SimBoard, host: Host) -> None:
    wait_for(lambda: _counts(host.events) == START, PATIENCE_S)
    for button in ("die_6", "die_1", "clock_light", "confirm"):
        sim.press(button)
    wait_for(lambda: sum(isinstance(event, Pressed) for event in host.events) == 2, PATIENCE_S)
    assert [event.roll for event in host.events if isinstance(event, RollEntered)] == [(6, 1)]
    assert [event.button for event in host.events if isinstance(event, Pressed)] == ["clock_light", "confirm"]


def test_the_table_is_reported_although_nothing_changes(host: Host) -> None:
    wait_for(lambda: sum(isinstance(event, Observation) for event in host.events) >= 5, PATIENCE_S)


def test_several_programs_may_listen_and_the_last_to_light_wins(sim: SimBoard, host: Host) -> None:
    other = Host(SerialBoard(sim.url))
    try:
        wait_for(lambda: _counts(host.events) == _counts(other.events) == START, PATIENCE_S)
        sim.set_point(4, 2)
        wait_for(lambda: _counts(host.events)[4] == _counts(other.events)[4] == 2, PATIENCE_S)
        other.board.show(Signal(0.0, Sign.ILLEGAL, (4,)))
        wait_for(lambda: set(sim.leds()) == {4}, PATIENCE_S)
    finally:
        other.close()
    sim.set_point(4, 3)
    wait_for(lambda: _counts(host.events)[4] == 3, PATIENCE_S)


def test_close_ends_the_events(sim: SimBoard) -> None:
    made = SerialBoard(sim.url)
    thread = threading.Thread(target=lambda: list(made.events()))
    thread.start()
    made.close()
    thread.join(2)
    assert not thread.is_alive()


@pytest.mark.parametrize("place", [28, -1])
def test_the_software_board_has_28_places(sim: SimBoard, place: int) -> None:
    with pytest.raises(ValueError, match="places 0 to 27"):
        sim.set_point(place, 1)


def test_the_software_board_has_the_boards_buttons(sim: SimBoard) -> None:
    with pytest.raises(ValueError, match="confirm, clock_light"):
        sim.press("cancel")


def stepped() -> Callable[[], float]:
    """A clock that goes on by ten milliseconds each time it is asked: no machine is too busy for it."""
    times = count()
    return lambda: next(times) / 100


class FailingPort:
    """A port with a board behind it whose n-th call fails."""

    def __init__(self, peer: SimProtocol, good: int) -> None:
        self._peer, self._good = peer, good
        self._said = bytearray(peer.boot())
        self.closed = False

    def _count(self) -> None:
        self._good -= 1
        if self._good < 0:
            raise OSError("device has gone")

    def read(self) -> bytes:
        self._count()
        time.sleep(0.001)
        said, self._said = bytes(self._said), bytearray()
        return said

    def write(self, data: bytes) -> None:
        self._count()
        self._said += self._peer.receive(data)

    def close(self) -> None:
        self.closed = True


def _run(opened: Callable[[str], Port], until: Callable[[list[BoardEvent]], bool]) -> list[BoardEvent]:
    made, events = SerialBoard("serial:/dev/test", clock=stepped(), open_port=opened), []
    for event in made.events():
        events.append(event)
        if until(events):
            made.close()
    return events


@pytest.mark.parametrize("good", [20, 21, 22, 35])
def test_a_port_that_fails_at_any_call_is_opened_again(good: int) -> None:
    made: list[FailingPort] = []

    def opened(name: str) -> Port:
        assert name == "/dev/test"
        made.append(FailingPort(SimProtocol(), good if len(made) < 3 else 10_000))
        return made[-1]

    events = _run(opened, lambda events: len(made) == 4 and events[-1:] != [] and _is_up(events[-1]))
    assert all(port.closed for port in made)
    lost = [event.words for event in events if isinstance(event, LinkNews) and not event.up]
    assert all("device has gone" in words for words in lost)


def _is_up(event: BoardEvent) -> bool:
    return isinstance(event, LinkNews) and event.up


def _ups(events: list[BoardEvent]) -> int:
    return sum(isinstance(event, LinkNews) and event.up for event in events)


def test_a_port_that_is_not_there_is_tried_until_it_is() -> None:
    tries: list[float] = []

    def opened(_: str) -> Port:
        tries.append(time.monotonic())
        if len(tries) < 5:
            raise OSError("no such file")
        return FailingPort(SimProtocol(), 10_000)

    events = _run(opened, lambda events: _ups(events) == 1)
    assert [event.words for event in events if isinstance(event, LinkNews) and not event.up] == [
        "no board at serial:/dev/test: no such file"
    ]
    waits = [b - a for a, b in pairwise(tries)]
    assert all(wait > 0.9 * backoff(n) for n, wait in enumerate(waits))


@given(st.integers(0, 10**9))
def test_an_absent_board_is_waited_for_longer_but_never_long_and_for_ever(tries: int) -> None:
    assert BACKOFF_S <= backoff(tries) <= backoff(tries + 1) <= MOST_BACKOFF_S


def test_a_port_that_may_not_be_opened_is_explained() -> None:
    def opened(_: str) -> Port:
        raise PermissionError("Permission denied: '/dev/test'")

    events = _run(opened, lambda events: bool(events))
    assert "dialout" in next(event.words for event in events if isinstance(event, LinkNews))


class SilentPort(FailingPort):
    """Something that is no board: it takes everything and says nothing."""

    def read(self) -> bytes:
        time.sleep(0.001)
        return b""


def test_what_does_not_answer_as_a_board_is_named() -> None:
    events = _run(lambda _: SilentPort(SimProtocol(), 10_000), lambda events: bool(events))
    assert [event.words for event in events if isinstance(event, LinkNews)] == [
        "what is at serial:/dev/test does not answer as a board"
    ]


def test_a_board_of_another_protocol_is_named_once_not_at_every_try() -> None:
    opened: list[Port] = []

    def open_port(_: str) -> Port:
        if len(opened) == 3:
            made.close()
        opened.append(FailingPort(SimProtocol(Hello(9, (1, 0, 0), 180, 30, Feature(31))), 10_000))
        return opened[-1]

    made = SerialBoard("serial:/dev/test", clock=stepped(), open_port=open_port)
    news = [event for event in made.events() if isinstance(event, LinkNews)]
    assert ["protocol 9" in event.words for event in news] == [True]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "serial:",
        "usb:0",
        "/dev/ttyUSB0",
        "http://host",
        "socket://host",
        "socket://host:99999",
        "socket://:7",
        "socket://host:x",
    ],
)
def test_an_address_of_no_known_kind_is_refused_with_the_mend(url: str) -> None:
    with pytest.raises(PortError, match="serial:auto"):
        SerialBoard(url)


def test_addresses() -> None:
    assert ports.candidates("serial:/dev/ttyACM0") == ["/dev/ttyACM0"]
    assert ports.candidates("serial:COM3") == ["COM3"]
    assert ports.candidates("socket://10.0.0.5:4000") == ["socket://10.0.0.5:4000"]


class Plugged(NamedTuple):
    """A port as the system lists it."""

    device: str
    vid: int | None
    pid: int | None


UNO, FTDI, MOUSE = (0x2341, 0x0043), (0x0403, 0x6001), (0x046D, 0xC077)


def test_auto_takes_the_ports_of_known_makers(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        Plugged("/dev/ttyS0", None, None),
        Plugged("/dev/ttyACM0", *UNO),
        Plugged("/dev/ttyACM1", *MOUSE),
        Plugged("/dev/ttyUSB0", *FTDI),
        Plugged("/dev/ttyUSB1", FTDI[0], 0x1234),
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: found)
    assert ports.candidates("serial:auto") == ["/dev/ttyACM0", "/dev/ttyUSB0"]


def test_auto_goes_on_to_the_next_port_until_one_answers_as_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Plugged("/dev/ttyACM0", *UNO), Plugged("/dev/ttyUSB0", *FTDI)]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: found)
    opened: list[str] = []

    def open_port(name: str) -> Port:
        opened.append(name)
        return (SilentPort if name == "/dev/ttyACM0" else FailingPort)(SimProtocol(), 10_000)

    made, events = SerialBoard("serial:auto", clock=stepped(), open_port=open_port), list[BoardEvent]()
    for event in made.events():
        events.append(event)
        if _is_up(event):
            made.close()
    assert opened == ["/dev/ttyACM0", "/dev/ttyUSB0"]


def test_auto_without_a_board_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    made = SerialBoard("serial:auto")
    news = next(made.events())
    made.close()
    assert isinstance(news, LinkNews)
    assert news.words == "no board at serial:auto: no USB port looks like a board"


def test_every_sign_has_a_lamp_command_that_the_board_knows() -> None:
    for sign in Sign:
        styles = styles_of(Signal(0.0, sign, (3, 4), 1))
        assert len(styles.styles) == board.LAMPS
        assert all(
            style & 15 < len(board.PALETTE) and style >> 4 < len(board.RHYTHMS) for style in styles.styles
        )
    assert styles_of(Signal(0.0, Sign.ACCEPTED, (3,))).ms == 1000
