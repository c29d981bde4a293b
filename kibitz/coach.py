"""What a stronger player would have played: Debian's gnubg as a process of its own, or the `bgsage` extra.

Nothing of either is needed to run Kibitz; where neither is there, the trainer teaches the rules alone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from types import MappingProxyType
from typing import NamedTuple, Protocol

from engine.errors import KibitzError, RulesError
from engine.notation import format_play, parse_play
from engine.plays import legal_plays
from engine.position import Position
from engine.resolve import resolve
from engine.rules import BACKGAMMON, Ruleset
from engine.xgid import xgid

#: Plies looked ahead; how long an answer may take (seconds); candidates asked for.
PLIES, PATIENCE, MOST = 2, 60.0, 40
#: Where Debian keeps its games, which is not on everybody's path.
GAMES = "/usr/games"
_LINE = re.compile(
    r"^\s*\d+\.\s+Cube\w+ (?P<ply>\d)-ply\s+(?P<play>\S.*?)\s+Eq\.:\s*(?P<eq>[-+]\d+\.\d+)", re.MULTILINE
)


class CoachError(KibitzError, RuntimeError):
    """An engine that does not answer."""


class Rated(NamedTuple):
    """A play's result (mover's view) with its equity."""

    result: Position
    play: str
    equity: float


class Stake(NamedTuple):
    """What is played for, as the mover sees it: the cube and whose it is (1 mine, -1 the opponent's, 0
    nobody's), the score (mine, theirs) of a match to `length` points (0: money).
    """

    cube: int = 1
    owner: int = 0
    score: tuple[int, int] = (0, 0)
    length: int = 0
    crawford: bool = False


MONEY = Stake()


class Coach(Protocol):
    """Rates the plays of a roll, best first."""

    name: str

    def rate(self, position: Position, roll: tuple[int, ...], stake: Stake = MONEY) -> list[Rated]:
        """Plays of a backgammon roll with their equities, best first.

        Raises:
            CoachError: the engine gives no answer.
        """


class Gnubg:
    """GNU Backgammon, asked through its command line; one process a question, so that none is left behind."""

    name = "gnubg"

    def __init__(self, program: str) -> None:
        self._program = program

    def rate(self, position: Position, roll: tuple[int, ...], stake: Stake = MONEY) -> list[Rated]:
        """See `Coach.rate`."""
        return rated(self._answer(_questions(position, roll, stake)), position, roll)

    def _answer(self, questions: str) -> str:
        try:
            return run_gnubg(self._program, questions, PATIENCE)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CoachError(f"{self._program}: gives no answer ({error}); play on without it") from error


def run_gnubg(program: str, commands: str, patience: float) -> str:
    """What gnubg's command line says to commands.

    Raises:
        OSError: it cannot be started.
        subprocess.TimeoutExpired: it took longer than `patience` seconds.
    """
    told = subprocess.run(
        [program, "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=patience,
        check=False,
    )  # fmt: skip
    return told.stdout


def _questions(position: Position, roll: tuple[int, ...], stake: Stake) -> str:
    """The plies are set last: a new position brings the old setting back."""
    where = xgid(
        position, roll, cube=stake.cube, cube_owner=stake.owner, score=stake.score, crawford=stake.crawford,
        length=stake.length,
    )  # fmt: skip
    lines = (
        "set automatic roll off", "set automatic game off", "set confirm new off", "new session",
        f"set xgid {where}", f"set evaluation chequerplay evaluation plies {PLIES}",
        f"hint {MOST}", "quit", "y",
    )  # fmt: skip
    return "\n".join(lines) + "\n"


def rated(answer: str, position: Position, roll: tuple[int, ...]) -> list[Rated]:
    """gnubg's hint as rated plays.

    Raises:
        CoachError: there is no play of this roll in it.
    """
    found = []
    for line in _LINE.finditer(answer):
        try:
            play = resolve(position, roll, parse_play(line["play"].lower(), position))
        except RulesError:
            continue
        if play is not None:
            found.append(Rated(play.result, line["play"], float(line["eq"])))
    if not found:
        raise CoachError("gnubg named no play; its answer was not understood")
    return sorted(found, key=lambda row: -row.equity)


#: What the `bgsage` extra calls whose cube it is.
OWNERS = MappingProxyType({0: "centered", 1: "player", -1: "opponent"})


def sage_board(position: Position) -> list[int]:
    """A mover's position as bgsage takes it: the opponent's checkers on the bar are counted too."""
    board = list(position.points)
    board[0] = -board[0]
    return board


class Sage:
    """The neural network of the `bgsage` extra, two plies ahead (it calls that the third)."""

    name = "bgsage"

    def __init__(self) -> None:
        from bgsage import BgBotAnalyzer

        self._engine = BgBotAnalyzer(eval_level="3ply", parallel_threads=1)

    def rate(self, position: Position, roll: tuple[int, ...], stake: Stake = MONEY) -> list[Rated]:
        """See `Coach.rate`."""
        mine, theirs = (max(0, stake.length - points) for points in stake.score)
        answer = self._engine.checker_play(
            sage_board(position), roll[0], roll[1], stake.cube, OWNERS[stake.owner], away1=mine, away2=theirs,
            is_crawford=stake.crawford,
        )  # fmt: skip
        plays = {play.result.points[1:]: play for play in legal_plays(position, roll)}
        found = [
            Rated(plays[tuple(move.board[1:])].result, format_play(plays[tuple(move.board[1:])]), move.equity)
            for move in answer.moves
            if tuple(move.board[1:]) in plays
        ]
        if not found:
            raise CoachError("bgsage named no play of this roll; play on without it")
        return sorted(found, key=lambda row: -row.equity)


def known(rules: Ruleset) -> bool:
    """Whether the engines can follow a game: it is played on the board as backgammon is."""
    return rules.start == BACKGAMMON.start and rules.dice == BACKGAMMON.dice


Which = Callable[..., str | None]


def gnubg_program(which: Which = shutil.which) -> str | None:
    """Where gnubg is on this machine; None: nowhere."""
    return which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + GAMES)


def sage_there() -> bool:
    """Whether the `bgsage` extra is installed."""
    return find_spec("bgsage") is not None


def find_coach(rules: Ruleset, which: Which = shutil.which) -> Coach | None:
    """The engine of this machine for a game; None where there is none (they know backgammon only)."""
    if not known(rules):
        return None
    if sage_there():
        return Sage()
    program = gnubg_program(which)
    return None if program is None else Gnubg(program)


def cost_of(rows: list[Rated], result: Position) -> tuple[float, str] | None:
    """What a play's result costs against the best, and the best play; None when it was not rated."""
    mine = next((row for row in rows if row.result == result), None)
    return None if mine is None else (round(rows[0].equity - mine.equity, 3), rows[0].play)
