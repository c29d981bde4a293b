"""Checkers of both colours on one place: a sensor board feels it, and no position can say it."""

from __future__ import annotations

from referee.findings import Finding
from referee.inference import CLEAR, Turn
from referee.layout import LIGHT
from referee.observation import Observation
from referee.state import State, table_of_state, turns_of
from referee.verdict import Difference, Illegal, Incomplete, Verdict

REASON = "checkers of both colours stand on one place"


def verdict_on_mixed(state: State, roll: tuple[int, ...], *, finished: bool) -> tuple[Turn, Verdict] | None:
    """The verdict while a place holds both colours, None when none does.

    A hit in the making looks so for a while: it is waited for, until the turn is ended with the hit checker
    still there.
    """
    look = state.settling.last
    if look is None or not look.mixed:
        return None
    turn = _turn(state, roll, look.mixed[0])
    before = table_of_state(state).of(turn.side, turn.before)
    if not finished and all(_hit_in_the_making(state, turn, before[place]) for place in look.mixed):
        return turn, state.illegal or Incomplete(0.0)
    diff = mixed_differences(look, before)
    table = tuple(b.best if b.seen else n for b, n in zip(look.places, before, strict=True))
    return turn, Illegal(REASON, tuple(d.place for d in diff), table, CLEAR, Finding.BOTH_COLOURS)


def both_colours_lie(state: State) -> bool:
    """True while the newest look has both colours on some place."""
    return state.settling.last is not None and bool(state.settling.last.mixed)


def mixed_differences(look: Observation, should: tuple[int, ...]) -> tuple[Difference, ...]:
    """Where the look differs from what should lie there; a place with both colours always does."""
    return tuple(
        Difference(place, n, found.best)
        for place, (found, n) in enumerate(zip(look.places, should, strict=True))
        if place in look.mixed or (found.seen and found.best != n)
    )


def _turn(state: State, roll: tuple[int, ...], place: int) -> Turn:
    """The turn; while nobody knows who begins, that of the side whose checker came to the place."""
    turns = turns_of(state, roll)
    lay_there = table_of_state(state).of(turns[0].side, turns[0].before)[place]
    return next((turn for turn in turns if _sign(turn) * lay_there < 0), turns[0])


def _sign(turn: Turn) -> int:
    return 1 if turn.side == LIGHT else -1


def _hit_in_the_making(state: State, turn: Turn, lay_there: int) -> bool:
    """Whether the mover may hit, or eat, what lay on the place."""
    return 0 < -_sign(turn) * lay_there < table_of_state(state).rules.closed_at
