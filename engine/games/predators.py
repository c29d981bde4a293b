"""Predator nardy: checkers are eaten, also backwards; who has more left wins by the difference."""

from engine.position import Position
from engine.ruleset import Outcome, Ruleset

START = Position((0, -15, *(0,) * 22, 15, 0))


def both_stuck(position: Position, _rules: Ruleset, passes: int) -> Outcome | None:
    """Two passes in a row end the game, and so does a side with nothing left."""
    mine, theirs = position.men()
    if passes < 2 and mine and theirs:
        return None
    if mine == theirs:
        return Outcome(None, 0, "draw")
    return Outcome(0 if mine > theirs else 1, abs(mine - theirs), "difference")


RULES = Ruleset(
    name="predators",
    start=START,
    closed_at=16,
    eats=True,
    eats_backwards=True,
    bears_off=False,
    must_play_larger=False,
    over=both_stuck,
    match_to=15,
)
