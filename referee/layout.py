"""Which way round the board lies: table places ↔ a player's own numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from engine.position import Position
from engine.rules import Ruleset
from referee.observation import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT, POINTS

LIGHT, DARK = 0, 1
OWN_OFF, OWN_BAR = 0, 25


class Layout(msgspec.Struct, frozen=True):
    """Where the homes are: both on the `home` side of the picture, light's in the `light` row."""

    home: Literal["right", "left"] = "right"
    light: Literal["bottom", "top"] = "bottom"


#: The four ways a board can lie, in the order in which they are tried.
LAYOUTS = tuple(Layout(home, light) for light in ("bottom", "top") for home in ("right", "left"))


def light_place(layout: Layout, own: int) -> int:
    """Table point 0-23 of light's own point 1-24."""
    column = own - 1 if own <= 12 else 24 - own
    if layout.home == "right":
        column = 11 - column
    near = (layout.light == "bottom") == (own <= 12)
    return column + (12 if near else 0)


def place_of(layout: Layout, rules: Ruleset, side: int, own: int) -> int:
    """Table place of a side's own point 1-24, its bar (25) or its tray (0)."""
    if own == OWN_BAR:
        return (BAR_LIGHT, BAR_DARK)[side]
    if own == OWN_OFF:
        return (OFF_LIGHT, OFF_DARK)[side]
    return light_place(layout, own if side == LIGHT else rules.mirror(own))


def table_of(layout: Layout, rules: Ruleset, side: int, position: Position) -> tuple[int, ...]:
    """A mover's position as the 28 signed counts that the table would show (light +, dark -)."""
    return counts_of(order_of(layout, rules, side), side, position)


@lru_cache(maxsize=64)
def order_of(layout: Layout, rules: Ruleset, side: int) -> tuple[int, ...]:
    """For each table place but the trays the mover's own number of it (25 its bar, 0 the opponent's)."""
    own = {place_of(layout, rules, side, n): n for n in range(1, OWN_BAR + 1)}
    own[place_of(layout, rules, 1 - side, OWN_BAR)] = 0
    return tuple(own[place] for place in range(OFF_LIGHT))


def counts_of(order: tuple[int, ...], side: int, position: Position) -> tuple[int, ...]:
    """`table_of` with the order at hand, for the many tables of one side."""
    points, (mine, theirs) = position.points, position.off
    if side == LIGHT:
        return (*[points[n] for n in order], mine, -theirs)
    return (*[-points[n] for n in order], theirs, -mine)


def position_of(layout: Layout, rules: Ruleset, side: int, table: tuple[int, ...]) -> Position:
    """The reverse of `table_of`: 28 signed counts → the mover's position."""
    sign = 1 if side == LIGHT else -1
    other = 1 - side
    points = [0] * 26
    for own in range(1, POINTS + 1):
        points[own] = sign * table[place_of(layout, rules, side, own)]
    points[25] = sign * table[place_of(layout, rules, side, OWN_BAR)]
    points[0] = sign * table[place_of(layout, rules, other, OWN_BAR)]
    off = (
        sign * table[place_of(layout, rules, side, OWN_OFF)],
        -sign * table[place_of(layout, rules, other, OWN_OFF)],
    )
    return Position(tuple(points), off)
