"""The states of a match as it is told with hindsight, and the plays that lead from one to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from engine.plays import Play, legal_plays, partial_plays, result_of
from engine.position import Position, turned
from engine.rules import Ruleset
from referee.hindsight_scenes import PLAIN, Confusion, Throws
from referee.inference import Table
from referee.layout import DARK, LIGHT, counts_of, order_of, position_of
from referee.observation import PLACES


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


Rolls = tuple[tuple[tuple[int, ...], float], ...]


Faces = tuple[Confusion, Confusion]


@dataclass(frozen=True)
class World:
    """What is the same for the whole recording. `faces`: which of light's and dark's dice are taken for
    which; what each throw is if it is that side's is worked out once, when it is asked for.
    """

    table: Table
    throws: Throws
    start: tuple[int, ...]
    faces: Faces = (PLAIN, PLAIN)
    fixes: Mapping[int, Fix] = field(default_factory=dict)
    rolled: dict[tuple[int, int], Rolls] = field(default_factory=dict)

    @property
    def rules(self) -> Ruleset:
        return self.table.rules

    def rolls(self, throw: int, side: int) -> Rolls:
        """The rolls that a throw of a side may be, with their shares."""
        known = self.rolled.get((throw, side))
        if known is None:
            known = self.throws[throw].rolls(self.rules.dice, self.faces[side])
            self.rolled[throw, side] = known
        return known

    def forget(self, before: int) -> None:
        """Nobody asks about throws before that number any more."""
        for throw in range(self.throws.earlier, before):
            for side in (LIGHT, DARK):
                self.rolled.pop((throw, side), None)
        self.throws.forget(before)

    def counts(self, node: Node) -> tuple[int, ...]:
        """The table in a state."""
        return self.shown(node.side, node.base)

    def shown(self, side: int, position: Position) -> tuple[int, ...]:
        """The table that a position as `side` sees it is."""
        return _shown(self.order(side), side, position)

    def afield(self, side: int, table: tuple[int, ...]) -> bool:
        """Whether a side has checkers outside its home on a table, so that none may have been borne off."""
        return any(n > 0 for n in position_of(self.table.layout, self.rules, side, table).points[7:])

    def order(self, side: int) -> tuple[int, ...]:
        """A side's own numbers of the table's places."""
        return self._orders[side]

    @cached_property
    def _orders(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        layout, rules = self.table.layout, self.rules
        return order_of(layout, rules, LIGHT), order_of(layout, rules, DARK)


class Choice(NamedTuple):
    """A play of a roll, and how likely that roll is (natural log)."""

    play: Play
    roll: tuple[int, ...]
    weight: float


#: Tables as one side counts: rows of its 26 places, its tray and, below 0, the other's.
Tables = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Choices:
    """Plays to choose from, the roll and weight of each, and the tables after them; a `Choice` is made of one
    when it is asked for.
    """

    plays: Sequence[Play]
    rolls: Sequence[tuple[int, ...]]
    weights: npt.NDArray[np.float64]
    tables: Tables

    def __getitem__(self, number: int) -> Choice:
        return Choice(self.plays[number], self.rolls[number], float(self.weights[number]))

    def __iter__(self) -> Iterator[Choice]:
        return map(Choice, self.plays, self.rolls, self.weights.tolist())


@lru_cache(maxsize=1024)
def _shown(order: tuple[int, ...], side: int, position: Position) -> tuple[int, ...]:
    return counts_of(order, side, position)


@lru_cache(maxsize=1024)
def handed_over(rules: Ruleset, result: Position, passes: int) -> tuple[Position, bool]:
    """The table after a play as the other side sees it, and whether the game has ended by it."""
    return turned(result, rules), result_of(result, rules, passes) is not None


@lru_cache(maxsize=1024)
def plays(rules: Ruleset, base: Position, roll: tuple[int, ...]) -> tuple[Play, ...]:
    """Legal plays."""
    return legal_plays(base, roll, rules)


def tables_after(found: Iterable[Play]) -> Tables:
    """The tables after plays."""
    return np.frombuffer(b"".join([play.counts() for play in found]), np.int8).reshape(-1, PLACES)


def choices_of(rows: Iterable[tuple[Sequence[Play], tuple[int, ...], float]]) -> Choices:
    """Plays to choose from: those of each roll, with the roll's weight."""
    every: list[Play] = []
    rolls: list[tuple[int, ...]] = []
    weights: list[float] = []
    for found, roll, weight in rows:
        every += found
        rolls += [roll] * len(found)
        weights += [weight] * len(found)
    return Choices(every, rolls, np.array(weights), tables_after(every))


@lru_cache(maxsize=128)
def rolled(rules: Ruleset, base: Position, rolls: Rolls) -> Choices:
    """The legal plays of a throw, by all that it may be, with the share of each roll."""
    return choices_of((plays(rules, base, roll), roll, math.log(share)) for roll, share in rolls)


@lru_cache(maxsize=32)
def any_plays(rules: Ruleset, base: Position) -> Choices:
    """The legal plays of every roll, with the roll's probability."""
    return choices_of((legal_plays(base, roll, rules), roll, weight) for roll, weight in _every_roll(rules))


def _every_roll(rules: Ruleset) -> Iterator[tuple[tuple[int, ...], float]]:
    for low in combinations_with_replacement(range(1, 7), rules.dice):
        roll = low[::-1]
        ways = math.factorial(len(roll)) / math.prod(math.factorial(roll.count(d)) for d in set(roll))
        yield roll, math.log(ways / 6 ** len(roll))


@lru_cache(maxsize=256)
def parts(rules: Ruleset, base: Position, roll: tuple[int, ...]) -> tuple[Sequence[Play], Tables]:
    """What lies there in the middle of a turn: the plays up to then, and the tables after them."""
    found = partial_plays(base, roll, rules)
    return found, tables_after(found)
