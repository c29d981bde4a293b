"""Our own record: JSON lines, the match first and then a line for each game. Nothing is lost in it."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from engine.errors import RecordError
from engine.plays import Hop
from engine.position import BAR, OFF, PLACES, Position
from engine.record import Act, Game, Match, Turn
from engine.rules import RULESETS
from engine.text import decoded

FORMAT = "kibitz-match"
VERSION = 1
#: More checkers on a place, and of a side, than any table has, and still safe for the generator.
_MOST, _MEN = 15, 60
_Kind = TypeVar("_Kind")


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    format: str
    version: int
    names: tuple[str, str]
    length: int
    rules: str
    headers: tuple[tuple[str, str], ...] = ()


class _Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A turn as it stands in a line."""

    side: int
    roll: tuple[int, ...] = ()
    play: tuple[Hop, ...] | None = None
    act: Act = Act.PLAY
    value: int = 0
    stood_illegal: bool = False
    note: str = ""
    after: Position | None = None
    t: tuple[float, float] | None = None
    confidence: float | None = None


class _Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every line after the first."""

    score: tuple[int, int]
    winner: int | None
    points: int
    start: Position | None
    crawford: bool
    turns: tuple[_Turn, ...]


def write_jsonl(match: Match) -> str:
    """The match as JSON lines."""
    head = _Head(FORMAT, VERSION, match.names, match.length, match.rules, match.headers)
    lines = [head, *(_line(game) for game in match.games)]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def _line(game: Game) -> _Game:
    turns = tuple(
        _Turn(t.side, t.roll, t.play, t.act, t.value, t.stood_illegal, t.note, t.after, t.t, t.confidence)
        for t in game.turns
    )
    return _Game(game.score, game.winner, game.points, game.start, game.crawford, turns)


def read_jsonl(data: str | bytes) -> Match:
    """The match that `write_jsonl` wrote.

    Raises:
        RecordError: a line is damaged or holds what cannot be; the line is named.
    """
    text, repaired = decoded(data)
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise RecordError("the record is empty; the first line should name the players")
    head = _decoded(lines[0], _Head)
    if (head.format, head.version) != (FORMAT, VERSION) or head.rules not in RULESETS or head.length < 0:
        raise RecordError(f"line 1 is no head of {FORMAT} version {VERSION} with one of our games")
    games = tuple(_game(_decoded(line, _Game), line[0]) for line in lines[1:])
    return Match(head.names, head.length, head.rules, games, head.headers, repaired)


def _decoded(line: tuple[int, str], kind: type[_Kind]) -> _Kind:
    number, text = line
    try:
        return msgspec.json.decode(text.encode(errors="replace"), type=kind)
    except (msgspec.DecodeError, RecursionError) as bad:
        raise RecordError(f"line {number} is damaged: {bad}") from bad


def _game(line: _Game, number: int) -> Game:
    turns = tuple(
        Turn(t.side, t.roll, t.play, t.act, t.value, t.stood_illegal, t.note, t.after, t.t, t.confidence)
        for t in line.turns
    )
    bad = next((i for i, turn in enumerate(turns) if not _possible(turn)), None)
    if bad is not None:
        raise RecordError(f"line {number}: turn {bad} holds a side, die, point, time or table that cannot be")
    if line.winner not in (None, 0, 1) or line.points < 0 or min(line.score) < 0 or not _table(line.start):
        raise RecordError(f"line {number}: the score, winner or start of the game cannot be")
    return Game(turns, line.score, line.winner, line.points, line.start, line.crawford)


def _possible(turn: Turn) -> bool:
    """Whether a turn can be replayed without harm."""
    places = [place for hop in turn.play or () for place in (hop.src - 1, hop.dst)]
    return (
        turn.side in (0, 1)
        and all(1 <= die <= 6 for die in turn.roll)
        and len(turn.roll) <= 3
        and all(OFF <= place < BAR for place in places)
        and turn.value >= 0
        and (turn.t is None or 0 <= turn.t[0] <= turn.t[1])
        and (turn.confidence is None or 0 <= turn.confidence <= 1)
        and _table(turn.after)
    )


def _table(position: Position | None) -> bool:
    if position is None:
        return True
    return (
        len(position.points) == PLACES
        and all(-_MOST <= n <= _MOST for n in position.points + position.off)
        and max(position.men()) <= _MEN
    )
