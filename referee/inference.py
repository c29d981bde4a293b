"""Which play, if any, explains the table.

Every distinct legal result of the roll, every partial play and "nothing changed" are scored against the
evidence.
So is the best reading that needs no rules at all, only the number of checkers. Where that reading beats all
legal
ones clearly, the play was not legal; a referee that always finds a legal play cannot referee.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.notation import format_play
from engine.plays import Play, legal_plays, partial_plays
from engine.position import Position, pip_count, turned
from engine.rules import Ruleset
from referee.counting import GONE, GONE_STEADY, free_reading
from referee.evidence import FLOOR, Evidence
from referee.findings import explain, explain_part
from referee.layout import DARK, LIGHT, Layout, place_of, position_of, table_of
from referee.observation import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT, POINTS, totals
from referee.verdict import Accepted, Ambiguous, Desynced, Difference, Illegal, Incomplete, Verdict

#: Natural-log margins. A reading without rules must beat the best legal one by CLEAR before anybody is
#: accused;
#: a play must beat the next by APART to stand without asking.
CLEAR = 6.0
APART = 2.0
#: On a steady table so much is enough against part of a play that takes an empty place for a held one, and to
#: ask whether a whole play was made that the table does not quite show.
STEADY = 3.0
#: Stacks higher than this are not counted at a glance.
PLAIN = 3
#: Stacks up to this are counted by their rims; the second layer hides behind the first.
COUNTED = 5
#: A checker in the hand is rare on a table at rest: what it must gain in fit before it explains anything.
IN_HAND = 3.0
#: More places than this never come from one illegal play: the table and the record have parted ways.
MOST_PLACES = 7


@dataclass(frozen=True, slots=True)
class Turn:
    """What is known when a turn begins: `before` from the mover's side."""

    before: Position
    side: int
    roll: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Which game, and which way round the board lies."""

    rules: Ruleset
    layout: Layout

    def of(self, side: int, position: Position) -> tuple[int, ...]:
        """28 signed counts of a mover's position."""
        return table_of(self.layout, self.rules, side, position)


@dataclass(frozen=True, slots=True)
class Scored:
    """A play and how well its result fits."""

    play: Play
    table: tuple[int, ...]
    score: float


def scored(table: Table, turn: Turn, plays: Sequence[Play], evidence: Evidence) -> list[Scored]:
    """Plays with their scores, best first."""
    return _scored([(play, table.of(turn.side, play.result)) for play in plays], evidence)


#: Plays with the 28 counts that they lead to.
Results = Sequence[tuple[Play, tuple[int, ...]]]


def _scored(results: Results, evidence: Evidence) -> list[Scored]:
    known = [(place, dict(pairs)) for place, pairs in enumerate(evidence.logs) if pairs]
    rows = [
        Scored(play, counts, sum(logs.get(counts[place], FLOOR) for place, logs in known))
        for play, counts in results
    ]
    return sorted(rows, key=lambda row: -row.score)


@lru_cache(maxsize=16)
def _results(table: Table, turn: Turn) -> tuple[Results, Results]:
    """Legal and partial plays of a turn, which is looked at again and again."""
    legal = legal_plays(turn.before, turn.roll, table.rules)
    partial = partial_plays(turn.before, turn.roll, table.rules)
    return (
        [(play, table.of(turn.side, play.result)) for play in legal],
        [(play, table.of(turn.side, play.result)) for play in partial],
    )


def infer(
    table: Table, turn: Turn, evidence: Evidence, *, finished: bool = False, steady: bool = False
) -> Verdict:
    """Judge the evidence; `finished` when the turn is over, so that part of a play is no longer enough;
    `steady` when many looks over some seconds have said the same.
    """
    whole, partial = (_scored(results, evidence) for results in _results(table, turn))
    lifted = [] if finished else [p - IN_HAND for p in lifted_scores(table, turn, evidence)]
    best_part = max([row.score for row in partial] + lifted, default=-math.inf)
    best = whole[0]
    trays = {(row.table[OFF_LIGHT], -row.table[OFF_DARK]) for row in whole} | {borne_off(table, turn)}
    gone = GONE_STEADY if steady and _bearing_off(turn, table.rules) else GONE
    free, free_score = _best_reading(table, turn, evidence, trays, gone)
    margin, others = free_score - max(best.score, best_part), free_score - max([best.score, *lifted])
    near = [row for row in partial if free_score - row.score < CLEAR]
    plain = steady and not finished and others >= CLEAR and _plainly_not(free, near, evidence)
    if margin >= (STEADY if plain else CLEAR):
        return _misfit(table, turn, evidence, free, margin)
    if best_part > best.score:
        if finished:
            return unfinished(table, turn, partial[0], best_part - best.score)
        return Incomplete(_share(best_part, [row.score for row in whole]))
    if steady and free is not None and free_score - best.score >= STEADY and _countable(free, best.table):
        return Ambiguous((best.play,), tuple(i for i, n in enumerate(free) if n != best.table[i]))
    return _unhidden(_accept(whole, best_part, free_score), best_part == best.score, evidence, finished)


def _unhidden(verdict: Verdict, tied: bool, evidence: Evidence, finished: bool) -> Verdict:
    """A play, or several, that only a hidden place tells from another or from a part: wait while there is
    time. `tied`: part of a play fits just as well.
    """
    hidden = tuple(p for p in range(POINTS) if not evidence.seen(p))
    if isinstance(verdict, Accepted) and tied and hidden:
        return Ambiguous((verdict.play,), hidden) if finished else Incomplete(0.0)
    if isinstance(verdict, Ambiguous) and not finished and set(hidden) & set(verdict.places):
        return Incomplete(0.0)
    return verdict


def _plainly_not(free: tuple[int, ...] | None, partial: Sequence[Scored], evidence: Evidence) -> bool:
    """True when each of these parts of a play is plainly not what lies on some place."""
    return free is not None and all(
        any(_plain(n, row.table[i]) for i, n in enumerate(free) if evidence.seen(i)) for row in partial
    )


def _countable(free: tuple[int, ...], table: tuple[int, ...]) -> bool:
    """True when the tables differ only where there are few checkers: higher stacks are not counted surely."""
    return all(
        max(abs(a), abs(b)) <= COUNTED for a, b in zip(free[:POINTS], table[:POINTS], strict=True) if a != b
    )


def _bearing_off(turn: Turn, rules: Ruleset) -> bool:
    """Whether checkers may leave the table for a tray in these turns."""
    both = (turn.before, turned(turn.before, rules))
    return rules.bears_off and any(not any(n > 0 for n in side.points[7:]) for side in both)


def _plain(one: int, other: int) -> bool:
    """Counts that nobody takes for each other: none and some, or a few and at least two more."""
    few = min(abs(one), abs(other))
    return one != other and (few == 0 or (abs(one - other) > 1 and few <= PLAIN))


def _accept(whole: list[Scored], best_part: float, free_score: float) -> Verdict:
    best = whole[0]
    close = [row for row in whole[1:] if best.score - row.score < APART]
    if close:
        places = {i for row in close for i, n in enumerate(row.table) if n != best.table[i]}
        return Ambiguous((best.play, *(row.play for row in close)), tuple(sorted(places)))
    rivals = [row.score for row in whole[1:]] + [best_part]
    doubt = 1.0 if free_score - best.score < APART else math.exp(best.score - free_score)
    others = tuple(format_play(row.play) for row in whole[1:3])
    return Accepted(best.play, best.table, round(_share(best.score, rivals) * doubt, 4), others)


def _share(score: float, rivals: Sequence[float]) -> float:
    """Posterior probability of `score` among its rivals."""
    return round(1.0 / (1.0 + sum(math.exp(min(r - score, 50.0)) for r in rivals)), 4)


def checkers(table: Table, turn: Turn) -> tuple[int, int]:
    """How many checkers light and dark have in the game, trays included."""
    return totals(table.of(turn.side, turn.before))


def borne_off(table: Table, turn: Turn) -> tuple[int, int]:
    """How many checkers light and dark had borne off when the turn began."""
    counts = table.of(turn.side, turn.before)
    return counts[OFF_LIGHT], -counts[OFF_DARK]


def lifted_scores(table: Table, turn: Turn, evidence: Evidence) -> list[float]:
    """Scores of a table in the middle of a play: a checker in the hand, or the hit one moved away first."""
    before = table.of(turn.side, turn.before)
    sign = 1 if turn.side == LIGHT else -1
    now = evidence.fit(before)
    rows = []
    for place in [p for p in range(POINTS) if before[p] * sign > 0] + [BAR_LIGHT + turn.side]:
        if before[place]:
            change = evidence.log_p(place, before[place] - sign) - evidence.log_p(place, before[place])
            rows.append(now + change)
    legal, _ = _results(table, turn)
    hit = (p for p in range(POINTS) if before[p] == -sign and any(t[p] * sign >= 0 for _, t in legal))
    for place in hit:
        bar = (BAR_DARK, BAR_LIGHT)[turn.side]
        gone = evidence.log_p(place, 0) - evidence.log_p(place, before[place])
        moved = evidence.log_p(bar, before[bar] - sign) - evidence.log_p(bar, before[bar])
        rows += [now + gone, now + gone + moved]
    return rows


def differences(expected: Sequence[int], seen: Sequence[int], evidence: Evidence) -> tuple[Difference, ...]:
    """Places that could be seen and do not hold what they should."""
    return tuple(
        Difference(i, e, s)
        for i, (e, s) in enumerate(zip(expected, seen, strict=True))
        if e != s and evidence.seen(i)
    )


def _misfit(
    table: Table, turn: Turn, evidence: Evidence, free: tuple[int, ...] | None, margin: float
) -> Verdict:
    before = table.of(turn.side, turn.before)
    if not all(evidence.seen(point) for point in range(POINTS)):
        return Incomplete(0.0)
    if free is None:
        return Desynced(differences(before, [evidence.best(i) for i in range(len(before))], evidence))
    diff = differences(before, free, evidence)
    if not diff or len(diff) > MOST_PLACES or not whole_set(table, turn, free, evidence):
        return Desynced(diff)
    reason = why_illegal(table, turn, free)
    after = position_of(table.layout, table.rules, turn.side, free)
    finding, why = explain(turn.before, after, turn.roll, table.rules)
    return Illegal(reason, tuple(d.place for d in diff), free, round(margin, 3), finding, why)


def _best_reading(
    table: Table, turn: Turn, evidence: Evidence, trays: Iterable[tuple[int, int]], gone: float
) -> tuple[tuple[int, ...] | None, float]:
    """The best reading without rules; where checkers are eaten, the opponent's may be gone.

    `trays`: how many light and dark may have borne off by now; that costs nothing where nobody watches them.
    """
    rows = [free_reading(evidence, checkers(table, turn), off, gone) for off in sorted(trays)]
    free, score = max(rows, key=lambda row: (row[0] is not None, row[1]))
    if not table.rules.eats:
        return free, score
    before = table.of(turn.side, turn.before)
    plain = tuple(evidence.best(i) if evidence.seen(i) else n for i, n in enumerate(before))
    if not _eaten_only(before, plain) or (fit := evidence.fit(plain)) <= score:
        return free, score
    return plain, fit


def _eaten_only(before: tuple[int, ...], now: tuple[int, ...]) -> bool:
    """True when one side moved and all that is gone are checkers of the other, from places it left."""
    return any(_ate(sign, before, now) for sign in (1, -1))


def _ate(sign: int, before: tuple[int, ...], now: tuple[int, ...]) -> bool:
    mine = sum(max(0, sign * b) - max(0, sign * n) for b, n in zip(before, now, strict=True))
    gone = [max(0, -sign * b) - max(0, -sign * n) for b, n in zip(before, now, strict=True)]
    fair = all(g == 0 or (g > 0 and sign * n >= 0) for g, n in zip(gone, now, strict=True))
    went = any(sign * n > max(0, sign * b) for b, n in zip(before, now, strict=True))
    return mine == 0 and went and sum(gone) > 0 and fair


def whole_set(table: Table, turn: Turn, free: tuple[int, ...], evidence: Evidence) -> bool:
    """No checker came from nowhere or left the game.

    This is what keeps a single misread point from becoming an accusation. A tray that is not watched may take
    checkers only of a mover who is bearing off.
    """
    before = table.of(turn.side, turn.before)
    if table.rules.eats and _eaten_only(before, free):
        return True
    if totals(free) != checkers(table, turn):
        return False
    for side in (LIGHT, DARK):
        grown = abs(free[OFF_LIGHT + side]) - abs(before[OFF_LIGHT + side])
        bearing_off = side == turn.side and not any(n > 0 for n in turn.before.points[7:])
        if grown < 0 or (grown > 0 and not evidence.seen(OFF_LIGHT + side) and not bearing_off):
            return False
    return True


def unfinished(table: Table, turn: Turn, part: Scored, margin: float) -> Illegal:
    """The turn was ended although more dice could be played."""
    before = table.of(turn.side, turn.before)
    whole = table.of(turn.side, legal_plays(turn.before, turn.roll, table.rules)[0].result)
    changed = [i for i, n in enumerate(part.table) if n != before[i]]
    missing = [i for i, n in enumerate(whole) if n != part.table[i]]
    finding, why = explain_part(turn.before, part.play, turn.roll, table.rules)
    text = "more of the roll can be played"
    return Illegal(text, tuple(changed or missing), part.table, round(margin, 3), finding, why)


def why_illegal(table: Table, turn: Turn, free: tuple[int, ...]) -> str:
    """One sentence on what was played and why no roll of this kind allows it."""
    sign = 1 if turn.side == LIGHT else -1
    before = table.of(turn.side, turn.before)
    own = [place_of(table.layout, table.rules, turn.side, n) for n in range(26)]
    change = [max(sign * free[p], 0) - max(sign * before[p], 0) for p in own]
    left = [n for n in range(25, 0, -1) for _ in range(-change[n])]
    came = [n for n in range(25, -1, -1) for _ in range(change[n])]
    roll = "-".join(map(str, turn.roll))
    if not left and not came:
        return f"the opponent's checkers were moved, {roll} was rolled"
    if turn.before.points[25] and free[own[25]] and [n for n in left if n != 25]:
        return f"{roll}: a checker on the bar must enter before any other moves"
    names = " ".join(f"{_name(a)}/{_name(b)}" for a, b in zip(left, came, strict=False))
    pips = sum(left) - sum(came)
    allowed = max(_pips(table, turn))
    if pips < 0:
        return f"{names}: checkers only move forward"
    return (
        f"{names}: {pips} pips were moved, {roll} allows {allowed}"
        if pips != allowed
        else (f"{names} is no legal play of {roll}")
    )


def _pips(table: Table, turn: Turn) -> list[int]:
    start, _ = pip_count(turn.before, table.rules)
    plays = legal_plays(turn.before, turn.roll, table.rules)
    return [start - pip_count(play.result, table.rules)[0] for play in plays]


def _name(own: int) -> str:
    return {0: "off", 25: "bar"}.get(own, str(own))
