"""Helpers for referee tests: looks at a table that is known, as a good camera would see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from engine.position import Position
from engine.rules import BACKGAMMON, Ruleset
from referee.events import Input, Output, Seen
from referee.layout import LIGHT, Layout, table_of
from referee.observation import Belief, Die, Observation, certain
from referee.session import State, step

LAYOUT = Layout()
T = TypeVar("T")


def dice_at(values: Sequence[int], side: int = LIGHT, shift: float = 0.0) -> tuple[Die, ...]:
    """Dice lying in the half of the side that threw them."""
    left = 0.7 if side == LIGHT else 0.2
    return tuple(Die(v, 0.99, left + 0.07 * i + shift, 0.5) for i, v in enumerate(values))


def look(
    t: float, table: Sequence[int], dice: tuple[Die, ...] | None = (), hand: bool = False
) -> Observation:
    """An observation in which every place is read as it is; trays are not watched."""
    beliefs: list[Belief] = [certain(n) for n in table]
    return Observation(t, tuple(beliefs[:24]), (beliefs[24], beliefs[25]), dice=dice, hand=hand)


def looks(
    start: float, seconds: float, table: Sequence[int], dice: tuple[Die, ...] | None = (), fps: float = 5.0
) -> list[Input]:
    """The same sight again and again, as a session takes it."""
    return [*sights(start, seconds, table, dice, fps)]


def sights(
    start: float, seconds: float, table: Sequence[int], dice: tuple[Die, ...] | None = (), fps: float = 5.0
) -> list[Seen]:
    """The same sight again and again, as a recording takes it."""
    return [Seen(look(start + k / fps, table, dice)) for k in range(round(seconds * fps))]


def play_out(state: State, inputs: Iterable[Input]) -> tuple[State, list[Output]]:
    """Step through all inputs."""
    outs: list[Output] = []
    for given in inputs:
        state, more = step(state, given)
        outs += more
    return state, outs


def shown(position: Position, side: int = LIGHT, rules: Ruleset = BACKGAMMON) -> tuple[int, ...]:
    """The table of a mover's position in the usual layout."""
    return table_of(LAYOUT, rules, side, position)


def of(kind: type[T], outs: list[Output]) -> list[T]:
    """The outputs of one kind."""
    return [o for o in outs if isinstance(o, kind)]


def moved(table: tuple[int, ...], *changes: tuple[int, int]) -> tuple[int, ...]:
    """The table with so many more checkers (signed) on some places."""
    counts = list(table)
    for place, by in changes:
        counts[place] += by
    return tuple(counts)


def at(own: int) -> int:
    """Table place of light's own point in the usual layout."""
    return 24 - own if own <= 12 else own - 13


def went(text: str, table: tuple[int, ...], sign: int = 1) -> tuple[int, ...]:
    """The table after checkers went as in "8/5 6/5" (light's numbers), rules or no rules."""
    hops = [tuple(at(int(n)) for n in word.split("/")) for word in text.split()]
    return moved(table, *((src, -sign) for src, _ in hops), *((dst, sign) for _, dst in hops))
