"""Games as a page would show them, played at random."""

from __future__ import annotations

from random import Random

from engine.notation import format_play
from engine.plays import Hop, legal_plays
from engine.position import Position, turned
from engine.rules import ruleset
from kibitz.snapshot import Banner, Board, ClockFace, Dice, Match, Snapshot, SourceHealth, TurnLine, Words
from referee.layout import Layout, table_of

NO_WORDS = Words("", "")


def played(rules_name: str, layout: Layout, turns: int, seed: int) -> tuple[Snapshot, list[tuple[Hop, ...]]]:
    """A snapshot after so many random turns, and the hops that were played."""
    rules, random = ruleset(rules_name), Random(seed)
    position, side = rules.start, 0
    lines, hops = [], []
    for number in range(turns):
        roll = tuple(random.randint(1, 6) for _ in range(rules.dice))
        play = random.choice(legal_plays(position, roll, rules))
        after = table_of(layout, rules, side, play.result)
        lines.append(
            TurnLine(number, number, side, roll, format_play(play), after, 1.0, number, number + 0.5)
        )
        hops.append(play.hops)
        position, side = turned(play.result, rules), 1 - side
    return _snapshot(rules_name, layout, position, side, tuple(lines)), hops


def _snapshot(
    rules: str, layout: Layout, position: Position, side: int, turns: tuple[TurnLine, ...]
) -> Snapshot:
    return Snapshot(
        revision=1, t=1.0, phase="playing", mode="tournament", policy="legal",
        match=Match(rules, ("Anna", "Boris"), 5, (1, 2)), layout=layout,
        board=Board(table_of(layout, ruleset(rules), side, position)), side=side, dice=Dice(),
        banner=Banner("ready", NO_WORDS), source=SourceHealth("sim:", "ok", NO_WORDS),
        clock=ClockFace("none", (0.0, 0.0), 0.0), turns=turns, journal="game.jsonl",
    )  # fmt: skip
