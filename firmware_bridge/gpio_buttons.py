"""Push buttons on GPIO pins, debounced here (gpiozero's own bounce time loses presses)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpiozero import InputDevice

from firmware_bridge.steady import sampled, settled


class GpioButtons:
    """Buttons from pins to ground. `edges` counts how often each went down or up (odd: it is down)."""

    def __init__(self, pins: Sequence[int | str], factory: Any = None) -> None:
        self._pins = [InputDevice(pin, pull_up=True, pin_factory=factory) for pin in pins]
        self._steady = settled(self._sample())
        self.edges = [self._steady.state >> i & 1 for i in range(len(self._pins))]

    def scan(self) -> None:
        """Sample once; four samples make a change."""
        before, self._steady = self._steady.state, sampled(self._steady, self._sample())
        flips = before ^ self._steady.state
        for i in range(len(self.edges)):
            self.edges[i] += flips >> i & 1

    def close(self) -> None:
        for pin in self._pins:
            pin.close()

    def _sample(self) -> int:
        return sum(bool(pin.value) << i for i, pin in enumerate(self._pins))
