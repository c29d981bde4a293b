"""From what somebody wrote to the legal play that was meant, and hops played without asking for leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.packed import mine, mine_after, pack
from engine.plays import Hop, Play, legal_tables, plays_of
from engine.position import OFF, PLACES, Position
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


def can_stand(position: Position, hops: Iterable[Hop], rules: Ruleset = BACKGAMMON) -> bool:
    """Whether a table can hold what the hops leave, legal or not."""
    counts = list(position.points)
    for src, dst, _ in hops:
        if counts[src] <= 0 or (dst != OFF and counts[dst] <= -rules.closed_at):
            return False
        counts[src] -= 1
        if dst != OFF:
            _land(counts, dst, rules)
    return True


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
    moved = mine_after(pack(position), hops)
    tables = legal_tables(position, roll, rules)
    fits = plays_of(position, {table: tables[table] for table in tables if mine(table) == moved})
    if len(fits) < 2:
        return fits[0] if fits else None
    written = apply_hops(position, hops, rules)
    return min(fits, key=lambda p: difference(p.result, written))


def difference(one: Position, other: Position) -> int:
    """How many checkers stand otherwise, counted at both ends of their way."""
    return sum(abs(one.points[place] - other.points[place]) for place in range(PLACES))
