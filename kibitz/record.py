"""From what the session said to what other programs read: the transcript (JSON) and the match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engine.record import Game, Match, Turn
from engine.rules import Ruleset
from referee.events import GameOver, Gap, IllegalSeen, Output, TurnPlayed
from referee.layout import Layout, position_of
from referee.observation import POINTS

NAMES = ("Light", "Dark")


class TurnLine(msgspec.Struct, frozen=True):
    """One turn of a transcript; `after` holds 24 counts in image order, light +, dark -."""

    side: int
    dice: tuple[int, ...]
    play: str
    after: tuple[int, ...]
    bar_after: tuple[int, int]
    confidence: float
    t: tuple[float, float]
    others: tuple[str, ...]
    stood_illegal: bool


class IllegalLine(msgspec.Struct, frozen=True):
    """An illegal play that stood on the table during turn `turn`."""

    turn: int
    points: tuple[int, ...]
    reason: str
    t: float


class GapLine(msgspec.Struct, frozen=True):
    """Where the record and the table parted ways; `resumed` when the game went on from what was seen."""

    turn: int
    t: float
    differs: tuple[tuple[int, int, int], ...]
    resumed: bool


class Transcript(msgspec.Struct, frozen=True):
    """What `kibitz transcribe --json` writes."""

    source: str
    rules: str
    turns: tuple[TurnLine, ...]
    illegal: tuple[IllegalLine, ...]
    gaps: tuple[GapLine, ...]
    result: dict[str, Any] | None


def transcript(source: str, rules: str, outputs: Sequence[Output]) -> Transcript:
    """The transcript of a session's outputs."""
    over = next((o for o in outputs if isinstance(o, GameOver)), None)
    return Transcript(
        source,
        rules,
        tuple(_turn_line(o) for o in _turns(outputs)),
        tuple(
            IllegalLine(o.turn, o.places, o.reason, _time(o.t)) for o in outputs if isinstance(o, IllegalSeen)
        ),
        tuple(
            GapLine(o.turn, _time(o.t), tuple((d.place, d.expected, d.seen) for d in o.difference), o.resumed)
            for o in outputs
            if isinstance(o, Gap)
        ),
        None if over is None else {"winner": over.winner, "points": over.points, "name": over.name},
    )


def _turns(outputs: Iterable[Output]) -> list[TurnPlayed]:
    return [o for o in outputs if isinstance(o, TurnPlayed)]


def _time(t: float) -> float:
    return round(t, 3)


def _turn_line(o: TurnPlayed) -> TurnLine:
    return TurnLine(
        o.side, o.roll, o.text, o.after[:POINTS], (o.after[24], -o.after[25]), o.confidence,
        (_time(o.t_from), _time(o.t_to)), o.others, o.stood_illegal,
    )  # fmt: skip


def match_of(
    outputs: Sequence[Output], rules: Ruleset, layout: Layout, names: tuple[str, str] = NAMES
) -> Match:
    """One game as a match of its own. A play that nobody could name carries the table after it."""
    over = next((o for o in outputs if isinstance(o, GameOver)), None)
    turns = tuple(_turn(o, rules, layout) for o in _turns(outputs))
    winner, points = (None, 0) if over is None else (over.winner, over.points)
    return Match(names, 0, rules.name, (Game(turns, winner=winner, points=points),))


def _turn(o: TurnPlayed, rules: Ruleset, layout: Layout) -> Turn:
    if o.play is not None:
        return Turn(o.side, o.roll, o.play.hops)
    after = position_of(layout, rules, o.side, o.after)
    return Turn(o.side, o.roll, None, stood_illegal=o.stood_illegal, after=after)
