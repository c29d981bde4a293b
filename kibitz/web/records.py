"""The match in a journal, as a value that every record format can be written from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.record import Act, Game, Match, Turn
from engine.rules import Ruleset, ruleset
from referee.events import (
    Configured,
    CubeTurned,
    GameOver,
    NextGame,
    Output,
    Refused,
    Resigned,
    Setup,
    Started,
    Superseded,
    TurnPlayed,
)  # fmt: skip
from referee.journal import Entry, Header
from referee.layout import LIGHT, Layout, position_of


@dataclass
class _Sheet:
    """One game as it is being written down; `acts` of the cube come before the play of their turn."""

    score: tuple[int, int]
    layout: Layout = field(default_factory=Layout)
    table: tuple[int, ...] | None = None
    plays: dict[int, TurnPlayed] = field(default_factory=dict)
    acts: list[CubeTurned] = field(default_factory=list)
    resigned: Resigned | None = None
    over: GameOver | None = None

    def take(self, output: Output) -> None:
        """Write down what a step of the session made."""
        if isinstance(output, Started):
            self.layout, self.table = output.layout, output.table
        elif isinstance(output, TurnPlayed):
            self.plays[output.turn] = output
        elif isinstance(output, CubeTurned):
            self.acts.append(output)
        elif isinstance(output, Superseded):
            self.plays = {n: play for n, play in self.plays.items() if n < output.turn}
            self.over = self.resigned = None
        elif isinstance(output, GameOver):
            self.over = output

    def game(self, rules: Ruleset, *, crawford: bool) -> Game:
        """The game as far as it has come."""
        lines = [(play.turn, 1, _turn(play, rules, self.layout)) for play in self.plays.values()]
        lines += [(act.turn, 0, Turn(act.side, act=Act(act.act), value=act.value)) for act in self.acts]
        turns = [turn for _, _, turn in sorted(lines, key=lambda line: line[:2])]
        winner, points = (None, 0) if self.over is None else (self.over.winner, self.over.points)
        if self.resigned is not None and self.over is not None:
            turns.append(Turn(self.resigned.side, act=Act.RESIGN, value=points))
        start = None if self.table is None else position_of(self.layout, rules, LIGHT, self.table)
        return Game(
            tuple(turns), self.score, winner, points, None if start == rules.start else start, crawford
        )


def _turn(play: TurnPlayed, rules: Ruleset, layout: Layout) -> Turn:
    if play.play is not None:
        return Turn(play.side, play.roll, play.play.hops, stood_illegal=play.stood_illegal)
    after = position_of(layout, rules, play.side, play.after)
    return Turn(play.side, play.roll, None, stood_illegal=play.stood_illegal, after=after)


def match_of(items: Iterable[Header | Entry]) -> Match:
    """The match that a journal tells, corrections carried out; an unfinished game has no points."""
    setup, sheets = Setup(), [_Sheet((0, 0))]
    for item in items:
        if isinstance(item, Header):
            setup = item.setup
            continue
        refused = any(isinstance(output, Refused) for output in item.made)
        if isinstance(item.given, Configured) and not refused:
            setup = item.given.setup
        elif isinstance(item.given, NextGame) and not refused:
            over = sheets[-1].over
            sheets.append(_Sheet(over.score if over is not None else sheets[-1].score))
        for output in item.made:
            sheets[-1].take(output)
        if isinstance(item.given, Resigned) and not refused:
            sheets[-1].resigned = item.given
    return _match(setup, sheets)


def _match(setup: Setup, sheets: list[_Sheet]) -> Match:
    rules, games, crawford = ruleset(setup.rules), [], -1
    for number, sheet in enumerate(sheets):
        one_away = setup.length > 1 and max(sheet.score) == setup.length - 1
        crawford = number if one_away and crawford < 0 else crawford
        games.append(sheet.game(rules, crawford=number == crawford))
    return Match(setup.names, setup.length, setup.rules, tuple(games))
