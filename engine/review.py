"""A whole game gone through: every fault with its reasons, and the readings that keep the rest playable.

An entry that breaks the rules either stood on the table, or is a misprint of a legal play; or it is right
and an earlier entry is the misprint. Which it was shows in the rest of the game, so several readings are
carried along and the one that needs the fewest and nearest changes in all is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.errors import RulesError
from engine.faults import nearest, nearest_table, reasons, unlikeness
from engine.plays import Play, legal_plays, partial_plays
from engine.position import PLACES, Position, turned
from engine.reasons import Reason, Why
from engine.record import Act, Game, Turn, after_turn
from engine.resolve import can_stand, resolve
from engine.rules import Ruleset

#: How many readings are carried along, and how much worse than the best they may be.
WIDTH, WORSE = 80, 2.5
#: How many plays are tried for an entry; on how many lines, and how many turns back, a legal entry is
#: doubted; how many turns ahead its other readings are tried, to name the best first.
TRIED, LIKELY, BACK, AHEAD = 8, 4, 6, 24
#: The cost from which on a record is taken as it is written.
HOPELESS = 12.0
#: What it costs to believe that an illegal play stood, that no table can hold it, that it is a misprint,
#: that a legal entry is one, and that what was meant plays too few dice.
STOOD, IMPOSSIBLE, MISREAD, DOUBTED, SHORT = 1.0, 4.0, 1.0, 1.1, 0.2


@dataclass(frozen=True, slots=True)
class Fault:
    """An illegal entry: the turn's number from 0, the table before it, why, the legal plays nearest to it.

    `reading` is the play that the rest of the game goes on from; None when the entry is left as it is
    written.
    """

    turn: int
    position: Position
    reasons: tuple[Reason, ...]
    nearest: tuple[Play, ...]
    reading: Play | None = None


class Review(NamedTuple):
    """The faults of a game in order, and the game with every reading in place of its entry."""

    faults: tuple[Fault, ...]
    game: Game


class _Line(NamedTuple):
    """One reading of the game up to a turn: what was read last, and the table after it as `view` sees it."""

    position: Position
    view: int
    cost: float = 0.0
    before: _Line | None = None
    turn: Turn = Turn(0)
    fault: Fault | None = None

    def seen_by(self, side: int, rules: Ruleset) -> Position:
        return self.position if side == self.view else turned(self.position, rules)

    def back(self) -> Iterator[_Line]:
        """This line and those it grew from, without the start."""
        line = self
        while line.before is not None:
            yield line
            line = line.before

    def grown(self, turn: Turn, rules: Ruleset, cost: float = 0.0, fault: Fault | None = None) -> _Line:
        if turn.act is not Act.PLAY:
            return _Line(self.position, self.view, self.cost, self, turn)
        after = after_turn(self.seen_by(turn.side, rules), turn, rules)
        return _Line(after, turn.side, self.cost + cost, self, turn, fault)


def review(game: Game, rules: Ruleset) -> Review:
    """Every fault of a game, with the readings that leave the fewest faults in all."""
    lines = [_Line(game.start or rules.start, 0)]
    for index in range(len(game.turns)):
        lines = _best(_grown(lines, index, game.turns, rules))
    read = list(lines[0].back())[::-1]
    faults = tuple(line.fault for line in read if line.fault is not None)
    return Review(faults, replace(game, turns=tuple(line.turn for line in read)))


def _best(lines: Iterable[_Line]) -> list[_Line]:
    """The cheapest lines, one for each table."""
    kept: dict[tuple[Position, int], _Line] = {}
    for line in sorted(lines, key=lambda line: line.cost):
        kept.setdefault((line.position, line.view), line)
    cheapest = next(iter(kept.values())).cost
    width = WIDTH if cheapest < HOPELESS else 1
    return [line for line in kept.values() if line.cost <= cheapest + WORSE][:width]


def _grown(lines: list[_Line], index: int, turns: Sequence[Turn], rules: Ruleset) -> Iterator[_Line]:
    """All readings of one more turn, on all lines."""
    turn, last = turns[index], index == len(turns) - 1
    for rank, line in enumerate(lines):
        exact = _exact(line, turn, rules)
        if turn.act is Act.PLAY and (odd := _odd_fault(line, index, turn, rules)) is not None:
            yield line.grown(replace(turn, stood_illegal=True), rules, STOOD, odd)
        elif turn.play is None and turn.stood_illegal and turn.after is None:
            yield from _said_illegal(line, index, turn, rules)
        elif exact is not None:
            yield exact
        elif turn.play is None:
            yield from [line.grown(turn, rules)] if last else _any_play(line, turn, rules)
        else:
            yield from _with_fault(line, index, turn, rules)
            if rank < LIKELY and line.cost < HOPELESS:
                yield from _doubted(line, index, turns, rules)


def _with_fault(line: _Line, index: int, turn: Turn, rules: Ruleset) -> Iterator[_Line]:
    """The readings of a turn that is illegal as it is written."""
    position, hops = line.seen_by(turn.side, rules), turn.play or ()
    near = nearest(position, turn.roll, hops, rules)
    fault = Fault(index, position, reasons(position, turn.roll, hops, rules), near)
    held = can_stand(position, hops, rules)
    yield line.grown(replace(turn, stood_illegal=True), rules, STOOD if held else IMPOSSIBLE, fault)
    for play in near[: TRIED if line.cost < HOPELESS else 0]:
        reading = replace(turn, play=play.hops, stood_illegal=False)
        yield line.grown(reading, rules, MISREAD + _unlikeness(turn, play), replace(fault, reading=play))


def _said_illegal(line: _Line, index: int, turn: Turn, rules: Ruleset) -> Iterator[_Line]:
    """Of the play only that it was illegal is known: the table after it may be any, or the same."""
    fault = Fault(index, line.seen_by(turn.side, rules), (Reason(Why.SAID_SO),), ())
    for play in (turn, *(other.turn for other in _any_play(line, turn, rules))):
        yield line.grown(replace(turn, play=play.play), rules, STOOD, fault)


def _odd_fault(line: _Line, index: int, turn: Turn, rules: Ruleset) -> Fault | None:
    """What no other reading mends: a turn after the end, or a table that no play of the roll leaves."""
    position = line.seen_by(turn.side, rules)
    if rules.over(position, rules, 0) is not None:
        return Fault(index, position, (Reason(Why.AFTER_THE_END),), ())
    if turn.after is None:
        return None
    near = nearest_table(position, turn.roll, turn.after, rules)
    if near and near[0].result == turn.after:
        return None
    best = near[0].result if near else position
    changed = tuple(own for own in range(PLACES) if best.points[own] != turn.after.points[own])
    return Fault(index, position, (Reason(Why.TABLE_CHANGED, changed),), near)


def _exact(line: _Line, turn: Turn, rules: Ruleset) -> _Line | None:
    """The line with the turn as it is written, None when that is illegal."""
    if turn.act is not Act.PLAY or turn.after is not None:
        return line.grown(turn, rules)
    try:
        found = resolve(line.seen_by(turn.side, rules), turn.roll, turn.play or (), rules)
    except RulesError:
        return None
    if found is None:
        return None
    return line.grown(replace(turn, play=found.hops, stood_illegal=False), rules)


def _any_play(line: _Line, turn: Turn, rules: Ruleset) -> list[_Line]:
    """Nobody wrote down what was played: the rest of the game will show it."""
    try:
        plays = legal_plays(line.seen_by(turn.side, rules), turn.roll, rules)
    except RulesError:
        return [line.grown(turn, rules)]
    return [line.grown(replace(turn, play=play.hops), rules) for play in plays]


def _unlikeness(turn: Turn, play: Play) -> float:
    """What it costs to believe that the play is what was meant."""
    return 0.2 * min(4.0, unlikeness(turn.play or (), play.hops))


def _doubted(line: _Line, index: int, turns: Sequence[Turn], rules: Ruleset) -> list[_Line]:
    """The lines on which an earlier entry is read anew so that this one is legal, the likeliest first."""
    found: list[_Line] = []
    later: list[_Line] = []
    for earlier in list(line.back())[:BACK]:
        if earlier.turn.act is Act.PLAY and earlier.turn.after is None and earlier.fault is None:
            found += _reread(earlier, later, index, turns, rules)
        later.insert(0, earlier)
    return sorted(found, key=lambda line: line.cost)[: 2 * TRIED]


def _reread(
    earlier: _Line, later: list[_Line], index: int, turns: Sequence[Turn], rules: Ruleset
) -> list[_Line]:
    """Other readings of `earlier.turn` after which `later` and the turn at `index` can be played as they are.

    A reading that plays too few dice is one too: it may have stood.
    """
    assert earlier.before is not None
    was, before = earlier.turn, earlier.before
    position = before.seen_by(was.side, rules)
    near = nearest(position, was.roll, was.play or (), rules)
    short = partial_plays(position, was.roll, rules)
    steps = [*later, _Line(position, was.side, turn=turns[index])]

    def read(play: Play, fault: Fault | None = None) -> _Line | None:
        cost = DOUBTED + _unlikeness(was, play) + (SHORT if play in short else 0)
        reading = replace(was, play=play.hops, stood_illegal=play in short)
        marked = fault and replace(fault, reading=play)
        return _replayed(before.grown(reading, rules, cost, marked), steps, rules)

    fits = {play: line for play in (*near[1:], *short) if (line := read(play)) is not None}
    rest = turns[index + 1 : index + 1 + AHEAD]
    far = sorted((play for play in fits if play in near), key=lambda play: -_reach(fits[play], rest, rules))
    ordered = (*far, *(play for play in near if play not in fits))
    fault = Fault(index - 1 - len(later), position, (Reason(Why.CONTRADICTED, turn=index),), ordered)
    return [line for play in fits if (line := read(play, fault)) is not None]


def _replayed(line: _Line, steps: Sequence[_Line], rules: Ruleset) -> _Line | None:
    """The line after the turns of these steps, None when one of them is illegal on it."""
    found: _Line | None = line
    for step in steps:
        found = found and _again(found, step, rules)
    return found


def _again(line: _Line, step: _Line, rules: Ruleset) -> _Line | None:
    """The same turn, with the same fault if it had one, on another line."""
    grown = _exact(line, step.turn, rules)
    paid = step.cost - step.before.cost if step.before is not None else 0.0
    return grown and grown._replace(cost=grown.cost + paid, fault=step.fault)


def _reach(line: _Line, rest: Sequence[Turn], rules: Ruleset) -> int:
    """How many turns of the rest are legal as they are written."""
    for count, turn in enumerate(rest):
        grown = _exact(line, turn, rules)
        if grown is None:
            return count
        line = grown
    return len(rest)
