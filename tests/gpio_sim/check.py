"""Runs inside the user-mode Linux: the club kit through gpiozero and lgpio on /dev/gpiochip0.

Usage: check.py GPIO_SIM_DEVICE (the platform device's name under /sys/devices/platform).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from gpiozero.pins.lgpio import LGPIOFactory

from firmware_bridge import board
from firmware_bridge.buttons import Pressed
from firmware_bridge.club_kit import ClubKit
from referee.signal import Sign, Signal

PI_3B = 0xA02082


class SimFactory(LGPIOFactory):
    """lgpio on the first chip of a machine that is no Raspberry Pi."""

    def _get_revision(self) -> int:
        return PI_3B


class Pins:
    """The simulated chip's pins from outside: levels of outputs, pulls of inputs."""

    def __init__(self, device: str) -> None:
        (self._chip,) = Path("/sys/devices/platform", device).glob("gpiochip*/sim_gpio0/..")

    def level(self, pin: int) -> int:
        return int((self._chip / f"sim_gpio{pin}" / "value").read_text())

    def pull(self, pin: int, way: str) -> None:
        (self._chip / f"sim_gpio{pin}" / "pull").write_text(f"pull-{way}")

    def changes(self, pin: int, seconds: float) -> list[tuple[float, int]]:
        """Levels of a pin as they change, with the time since the first look."""
        begun, seen = time.monotonic(), [(0.0, self.level(pin))]
        while (t := time.monotonic() - begun) < seconds:
            level = self.level(pin)
            if level != seen[-1][1]:
                seen.append((t, level))
            time.sleep(0.002)
        return seen


def wait(condition: Callable[[], bool], seconds: float = 2.0) -> bool:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.005)
    return condition()


def main(device: str) -> int:
    pins = Pins(device)
    for pin in board.PI_BUTTONS:
        pins.pull(pin, "up")
    kit, presses = ClubKit(SimFactory(chip=0)), list[Pressed]()
    reader = threading.Thread(target=lambda: presses.extend(kit.events()))
    reader.start()
    results = {
        "all dark at first": all(
            not pins.level(pin) for pin in (board.PI_GREEN, board.PI_AMBER, board.PI_RED)
        ),
        "red blinks in time": _blinks(kit, pins),
        "green for a second": _green(kit, pins),
        "each button once": _buttons(pins, presses),
    }
    kit.close()
    reader.join()
    for what, good in results.items():
        print(f"{'ok  ' if good else 'FAIL'} {what}", flush=True)
    return 0 if all(results.values()) else 1


def _blinks(kit: ClubKit, pins: Pins) -> bool:
    kit.show(Signal(0.0, Sign.ILLEGAL, (3,)))
    seen = pins.changes(board.PI_RED, 1.2)
    kit.show(Signal(0.0, Sign.OFF))
    beats = [b - a for (a, _), (b, _) in pairwise(seen[1:])]
    print("red's beats:", [round(beat, 3) for beat in beats], flush=True)
    return len(beats) >= 6 and all(abs(beat - board.RHYTHMS["fast"]) < 0.05 for beat in beats)


def _green(kit: ClubKit, pins: Pins) -> bool:
    kit.show(Signal(0.0, Sign.ACCEPTED, (3,)))
    seen = [t for t, level in pins.changes(board.PI_GREEN, 1.5) if not level]
    return bool(seen) and abs(seen[-1] - 1.0) < 0.1


def _buttons(pins: Pins, presses: list[Pressed]) -> bool:
    for count, pin in enumerate(board.PI_BUTTONS, 1):
        pins.pull(pin, "down")
        if not wait(lambda count=count: len(presses) == count):  # type: ignore[misc]
            return False
        pins.pull(pin, "up")
        time.sleep(0.1)
    return [press.button for press in presses] == ["confirm", "clock_light", "clock_dark"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
