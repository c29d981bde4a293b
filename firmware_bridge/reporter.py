"""States of a board → what it has to say: observations, presses, rolls. For every board with sensors."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge import sensing
from firmware_bridge.buttons import DiceEntry, Pressed, RollEntered, presses
from firmware_bridge.messages import BoardState
from firmware_bridge.sensing import Sensing
from referee.observation import Observation

#: The table is reported so often even when nothing changes.
STILL_S = 0.2

Report = Observation | Pressed | RollEntered


class Reporter:
    """Remembers the last state; times are seconds of the caller's clock."""

    def __init__(self, checkers: tuple[int, int], dice: int, eaten: bool) -> None:
        self._fresh = Sensing(checkers, eaten)
        self._dice = DiceEntry(dice)
        self._state: BoardState | None = None
        self._told_at = 0.0
        self.sensing = self._fresh

    def restart(self) -> None:
        """The board is another, or begins anew."""
        self._state, self.sensing = None, self._fresh

    def heard(self, state: BoardState, t: float) -> Iterator[Report]:
        """What a state of the board says that the one before did not."""
        before, self._state = self._state, state
        self.sensing = sensing.seen(self.sensing, state, t)
        for button in presses(before.edges, state.edges) if before else ():
            yield from self._pressed(button, t)
        if state != before:
            yield self._told(t)

    def passed(self, t: float) -> Iterator[Report]:
        """What there is to say when nothing has changed."""
        if self.sensing.known and t - self._told_at >= STILL_S:
            self.sensing = sensing.passed(self.sensing, t)
            yield self._told(t)

    def _pressed(self, button: str, t: float) -> Iterator[Report]:
        roll = self._dice.press(button)
        if roll is not None:
            yield RollEntered(t, roll)
        elif not button.startswith("die_"):
            self.sensing = sensing.hand_empty(self.sensing)
            yield self._told(t)
            yield Pressed(t, button)

    def _told(self, t: float) -> Observation:
        self._told_at = t
        return sensing.observation(self.sensing, t)
