"""Games as the session tells them and as a page would show them, played at random."""

from __future__ import annotations

from random import Random

from engine.notation import format_play
from engine.plays import legal_plays
from engine.position import turned
from engine.rules import ruleset
from kibitz.snapshot import Banner, Board, ClockFace, Dice, Match, Snapshot, SourceHealth, Words
from referee.events import TurnPlayed
from referee.layout import Layout, table_of

NO_WORDS = Words("", "")


def random_turns(rules_name: str, layout: Layout, turns: int, seed: int) -> list[TurnPlayed]:
    """So many random turns from the start."""
    rules, random = ruleset(rules_name), Random(seed)
    position, side, played = rules.start, 0, []
    for number in range(turns):
        roll = tuple(random.randint(1, 6) for _ in range(rules.dice))
        play = random.choice(legal_plays(position, roll, rules))
        after = table_of(layout, rules, side, play.result)
        text, t = format_play(play), float(number)
        played.append(TurnPlayed(t, number, side, roll, play, text, after, 1.0, t, t, id=number))
        position, side = turned(play.result, rules), 1 - side
    return played


def at_start() -> Snapshot:
    """What a page shows before the first roll."""
    rules, layout = ruleset("backgammon"), Layout()
    return Snapshot(
        revision=1, t=1.0, phase="playing", mode="tournament", policy="legal",
        match=Match("backgammon", ("Anna", "Boris"), 5, (1, 2)), layout=layout,
        board=Board(table_of(layout, rules, 0, rules.start)), side=0, dice=Dice(),
        banner=Banner("ready", NO_WORDS), source=SourceHealth("sim:", "ok", NO_WORDS),
        clock=ClockFace("none", (0.0, 0.0), 0.0), journal="game.jsonl",
    )  # fmt: skip
