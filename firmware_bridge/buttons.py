"""Button edges → presses, and dice entered by buttons."""

from __future__ import annotations

from typing import NamedTuple

from firmware_bridge import board

CONFIRM, CLOCK_LIGHT, CLOCK_DARK = "confirm", "clock_light", "clock_dark"


class Pressed(NamedTuple):
    """A button went down: `confirm`, `clock_light` or `clock_dark`."""

    t: float
    button: str


class RollEntered(NamedTuple):
    """Dice entered by buttons."""

    t: float
    roll: tuple[int, ...]


def presses(before: tuple[int, ...], now: tuple[int, ...]) -> tuple[str, ...]:
    """Buttons pressed between two counts of edges (modulo 16; odd: down), each as often as it was."""
    pressed = []
    for name, old, new in zip(board.BUTTONS, before, now, strict=True):
        later = old + (new - old) % 16
        pressed += [name] * ((later + 1) // 2 - (old + 1) // 2)
    return tuple(pressed)


class DiceEntry:
    """Collects presses of the dice buttons until a roll is whole."""

    def __init__(self, dice: int = 2) -> None:
        self._dice = dice
        self._values: tuple[int, ...] = ()

    def press(self, button: str) -> tuple[int, ...] | None:
        """The roll that this press completes; any other button begins it anew."""
        if not button.startswith("die_"):
            self._values = ()
            return None
        self._values += (int(button.removeprefix("die_")),)
        if len(self._values) < self._dice:
            return None
        roll, self._values = self._values, ()
        return roll
