"""Debian's gnubg reads what we write (`make interop`): the same scores, winners and Position IDs.

gnubg runs as a process of its own; nothing of it is imported.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from engine.formats import format_named
from engine.gnubg_id import position_id
from engine.mat import read_mat
from engine.record import Act, Game, Match, walk
from engine.rules import BACKGAMMON
from tests.strategies import random_game, timed_turns

GAMES, SAMPLES = 50, 200
#: The longest match that gnubg knows.
LONGEST = 64
RECORDS = Path(__file__).resolve().parents[3] / "shared" / "records" / "matches"


class Figures(NamedTuple):
    """What must be the same of one game; `boards`: the Position ID before every play that moved."""

    score: tuple[int, int]
    winner: int | None
    points: int
    boards: list[str]


#: Run inside gnubg: every match it imports, with the Position ID before each action.
_INSIDE = """
import gnubg, json

gnubg.command("set confirm new off")
out = []
for command, path in {jobs!r}:
    gnubg.command(command + ' "' + path + '"')
    out.append(gnubg.match(0, 1, 0))
open({target!r}, "w").write(json.dumps(out, default=str))
"""


def matches() -> list[Match]:
    """Random games (cube included) and, where the shared records are, games of people: 50 in all."""
    random, found = Random(50), []
    for path in sorted(RECORDS.glob("*.mat"))[:12]:
        found.append(read_mat(path.read_bytes()))
    games = sum(len(match.games) for match in found)
    while games < GAMES:
        game = random_game(random, BACKGAMMON, (0, 0), cube=True, illegal=False)
        game = replace(game, turns=timed_turns(game.turns, 1000))
        if game.winner is not None and game.points <= LONGEST:
            found.append(Match(("Ann", "Bob"), LONGEST, games=(game,)))
            games += 1
    return found


def gnubg_reads(paths: list[Path], folder: Path) -> list[dict[str, Any]]:
    """What gnubg tells of each file."""
    program = shutil.which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
    if program is None:
        sys.exit("gnubg is missing: apt install gnubg")
    jobs = [("import mat" if path.suffix == ".mat" else "load match", str(path)) for path in paths]
    script, target = folder / "inside.py", folder / "told.json"
    script.write_text(_INSIDE.format(jobs=jobs, target=str(target)))
    subprocess.run(
        [program, "-t", "-q", "-p", str(script)], cwd=folder, capture_output=True, timeout=600, check=False
    )
    told: list[dict[str, Any]] = json.loads(target.read_text())
    return told


def ours(match: Match) -> list[Figures]:
    """The figures of our own record."""
    return [_our_game(match, game) for game in match.games]


def _our_game(match: Match, game: Game) -> Figures:
    boards = [
        position_id(before)
        for turn, before in walk(game, match.ruleset)
        if turn.act is Act.PLAY and turn.play
    ]
    points = _left_to_win(game.score, game.winner, game.points, match.length)
    return Figures(game.score, game.winner, points, boards)


def _left_to_win(score: tuple[int, int], winner: int | None, points: int, length: int) -> int:
    """The last game of a match may be written down in full or as what was left to win; take the latter."""
    return 0 if winner is None else min(points, length - score[winner])


def theirs(told: dict[str, Any]) -> list[Figures]:
    """gnubg's figures."""
    games = []
    for game in told["games"]:
        info = game["info"]
        winner = {"X": 0, "O": 1}.get(info.get("winner"))
        score, length = (info["score-X"], info["score-O"]), told["match-info"]["match-length"]
        points = _left_to_win(score, winner, info.get("points-won", 0), length)
        boards = [act["board"] for act in game["game"] if act["action"] == "move" and act.get("move")]
        games.append(Figures(score, winner, points, boards))
    return games


def main() -> None:
    found = matches()
    folder = Path(tempfile.mkdtemp(prefix="kibitz-interop-"))
    paths = []
    for number, match in enumerate(found):
        for name in ("mat", "sgf"):
            paths.append(folder / f"{number}.{name}")
            paths[-1].write_bytes(format_named(name).encode(match))
    told = [theirs(match) for match in gnubg_reads(paths, folder)]
    shutil.rmtree(folder)
    pairs = [(ours(found[i // 2]), match) for i, match in enumerate(told)]
    differ = [path.name for path, (one, other) in zip(paths, pairs, strict=True) if one != other]
    boards = [board for one, other in pairs for board in _boards(one, other)]
    sample = Random(1).sample(boards, SAMPLES)
    same, games = sum(x == y for x, y in sample), sum(len(match.games) for match in found)
    print(
        f"gnubg reads {games} games as .mat and as .sgf: {len(differ)} of {len(paths)} files differ {differ}"
    )
    print(f"the same Position ID at {same} of {len(sample)} sampled moves (of {len(boards)})")
    sys.exit(bool(differ) or same < len(sample))


def _boards(one: list[Figures], other: list[Figures]) -> list[tuple[str, str]]:
    games = zip(one, other, strict=False)
    return [pair for a, b in games for pair in zip(a.boards, b.boards, strict=False)]


if __name__ == "__main__":
    main()
