"""What may be played: the legal plays of a roll, and what can stand half-way through one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import RulesError
from engine.packed import PLACE, Found, Path, explore, pack, turn_of
from engine.position import BAR, OFF, Position
from engine.rules import BACKGAMMON, Outcome, Roll, Ruleset
from engine.ruleset import nothing_more


class Hop(NamedTuple):
    """One checker's way in the mover's own numbers: 25 is the bar, 0 off."""

    src: int
    dst: int
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Play:
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
    layers = _layers(position, roll, rules)
    return tuple(_plays(position, _best(position, roll, rules, layers), rules))


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
    return tuple(_plays(position, partial, rules))


def result_of(position: Position, rules: Ruleset = BACKGAMMON, passes: int = 0) -> Outcome | None:
    """How the game has ended, None while it goes on; `passes`: turns passed in a row up to now."""
    return rules.over(position, rules, passes)


def check_roll(roll: Roll, rules: Ruleset) -> None:
    """Raises RulesError unless the roll has as many dice as the game, each 1-6."""
    if len(roll) != rules.dice or not all(1 <= die <= 6 for die in roll):
        raise RulesError(f"{roll!r} is no roll of {rules.name}: it takes {rules.dice} dice from 1 to 6")


def _layers(position: Position, roll: Roll, rules: Ruleset) -> dict[tuple[int, ...], Found]:
    check_roll(roll, rules)
    table = pack(position)
    return explore(table, rules.pips(roll), turn_of(table, rules))


def _best(position: Position, roll: Roll, rules: Ruleset, layers: dict[tuple[int, ...], Found]) -> Found:
    """Where the turn may end: as many dice played as can be, then as many pips if the game says so."""
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
    plays = zip(found, _plays(position, found, rules), strict=True)
    return {t: found[t] for t, play in plays if rules.forbids(position, play.result, roll) is None}


_PLACE_OF = {bit: place for place, bit in enumerate(PLACE)}
_HOPS = tuple(
    tuple(tuple(Hop(src, dst, hit) for hit in (False, True)) for dst in range(BAR)) for src in range(BAR + 1)
)


def _plays(position: Position, found: Found, rules: Ruleset) -> list[Play]:
    return [_play(position, path, rules.eats) for path in found.values()]


def _play(position: Position, path: Path, eats: bool) -> Play:
    way: list[tuple[int, int]] = []
    while path:
        path, low, to = path
        way.append((_PLACE_OF[low], _PLACE_OF[to]))
    points, gone = list(position.points), 0
    hops = tuple([_HOPS[src][dst][_move(points, src, dst, eats)] for src, dst in reversed(way)])
    gone = sum(1 for hop in hops if hop.dst == OFF)
    return Play(hops, Position(tuple(points), (position.off[0] + gone, position.off[1])))


def _move(points: list[int], src: int, dst: int, eats: bool) -> bool:
    """Play one hop on the counts; True when something was hit or eaten."""
    points[src] -= 1
    if dst == OFF:
        return False
    standing = points[dst]
    if standing >= 0:
        points[dst] = standing + 1
        return False
    points[dst] = 1
    if not eats:
        points[OFF] -= 1
    return True
