"""The cheapest thing a club builds, for use with a camera: three LEDs, a confirm button, two clock buttons.

On a Raspberry Pi's GPIO pins, no other part needed; `hardware/README.md` shows the wiring.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from firmware_bridge import board
from firmware_bridge.buttons import CLOCK_DARK, CLOCK_LIGHT, CONFIRM, Pressed
from firmware_bridge.gpio_buttons import GpioButtons
from firmware_bridge.gpio_leds import GpioLeds
from referee.signal import Signal

SCAN_S = 0.005
_NAMES = (CONFIRM, CLOCK_LIGHT, CLOCK_DARK)


class ClubKit:
    """LEDs by `show`, presses by `events`; pins are those of hardware/board.toml."""

    def __init__(self, factory: Any = None, clock: Callable[[], float] = time.monotonic) -> None:
        """`factory` is a gpiozero pin factory, None its own choice."""
        self._leds = GpioLeds(board.PI_GREEN, board.PI_AMBER, board.PI_RED, factory)
        self._buttons = GpioButtons(board.PI_BUTTONS, factory)
        self._clock = clock
        self._closed = threading.Event()
        self._lock = threading.Lock()

    def show(self, signal: Signal) -> None:
        self._leds.show(signal)

    def events(self) -> Iterator[Pressed]:
        """Presses, until `close`."""
        while not self._closed.wait(SCAN_S):
            yield from self._scanned()

    def _scanned(self) -> list[Pressed]:
        """A scan that `close` waits for."""
        with self._lock:
            return [] if self._closed.is_set() else list(self._scan())

    def _scan(self) -> Iterator[Pressed]:
        before = list(self._buttons.edges)
        self._buttons.scan()
        for name, old, new in zip(_NAMES, before, self._buttons.edges, strict=True):
            if new > old and new % 2:
                yield Pressed(self._clock(), name)

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            self._buttons.close()
            self._leds.close()
