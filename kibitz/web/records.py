"""The match in a journal, as a value that every record format can be written from."""

from __future__ import annotations

from collections.abc import Iterable

from engine.record import Match
from engine.rules import ruleset
from kibitz.record import Sheet
from referee.events import (
    Configured,
    NextGame,
    Refused,
    Setup,
)  # fmt: skip
from referee.journal import Entry, Header


def match_of(items: Iterable[Header | Entry]) -> Match:
    """The match that a journal tells, corrections carried out; an unfinished game has no points."""
    setup, sheets = Setup(), [Sheet((0, 0))]
    for item in items:
        if isinstance(item, Header):
            setup = item.setup
            continue
        refused = any(isinstance(output, Refused) for output in item.made)
        if isinstance(item.given, Configured) and not refused:
            setup = item.given.setup
        elif isinstance(item.given, NextGame) and not refused:
            over = sheets[-1].over
            sheets.append(Sheet(over.score if over is not None else sheets[-1].score))
        for output in item.made:
            sheets[-1].take(output)
    return _match(setup, sheets)


def _match(setup: Setup, sheets: list[Sheet]) -> Match:
    rules, games, crawford = ruleset(setup.rules), [], -1
    for number, sheet in enumerate(sheets):
        one_away = setup.length > 1 and max(sheet.score) == setup.length - 1
        crawford = number if one_away and crawford < 0 else crawford
        games.append(sheet.game(rules, crawford=number == crawford))
    return Match(setup.names, setup.length, setup.rules, tuple(games))
