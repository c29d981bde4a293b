"""Lists of legal plays a second, against gvformat and OpenSpiel, in one run (`make bench`).

Times are this process's own CPU time, the best of several rounds that take turns, so that a busy machine
bends all figures alike. gvformat is asked for the oracle's positions. OpenSpiel cannot be given a position,
so it and we are asked for positions of random games that OpenSpiel itself plays; its list of a double holds
the first two hops only, ours all four, and its plays are numbers to be decoded, ours have hops and the
table after them.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
from gvformat.legality import legal_plays as gvformat_plays

from engine.plays import legal_plays, legal_tables
from engine.position import Position

ORACLE = Path(__file__).resolve().parents[3] / "shared" / "records" / "oracle_moves.jsonl.gz"
ROUNDS = 5


def seconds(call: Callable[..., object], inputs: Iterable[tuple[Any, ...]]) -> float:
    begun = time.process_time()
    for values in inputs:
        call(*values)
    return time.process_time() - begun


def race(calls: dict[str, tuple[Callable[..., object], list[tuple[Any, ...]]]]) -> dict[str, float]:
    """Lists a second of each, best round."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, (call, inputs) in calls.items():
            best[name] = min(best[name], seconds(call, inputs))
    return {name: len(calls[name][1]) / best[name] for name in calls}


def oracle_lists() -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """The oracle's positions with their rolls, as we and as gvformat take them."""
    ours, theirs = [], []
    with gzip.open(ORACLE, "rt") as rows:
        for row in map(json.loads, rows):
            board, (one, two) = row["board"], row["roll"]
            ours.append((Position.of([-board[0], *board[1:]]), (one, two)))
            mine = [0, *(max(0, n) for n in board[1:])]
            theirs.append((mine, [board[0], *(max(0, -n) for n in board[1:25]), 0], one, two))
    return ours, theirs


Lists = list[tuple[Any, ...]]


def random_games(count: int) -> tuple[Lists, Lists, Lists]:
    """Positions of random games with a roll: as we take them, OpenSpiel's states, those before the roll."""
    random, game = Random(1), pyspiel.load_game("backgammon")
    ours, states, rolls = [], [], []
    while len(states) < count:
        state = game.new_initial_state()
        while not state.is_terminal() and len(states) < count:
            if state.is_chance_node():
                action = random.choice([action for action, _ in state.chance_outcomes()])
                before = state.clone()
                state.apply_action(action)
                if "Extra turn: 0" in str(state) and random.random() < 0.2:
                    ours.append(_position(state))
                    states.append((state.clone(),))
                    rolls.append((before, action))
            else:
                state.apply_action(random.choice(state.legal_actions()))
    return ours, states, rolls


def _position(state: Any) -> tuple[Position, tuple[int, int]]:
    me, text = state.current_player(), str(state)
    points = [0] * 26
    for own in range(1, 25):
        at = own - 1 if me == 1 else 24 - own
        points[own] = state.board(me, at) - state.board(1 - me, at)
    bar = text.split("Bar:")[1].split("\n")[0]
    points[25], points[0] = bar.count("xo"[me]), -bar.count("ox"[me])
    dice = text.split("Dice: ")[1]
    return Position.of(points), (int(dice[0]), int(dice[1]))


def check(ours: list[tuple[Any, ...]], states: list[tuple[Any, ...]]) -> int:
    """How many lists without a double have the same number of different results in both."""
    same = 0
    for (position, roll), (state,) in zip(ours, states, strict=True):
        if roll[0] != roll[1]:
            boards = {_board(state.child(action)) for action in state.legal_actions()}
            assert len(boards) == len(legal_plays(position, roll)), (position, roll)
            same += 1
    return same


def _board(state: Any) -> tuple[str, str]:
    text = str(state)
    return text.split("Turn")[0], text.split("Bar:")[1]


def _after_roll(state: Any, roll: int) -> list[int]:
    actions: list[int] = state.child(roll).legal_actions()
    return actions


def against_gvformat() -> None:
    ours, theirs = oracle_lists()
    rates = race({"ours": (legal_plays, ours), "gvformat": (gvformat_plays, theirs)})
    print(f"the oracle's {len(ours)} lists")
    print(f"  legal_plays        {rates['ours']:8.0f}/s")
    ratio = rates["ours"] / rates["gvformat"]
    print(f"  gvformat.legality  {rates['gvformat']:8.0f}/s, ratio {ratio:.2f}, wanted 5")


def against_openspiel() -> None:
    ours, states, rolls = random_games(2000)
    same = check(ours, states)
    print(f"{len(ours)} lists of random games; {same} without doubles have as many results in both")
    rates = race(
        {
            "legal_plays": (legal_plays, ours),
            "legal_tables (packed, without plays)": (legal_tables, ours),
            "OpenSpiel legal_actions": (lambda state: state.legal_actions(), states),
            "OpenSpiel child(roll).legal_actions": (
                lambda state, roll: state.child(roll).legal_actions(),
                rolls,
            ),
        }
    )
    for name, rate in rates.items():
        ratio = f", ratio {rates['legal_plays'] / rate:.2f}, wanted 1" if name.startswith("Open") else ""
        print(f"  {name:37} {rate:8.0f}/s{ratio}")


if __name__ == "__main__":
    against_gvformat()
    against_openspiel()
