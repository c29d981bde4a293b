"""Boards on a Raspberry Pi's pins, with gpiozero's mock pins and mock SPI devices: states and times."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Iterator

import pytest
from gpiozero import BadPinFactory, Device, SPIBadArgs
from gpiozero.pins.mock import MockFactory, MockPWMPin, MockSPIDevice
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from firmware_bridge import board
from firmware_bridge.apa102 import string_bytes
from firmware_bridge.buttons import Pressed
from firmware_bridge.club_kit import SCAN_S, ClubKit
from firmware_bridge.gpio import GpioError, opened
from firmware_bridge.messages import Styles
from firmware_bridge.pi_board import PiBoard
from firmware_bridge.reporter import Report
from firmware_bridge.sim_board import sensors_of
from firmware_bridge.steady import sampled, settled
from kibitz.board_doctor import check_board
from referee.observation import Observation
from referee.signal import Sign, Signal
from tests.emulator.player import wait_for

PATIENCE_S = 30
START = (-5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0, 0)
CONFIRM, CLOCK_LIGHT, _ = board.PI_BUTTONS


@given(st.lists(st.integers(0, 1), min_size=1, max_size=60))
def test_a_bit_changes_after_four_samples_that_differ_and_not_before(samples: list[int]) -> None:
    steady, state, differing = settled(0), 0, 0
    for sample in samples:
        steady = sampled(steady, sample * 0b101)
        differing = differing + 1 if sample != state else 0
        if differing == 4:
            state, differing = sample, 0
        assert steady.state == state * 0b101


# --- the club kit ---


@pytest.fixture
def pwm_pins() -> Iterator[MockFactory]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.close()


def test_the_club_kits_buttons_and_leds(pwm_pins: MockFactory) -> None:
    kit, events = ClubKit(pwm_pins), list[Pressed]()
    thread = threading.Thread(target=lambda: events.extend(kit.events()))
    thread.start()
    confirm = pwm_pins.pin(CONFIRM)
    for _ in range(5):  # bounce, then held
        confirm.drive_low()
        confirm.drive_high()
    confirm.drive_low()
    begun = time.monotonic()
    wait_for(lambda: len(events) == 1, PATIENCE_S)
    confirm.drive_high()
    pwm_pins.pin(CLOCK_LIGHT).drive_low()
    kit.show(Signal(0.0, Sign.ILLEGAL, (3,)))
    red = pwm_pins.pin(board.PI_RED)
    wait_for(lambda: len(red.states) >= 5 and len(events) == 2, PATIENCE_S)
    assert [state.state for state in red.states[:5]] == [0, 1, 0, 1, 0]
    beats = [state.timestamp for state in red.states[2:5]]
    assert all(beat > 0.9 * board.RHYTHMS["fast"] for beat in beats), "on and off for so long each, at least"
    kit.close()
    thread.join(PATIENCE_S)
    assert [event.button for event in events] == ["confirm", "clock_light"]
    assert events[0].t - begun > 2 * SCAN_S, "a press is believed after four samples"


# --- the full board ---


class Registers(MockSPIDevice):
    """45 shift registers in a row: what is on the sensors comes out, then what went in."""

    def __init__(self, factory: MockFactory) -> None:
        super().__init__(11, 10, 9, 8, clock_polarity=True, pin_factory=factory)
        self._load = factory.pin(board.PI_LOAD)
        self._loads = 0
        self.sensors, self.whole = bytes(45), True

    def on_start(self) -> None:
        assert len(self._load.states) > self._loads, "the sensors were not taken over before the transfer"
        assert self._load.state, "a register that still loads does not shift"
        self._loads = len(self._load.states)
        self.rx_buf.clear()
        self.tx_buf.clear()
        for byte in self.sensors:
            self.tx_word(byte ^ (0xFF if board.SENSOR_IDLE else 0))

    def on_bit(self) -> None:
        self.tx_buf.append(self.rx_buf[-1] if self.whole else 1)


class LampString(MockSPIDevice):
    """Takes the bytes of an APA102 string."""

    def __init__(self, factory: MockFactory) -> None:
        super().__init__(11, 10, None, 7, pin_factory=factory)
        self.shown: list[bytes] = []

    def on_start(self) -> None:
        self.rx_buf.clear()

    def on_bit(self) -> None:
        if len(self.rx_buf) == 8 * (4 + 4 * board.LAMPS + 8):
            self.shown.append(self.rx_word().to_bytes(len(self.rx_buf) // 8, "big"))


class Bench:
    """A PiBoard on mock pins with a clock that is set by hand."""

    def __init__(self, factory: MockFactory) -> None:
        self.t = 100.0
        self.factory = factory
        self.registers, self.lamps = Registers(factory), LampString(factory)
        self.board = PiBoard(factory=factory, clock=lambda: self.t)
        self.reports: list[Report] = []

    def scan(self, times: int = 1) -> None:
        for _ in range(times):
            self.t += 0.01
            self.reports += self.board.scan()

    def counts(self) -> tuple[int, ...]:
        looks = [report for report in self.reports if isinstance(report, Observation)]
        return tuple(belief.best for belief in looks[-1].places)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)  # gpiozero's software SPI does not pass its own on
    made = Bench(factory)
    yield made
    made.board.close()
    factory.close()


def test_the_live_view_of_a_board_on_the_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)
    registers, lamps = Registers(factory), LampString(factory)
    registers.sensors = sensors_of(START)
    said = io.StringIO()
    console = Console(file=said, width=140)
    assert check_board("gpio:", console, seconds=1.5) == 0
    assert "xxxxx·" in said.getvalue()
    assert lamps.shown
    registers.whole = False
    assert check_board("gpio:", console, seconds=1.5) == 1
    assert "chain 4: its registers do not pass" in said.getvalue()
    factory.close()


@pytest.mark.parametrize("error", [BadPinFactory("none"), SPIBadArgs("taken"), OSError("busy")])
def test_pins_that_cannot_be_used_are_one_line_with_the_mend(error: Exception) -> None:
    def make() -> None:
        raise error

    with pytest.raises(GpioError, match=r"gpio: no pins .*python3-lgpio"):
        opened(make, "gpio:")


def test_a_fault_of_our_own_is_not_blamed_on_the_pins() -> None:
    with pytest.raises(ZeroDivisionError):
        opened(lambda: 1 // 0, "gpio:")


def test_the_sensors_are_read_over_spi(bench: Bench) -> None:
    bench.registers.sensors = sensors_of(START)
    bench.scan()
    assert bench.counts() == START


def test_a_change_is_believed_after_four_scans(bench: Bench) -> None:
    moved = (*START[:4], 2, 1, *START[6:])
    bench.registers.sensors = sensors_of(START)
    bench.scan()
    bench.registers.sensors = sensors_of(moved)
    bench.scan(3)
    assert bench.counts() == START
    bench.scan()
    assert bench.counts() == moved


def test_a_row_that_is_broken_hides_the_table(bench: Bench) -> None:
    bench.registers.sensors = sensors_of(START)
    bench.registers.whole = False
    bench.scan(2)
    looks = [report for report in bench.reports if isinstance(report, Observation)]
    assert looks[-1].unseen == tuple(range(24))


def test_presses_are_reported(bench: Bench) -> None:
    bench.scan()
    bench.factory.pin(CONFIRM).drive_low()
    bench.scan(4)
    bench.factory.pin(CONFIRM).drive_high()
    bench.scan(4)
    assert [report.button for report in bench.reports if isinstance(report, Pressed)] == ["confirm"]


def test_a_signal_is_on_the_string_at_once_and_blinks_in_time(bench: Bench) -> None:
    bench.board.show(Signal(0.0, Sign.ILLEGAL, (3, 25)))
    red = bytes((0xE0 | board.LED_BRIGHTNESS, 0, 0, 255))
    shown = bench.lamps.shown[-1]
    lit = [board.LED_STRING[i] for i in range(board.LAMPS) if shown[4 + 4 * i : 8 + 4 * i] == red]
    assert sorted(lit) == [3, 25]
    bench.scan(13)
    assert red not in bench.lamps.shown[-1]
    bench.scan(13)
    assert red in bench.lamps.shown[-1]


def test_a_sign_with_an_end_goes_dark(bench: Bench) -> None:
    bench.board.show(Signal(0.0, Sign.ACCEPTED, (3,)))
    bench.scan(90)
    assert bench.lamps.shown[-1] == string_bytes(bytes([0] * 3 + [2] + [0] * 26), 0)
    bench.scan(15)
    assert bench.lamps.shown[-1] == string_bytes(bytes(board.LAMPS), 0)


def test_a_still_string_is_refreshed_each_second(bench: Bench) -> None:
    bench.board.light(Styles(bytes([2] * board.LAMPS)))
    before = len(bench.lamps.shown)
    bench.scan(250)
    assert 2 <= len(bench.lamps.shown) - before <= 3
