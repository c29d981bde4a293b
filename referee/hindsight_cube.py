"""Doubles, takes and drops, from where the cube lay and what it showed.

A cube that shows twice the stake before a turn was offered there. When the game goes on it was taken, when no
turn follows it was dropped. What does not fit, say a number that is no double, is not guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from referee.layout import DARK, LIGHT, Layout

#: A sight of the cube counts after so many looks in a row that agree.
AGREE = 2


class Glance(NamedTuple):
    """The cube at a time: its number, and where it lies (`far`, `middle`, `near`)."""

    t: float
    value: int
    where: str


class CubeAct(msgspec.Struct, frozen=True):
    """`double`, `take` or `drop` by `side` before turn `turn`; the cube's number then or, dropped, before."""

    t: float
    turn: int
    side: int
    act: str
    value: int


class Stretch(NamedTuple):
    """A game as far as the cube is concerned: its turns as (number, side, time of the throw), whether it was
    `played` to its end, and the time until which it lasted.
    """

    turns: Sequence[tuple[int, int, float]]
    played: bool
    since: float
    until: float


def steady(glances: Iterable[Glance]) -> list[Glance]:
    """The sights that several looks in a row agree on, each from its first look on, changes only."""
    found: list[Glance] = []
    run: list[Glance] = []
    for glance in glances:
        run = [*run, glance] if run and _same(run[-1], glance) else [glance]
        if len(run) == AGREE and not (found and _same(found[-1], glance)):
            found.append(run[0])
    return found


def _same(a: Glance, b: Glance) -> bool:
    return (a.value, a.where) == (b.value, b.where)


def acts_of(glances: Sequence[Glance], game: Stretch, layout: Layout) -> tuple[CubeAct, ...]:
    """What was done with the cube in one game; `glances` are steady ones of the whole recording."""
    acts: list[CubeAct] = []
    stake = 1
    for glance in glances:
        if game.since <= glance.t < game.until and glance.value == 2 * stake and game.turns:
            made = _offered(glance, game, stake, layout)
            acts += made
            stake = glance.value if made and made[-1].act == "take" else stake
    return tuple(acts)


def _offered(glance: Glance, game: Stretch, stake: int, layout: Layout) -> list[CubeAct]:
    before = sum(1 for _, _, t in game.turns if t <= glance.t)
    first = game.turns[0][0]
    if before == len(game.turns):
        if game.played:
            return []
        side, turn = 1 - game.turns[-1][1], first + before
        return [
            CubeAct(glance.t, turn, side, "double", glance.value),
            CubeAct(glance.t, turn, 1 - side, "drop", stake),
        ]
    owner = _owner(glance.where, layout)
    # the cube may have been seen only after the throw that followed
    for number in (before, before - 1):
        if number > 0 and owner in (None, 1 - game.turns[number][1]):
            turn, side, _ = game.turns[number]
            return [
                CubeAct(glance.t, turn, side, "double", glance.value),
                CubeAct(glance.t, turn, 1 - side, "take", glance.value),
            ]
    return []


def _owner(where: str, layout: Layout) -> int | None:
    if where == "middle":
        return None
    return LIGHT if (where == "near") == (layout.light == "bottom") else DARK
