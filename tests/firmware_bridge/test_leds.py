"""What the lamps show for each sign, and when."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware_bridge.gpio_leds import GpioLeds
from firmware_bridge.leds import (
    STATUS_DARK,
    STATUS_LIGHT,
    ConsoleLeds,
    Lamp,
    RecordingLeds,
    describe,
    lamps_of,
)
from referee.signal import Sign, Signal

GREEN, AMBER, RED = 17, 27, 22


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("signal", "lamps"),
    [
        (Signal(0, Sign.OFF, (3,)), {}),
        (Signal(0, Sign.YOUR_TURN, side=1), {STATUS_DARK: Lamp("white", "steady")}),
        (Signal(0, Sign.YOUR_TURN), dict.fromkeys((STATUS_LIGHT, STATUS_DARK), Lamp("white", "steady"))),
        (Signal(0, Sign.ACCEPTED, (4, 7)), dict.fromkeys((4, 7), Lamp("green", "steady"))),
        (Signal(0, Sign.ILLEGAL, (4, 25)), dict.fromkeys((4, 25), Lamp("red", "fast"))),
        (Signal(0, Sign.AMBIGUOUS, (4, 5)), dict.fromkeys((4, 5), Lamp("amber", "slow"))),
        (Signal(0, Sign.NO_SIGHT), dict.fromkeys(range(24), Lamp("red", "breathe"))),
        (
            Signal(0, Sign.HINT, (12, 7, 7, 5)),
            {12: Lamp("blue", "alternate"), 7: Lamp("blue", "alternate"), 5: Lamp("blue", "alternate", True)},
        ),
    ],
)
def test_each_sign_lights_its_lamps(signal: Signal, lamps: dict[int, Lamp]) -> None:
    assert lamps_of(signal) == lamps


def test_accepted_goes_dark_after_its_second() -> None:
    leds = RecordingLeds()
    leds.show(Signal(1.0, Sign.ACCEPTED, (4,)))
    leds.show(Signal(5.0, Sign.ILLEGAL, (5,)))
    leds.close()
    green, red = {4: Lamp("green", "steady")}, {5: Lamp("red", "fast")}
    assert leds.states == [(1.0, green), (2.0, {}), (5.0, red)]


def test_accepted_that_is_overtaken_never_goes_dark() -> None:
    leds = RecordingLeds()
    leds.show(Signal(1.0, Sign.ACCEPTED, (4,)))
    leds.show(Signal(1.5, Sign.YOUR_TURN, side=0))
    leds.close()
    assert [t for t, _ in leds.states] == [1.0, 1.5]


def test_the_recorder_knows_what_was_lit_at_any_time() -> None:
    leds = RecordingLeds()
    leds.show(Signal(1.0, Sign.ACCEPTED, (4,)))
    assert leds.at(0.5) == {}
    assert leds.at(1.5) == {4: Lamp("green", "steady")}
    assert leds.at(2.5) == {}


def test_the_console_gets_a_line_a_signal() -> None:
    stream = io.StringIO()
    leds = ConsoleLeds(stream)
    leds.show(Signal(12.5, Sign.ILLEGAL, (3, 24)))
    leds.show(Signal(13.0, Sign.OFF))
    assert stream.getvalue().splitlines() == [
        "    12.50 s  illegal: red, fast, on point 3, light's bar",
        "    13.00 s  off: all dark",
    ]


def test_every_sign_has_words() -> None:
    assert all(describe(Signal(0, sign, (1, 2))).startswith(sign.replace("_", " ")) for sign in Sign)


def _states(factory: MockFactory, pin: int) -> list[float]:
    return [float(state.state) for state in factory.pin(pin).states]


def _blink_times(factory: MockFactory, pin: int) -> list[float]:
    """Seconds between a pin's changes, without the wait before the first."""
    return [state.timestamp for state in factory.pin(pin).states[2:]]


def test_accepted_lights_green_for_a_second(factory: MockFactory) -> None:
    leds = GpioLeds(GREEN, AMBER, RED, factory)
    leds.show(Signal(0, Sign.ACCEPTED, (3,)))
    time.sleep(1.3)
    assert _states(factory, GREEN) == [0, 1, 0]
    assert _blink_times(factory, GREEN)[0] == pytest.approx(1.0, abs=0.15)
    assert _states(factory, RED) == _states(factory, AMBER) == [0]
    leds.close()


@pytest.mark.parametrize(("sign", "pin", "beat"), [(Sign.ILLEGAL, RED, 0.12), (Sign.AMBIGUOUS, AMBER, 0.48)])
def test_trouble_blinks_until_the_next_signal(
    factory: MockFactory, sign: Sign, pin: int, beat: float
) -> None:
    leds = GpioLeds(GREEN, AMBER, RED, factory)
    leds.show(Signal(0, sign, (3,)))
    time.sleep(3.5 * beat)
    leds.show(Signal(1, Sign.OFF))
    changes = _states(factory, pin)
    time.sleep(2 * beat)
    assert changes[:4] == [0, 1, 0, 1]
    assert _blink_times(factory, pin)[:2] == pytest.approx([beat, beat], abs=0.1)
    assert _states(factory, pin) == changes
    assert factory.pin(pin).state == 0
    leds.close()


def test_no_sight_breathes_red(factory: MockFactory) -> None:
    leds = GpioLeds(GREEN, AMBER, RED, factory)
    leds.show(Signal(0, Sign.NO_SIGHT))
    time.sleep(0.6)
    levels = _states(factory, RED)
    assert len(levels) > 5
    assert levels == sorted(levels)
    assert 0.2 < levels[-1] < 1
    leds.close()


def test_white_and_blue_leave_the_three_leds_dark(factory: MockFactory) -> None:
    leds = GpioLeds(GREEN, AMBER, RED, factory)
    leds.show(Signal(0, Sign.ILLEGAL, (3,)))
    leds.show(Signal(1, Sign.YOUR_TURN, side=0))
    assert [factory.pin(pin).state for pin in (GREEN, AMBER, RED)] == [0, 0, 0]
    leds.close()
