"""What can be wrong at a table, by name, and how a table that no play explains gets its name."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from itertools import permutations

from engine.errors import RulesError
from engine.faults import reasons
from engine.packed import explore, pack, turn_of
from engine.plays import Hop, Play, legal_plays, partial_plays, reachable
from engine.position import BAR, Position, turned
from engine.reasons import Reason, Why
from engine.rules import Ruleset
from referee.verdict import Difference

#: So many checkers are still taken for one play; with more the pairing of from and to is not tried out.
MOST_MOVED = 4


class Finding(StrEnum):
    """Kinds of trouble that are no rule of play; those have the names of `engine.reasons.Why`."""

    COCKED_DICE = "cocked_dice"
    PREMATURE_ROLL = "premature_roll"
    OUT_OF_TURN = "out_of_turn"
    NO_ROLL = "no_roll"
    OPPONENTS_CHECKER = "opponents_checker"
    BOTH_COLOURS = "both_colours"
    APPEARED = "appeared"
    VANISHED = "vanished"
    LOST = "lost"
    UNFINISHED = "unfinished"
    OPENING_TIE = "opening_tie"
    FLAG_FELL = "flag_fell"


def explain(
    before: Position, after: Position, roll: tuple[int, ...], rules: Ruleset
) -> tuple[str, tuple[Reason, ...]]:
    """The finding, and the broken rules, of a table that no legal play leads to; positions from the mover's
    side.
    """
    if _others_moved(before, after):
        finding = Finding.OUT_OF_TURN if _theirs(before, after, roll, rules) else Finding.OPPONENTS_CHECKER
        return finding, ()
    why = _fewest(before, after, roll, rules)
    return (str(why[0].why), why) if why else (str(Why.WRONG_COUNT), ())


def _others_moved(before: Position, after: Position) -> bool:
    """True when the opponent's checkers changed otherwise than by being hit or eaten by a mover that went."""
    pairs = [(max(0, -before.points[n]), max(0, -after.points[n])) for n in range(1, BAR)]
    if any(has > had for had, has in pairs) or after.off[1] != before.off[1]:
        return True
    gone = [had for had, has in pairs if has < had]
    if not gone:
        return False
    on_bar = before.points[0] - after.points[0]
    went = any(after.points[n] > max(0, before.points[n]) for n in range(1, BAR))
    # Eaten ones are nowhere afterwards; of those that are hit each stood alone and is on the bar.
    return not went or (on_bar != 0 and gone != [1] * on_bar)


def _theirs(before: Position, after: Position, roll: tuple[int, ...], rules: Ruleset) -> bool:
    """True when the opponent played this roll."""
    back, now = turned(before, rules), turned(after, rules)
    try:
        plays = legal_plays(back, roll, rules) + partial_plays(back, roll, rules)
    except RulesError:
        return False
    return any(play.result == now for play in plays if play.hops)


def hops_between(before: Position, after: Position) -> list[tuple[Hop, ...]]:
    """The ways in which the mover's checkers may have gone."""
    change = [max(0, after.points[n]) - max(0, before.points[n]) for n in range(26)]
    change[0] = after.off[0] - before.off[0]
    left = [n for n in range(25, 0, -1) for _ in range(-change[n])]
    came = [n for n in range(25, -1, -1) for _ in range(change[n])]
    orders = permutations(came) if len(came) <= MOST_MOVED else iter([tuple(came)])
    return [tuple(Hop(a, b) for a, b in zip(left, order, strict=False)) for order in dict.fromkeys(orders)]


def _fewest(before: Position, after: Position, roll: tuple[int, ...], rules: Ruleset) -> tuple[Reason, ...]:
    """The broken rules of the reading that breaks fewest; not entering comes before all else."""
    readings = [reasons(before, roll, hops, rules) for hops in hops_between(before, after)]
    found = [why for why in readings if why]
    if not found:
        return ()
    best = min(found, key=lambda why: (len(why), any(r.why is Why.DIRECTION for r in why)))
    return tuple(sorted(best, key=lambda r: r.why is not Why.NOT_ENTERED))


def explain_part(
    before: Position, part: Play, roll: tuple[int, ...], rules: Ruleset
) -> tuple[str, tuple[Reason, ...]]:
    """The finding of a turn ended on part of a play: unfinished, or a beginning that cannot be finished."""
    why = reasons(before, roll, part.hops, rules)
    if part.hops and _goes_on(before, part, roll, rules):
        return Finding.UNFINISHED, why
    return (str(why[0].why), why) if why else (str(Finding.UNFINISHED), ())


def _goes_on(before: Position, part: Play, roll: tuple[int, ...], rules: Ruleset) -> bool:
    table = pack(part.result)
    for left, play in reachable(before, roll, rules):
        if play.result == part.result and left:
            layers = explore(table, left, turn_of(table, rules))
            if any(found for rest, found in layers.items() if rest != left):
                return True
    return False


def of_difference(difference: tuple[Difference, ...]) -> Finding:
    """Whether checkers appeared or vanished; `lost` when neither explains the table."""
    net: Counter[int] = Counter()
    for d in difference:
        net[0] += max(d.seen, 0) - max(d.expected, 0)
        net[1] += max(-d.seen, 0) - max(-d.expected, 0)
    if net[0] > 0 or net[1] > 0:
        return Finding.APPEARED
    return Finding.VANISHED if net[0] < 0 or net[1] < 0 else Finding.LOST


def way_back(now: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Table places in pairs from, to that turn one table of 28 counts into another."""
    pairs: list[int] = []
    for sign in (1, -1):
        more = [p for p in range(28) for _ in range(max(0, sign * now[p]) - max(0, sign * wanted[p]))]
        less = [p for p in range(28) for _ in range(max(0, sign * wanted[p]) - max(0, sign * now[p]))]
        for a, b in zip(more, less, strict=False):
            pairs += [a, b]
    return tuple(pairs)
