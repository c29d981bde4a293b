"""Money play and matches: score, cube, Crawford, Jacoby, beavers, resignations, and who has won.

Values only: each function gives a new `Standing` or raises `RulesError` for what the rules refuse.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from engine.errors import RulesError
from engine.ruleset import Outcome, Roll, Ruleset


class Goal(StrEnum):
    """What a match is played to."""

    POINTS = "points"
    WINS = "wins"


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed before the first game. `length` 0: money play, no end.

    `cube`: a doubling cube is used. `crawford`: one game without it when a player first stands one point
    short. In money play `jacoby` lets double and triple wins count only after a double, `beavers` lets the
    taker double back at once and keep the cube.
    """

    length: int = 0
    goal: Goal = Goal.POINTS
    cube: bool = True
    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False


def terms_of(rules: Ruleset) -> Terms:
    """The usual terms of a game: predators go to 15 points without a cube, backgammon is played for money.

    >>> from engine.rules import RULESETS
    >>> terms_of(RULESETS["predators"]).length
    15
    """
    return Terms(rules.match_to, cube=rules.doubling_cube)


def three_wins() -> Terms:
    """The simple form of predators: the first to win three games."""
    return Terms(3, Goal.WINS, cube=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands. Sides are 0 and 1; `owner` None: the cube is in the middle.

    `offered`: the side whose double waits for an answer. `crawford_game`: this game is the one without the
    cube; `crawford_over`: it has been played.
    """

    terms: Terms
    score: tuple[int, int] = (0, 0)
    cube: int = 1
    owner: int | None = None
    offered: int | None = None
    crawford_game: bool = False
    crawford_over: bool = False

    @property
    def winner(self) -> int | None:
        """The side that has won the match, None while it goes on and in money play."""
        if not self.terms.length:
            return None
        return next((side for side in (0, 1) if self.score[side] >= self.terms.length), None)


def is_dead(standing: Standing, side: int) -> bool:
    """Whether the cube could win nothing more for a side: the value it has already ends the match."""
    terms = standing.terms
    return terms.length > 0 and standing.score[side] + standing.cube >= terms.length


def may_double(standing: Standing, side: int) -> bool:
    """Whether a side may offer a double before its throw."""
    terms = standing.terms
    return (
        terms.cube
        and standing.winner is None
        and standing.offered is None
        and not standing.crawford_game
        and standing.owner in (None, side)
        and not is_dead(standing, side)
    )


def double(standing: Standing, side: int) -> Standing:
    """A double is offered; `take`, `beaver` or `drop` answers it.

    Raises:
        RulesError: the side may not double now.
    """
    if not may_double(standing, side):
        raise RulesError(f"side {side} may not double: {_why_not(standing, side)}")
    return replace(standing, offered=side)


def _why_not(standing: Standing, side: int) -> str:
    if not standing.terms.cube:
        return "this game has no cube"
    if standing.crawford_game:
        return "this is the Crawford game"
    if standing.offered is not None:
        return "a double waits for its answer"
    if standing.owner not in (None, side):
        return "the other side owns the cube"
    return "the cube is dead" if is_dead(standing, side) else "the match is over"


def take(standing: Standing) -> Standing:
    """The double is taken: the cube is worth twice as much and belongs to the taker.

    Raises:
        RulesError: there is no double to take.
    """
    side = _offered(standing)
    return replace(standing, cube=2 * standing.cube, owner=1 - side, offered=None)


def beaver(standing: Standing) -> Standing:
    """The double is taken and doubled back at once; the cube stays with the taker.

    Raises:
        RulesError: there is no double, or beavers were not agreed; they are for money play only.
    """
    if standing.terms.length or not standing.terms.beavers:
        raise RulesError("no beavers here: they are for money play, where they were agreed")
    taken = take(standing)
    return replace(taken, cube=2 * taken.cube)


def drop(standing: Standing) -> Standing:
    """The double is refused: its side wins what the cube was worth.

    Raises:
        RulesError: there is no double to refuse.
    """
    return _scored(standing, _offered(standing), standing.cube)


def _offered(standing: Standing) -> int:
    if standing.offered is None:
        raise RulesError("no double was offered, so there is nothing to answer")
    return standing.offered


def worth(standing: Standing, outcome: Outcome) -> int:
    """Points for the winner of a game that was played out.

    By Jacoby's rule a win counts once while the cube is in the middle.
    """
    terms = standing.terms
    plain = terms.jacoby and not terms.length and terms.cube and standing.owner is None
    multiple = min(1, outcome.points) if plain else outcome.points
    return multiple * standing.cube


def finish(standing: Standing, outcome: Outcome, mover: int) -> Standing:
    """A game was played out, its outcome told in `mover`'s view: the standing before the next game."""
    if outcome.winner is None:
        return _scored(standing, 0, 0)
    return _scored(standing, mover if outcome.winner == 0 else 1 - mover, worth(standing, outcome))


def resign(standing: Standing, side: int, multiple: int = 1) -> Standing:
    """A side gives the game up as a single (1), double (2) … loss.

    Raises:
        RulesError: a game cannot be lost so.
    """
    if multiple < 1:
        raise RulesError(f"a resignation gives at least a single game, not {multiple}")
    lost = Outcome(1, multiple, "resigned")
    return finish(replace(standing, offered=None), lost, side)


def _scored(standing: Standing, winner: int, points: int) -> Standing:
    """The standing before the next game."""
    gained = min(1, points) if standing.terms.goal is Goal.WINS else points
    score = (standing.score[0] + gained * (winner == 0), standing.score[1] + gained * (winner == 1))
    over = standing.crawford_over or standing.crawford_game
    terms = standing.terms
    short = terms.length - 1 in score and terms.length > 0 and max(score) < terms.length
    crawford = terms.cube and terms.crawford and short and not over
    return Standing(terms, score, crawford_game=crawford, crawford_over=over)


def new_match(terms: Terms) -> Standing:
    """The standing before the first game; a match to one point is a Crawford game from the start.

    >>> may_double(new_match(Terms(5)), 0)
    True
    """
    return Standing(terms, crawford_game=terms.cube and terms.crawford and terms.length == 1)


def opening(light: int, dark: int) -> tuple[int, Roll] | None:
    """Who begins when each side has thrown one die, and with which roll; None: equal dice, throw again.

    >>> opening(2, 5)
    (1, (5, 2))
    """
    if light == dark:
        return None
    return int(dark > light), (max(light, dark), min(light, dark))
