"""Lists of legal plays a second, against gvformat and OpenSpiel, in one run (`make bench`).

All are asked for the same lists: the positions and rolls of oracle_moves.jsonl.gz, without the one position
whose opponent has no checker left, a game that is over for OpenSpiel. Times are this process's
own CPU time, the best of several rounds that take turns, so that a busy machine bends all figures alike.

What OpenSpiel is asked for, from least to most work:
- `legal_actions`: numbers that stand for plays, of a double its first two hops only;
- whole plays: those numbers, and for a double the numbers of the second half after each first half;
- plays with tables: the state after each whole play (a double's are given more than once).
`legal_plays` gives each result once, its hops and its table unpacked when somebody looks; both are timed.

Reached (November 2026, Python 3.11, two busy cores): 9.5 x gvformat; OpenSpiel's bare `legal_actions` 0.18 x,
its whole plays 0.95 x, its plays with tables 3.7 x. Why not more: docs/records.md, figures by `steps` below.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from gvformat.legality import legal_plays as gvformat_plays

from engine.packed import explore, pack, turn_of
from engine.plays import legal_plays, legal_tables
from engine.position import MEN, Position
from engine.rules import BACKGAMMON
from tests.bench.openspiel_state import MOVER, state_of

ORACLE = Path(__file__).resolve().parents[3] / "shared" / "records" / "oracle_moves.jsonl.gz"
ROUNDS = 7

Lists = list[tuple[Any, ...]]


def seconds(call: Callable[..., object], inputs: Iterable[tuple[Any, ...]]) -> float:
    begun = time.process_time()
    for values in inputs:
        call(*values)
    return time.process_time() - begun


def race(calls: dict[str, tuple[Callable[..., object], Lists]]) -> dict[str, float]:
    """Lists a second of each, best round."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, (call, inputs) in calls.items():
            best[name] = min(best[name], seconds(call, inputs))
    return {name: len(calls[name][1]) / best[name] for name in calls}


def oracle_lists() -> tuple[Lists, Lists, Lists]:
    """The oracle's positions with their rolls, as we, gvformat and OpenSpiel take them."""
    ours, gvformat, openspiel = [], [], []
    with gzip.open(ORACLE, "rt") as rows:
        for row in map(json.loads, rows):
            board, (one, two) = row["board"], row["roll"]
            position = Position.of([-board[0], *board[1:]])
            if position.off[1] == MEN:
                continue
            ours.append((position, (one, two)))
            mine = [0, *(max(0, n) for n in board[1:])]
            gvformat.append((mine, [board[0], *(max(0, -n) for n in board[1:25]), 0], one, two))
            openspiel.append((state_of(position, (one, two)), one == two))
    return ours, gvformat, openspiel


def whole_plays(state: Any, doubled: bool) -> list[tuple[int, ...]]:
    """OpenSpiel's plays with both halves of a double."""
    if not doubled:
        return [(action,) for action in state.legal_actions()]
    found: list[tuple[int, ...]] = []
    for action, after in _halves(state):
        found += [(action,)] if after is None else [(action, more) for more in after.legal_actions()]
    return found


def plays_with_tables(state: Any, doubled: bool) -> list[Any]:
    """OpenSpiel's state after each whole play."""
    if not doubled:
        return [state.child(action) for action in state.legal_actions()]
    found: list[Any] = []
    for action, after in _halves(state):
        found += [state.child(action)] if after is None else map(after.child, after.legal_actions())
    return found


def _halves(state: Any) -> Iterable[tuple[int, Any]]:
    """Each action, with the state after it when the same player goes on (a double)."""
    halves = [(action, state.child(action)) for action in state.legal_actions()]
    return [(a, s if not s.is_terminal() and s.current_player() == MOVER else None) for a, s in halves]


def looked_at(position: Position, roll: tuple[int, ...]) -> list[Any]:
    """Our plays with hops and tables unpacked."""
    return [(play.hops, play.result) for play in legal_plays(position, roll)]


def agreeing(ours: Lists, openspiel: Lists) -> int:
    """How many lists have the same number of different results in both."""
    same = 0
    for (position, roll), given in zip(ours, openspiel, strict=True):
        boards = {_board(after) for after in plays_with_tables(*given)}
        same += len(boards) == len(legal_plays(position, roll))
    return same


def _board(state: Any) -> tuple[str, str]:
    text = str(state)
    return text.split("Turn")[0], text.split("Bar:")[1]


def steps(ours: Lists) -> None:
    """Where our own time goes, in microseconds a list."""
    tables = [(pack(position), roll, position) for position, roll in ours]
    turns = [
        (table, BACKGAMMON.pips(roll, BACKGAMMON), turn_of(table, BACKGAMMON)) for table, roll, _ in tables
    ]
    rates = race(
        {
            "pack the position": (pack, [(position,) for position, _ in ours]),
            "masks of the turn": (lambda table: turn_of(table, BACKGAMMON), [(t,) for t, *_ in tables]),
            "explore, any order of the dice": (explore, turns),
            "legal_tables, all of this": (legal_tables, ours),
            "legal_plays, with a Play for each": (legal_plays, ours),
            "and hops and results unpacked": (looked_at, ours),
        }
    )
    print("our own steps, microseconds a list")
    for name, rate in rates.items():
        print(f"  {name:36} {1e6 / rate:6.1f}")


def main() -> None:
    ours, gvformat, openspiel = oracle_lists()
    print(f"the oracle's {len(ours)} lists; {agreeing(ours, openspiel)} have as many results in OpenSpiel")
    rates = race(
        {
            "legal_plays": (legal_plays, ours),
            "legal_plays, looked at": (looked_at, ours),
            "gvformat.legality": (gvformat_plays, gvformat),
            "OpenSpiel legal_actions": (lambda state, _doubled: state.legal_actions(), openspiel),
            "OpenSpiel whole plays": (whole_plays, openspiel),
            "OpenSpiel plays with tables": (plays_with_tables, openspiel),
        }
    )
    plain, unpacked = rates["legal_plays"], rates["legal_plays, looked at"]
    print(f"  {'lists a second':30}{'':8}   legal_plays is  looked at")
    for name, rate in rates.items():
        print(f"  {name:30}{rate:8.0f}   {plain / rate:10.2f} x   {unpacked / rate:7.2f} x")
    print("  wanted: 5 x gvformat.legality, 1 x OpenSpiel legal_actions")
    steps(ours)


if __name__ == "__main__":
    main()
