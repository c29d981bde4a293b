"""The move generator: a table in one int, so that a hop is an addition and a set of points is a mask.

Place p of a position (0 the opponent's bar, 1-24 points, 25 the mover's bar; mover's numbers) is the byte at
8p: its signed count (-64 to 63) and 64. Byte 26 holds the mover's checkers that are off. Adding 64 - n to
every byte sets the top bit of those that hold n or more.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from engine.position import BAR, OFF, PLACES, Position
from engine.ruleset import Ruleset

WIDTH = 8
#: The bit of a place where a checker stands, and of the one where it goes: 0 is the bar's byte or off.
FROM = tuple(1 << WIDTH * place for place in range(PLACES))
GONE = 1 << WIDTH * PLACES
TO = (GONE, *FROM[1:])

_BYTE, _FLAG = (1 << WIDTH) - 1, WIDTH - 1
_EACH = sum(FROM) + GONE
_NONE = 64 * _EACH
_TOP = 128 * _EACH
#: Add, and shift by `_FLAG`: the places with a checker of the mover, with two, with none of the opponent.
_ONE, _TWO, _FREE = 63 * _EACH, 62 * _EACH, 64 * _EACH
#: The same for the points that are open, by how many opposing checkers close one.
_OPEN = tuple((63 + closed_at) * _EACH for closed_at in range(17))

_POINTS = sum(FROM[1:BAR])
_AWAY = sum(FROM[7:])
_SOURCES = _POINTS | FROM[BAR]
_MINE = _SOURCES | GONE
#: Sources from which a hop of each number of pips stays on the board.
_STAYS = tuple(sum(FROM[die + 1 :]) for die in range(7))
_FORM = struct.Struct(f"{PLACES + 1}b")
#: What a hop from each place by each number of pips adds to a table; for those that stay on the board.
_HOP = tuple(tuple(TO[max(src - die, 0)] - FROM[src] for src in range(PLACES)) for die in range(7))


class Hop(NamedTuple):
    """One checker's way in the mover's own numbers: 25 is the bar, 0 off."""

    src: int
    dst: int
    hit: bool = False


#: Hops by die and source, without and with a hit.
_WAYS, _HITS = (
    tuple(tuple(Hop(src, max(src - die, OFF), hit) for src in range(PLACES)) for die in range(7))
    for hit in (False, True)
)

#: How a table was reached; () is the start.
Path = tuple[Hop, ...]
Found = dict[int, Path]


class Turn(NamedTuple):
    """What does not change while the mover plays a roll."""

    #: Points that the mover may land on.
    opened: int
    #: Those of them where the opponent stood when the turn began.
    prey: int
    #: What a hit adds to the table's byte of the opponent's bar.
    hit: int
    #: Places that must be empty before a checker may be borne off.
    away: int
    backwards: bool


def pack(position: Position) -> int:
    """The position as one int."""
    return (int.from_bytes(_FORM.pack(*position.points, position.off[0]), "little") ^ _TOP) - _NONE


def unpack(table: int, off: int) -> Position:
    """The position of a table; `off`: the opponent's checkers that are borne off."""
    counts = _FORM.unpack((table + _NONE ^ _TOP).to_bytes(PLACES + 1, "little"))
    return Position(counts[:PLACES], (counts[PLACES], off))


def in_bytes(table: int, off: int) -> bytes:
    """A table as 28 signed bytes: its places, the mover's checkers that are off, the other's (below 0)."""
    return (table + _NONE ^ _TOP).to_bytes(PLACES + 1, "little") + bytes((-off & _BYTE,))


def mine(table: int) -> int:
    """The mover's checkers of a table, those that are off too: equal when the same checkers stand alike."""
    held = table + _ONE >> _FLAG & _MINE
    return (table & held * _BYTE) - 64 * held


def mine_after(table: int, hops: Iterable[Hop]) -> int:
    """What `mine` would be after the hops, whatever they meet."""
    return mine(table) + sum(TO[dst] - FROM[src] for src, dst, _ in hops)


def turn_of(table: int, rules: Ruleset) -> Turn:
    """The constants of a turn that begins with this table."""
    opened = table + _OPEN[rules.closed_at] >> _FLAG & _POINTS
    prey = opened & ~(table + _FREE >> _FLAG)
    away = _AWAY if rules.bears_off else _SOURCES
    return Turn(opened, prey, 0 if rules.eats else -1, away, rules.eats_backwards)


def explore(table: int, dice: tuple[int, ...], turn: Turn) -> dict[tuple[int, ...], Found]:
    """Every table that some of the dice lead to, by the dice that are left (in the order of `dice`)."""
    layers: dict[tuple[int, ...], Found] = {dice: {table: ()}}
    rearmost_first = dice.count(dice[0]) == len(dice) and not turn.backwards
    for left, die, rest in _steps(dice):
        found = layers.setdefault(rest, {})
        if layers[left]:
            _play_die(layers[left], die, turn, rearmost_first, found)
    return layers


@cache
def _steps(dice: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int, tuple[int, ...]], ...]:
    """In which order dice are tried: dice left, the one to play, those left then."""
    steps, waiting = [], [dice]
    for left in waiting:
        for index, die in enumerate(left):
            if die not in left[:index]:
                rest = left[:index] + left[index + 1 :]
                steps.append((left, die, rest))
                if rest and rest not in waiting:
                    waiting.append(rest)
    return tuple(steps)


def _play_die(tables: Found, die: int, turn: Turn, rearmost_first: bool, found: Found) -> None:
    """Add every table that one hop of `die` makes of `tables`. Written in one piece: it is the inner loop.

    Equal dice may be played from the rear forward: any order can be sorted so, and no table is met twice.
    """
    opened, prey, hit, away, backwards = turn
    shift, ways, hits = WIDTH * die, _WAYS[die], _HITS[die]
    opened = _STAYS[die] & opened << shift
    for table, path in tables.items():
        occupied = table + _ONE >> _FLAG & _SOURCES
        sources = (occupied if occupied < FROM[BAR] else FROM[BAR]) & opened
        if rearmost_first and path:
            sources &= (FROM[path[-1].src] << 1) - 1
        if not occupied & away and occupied:
            last = _borne_off(occupied, die)
            if last and not (rearmost_first and path and last > path[-1].src):
                found.setdefault(table - FROM[last] + GONE, (*path, ways[last]))
        while sources:
            low = sources & -sources
            sources ^= low
            to, way = low >> shift, ways[low.bit_length() >> 3]
            after = table - low + to
            if to & prey and table & to * _BYTE < 64 * to:
                after, way = _land(table - low, to, hit), hits[low.bit_length() >> 3]
            if after not in found:
                found[after] = (*path, way)
        if backwards:
            _eat_backwards(table, occupied, path, die, found)


def _borne_off(occupied: int, die: int) -> int:
    """Where a number bears off from: its own point, or the rearmost one when all are nearer; 0: nowhere."""
    if occupied < FROM[die]:
        return occupied.bit_length() >> 3
    return die if occupied & FROM[die] else 0


def _land(table: int, to: int, hit: int) -> int:
    """The table with one checker on the point of bit `to` in place of those that the opponent has there."""
    return table - (table & to * _BYTE) + 65 * to + hit


def _eat_backwards(table: int, occupied: int, path: Path, die: int, found: Found) -> None:
    prey = _POINTS & ~(table + _FREE >> _FLAG)
    sources = occupied & prey >> WIDTH * die
    while sources:
        low = sources & -sources
        sources ^= low
        src = low.bit_length() >> 3
        found.setdefault(_land(table - low, FROM[src + die], 0), (*path, Hop(src, src + die, True)))


def order_is_free(table: int, dice: tuple[int, ...], turn: Turn) -> bool:
    """Whether two different dice may change places: nobody is on the bar, and no hop lets others bear off."""
    if len(dice) != 2 or dice[0] == dice[1] or not turn.hit:
        return False
    away = table + _ONE >> _FLAG & (turn.away | FROM[BAR])
    return away < FROM[BAR] and away & (away - 1 | table + _TWO >> _FLAG) > 0


def two_hops(table: int, points: tuple[int, ...], dice: tuple[int, ...], closed_at: int) -> Found:
    """All ends of two different dice whose order is free: any two hops, or one checker's way.

    From the counts, not from masks: nothing here depends on what was played before.
    """
    one, two = dice
    held = [src for src in range(2, BAR) if points[src] > 0]
    first, second = (
        [_way(points, src, die) for src in held if src > die and points[src - die] > -closed_at]
        for die in dice
    )
    found: Found = {}
    for change, hop in first:
        src, stop, hit = hop
        after, again = table + change, stop + two if hit else 0
        for change2, hop2 in second:
            src2 = hop2.src
            if src2 != again:
                end = after + change2
            else:
                end, hop2 = after + _HOP[two][src2], _WAYS[two][src2]
            if end not in found and (src2 != src or points[src] > 1):
                found[end] = (hop, hop2)
    for hops, then in (first, two), (second, one):
        for change, hop in hops:
            stop = hop.dst
            # A checker of the mover's that stood there goes on just as well.
            if points[stop] <= 0 < stop - then and points[stop - then] > -closed_at:
                change2, hop2 = _way(points, stop, then)
                found.setdefault(table + change + change2, (hop, hop2))
    return found


def _way(points: tuple[int, ...], src: int, die: int) -> tuple[int, Hop]:
    """What a hop to a point that is not closed adds to the table, and the hop."""
    if points[src - die] < 0:
        return _HOP[die][src] + FROM[src - die] - 1, _HITS[die][src]
    return _HOP[die][src], _WAYS[die][src]
