"""The neural network of the `bgsage` extra as the judge of whole games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.plays import legal_plays
from engine.position import Position, turned
from engine.record import Act, Game, Match, Turn, after_turn, walk
from engine.rules import Ruleset
from kibitz.analysis import CubeError, Judged, Judgement
from kibitz.coach import CoachError, sage_board

#: What bgsage calls its level of one ply ahead; one more takes ten times as long.
LEVEL, PLIES = "2ply", 1


@dataclass(frozen=True, slots=True)
class _Cube:
    """The cube: its value and who owns it (None: the middle)."""

    value: int = 1
    owner: int | None = None

    def after(self, turn: Turn) -> _Cube:
        if turn.act in (Act.DOUBLE, Act.BEAVER):
            return replace(self, value=turn.value)
        return replace(self, owner=turn.side) if turn.act is Act.TAKE else self

    def seen(self, side: int) -> dict[str, Any]:
        owner = "centered" if self.owner is None else "player" if self.owner == side else "opponent"
        return {"cube_value": self.value, "cube_owner": owner}


class SageAnalyst:
    """bgsage, one ply ahead."""

    name, plies = "bgsage", PLIES

    def __init__(self) -> None:
        from bgsage import BgBotAnalyzer

        self._engine = BgBotAnalyzer(eval_level=LEVEL, parallel_threads=1)

    def judge(self, match: Match, number: int, at: Callable[[float], None]) -> Judgement:
        """See `Analyst.judge`."""
        game, plays, cube = match.games[number], {}, _Cube()
        errors: list[CubeError] = []
        for turn_number, (turn, position) in enumerate(walk(game, match.ruleset)):
            terms = self._terms(match, game, turn.side)
            if turn.act is Act.PLAY and all(position.men()):
                first = turn_number == 0 and game.start is None and len(set(turn.roll)) > 1
                plays[turn_number] = self._play(
                    turn, position, match.ruleset, cube.seen(turn.side) | terms, first
                )
            elif turn.act in (Act.DOUBLE, Act.TAKE, Act.DROP):
                errors += self._cube_act(match, game, turn_number, turn, position, cube)
            cube = cube.after(turn)
            at((turn_number + 1) / len(game.turns))
        return Judgement(plays, tuple(errors))

    def _terms(self, match: Match, game: Game, side: int) -> dict[str, Any]:
        away = [max(1, match.length - won) if match.length else 0 for won in game.score]
        money = {"jacoby": False, "beaver": False}
        return {"away1": away[side], "away2": away[1 - side], "is_crawford": game.crawford} | money

    def _play(
        self, turn: Turn, position: Position, rules: Ruleset, terms: dict[str, Any], first: bool
    ) -> Judged:
        legal = {play.result.points[1:]: play for play in legal_plays(position, turn.roll, rules)}
        luck = self._luck(turn, position, terms | {"is_opening_roll": first})
        if len(legal) == 1 and turn.play is not None:
            return Judged(0.0, luck=luck, forced=True)
        rated = self._asked("checker_play", sage_board(position), turn.roll[0], turn.roll[1], **terms).moves
        known = [move for move in rated if tuple(move.board[1:]) in legal]
        after = after_turn(position, turn, rules)
        mine = next((move for move in known if legal[tuple(move.board[1:])].result == after), None)
        if mine is None or turn.play is None:
            return Judged(None, luck=luck)
        best = max(known, key=lambda move: move.equity)
        return Judged(best.equity - mine.equity, mine.equity, legal[tuple(best.board[1:])].hops, luck, False)

    def _luck(self, turn: Turn, position: Position, terms: dict[str, Any]) -> float | None:
        found = self._asked("roll_luck", sage_board(position), turn.roll[0], turn.roll[1], **terms)
        return None if found is None else float(found.luck)

    def _cube_act(
        self, match: Match, game: Game, number: int, turn: Turn, position: Position, cube: _Cube
    ) -> Iterator[CubeError]:
        """An act that costs something; an answer is judged on the question that the doubler asked."""
        doubling = turn.act is Act.DOUBLE
        doubler = turn.side if doubling else 1 - turn.side
        if not doubling:
            position, cube = turned(position, match.ruleset), replace(cube, value=cube.value // 2)
        terms = cube.seen(doubler) | self._terms(match, game, doubler)
        found = self._asked("cube_action", sage_board(position), **terms)
        taken, passed, best = found.equity_dt, found.equity_dp, min(found.equity_dt, found.equity_dp)
        costs = {Act.DOUBLE: found.equity_nd - best, Act.TAKE: taken - passed, Act.DROP: passed - taken}
        if costs[turn.act] > 0:
            yield CubeError(f"wrong_{turn.act}", turn.side, costs[turn.act], number)

    def _asked(self, question: str, *values: Any, **terms: Any) -> Any:
        try:
            return getattr(self._engine, question)(*values, **terms)
        except (ValueError, RuntimeError) as error:
            raise CoachError(f"bgsage gives no answer ({error}); go on without it") from error
