"""What an engine thinks of the plays of a game, as values; two programs give it, neither is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from engine.plays import Hop
from engine.record import Match
from kibitz.coach import CoachError

#: Equity lost (points, cube at 1) from which on a play is a blunder; below the second one it is no error.
BLUNDER, ERROR = 0.08, 0.02


@dataclass(frozen=True, slots=True)
class Judged:
    """One play. `cost`: equity lost against the best play (>= 0), None where it was not rated; `equity`: what
    the mover stands at after it; `luck`: what the roll gave; `forced`: there was nothing to choose.
    """

    cost: float | None
    equity: float | None = None
    best: tuple[Hop, ...] = ()
    luck: float | None = None
    forced: bool = False


@dataclass(frozen=True, slots=True)
class CubeError:
    """A wrong act of the cube, or none where one was due. `turn` None: somewhere in the game."""

    kind: str
    side: int
    cost: float
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """One game as an engine sees it; `plays` by turn."""

    plays: Mapping[int, Judged] = field(default_factory=dict)
    cube: tuple[CubeError, ...] = ()


class Analyst(Protocol):
    """An engine that goes through whole games."""

    name: str
    #: How far it looks ahead.
    plies: int

    def judge(self, match: Match, number: int, at: Callable[[float], None]) -> Judgement:
        """Judge game `number` of the match; `at` hears how much of it is done, 0-1.

        Raises:
            CoachError: the engine gives no answer, or cannot follow this game.
        """


@dataclass(frozen=True, slots=True)
class Rates:
    """A side's figures: equity lost in plays and with the cube, decisions that were no forced ones, blunders,
    luck (None: not told).
    """

    lost: float = 0.0
    cube_lost: float = 0.0
    decisions: int = 0
    cube_errors: int = 0
    errors: int = 0
    blunders: int = 0
    luck: float | None = None

    @property
    def per_decision(self) -> float:
        """Millipoints lost for each decision, cube errors included."""
        return 1000 * (self.lost + self.cube_lost) / max(1, self.decisions + self.cube_errors)

    @property
    def rating(self) -> float:
        """The figure that players compare (PR): half of it."""
        return self.per_decision / 2


def rates(match: Match, judgements: Mapping[int, Judgement], side: int) -> Rates:
    """A side's figures over all games that were judged."""
    plays = [
        judged
        for number, judgement in judgements.items()
        for turn, judged in judgement.plays.items()
        if match.games[number].turns[turn].side == side
    ]
    cube = [error for judgement in judgements.values() for error in judgement.cube if error.side == side]
    costs = [judged.cost for judged in plays if judged.cost is not None and not judged.forced]
    luck = [judged.luck for judged in plays if judged.luck is not None]
    return Rates(
        sum(costs, 0.0),
        sum((error.cost for error in cube), 0.0),
        len(costs),
        len(cube),
        sum(ERROR <= cost < BLUNDER for cost in [*costs, *(error.cost for error in cube)]),
        sum(cost >= BLUNDER for cost in [*costs, *(error.cost for error in cube)]),
        sum(luck) if luck else None,
    )


def judge_all(
    match: Match, analyst: Analyst, at: Callable[[float], None]
) -> tuple[dict[int, Judgement], dict[int, str]]:
    """Every game that the engine can follow, and why it cannot follow the others; `at` hears games done."""
    judged: dict[int, Judgement] = {}
    failed: dict[int, str] = {}
    for number in range(len(match.games)):
        try:
            judged[number] = analyst.judge(match, number, lambda part, number=number: at(number + part))  # type: ignore[misc]
        except CoachError as error:
            failed[number] = str(error)
        at(number + 1)
    return judged, failed
