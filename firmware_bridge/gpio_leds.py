"""The club kit's three LEDs (green, amber, red) on GPIO pins of a Raspberry Pi.

Apart from `leds`, so that gpiozero is loaded only where it is used.
"""

from __future__ import annotations

from typing import Any

from gpiozero import PWMLED

from firmware_bridge.board import RHYTHMS
from referee.signal import LOOK, Look, Signal


class GpioLeds:
    """Green, amber and red LED. White and blue cannot be shown by them: those signs leave all three dark.

    Pins are gpiozero's names (17, "GPIO17", "BOARD11"); `factory` is a gpiozero pin factory, None for its
    own choice.
    """

    def __init__(self, green: int | str, amber: int | str, red: int | str, factory: Any = None) -> None:
        pins = {"green": green, "amber": amber, "red": red}
        self._leds = {colour: PWMLED(pin, pin_factory=factory) for colour, pin in pins.items()}

    def show(self, signal: Signal) -> None:
        look = LOOK[signal.sign]
        for led in self._leds.values():
            led.off()
        if look.colour in self._leds:
            _light(self._leds[look.colour], look)

    def close(self) -> None:
        for led in self._leds.values():
            led.close()


def _light(led: Any, look: Look) -> None:
    """Start a rhythm; gpiozero keeps it going on a thread of its own until the LED is next set."""
    beat = RHYTHMS[look.rhythm]
    if look.rhythm == "breathe":
        led.pulse(beat, beat)
    elif beat:
        led.blink(beat, beat)
    elif look.seconds is not None:
        led.blink(on_time=look.seconds, off_time=0, n=1)
    else:
        led.on()
