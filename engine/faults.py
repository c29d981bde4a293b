"""Why a play is illegal, and the legal plays nearest to it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from engine.errors import RulesError
from engine.notation import merged
from engine.packed import mine, mine_after, pack
from engine.plays import Hop, Play, check_roll, legal_plays, reachable
from engine.position import BAR, OFF, POINTS, Position
from engine.reasons import Reason, Why
from engine.resolve import difference, resolve
from engine.rules import BACKGAMMON, Roll, Ruleset

_HOME = 6


def reasons(
    position: Position, roll: Roll, hops: Sequence[Hop], rules: Ruleset = BACKGAMMON
) -> tuple[Reason, ...]:
    """Every rule that the hops break as a play of the roll; empty for a legal play. Never raises.

    >>> from engine.rules import BACKGAMMON
    >>> reasons(BACKGAMMON.start, (6, 5), (Hop(24, 13),))
    ()
    >>> reasons(BACKGAMMON.start, (6, 5), (Hop(24, 18), Hop(24, 19)))[0].points
    (19,)
    """
    try:
        check_roll(roll, rules)
    except RulesError:
        return (Reason(Why.IMPOSSIBLE_ROLL, dice=roll),)
    if resolve(position, roll, hops, rules) is not None:
        return ()
    return _whole_turn(position, roll, hops, rules) or _hop_by_hop(position, roll, hops, rules)


def _whole_turn(position: Position, roll: Roll, hops: Sequence[Hop], rules: Ruleset) -> tuple[Reason, ...]:
    """What is wrong with a play of right hops: too few dice, the smaller one, a rule of the game."""
    moved = mine_after(pack(position), hops)
    meant = [
        (left, play) for left, play in reachable(position, roll, rules) if mine(pack(play.result)) == moved
    ]
    if not meant:
        return ()
    left, play = min(meant, key=lambda way: (len(way[0]), sum(way[0])))
    if (broken := rules.forbids(position, play.result, roll)) is not None:
        return (broken,)
    used, must = len(rules.pips(roll, rules)) - len(left), _dice_to_use(position, roll, rules)
    if used == must:
        return (Reason(Why.LARGER_DIE, dice=(max(left),)),)
    return (Reason(Why.MORE_DICE if used else Why.MUST_PLAY, dice=(used, must)),)


def _dice_to_use(position: Position, roll: Roll, rules: Ruleset) -> int:
    return max(len(play.hops) for play in legal_plays(position, roll, rules))


def _hop_by_hop(position: Position, roll: Roll, hops: Sequence[Hop], rules: Ruleset) -> tuple[Reason, ...]:
    """The first rule that each hop breaks; those who enter go first and those who bear off last."""
    counts, left = list(position.points), list(rules.pips(roll, rules))
    found: list[Reason] = []
    for hop in sorted(hops, key=lambda h: (h.src != BAR, h.dst == OFF, h.src - h.dst not in left)):
        broken = _one_hop(counts, left, hop, rules)
        if broken is not None:
            found.append(broken)
        _move(counts, hop, rules)
    unique = tuple(dict.fromkeys(found))
    return unique or (Reason(Why.WRONG_COUNT, tuple(p for h in hops for p in h[:2]), roll),)


def _one_hop(counts: list[int], left: list[int], hop: Hop, rules: Ruleset) -> Reason | None:
    """What is wrong with one hop; takes the dice that it uses out of `left`."""
    src, dst, _ = hop
    if counts[src] <= 0:
        return Reason(Why.NO_CHECKER, (src,))
    if counts[BAR] > 0 and src != BAR:
        return Reason(Why.NOT_ENTERED, (BAR,))
    if dst == OFF:
        return _bearing_off(counts, left, src, rules)
    if dst >= src:
        return _backwards(counts, left, src, dst, rules)
    if counts[dst] <= -rules.closed_at:
        return Reason(Why.BLOCKED, (dst,))
    return _distance(counts, left, src, dst, rules)


def _bearing_off(counts: list[int], left: list[int], src: int, rules: Ruleset) -> Reason | None:
    if not rules.bears_off:
        return Reason(Why.NO_BEARING_OFF, (src,))
    outside = tuple(p for p in range(_HOME + 1, BAR + 1) if counts[p] > (p == src))
    if outside:
        return Reason(Why.NOT_ALL_HOME, outside)
    higher = tuple(p for p in range(src + 1, _HOME + 1) if counts[p] > 0)
    for die in sorted(left):
        if die == src or (die > src and not higher):
            left.remove(die)
            return None
    if higher and any(die > src for die in left):
        return Reason(Why.HIGHER_CHECKER, higher)
    return _distance(counts, left, src, OFF, rules)


def _backwards(counts: list[int], left: list[int], src: int, dst: int, rules: Ruleset) -> Reason | None:
    if not rules.eats_backwards:
        return Reason(Why.DIRECTION, (src, dst))
    if dst - src not in left:
        return Reason(Why.WRONG_COUNT, (src, dst), tuple(left))
    if counts[dst] >= 0:
        return Reason(Why.BACK_WITHOUT_EATING, (src, dst))
    left.remove(dst - src)
    return None


def _distance(counts: list[int], left: list[int], src: int, dst: int, rules: Ruleset) -> Reason | None:
    """Whether some of the dice add up to the way, with open points in between."""
    ways = [way for way in _sums(left) if sum(way) == src - dst]
    if not ways:
        return Reason(Why.WRONG_COUNT, (src, dst), tuple(left))
    stops = [_blocked_stops(counts, src, way, rules) for way in ways]
    if all(stops):
        return Reason(Why.BLOCKED, tuple(sorted({p for stop in stops for p in stop}, reverse=True)))
    for die in ways[stops.index(())]:
        left.remove(die)
    return None


def _sums(dice: Sequence[int]) -> list[tuple[int, ...]]:
    return sorted({way for n in range(1, len(dice) + 1) for way in permutations(dice, n)}, key=len)


def _blocked_stops(counts: list[int], src: int, way: Sequence[int], rules: Ruleset) -> tuple[int, ...]:
    stops = [src - sum(way[: i + 1]) for i in range(len(way) - 1)]
    return tuple(p for p in stops if 0 < p <= POINTS and counts[p] <= -rules.closed_at)


def _move(counts: list[int], hop: Hop, rules: Ruleset) -> None:
    """Move what can be moved, so that the next hop is judged on the table that it met."""
    if counts[hop.src] <= 0 or (hop.dst != OFF and counts[hop.dst] <= -rules.closed_at):
        return
    counts[hop.src] -= 1
    if hop.dst != OFF:
        counts[hop.dst] = max(0, counts[hop.dst]) + 1


def nearest(
    position: Position, roll: Roll, hops: Sequence[Hop], rules: Ruleset = BACKGAMMON
) -> tuple[Play, ...]:
    """All legal plays of the roll, the ones most like the hops first; none for an impossible roll."""
    try:
        plays = legal_plays(position, roll, rules)
    except RulesError:
        return ()
    return tuple(sorted(plays, key=lambda play: unlikeness(hops, play.hops)))


def nearest_table(
    position: Position, roll: Roll, table: Position, rules: Ruleset = BACKGAMMON
) -> tuple[Play, ...]:
    """All legal plays of the roll, the ones whose result is most like a table first."""
    try:
        plays = legal_plays(position, roll, rules)
    except RulesError:
        return ()
    return tuple(sorted(plays, key=lambda play: difference(play.result, table)))


def unlikeness(one: Sequence[Hop], other: Sequence[Hop]) -> float:
    """How much two plays differ: 0 alike; a hop with one end elsewhere costs about 1, a hop too many 3."""
    return min(_unlikeness(one, other), _unlikeness(merged(one), merged(other)))


def _unlikeness(one: Sequence[Hop], other: Sequence[Hop]) -> float:
    rest = list(other)
    total = 3.0 * abs(len(one) - len(other))
    for hop in sorted(one, key=lambda h: h not in rest):
        if not rest:
            break
        best = min(rest, key=lambda h: _hop_unlikeness(hop, h))
        total += _hop_unlikeness(hop, best)
        rest.remove(best)
    return total


def _hop_unlikeness(one: Hop, other: Hop) -> float:
    ends = (one.src != other.src) + (one.dst != other.dst)
    far = abs(one.src - other.src) + abs(one.dst - other.dst)
    return (0, 1, 2.5)[ends] + far / 100 + 0.25 * (one.hit != other.hit)
