"""Illegal plays, each of another kind, for any position and roll: hops that a player's hands will do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.plays import Hop, legal_plays, partial_plays
from engine.position import Position
from engine.record import Turn
from engine.resolve import apply_hops
from engine.rules import Ruleset

BAR, OFF = 25, 0
#: A hop, and whether it is a checker of the other side (its numbers are the mover's all the same).
Deed = tuple[Hop, bool]


def _own_hops(position: Position) -> Iterator[Hop]:
    """Every way of one own checker to a point that the other side does not hold with two or more."""
    for src in range(1, BAR + 1):
        for dst in range(1, BAR):
            if position.points[src] > 0 and src != dst and position.points[dst] >= -1:
                yield Hop(src, dst, position.points[dst] == -1)


def _impossible(position: Position, turn: Turn, rules: Ruleset) -> Callable[[tuple[Hop, ...]], bool]:
    """Whether hops end in a table that neither a play of the roll nor a part of one gives."""
    plays = legal_plays(position, turn.roll, rules) + partial_plays(position, turn.roll, rules)
    tables = {play.result for play in plays} | {position}
    return lambda hops: apply_hops(position, hops, rules) not in tables


def _first(hops: Iterator[Hop], wrong: Callable[[tuple[Hop, ...]], bool]) -> list[Deed]:
    return [(next(hop for hop in hops if wrong((hop,))), False)]


def on_their_point(position: Position, turn: Turn, _rules: Ruleset) -> list[Deed]:
    """The distance is right, and the other side holds the point with two or more."""
    hops = (Hop(n, n - die) for n in range(24, 0, -1) for die in turn.roll if position.points[n] > 0)
    return [(next(hop for hop in hops if hop.dst > 0 and position.points[hop.dst] <= -2), False)]


def backwards(position: Position, turn: Turn, rules: Ruleset) -> list[Deed]:
    return _first((h for h in _own_hops(position) if h.dst > h.src), _impossible(position, turn, rules))


def bar_ignored(position: Position, turn: Turn, rules: Ruleset) -> list[Deed]:
    assert position.points[BAR], "nothing is on the bar"
    hops = (hop for hop in _own_hops(position) if hop.src <= 24 and hop.src - hop.dst in turn.roll)
    return _first(hops, _impossible(position, turn, rules))


def others_checker(position: Position, _turn: Turn, _rules: Ruleset) -> list[Deed]:
    src = next(point for point in range(1, BAR) if position.points[point] < 0)
    dst = next(point for point in range(1, BAR) if position.points[point] == 0)
    return [(Hop(src, dst), True)]


def one_more(position: Position, turn: Turn, rules: Ruleset) -> list[Deed]:
    """The whole play, and then one checker more."""
    played = turn.play or ()
    wrong, after = _impossible(position, turn, rules), apply_hops(position, played, rules)
    extra = next(hop for hop in _own_hops(after) if hop.dst < hop.src and wrong((*played, hop)))
    return [(hop, False) for hop in (*played, extra)]
