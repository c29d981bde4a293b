"""Where the checkers stand, seen by the player who is about to move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

POINTS = 24
BAR, OFF = 25, 0
PLACES = 26
MEN = 15


class Position(Struct, frozen=True, gc=False):
    """A table in the mover's own numbers; it never changes, a play gives a new one.

    `points` has 26 signed counts: [1]-[24] the points (mover +, opponent -; the mover travels from 24 to 1),
    [25] the mover's bar (>= 0), [0] the opponent's bar (<= 0). `off` counts the checkers borne off (mover,
    opponent).

    >>> Position.of((0, -2) + (0,) * 22 + (2, 0)).off
    (13, 13)
    """

    points: tuple[int, ...]
    off: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, points: Sequence[int], men: int = MEN) -> Position:
        """A position from its 26 counts; checkers that are missing from `men` count as borne off."""
        mine = sum(n for n in points if n > 0)
        theirs = -sum(n for n in points if n < 0)
        return cls(tuple(points), (max(0, men - mine), max(0, men - theirs)))

    def swapped(self, mirror: Callable[[int], int]) -> Position:
        """The same table from the other side; `mirror` gives the opponent's own number of a point."""
        turned = [0] * PLACES
        for own in range(1, POINTS + 1):
            turned[mirror(own)] = -self.points[own]
        turned[BAR], turned[OFF] = -self.points[OFF], -self.points[BAR]
        return Position(tuple(turned), (self.off[1], self.off[0]))

    def men(self) -> tuple[int, int]:
        """How many checkers each side (mover, opponent) still has on points and bar."""
        return sum(n for n in self.points if n > 0), -sum(n for n in self.points if n < 0)


def turned(position: Position, rules: Ruleset) -> Position:
    """The same table as the opponent sees it."""
    return position.swapped(rules.mirror)


def pip_count(position: Position, rules: Ruleset) -> tuple[int, int]:
    """Pips that mover and opponent have yet to travel."""
    return _own_pips(position), _own_pips(turned(position, rules))


def _own_pips(position: Position) -> int:
    return sum(own * n for own, n in enumerate(position.points) if n > 0)


class Trouble(StrEnum):
    """What can be wrong with a position."""

    LENGTH = "length"
    BAR_SIGN = "bar_sign"
    OFF_SIGN = "off_sign"
    TOO_MANY = "too_many"
    MISSING = "missing"
    BOTH_OFF = "both_off"


class Problem(NamedTuple):
    """One thing that is wrong: `side` 0 mover, 1 opponent; `found` the count that is."""

    trouble: Trouble
    side: int = 0
    found: int = 0


def problems(position: Position, rules: Ruleset) -> tuple[Problem, ...]:
    """Everything that is wrong with a position; empty for a possible one. Never raises."""
    if len(position.points) != PLACES:
        return (Problem(Trouble.LENGTH, found=len(position.points)),)
    return (*_sign_problems(position), *_count_problems(position, rules))


def _sign_problems(position: Position) -> list[Problem]:
    found = []
    if position.points[BAR] < 0:
        found.append(Problem(Trouble.BAR_SIGN, 0, position.points[BAR]))
    if position.points[OFF] > 0:
        found.append(Problem(Trouble.BAR_SIGN, 1, position.points[OFF]))
    found += [Problem(Trouble.OFF_SIGN, side, n) for side, n in enumerate(position.off) if n < 0]
    return found


def _count_problems(position: Position, rules: Ruleset) -> list[Problem]:
    totals = [on + off for on, off in zip(position.men(), position.off, strict=True)]
    found = [Problem(Trouble.TOO_MANY, side, n) for side, n in enumerate(totals) if n > rules.men]
    if not rules.eats:
        found += [Problem(Trouble.MISSING, side, n) for side, n in enumerate(totals) if n < rules.men]
    if rules.bears_off and position.men() == (0, 0):
        found.append(Problem(Trouble.BOTH_OFF))
    return found
