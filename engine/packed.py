"""The move generator: a table in one int, so that a hop is an addition and a set of points is a mask.

Place p (0 off, 1-24 points, 25 bar, mover's numbers) has five bits at 5p for the mover's checkers; the
opponent's are `FAR` bits further up, with its bar at place 0. Adding 16 - n to every place sets a place's top
bit where it holds n checkers or more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.position import BAR, PLACES, Position
from engine.ruleset import Ruleset

WIDTH = 5
FAR = WIDTH * PLACES
PLACE = tuple(1 << WIDTH * p for p in range(PLACES))
FULL = (1 << WIDTH) - 1

_POINTS = sum(PLACE[1:BAR])
_AWAY = sum(PLACE[7:])
_MINE = (1 << FAR) - 1
_SOURCES = _POINTS | PLACE[BAR]
_EACH = sum(PLACE)
_SOME = 15 * _EACH
_EVERYWHERE = _MINE
#: Sources from which a hop of each number of pips stays on the board.
_STAYS = tuple(sum(PLACE[die + 1 :]) for die in range(7))

#: How a table was reached: (path before, source bit, landing bit); () is the start.
Path = tuple[Any, ...]
Found = dict[int, Path]


class Turn(NamedTuple):
    """What does not change while the mover plays a roll."""

    #: By number of pips: the sources from which a hop stays on the board and does not land on a closed point.
    open: tuple[int, ...]
    #: Points where the opponent stood when the turn began.
    prey: int
    #: What the opponent's bar gains from a hit.
    bar: int
    bears_off: bool
    backwards: bool


def pack(position: Position) -> int:
    """The position as one int."""
    table = position.off[0]
    for place, n in enumerate(position.points):
        if n > 0:
            table += n << WIDTH * place
        elif n < 0:
            table -= n << WIDTH * place + FAR
    return table


def turn_of(table: int, rules: Ruleset) -> Turn:
    """The constants of a turn that begins with this table."""
    theirs = table >> FAR
    closed = (theirs + (16 - rules.closed_at) * _EACH) >> 4 & _POINTS
    opens = tuple(stays & ~(closed << WIDTH * die) for die, stays in enumerate(_STAYS))
    prey = (theirs + _SOME) >> 4 & _POINTS
    return Turn(opens, prey, 0 if rules.eats else 1 << FAR, rules.bears_off, rules.eats_backwards)


def explore(table: int, dice: tuple[int, ...], turn: Turn) -> dict[tuple[int, ...], Found]:
    """Every table that some of the dice lead to, by the dice that are left (in the order of `dice`)."""
    layers: dict[tuple[int, ...], Found] = {dice: {table: ()}}
    waiting = [dice]
    # Equal dice are played from the rear forward: any order can be sorted so, and no table is met twice.
    sorted_hops = len(set(dice)) == 1 and not turn.backwards
    for left in waiting:
        for index, die in enumerate(left):
            if die in left[:index]:
                continue
            rest = left[:index] + left[index + 1 :]
            if rest not in layers:
                layers[rest] = {}
                waiting.append(rest)
            _play_die(layers[left], die, turn, sorted_hops, layers[rest])
    return layers


def _play_die(tables: Found, die: int, turn: Turn, sorted_hops: bool, found: Found) -> None:
    for table, path in tables.items():
        below = (path[1] << 1) - 1 if sorted_hops and path else _EVERYWHERE
        _expand(table, path, die, turn, below, found)


def _expand(table: int, path: Path, die: int, turn: Turn, below: int, found: Found) -> None:
    """Add every table that one hop of `die` from the places in `below` gives."""
    occupied = ((table & _MINE) + _SOME) >> 4 & _SOURCES
    sources = _sources(occupied, die, turn) & below
    shift = WIDTH * die
    while sources:
        low = sources & -sources
        sources ^= low
        _hop(table, low, low >> shift, path, turn, found)
    if turn.bears_off and 0 < occupied < PLACE[die]:
        # A number higher than every point that is left bears off the rearmost checker.
        _hop(table, 1 << occupied.bit_length() >> 1, 1, path, turn, found)
    if turn.backwards:
        _eat_backwards(table, occupied, path, shift, turn, found)


def _sources(occupied: int, die: int, turn: Turn) -> int:
    if occupied >= PLACE[BAR]:
        return PLACE[BAR] & turn.open[die]
    if turn.bears_off and not occupied & _AWAY:
        return occupied & (turn.open[die] | PLACE[die])
    return occupied & turn.open[die]


def _hop(table: int, low: int, to: int, path: Path, turn: Turn, found: Found) -> None:
    """One checker goes from bit `low` to bit `to`; what stood there is hit or eaten."""
    after = table - low + to
    if to & turn.prey:
        prey = table & to * FULL << FAR
        if prey:
            after += turn.bar - prey
    if after not in found:
        found[after] = (path, low, to)


def _eat_backwards(table: int, occupied: int, path: Path, shift: int, turn: Turn, found: Found) -> None:
    prey = ((table >> FAR) + _SOME) >> 4 & _POINTS
    sources = occupied & prey >> shift
    while sources:
        low = sources & -sources
        sources ^= low
        _hop(table, low, low << shift, path, turn, found)
