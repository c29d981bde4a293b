"""Two players' hands on the emulated board: checkers lifted and put down one by one, dice buttons, clock."""

from __future__ import annotations

from engine.plays import Hop
from engine.rules import Ruleset
from referee.layout import Layout, place_of
from referee.observation import BAR_LIGHT
from tests.emulator.emulated import put_counts
from tests.emulator.pty_bridge import PtyBridge

HAND_S = 0.035
BUTTON_S = 0.022


class Hands:
    """Moves what lies on the board (`table`), a checker at a time, at a quick player's pace."""

    def __init__(self, bridge: PtyBridge, layout: Layout, rules: Ruleset, table: tuple[int, ...]) -> None:
        self._bridge, self._layout, self._rules = bridge, layout, rules
        self.table = list(table)
        #: places on which a checker of the other colour lies, too
        self.guests: set[int] = set()

    def _put(self) -> None:
        with self._bridge.held() as emulated:
            put_counts(emulated, self.table, self.guests)
        self._bridge.wait(HAND_S)

    def move(self, src: int, dst: int, sign: int) -> None:
        """One checker from a place to another, whoever lies there; one that is hit goes to its bar then."""
        self.table[src] -= sign
        self._put()
        if self.table[dst] * sign >= 0:
            self.table[dst] += sign
            self._put()
            return
        self.guests.add(dst)
        self._put()
        if self.table[dst] == -sign:
            self._take_away(dst, sign)

    def _take_away(self, place: int, sign: int) -> None:
        """The single checker under one of `sign` goes to its bar."""
        self.guests.remove(place)
        self.table[place] = sign
        self._put()
        self.table[BAR_LIGHT + (sign > 0)] -= sign
        self._put()

    def hop(self, side: int, hop: Hop, others: bool = False) -> tuple[int, int]:
        """A hop in the numbers of a side, by its own checker or the other side's; the two places."""
        src, dst = (place_of(self._layout, self._rules, side, own) for own in (hop.src, hop.dst))
        self.move(src, dst, 1 if (side == 0) != others else -1)
        return src, dst

    def play(self, side: int, hops: tuple[Hop, ...]) -> tuple[int, ...]:
        """A whole play; the places it touched."""
        return tuple(place for hop in hops for place in self.hop(side, hop))

    def put_back(self, table: list[int]) -> None:
        """Everything as it was, a place at a time."""
        self.guests.clear()
        for place in [i for i, (now, then) in enumerate(zip(self.table, table, strict=True)) if now != then]:
            self.table[place] = table[place]
            self._put()

    def press(self, button: str) -> None:
        with self._bridge.held() as emulated:
            emulated.press(button)
        self._bridge.wait(BUTTON_S)
        with self._bridge.held() as emulated:
            emulated.press(button, False)
        self._bridge.wait(BUTTON_S)
