"""The move generator: a table in one int, so that a hop is an addition and a set of points is a mask.

Place p (0 off, 1-24 points, 25 bar, mover's numbers) has five bits at 5p for the mover's checkers; the
opponent's are `FAR` bits further up, with its bar at place 0. Adding 16 - n to every place sets a place's top
bit where it holds n checkers or more.
"""

from __future__ import annotations

from functools import cache
from operator import getitem
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
#: Sources from which a hop of each number of pips stays on the board.
_STAYS = tuple(sum(PLACE[die + 1 :]) for die in range(7))

#: By place and count: what the place adds to the packed table; an opponent's count is a negative index.
_PACKED = tuple(
    (*(n * bit for n in range(FULL + 1)), *(n * bit << FAR for n in range(FULL, 0, -1))) for bit in PLACE
)

#: How a table was reached: (path before, source bit, landing bit); () is the start.
Path = tuple[Any, ...]
Found = dict[int, Path]


class Turn(NamedTuple):
    """What does not change while the mover plays a roll."""

    #: Points that the opponent holds.
    closed: int
    #: Points where the opponent stood when the turn began.
    prey: int
    #: What the opponent's bar gains from a hit.
    bar: int
    #: Places that must be empty before a checker may be borne off.
    away: int
    backwards: bool


def pack(position: Position) -> int:
    """The position as one int."""
    return sum(map(getitem, _PACKED, position.points), position.off[0])


def mine(table: int) -> int:
    """The mover's half of a table."""
    return table & _MINE


def turn_of(table: int, rules: Ruleset) -> Turn:
    """The constants of a turn that begins with this table."""
    theirs = table >> FAR
    closed = (theirs + (16 - rules.closed_at) * _EACH) >> 4 & _POINTS
    prey = (theirs + _SOME) >> 4 & _POINTS
    away = _AWAY if rules.bears_off else _SOURCES
    return Turn(closed, prey, 0 if rules.eats else 1 << FAR, away, rules.eats_backwards)


def explore(table: int, dice: tuple[int, ...], turn: Turn) -> dict[tuple[int, ...], Found]:
    """Every table that some of the dice lead to, by the dice that are left (in the order of `dice`)."""
    layers: dict[tuple[int, ...], Found] = {dice: {table: ()}}
    sorted_hops = len(set(dice)) == 1 and not turn.backwards
    for left, die, rest, second_order in _steps(dice):
        found = layers.setdefault(rest, {})
        if layers[left]:
            only = _REARMOST_FIRST if sorted_hops else _ANY
            if second_order and _order_is_free(table, turn):
                only = _SAME_CHECKER
            _play_die(layers[left], die, turn, only, found)
    return layers


@cache
def _steps(dice: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int, tuple[int, ...], bool], ...]:
    """In which order dice are tried: dice left, the one to play, those left then, second of two orders."""
    steps, waiting = [], [dice]
    for left in waiting:
        for index, die in enumerate(left):
            if die not in left[:index]:
                rest = left[:index] + left[index + 1 :]
                second_order = len(dice) == 2 and left == dice[:1] != dice[1:]
                steps.append((left, die, rest, second_order))
                if rest and rest not in waiting:
                    waiting.append(rest)
    return tuple(steps)


#: Which hops need a look. Equal dice may be played from the rear forward: any order can be sorted so, and no
#: table is met twice. Of two different dice, the second order gives new tables only with one checker for
#: both.
_ANY, _REARMOST_FIRST, _SAME_CHECKER = range(3)


def _order_is_free(table: int, turn: Turn) -> bool:
    """Whether hops of two checkers may change places: nobody on the bar, and no hop lets others bear off."""
    occupied = ((table & _MINE) + _SOME) >> 4 & _SOURCES
    away = occupied & turn.away
    return occupied < PLACE[BAR] and away & away - 1 > 0 and not turn.backwards


def _play_die(tables: Found, die: int, turn: Turn, only: int, found: Found) -> None:
    """Add every table that one hop of `die` makes of `tables`. Written in one piece: it is the inner loop."""
    closed, prey, bar, away, backwards = turn
    shift = WIDTH * die
    exact = PLACE[die]
    opened = _STAYS[die] & ~(closed << shift)
    for table, path in tables.items():
        occupied = ((table & _MINE) + _SOME) >> 4 & _SOURCES
        if occupied & away:
            sources = (PLACE[BAR] if occupied >= PLACE[BAR] else occupied) & opened
        else:
            sources = occupied & (opened | exact)
            if 0 < occupied < exact:
                # A number higher than every point that is left bears off the rearmost checker.
                last = 1 << occupied.bit_length() - 1
                found[table - last + 1] = (path, last, 1)
        if only and path:
            sources &= path[2] if only == _SAME_CHECKER else (path[1] << 1) - 1
        while sources:
            low = sources & -sources
            sources ^= low
            to = low >> shift
            after = table - low + to
            if to & prey:
                after = _hit(after, to, bar)
            if after not in found:
                found[after] = (path, low, to)
        if backwards:
            _eat_backwards(table, occupied, path, shift, found)


def _hit(table: int, to: int, bar: int) -> int:
    """The table without what the opponent still has on the point of bit `to`; its bar gains `bar`."""
    prey = table & to * FULL << FAR
    return table - prey + bar if prey else table


def _eat_backwards(table: int, occupied: int, path: Path, shift: int, found: Found) -> None:
    prey = ((table >> FAR) + _SOME) >> 4 & _POINTS
    sources = occupied & prey >> shift
    while sources:
        low = sources & -sources
        sources ^= low
        to = low << shift
        found.setdefault(_hit(table - low + to, to, 0), (path, low, to))
