"""From what the session said to what other programs read: the transcript (JSON) and the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

import msgspec

from engine.record import Act, Game, Match, Turn
from engine.rules import Ruleset
from referee.events import (
    CubeTurned,
    GameOver,
    Gap,
    IllegalSeen,
    Output,
    Started,
    Superseded,
    TurnPlayed,
)  # fmt: skip
from referee.hindsight import Illegality, Lapse
from referee.layout import LIGHT, Layout, position_of
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
    """What `kibitz transcribe --json` writes; `doubts` are those about the whole of it."""

    source: str
    rules: str
    turns: tuple[TurnLine, ...]
    illegal: tuple[IllegalLine, ...]
    gaps: tuple[GapLine, ...]
    result: dict[str, Any] | None
    doubts: tuple[str, ...] = ()


def transcript(source: str, rules: str, outputs: Sequence[Output]) -> Transcript:
    """The transcript of a session's outputs; what was taken back or amended is not in it."""
    holds = standing(outputs)
    over = next((o for o in holds if isinstance(o, GameOver)), None)
    return Transcript(
        source,
        rules,
        tuple(_turn_line(o) for o in holds if isinstance(o, TurnPlayed)),
        tuple(illegal_line(o) for o in holds if isinstance(o, IllegalSeen)),
        tuple(gap_line(o, resumed=o.resumed) for o in holds if isinstance(o, Gap)),
        None if over is None else {"winner": over.winner, "points": over.points, "name": over.name},
    )


def illegal_line(seen: IllegalSeen | Illegality) -> IllegalLine:
    """An illegal play as transcripts give it."""
    return IllegalLine(seen.turn, seen.places, seen.reason, rounded_time(seen.t))


def gap_line(gap: Gap | Lapse, *, resumed: bool) -> GapLine:
    """A gap as transcripts give it."""
    differs = tuple((d.place, d.expected, d.seen) for d in gap.difference)
    return GapLine(gap.turn, rounded_time(gap.t), differs, resumed)


def standing(outputs: Sequence[Output]) -> list[Output]:
    """The outputs without those that later ones superseded."""
    kept: list[Output] = []
    for output, following in zip_longest(outputs, outputs[1:]):
        if isinstance(output, Superseded):
            amended = isinstance(following, TurnPlayed)
            kept = [o for o in kept if not _superseded(o, output.turn, amended)]
        elif output is not None:
            kept.append(output)
    return kept


def _superseded(output: Output, turn: int, amended: bool) -> bool:
    """Whether an output goes when turns from `turn` on are superseded: where one turn was amended, what was
    seen while the later ones were played still holds.
    """
    if isinstance(output, GameOver):
        return True
    if isinstance(output, TurnPlayed):
        return output.turn >= turn
    return isinstance(output, IllegalSeen | Gap) and (output.turn == turn if amended else output.turn >= turn)


def moment(t: float) -> tuple[float, float]:
    """A time that lasts no longer than a record can tell."""
    return rounded_time(t), rounded_time(t)


def rounded_time(t: float) -> float:
    """Seconds to the millisecond, as records give them."""
    return round(t, 3)


def _turn_line(o: TurnPlayed) -> TurnLine:
    return TurnLine(
        o.side, o.roll, o.text, o.after[:POINTS], (o.after[24], -o.after[25]), o.confidence,
        (rounded_time(o.t_from), rounded_time(o.t_to)), o.others, o.stood_illegal,
    )  # fmt: skip


@dataclass
class Sheet:
    """One game as it is being written down, corrections carried out; `acts` of the cube come before the play
    of their turn.
    """

    score: tuple[int, int]
    layout: Layout = field(default_factory=Layout)
    table: tuple[int, ...] | None = None
    plays: dict[int, TurnPlayed] = field(default_factory=dict)
    acts: list[CubeTurned] = field(default_factory=list)
    over: GameOver | None = None

    def take(self, output: Output) -> None:
        """Write down what a step of the session made."""
        if isinstance(output, Started):
            self.layout, self.table = output.layout, output.table
        elif isinstance(output, TurnPlayed):
            self.plays[output.turn] = output
        elif isinstance(output, CubeTurned):
            self.acts = [a for a in self.acts if a.turn < output.turn or output.act != "undone"]
            if output.act != "undone":
                self.acts.append(output)
        elif isinstance(output, Superseded):
            self.plays = {n: play for n, play in self.plays.items() if n < output.turn}
            self.over = None
        elif isinstance(output, GameOver):
            self.over = output

    def game(self, rules: Ruleset, *, crawford: bool = False) -> Game:
        """The game as far as it has come."""
        lines = [(play.turn, 1, _turn(play, rules, self.layout)) for play in self.plays.values()]
        lines += [
            (act.turn, 0, Turn(act.side, act=Act(act.act), value=act.value, t=moment(act.t)))
            for act in self.acts
        ]
        turns = [turn for _, _, turn in sorted(lines, key=lambda line: line[:2])]
        winner, points = (None, 0) if self.over is None else (self.over.winner, self.over.points)
        if self.over is not None and self.over.name == "resigned" and winner is not None:
            turns.append(Turn(1 - winner, act=Act.RESIGN, value=points))
        start = None if self.table is None else position_of(self.layout, rules, LIGHT, self.table)
        return Game(
            tuple(turns), self.score, winner, points, None if start == rules.start else start, crawford
        )


def _turn(play: TurnPlayed, rules: Ruleset, layout: Layout) -> Turn:
    turn = Turn(
        play.side,
        play.roll,
        stood_illegal=play.stood_illegal,
        t=(rounded_time(play.t_from), rounded_time(max(play.t_from, play.t_to))),
        confidence=round(play.confidence, 3),
    )
    if play.play is not None:
        return replace(turn, play=play.play.hops)
    return replace(turn, after=position_of(layout, rules, play.side, play.after))


def match_of(
    outputs: Sequence[Output], rules: Ruleset, layout: Layout, names: tuple[str, str] = NAMES
) -> Match:
    """One game as a match of its own. A play that nobody could name carries the table after it."""
    sheet = Sheet((0, 0), layout)
    for output in outputs:
        sheet.take(output)
    return Match(names, 0, rules.name, (sheet.game(rules),))
