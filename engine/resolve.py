"""From what somebody wrote to the legal play that was meant, and hops played without asking for leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.plays import Hop, Play, legal_plays
from engine.position import BAR, OFF, PLACES, Position
from engine.rules import BACKGAMMON, Roll, Ruleset


def apply_hops(position: Position, hops: Iterable[Hop], rules: Ruleset = BACKGAMMON) -> Position:
    """The table after the hops, legal or not; trusts the caller.

    A hop that no table can hold (no checker there to move, or a point that the opponent holds) is left out.
    """
    counts, gone = list(position.points), position.off[0]
    for src, dst, _ in hops:
        if counts[src] <= 0 or (dst != OFF and counts[dst] <= -rules.closed_at):
            continue
        counts[src] -= 1
        if dst == OFF:
            gone += 1
        else:
            _land(counts, dst, rules)
    return Position(tuple(counts), (gone, position.off[1]))


def _land(counts: list[int], dst: int, rules: Ruleset) -> None:
    if counts[dst] >= 0:
        counts[dst] += 1
        return
    if not rules.eats:
        counts[OFF] += counts[dst]
    counts[dst] = 1


def resolve(position: Position, roll: Roll, hops: Sequence[Hop], rules: Ruleset = BACKGAMMON) -> Play | None:
    """The legal play that the hops describe, None when there is none.

    The hops may be in any order and chained (24/13 for a 6 and a 5), and may leave out what was hit on the
    way: a play that hits nothing more than was written is preferred.

    Raises:
        RulesError: the roll is not one of the game.
    """
    moved = _moved(position, hops)
    fits = [p for p in legal_plays(position, roll, rules) if _own(p.result) == moved]
    written = apply_hops(position, hops, rules)
    return min(fits, key=lambda p: _difference(p.result, written), default=None)


def _moved(position: Position, hops: Iterable[Hop]) -> tuple[int, ...]:
    counts = [max(0, n) for n in position.points]
    counts[OFF] = position.off[0]
    for src, dst, _ in hops:
        counts[src] -= 1
        counts[dst] += 1
    return tuple(counts)


def _own(position: Position) -> tuple[int, ...]:
    return (position.off[0], *(max(0, position.points[own]) for own in range(1, BAR + 1)))


def _difference(one: Position, other: Position) -> int:
    return sum(abs(one.points[place] - other.points[place]) for place in range(PLACES))
