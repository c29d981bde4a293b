"""What may be played: the legal plays of a roll, and what can stand half-way through one."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from msgspec import Struct

from engine.errors import RulesError
from engine.packed import PLACE, Found, explore, pack, turn_of
from engine.position import OFF, Position
from engine.rules import BACKGAMMON, Outcome, Roll, Ruleset
from engine.ruleset import nothing_more


class Hop(NamedTuple):
    """One checker's way in the mover's own numbers: 25 is the bar, 0 off."""

    src: int
    dst: int
    hit: bool = False


class Play(Struct, frozen=True, gc=False):
    """A play and the table after it, still in the same mover's view. No hops: a dance."""

    hops: tuple[Hop, ...]
    result: Position


def legal_plays(position: Position, roll: Roll, rules: Ruleset = BACKGAMMON) -> tuple[Play, ...]:
    """All legal plays, one for each different result; a dance is one play without hops.

    Trusts the position (see `engine.position.problems`).

    >>> from engine.rules import BACKGAMMON
    >>> len(legal_plays(BACKGAMMON.start, (3, 1)))
    16

    Raises:
        RulesError: the roll has not as many dice as the game, or a die is not 1-6.
    """
    return tuple(plays_of(position, legal_tables(position, roll, rules), rules))


def legal_tables(position: Position, roll: Roll, rules: Ruleset = BACKGAMMON) -> Found:
    """The legal results as packed tables (see `engine.packed`) with their paths: `legal_plays` half-way."""
    return _best(position, roll, rules, _layers(position, roll, rules))


def partial_plays(position: Position, roll: Roll, rules: Ruleset = BACKGAMMON) -> tuple[Play, ...]:
    """Every table on the way that is no legal end of the turn; the start too, when something can be played.

    Raises:
        RulesError: as for `legal_plays`.
    """
    layers = _layers(position, roll, rules)
    legal = _best(position, roll, rules, layers)
    partial = {
        t: path for left, found in layers.items() if left for t, path in found.items() if t not in legal
    }
    return tuple(plays_of(position, partial, rules))


def reachable(position: Position, roll: Roll, rules: Ruleset = BACKGAMMON) -> list[tuple[Roll, Play]]:
    """Every table that some, none or all of the dice lead to, with the hops left; legal ends or not."""
    layers = _layers(position, roll, rules)
    return [(left, play) for left, found in layers.items() for play in plays_of(position, found, rules)]


def result_of(position: Position, rules: Ruleset = BACKGAMMON, passes: int = 0) -> Outcome | None:
    """How the game has ended, None while it goes on; `passes`: turns passed in a row up to now."""
    return rules.over(position, rules, passes)


def check_roll(roll: Roll, rules: Ruleset) -> None:
    """Raises RulesError unless the roll has as many dice as the game, each 1-6."""
    if roll not in _ROLLS[rules.dice]:
        raise RulesError(f"{roll!r} is no roll of {rules.name}: it takes {rules.dice} dice from 1 to 6")


_ROLLS = {dice: frozenset(product(range(1, 7), repeat=dice)) for dice in (1, 2, 3)}


def _layers(position: Position, roll: Roll, rules: Ruleset) -> dict[tuple[int, ...], Found]:
    check_roll(roll, rules)
    table = pack(position)
    return explore(table, rules.pips(roll, rules), turn_of(table, rules))


def _best(position: Position, roll: Roll, rules: Ruleset, layers: dict[tuple[int, ...], Found]) -> Found:
    """Where the turn may end: as many dice played as can be, then as many pips if the game says so."""
    whole = layers.get((), {})
    if whole and rules.forbids is nothing_more:
        return whole
    best: Found = {}
    rank = (0, 0)
    for left, found in sorted(layers.items(), key=lambda layer: len(layer[0])):
        mine = (len(left), sum(left) if rules.must_play_larger else 0)
        if best and mine > rank:
            continue
        allowed = _allowed(position, roll, rules, found)
        if allowed:
            best = {**allowed, **best} if mine == rank else allowed
            rank = mine
    return best


def _allowed(position: Position, roll: Roll, rules: Ruleset, found: Found) -> Found:
    if rules.forbids is nothing_more:
        return found
    plays = zip(found, plays_of(position, found, rules), strict=True)
    return {t: found[t] for t, play in plays if rules.forbids(position, play.result, roll) is None}


_WAYS = {low: {to: Hop(src, dst) for dst, to in enumerate(PLACE)} for src, low in enumerate(PLACE)}
_HITS = {hop: Hop(hop.src, hop.dst, True) for ways in _WAYS.values() for hop in ways.values()}


def plays_of(position: Position, found: Found, rules: Ruleset) -> list[Play]:
    """The plays that these paths stand for. Written in one piece: it runs for every result."""
    to_bar = 0 if rules.eats else 1
    plays = []
    for path in found.values():
        ways = []
        while path:
            path, low, to = path
            ways.append(_WAYS[low][to])
        points, off, hops = list(position.points), position.off, []
        for way in reversed(ways):
            src, dst, _ = way
            points[src] -= 1
            if not dst:
                off = (off[0] + 1, off[1])
            elif points[dst] < 0:
                points[dst] = 1
                points[OFF] -= to_bar
                way = _HITS[way]
            else:
                points[dst] += 1
            hops.append(way)
        plays.append(Play(tuple(hops), Position(tuple(points), off)))
    return plays
