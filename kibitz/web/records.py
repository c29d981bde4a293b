"""The game on the page as a match that every record format can be written from."""

from __future__ import annotations

from engine.notation import parse_play
from engine.position import Position, turned
from engine.record import Game, Match, Turn
from engine.resolve import resolve
from engine.rules import Ruleset
from engine.rules import ruleset as rules_of
from kibitz.snapshot import Snapshot, TurnLine
from referee.layout import LIGHT, Layout, position_of

NAMES = ("Light", "Dark")


def match_of(shown: Snapshot, start: tuple[int, ...] | None = None) -> Match:
    """The game so far; `start` is its first table (28 counts) where that is not the ruleset's own."""
    rules, game = rules_of(shown.match.rules), shown.match
    layout = shown.layout if shown.layout is not None else Layout()
    first = None if start is None else position_of(layout, rules, LIGHT, start)
    turns, view, position = [], LIGHT, first or rules.start
    for line in shown.turns:
        if line.side != view:
            view, position = line.side, turned(position, rules)
        after = position_of(layout, rules, view, line.after)
        turns.append(_turn(line, position, after, rules))
        position = after
    played = Game(tuple(turns), game.score, game.winner, game.points, first, game.crawford)
    names = tuple(given or usual for given, usual in zip(game.names, NAMES, strict=True))
    return Match((names[0], names[1]), game.length, game.rules, (played,))


def _turn(line: TurnLine, before: Position, after: Position, rules: Ruleset) -> Turn:
    play = None if line.illegal else resolve(before, line.roll, parse_play(line.play, before, rules), rules)
    if play is None or play.result != after:
        return Turn(line.side, line.roll, None, stood_illegal=line.illegal, after=after)
    return Turn(line.side, line.roll, play.hops)
