"""`make kills`: `kibitz watch` killed at random moments of a game, and what is there afterwards.

The board and the two players live here, outside of the program that is killed. They play on as people would:
what the board's lamps did not confirm is done once more.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine.plays import legal_plays, result_of
from engine.position import turned
from engine.resolve import apply_hops
from engine.rules import BACKGAMMON
from firmware_bridge.leds import STATUS_LIGHT
from firmware_bridge.sim_board import SimBoard
from referee.events import TurnPlayed, TurnUndone
from referee.journal import Replay, replay
from referee.layout import Layout, table_of

LAYOUT, RULES = Layout(), BACKGAMMON
Recorded = list[tuple[int, int, tuple[int, ...], str]]


class Players:
    """Two people at the board; they wait for its lamps and repeat what was not taken in."""

    def __init__(self, board: SimBoard, seed: int, pace: float = 20.0) -> None:
        self._board, self._rng, self._pace = board, Random(seed), pace
        self.closed = threading.Event()
        self.played = 0
        self._thread = threading.Thread(target=self._play, daemon=True)

    def begin_when(self, ready: Callable[[], bool], until: float) -> None:
        """Begin the game, once, as soon as the referee is ready for it."""
        while not self._thread.is_alive() and not self.played and time.monotonic() < until:
            if ready():
                self._thread.start()
            time.sleep(0.02)

    def close(self) -> None:
        self.closed.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def _rest(self, seconds: float) -> None:
        self.closed.wait(seconds / self._pace)

    def _wait(self, lit: int, seconds: float) -> bool:
        """Wait for the white lamp of a side."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.closed.is_set():
            lamp = self._board.leds().get(STATUS_LIGHT + lit)
            if lamp is not None and lamp.colour == "white":
                return True
            self.closed.wait(0.02)
        return False

    def _play(self) -> None:
        position, side = RULES.start, 0
        while not self.closed.is_set() and result_of(position, RULES) is None:
            roll = (self._rng.randint(1, 6), self._rng.randint(1, 6))
            play = self._rng.choice(legal_plays(position, roll, RULES))
            self._type(roll)
            now = position
            for hop in play.hops:
                now = apply_hops(now, (hop,), RULES)
                self._rest(1.0)
                self._board.set_counts(table_of(LAYOUT, RULES, side, now))
            self._rest(3.0)
            self._board.press(("clock_light", "clock_dark")[side])
            while not self._wait(1 - side, 2.5) and not self.closed.is_set():
                self._type(roll)
                self._rest(3.0)
                self._board.press(("clock_light", "clock_dark")[side])
            position, side = turned(play.result, RULES), 1 - side
            self.played += 1

    def _type(self, roll: tuple[int, ...]) -> None:
        self._board.press("confirm")  # whatever was typed before begins anew
        for die in roll:
            self._board.press(f"die_{die}")
            self._rest(0.4)


@dataclass
class Kills:
    """What was found over all kills."""

    kills: int = 0
    turns: int = 0
    faults: list[str] = field(default_factory=list)


def recorded(again: Replay) -> Recorded:
    """The turns that a journal holds."""
    turns: dict[int, TurnPlayed] = {}
    for entry in again.entries:
        if isinstance(entry.given, TurnUndone):
            raise AssertionError("nobody undoes here")
        for made in entry.made:
            if isinstance(made, TurnPlayed):
                turns[made.turn] = made
    return [(t.turn, t.side, t.roll, t.text) for t in turns.values()]


def shown_turns(lines: list[str]) -> list[str]:
    """`12. Light 3-1: 8/5 6/5` of what the program printed."""
    return [line.split(maxsplit=1)[1].strip() for line in lines if line.startswith("recorded")]


def as_shown(turns: Recorded) -> list[str]:
    """The journal's turns as the program prints them."""
    return [
        f"{n + 1}. {('Light', 'Dark')[s]} {'-'.join(map(str, r))}: {text}".strip() for n, s, r, text in turns
    ]


def run(kills: int, seed: int, folder: Path) -> Kills:
    """Play one game through that many kills."""
    rng, found = Random(seed), Kills()
    board = SimBoard(table_of(LAYOUT, RULES, 0, RULES.start))
    players = Players(board, seed)
    before: Recorded = []
    for _ in range(kills):
        lines = _life(board.url, folder, rng.uniform(0.2, 3.0), players)
        before = _check(folder / "journal.jsonl", lines, before, found)
        found.kills += 1
    players.close()
    board.close()
    found.turns = len(before)
    return found


def _life(url: str, folder: Path, seconds: float, players: Players) -> list[str]:
    """Start the program, let it see the board, kill it so many seconds later; what it printed.

    The players begin when the first program has seen the start position.
    """
    command = [sys.executable, "-u", "-m", "kibitz", "watch", "--source", url, "--folder", str(folder)]
    program = subprocess.Popen(
        [*command, "--port", "0", "--resume"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    lines: list[str] = []
    assert program.stdout is not None
    out = program.stdout
    reader = threading.Thread(target=lambda: lines.extend(out), daemon=True)
    reader.start()
    until = time.monotonic() + 60
    while not lines and time.monotonic() < until:
        time.sleep(0.01)
    players.begin_when(lambda: any(line.startswith("ready") for line in lines), until)
    time.sleep(seconds)
    program.send_signal(signal.SIGKILL)
    program.wait()
    reader.join(5)
    return lines


def _check(journal: Path, lines: list[str], before: Recorded, found: Kills) -> Recorded:
    """The journal replays to the same bytes, holds all it held before, and all that was shown."""
    if not journal.exists():
        return before
    again = replay(journal.read_bytes().splitlines(keepends=True))
    turns = recorded(again)
    if again.differs_at is not None:
        found.faults.append(f"kill {found.kills}: line {again.differs_at} replays otherwise")
    if turns[: len(before)] != before:
        found.faults.append(f"kill {found.kills}: lost {before[len(turns) :] or 'or changed turns'}")
    missing = [line for line in shown_turns(lines) if line not in as_shown(turns)]
    if missing:
        found.faults.append(f"kill {found.kills}: shown but not in the journal: {missing}")
    if not again.state.over and len(again.state.past) != len(turns):
        found.faults.append(
            f"kill {found.kills}: the state holds {len(again.state.past)} of {len(turns)} turns"
        )
    return turns


def main() -> int:
    """Kill and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total = Kills()
    while total.kills < options.kills:
        with tempfile.TemporaryDirectory() as folder:
            one = run(min(40, options.kills - total.kills), options.seed + total.kills, Path(folder))
        total.kills, total.turns = total.kills + one.kills, total.turns + one.turns
        total.faults += one.faults
        print(f"{total.kills} kills, {total.turns} turns recorded, {len(total.faults)} faults", flush=True)
    print("\n".join(total.faults))
    return 1 if total.faults else 0


if __name__ == "__main__":
    sys.exit(main())
