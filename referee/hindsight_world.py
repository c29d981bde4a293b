"""The states of a match as it is told with hindsight, and the plays that lead from one to the next."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import msgspec

from engine.plays import Play, legal_plays, partial_plays
from engine.position import Position
from engine.rules import Ruleset
from referee.hindsight_scenes import Throw
from referee.inference import Table
from referee.layout import counts_of, order_of


class Fix(msgspec.Struct, frozen=True):
    """What a person says of one turn: its dice, its play (standard notation), or the table after it.

    `after` holds 24 or 28 signed counts in image order and wins over `play`.
    """

    dice: tuple[int, ...] | None = None
    play: str | None = None
    after: tuple[int, ...] | None = None


class Node(NamedTuple):
    """A state of the match: `base` as `side`, who is to move, sees it; `turn` turns were played in all,
    `used` is the last throw that was. `over`: the game has ended, or (`given_up`) somebody conceded it.
    """

    base: Position
    side: int
    turn: int
    used: int
    game: int = 0
    passes: int = 0
    over: bool = False
    given_up: bool = False


class Happened(NamedTuple):
    """One thing that happened: `turn`, `stood` (an illegal play that was let stand), `gap`, `game` (a new
    one). `before` is the position from `side`'s view, `after` the 28 counts.
    """

    kind: str
    turn: int
    side: int
    roll: tuple[int, ...]
    play: Play | None
    after: tuple[int, ...]
    how: str
    throw: int
    before: Position
    game: int


class Way(NamedTuple):
    """From a node to another: its weight (natural log) and what happened."""

    node: Node
    weight: float
    events: tuple[Happened, ...] = ()


@dataclass(frozen=True)
class World:
    """What is the same for the whole recording."""

    table: Table
    throws: tuple[Throw, ...]
    start: tuple[int, ...]
    fixes: Mapping[int, Fix]

    @property
    def rules(self) -> Ruleset:
        return self.table.rules

    def rolls(self, throw: int) -> tuple[tuple[tuple[int, ...], float], ...]:
        """The rolls that a throw may be."""
        return rolls_of(self.throws[throw], self.rules.dice)

    def counts(self, node: Node) -> tuple[int, ...]:
        """The table in a state."""
        return self.table.of(node.side, node.base)


@lru_cache(maxsize=1024)
def rolls_of(throw: Throw, dice: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """The rolls that a throw may be, worked out once."""
    return throw.rolls(dice)


Choice = tuple[Play, tuple[int, ...], tuple[int, ...], float]


@lru_cache(maxsize=512)
def plays(table: Table, base: Position, side: int, roll: tuple[int, ...]) -> tuple[Choice, ...]:
    """Legal plays: (play, table, roll, weight 0)."""
    order = order_of(table.layout, table.rules, side)
    return tuple(
        (p, counts_of(order, side, p.result), roll, 0.0) for p in legal_plays(base, roll, table.rules)
    )


@lru_cache(maxsize=16)
def any_plays(table: Table, base: Position, side: int) -> tuple[Choice, ...]:
    """The legal plays of every roll, with the roll's probability (log)."""
    found: list[Choice] = []
    for low in combinations_with_replacement(range(1, 7), table.rules.dice):
        roll = low[::-1]
        ways = math.factorial(len(roll)) / math.prod(math.factorial(roll.count(d)) for d in set(roll))
        weight = math.log(ways / 6 ** len(roll))
        found += [(p, t, r, weight) for p, t, r, _ in plays(table, base, side, roll)]
    return tuple(found)


@lru_cache(maxsize=256)
def parts(table: Table, base: Position, side: int, roll: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Tables that lie there in the middle of a turn."""
    order = order_of(table.layout, table.rules, side)
    return tuple(counts_of(order, side, p.result) for p in partial_plays(base, roll, table.rules))
