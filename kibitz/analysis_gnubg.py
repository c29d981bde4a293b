"""GNU Backgammon as the judge of whole games: it reads and writes SGF, as a process of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.errors import KibitzError
from engine.plays import legal_plays
from engine.position import Position
from engine.record import Act, Match, Turn, walk
from engine.repairs import Lost
from engine.resolve import resolve
from engine.rules import BACKGAMMON, Ruleset
from engine.sgf import Node, hops_of, losses_sgf, trees, write_sgf
from kibitz.analysis import CubeError, Judged, Judgement
from kibitz.coach import CoachError, run_gnubg

#: Plies that plays and the cube are looked at; how long one game may take, seconds.
PLIES, PATIENCE = 2, 1800.0
#: The kinds of cube errors in the order of gnubg's game statistics; each with whose act it is.
_KINDS = (
    ("missed_double", Act.PLAY),
    ("missed_double", Act.PLAY),
    ("wrong_double", Act.DOUBLE),
    ("wrong_double", Act.DOUBLE),
    ("wrong_take", Act.TAKE),
    ("wrong_drop", Act.DROP),
)
#: Decisions, doubles, takes and passes stand before the counts of errors, each for both sides; then come the
#: costs of one side and of the other, by points and by winning chances.
_COUNTS = 4
_COMMANDS = """set automatic roll off
set automatic game off
set confirm new off
set confirm save off
set analysis chequerplay evaluation plies {plies}
set analysis cubedecision evaluation plies {plies}
load match "{source}"
analyse match
save match "{target}"
quit
y
"""


class GnubgAnalyst:
    """Debian's gnubg."""

    name = "GNU Backgammon"

    def __init__(self, program: str, plies: int = PLIES) -> None:
        self._program, self.plies = program, plies

    def judge(self, match: Match, number: int, at: Callable[[float], None]) -> Judgement:
        """See `Analyst.judge`."""
        at(0.0)
        one = replace(match, rules=BACKGAMMON.name, headers=(), games=(match.games[number],))
        lost = {loss.what for loss in losses_sgf(one)} & {Lost.START, Lost.TABLE, Lost.UNKNOWN}
        if lost:
            raise CoachError("gnubg cannot follow this game: a play is not known, or it began elsewhere")
        with TemporaryDirectory(prefix="kibitz-") as folder:
            nodes = self._analysed(one, Path(folder))
        return judgement(one, nodes, match.ruleset)

    def _analysed(self, match: Match, folder: Path) -> list[Node]:
        source, target = folder / "in.sgf", folder / "out.sgf"
        commands = _COMMANDS.format(plies=self.plies, source=source, target=target)
        try:
            source.write_text(write_sgf(_bare(match)), encoding="utf-8")
            run_gnubg(self._program, commands, PATIENCE)
            return next(trees(target.read_text(encoding="utf-8", errors="replace")))
        except (OSError, KibitzError, StopIteration, subprocess.TimeoutExpired) as error:
            raise CoachError(f"{self._program}: did not analyse the game ({error})") from error


def _bare(match: Match) -> Match:
    """The match without what gnubg need not see: names may hold anything."""
    games = [
        replace(game, turns=tuple(replace(t, note="", t=None, confidence=None) for t in game.turns))
        for game in match.games
    ]
    return replace(match, names=("White", "Black"), games=tuple(games))


def judgement(match: Match, nodes: Sequence[Node], rules: Ruleset) -> Judgement:
    """What gnubg wrote beside the turns of a match of one game.

    Raises:
        CoachError: the nodes are not the turns of this game.
    """
    game = match.games[0]
    moves = [node for node in nodes[1:] if "W" in node or "B" in node]
    turns = [(n, turn, position) for n, (turn, position) in enumerate(walk(game, rules))]
    turns = [entry for entry in turns if entry[1].act is not Act.RESIGN]
    if len(moves) != len(turns):
        raise CoachError("gnubg left out a part of this game: it holds a play that cannot be")
    plays = {
        number: _judged(node, turn, position, rules)
        for node, (number, turn, position) in zip(moves, turns, strict=True)
        if turn.act is Act.PLAY
    }
    return Judgement(plays, tuple(_cube_errors(nodes[0], game.turns)))


def _judged(node: Node, turn: Turn, position: Position, rules: Ruleset) -> Judged:
    luck = _number(node.get("LU", [""])[0])
    chosen, *rated = node.get("A", [""])
    equities = [_equity(text) for text in rated]
    forced = len(legal_plays(position, turn.roll, rules)) == 1
    played = int(chosen) if chosen.isdecimal() else len(rated)
    if played >= len(rated) or turn.stood_illegal or None in equities:
        return Judged(None, luck=luck, forced=forced)
    best = max(range(len(rated)), key=lambda n: equities[n] or 0.0)
    mine, top = equities[played] or 0.0, equities[best] or 0.0
    play = resolve(position, turn.roll, hops_of(rated[best].split()[0], turn.side), rules)
    return Judged(max(0.0, top - mine), mine, () if play is None else play.hops, luck, forced)


def _equity(text: str) -> float | None:
    """The equity of a rated move: letters, the kind of evaluation, five chances, then it."""
    words = text.split()
    return _number(words[9]) if len(words) > 9 and words[1] == "E" else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _cube_errors(head: Node, turns: Sequence[Turn]) -> Iterator[CubeError]:
    """gnubg's sums by kind; an error of the only act of its kind in the game has its turn."""
    text = next((value[2:] for value in head.get("GS", []) if value.startswith("C:")), "")
    figures = [_number(word) or 0.0 for word in text.split()]
    for kind, (name, act) in enumerate(_KINDS):
        for side in (0, 1):
            at = 2 * (_COUNTS + kind) + side
            cost_at = 2 * (_COUNTS + len(_KINDS)) + 2 * (len(_KINDS) * side + kind)
            if len(figures) <= cost_at or figures[at] < 1:
                continue
            acts = [n for n, turn in enumerate(turns) if turn.act is act and turn.side == side]
            count, cost = int(figures[at]), abs(figures[cost_at])
            turn = acts[0] if len(acts) == 1 and act is not Act.PLAY else None
            yield from [CubeError(name, side, cost / count, turn)] * count
