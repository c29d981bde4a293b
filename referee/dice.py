"""Throws that count, throws that do not, and rolls worked out from the play."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

from msgspec.structs import replace

from engine.plays import legal_plays
from referee.clock import run
from referee.counting import free_reading
from referee.events import ClockSet, Gap, Output, Rolled
from referee.findings import Finding
from referee.inference import APART, borne_off, checkers, scored
from referee.state import (
    LEGAL,
    STANDS,
    Candidate,
    State,
    Step,
    chain,
    note,
    rules_of,
    table_of_state,
    turns_of,
)
from referee.throws import Throw, same_throw

#: Leaning dice are spoken of after this many seconds.
COCKED_SECONDS = 0.5
#: The table must have lain so long before a throw on an unfinished play is called premature.
SURE_SECONDS = 0.8

Close = Callable[[State, float], Step]


def dice_seen(state: State, t: float, close: Close, missed: Close, stands: Callable[[State], bool]) -> Step:
    """What the dice on the table mean. `close` ends the turn, `missed` records one whose dice nobody read,
    `stands` tells whether it may end now.
    """
    throw = state.settling.throw
    if throw is None or not throw.settled or state.settling.bare_since is not None:
        return state, ()
    if state.roll is not None and state.settling.last is not None and state.settling.last.dice:
        state = replace(state, dice_lay=True)
    if state.throw is not None and same_throw(state.throw, throw):
        return _reread(state, t, throw)
    if state.ignored is not None and same_throw(state.ignored, throw):
        return state, ()
    if state.roll is None:
        return chain(state, lambda s: missed(s, t), lambda s: rolled(s, t, throw.roll, throw))
    if state.setup.policy != STANDS and not stands(state):
        if state.settling.rested < SURE_SECONDS:
            return state, ()
        return _premature(state, t, throw, close, missed)
    return _next_roll(state, t, throw, close, missed)


def _next_roll(state: State, t: float, throw: Throw, close: Close, missed: Close) -> Step:
    """The next throw ends the turn; where it may not end, the throw does not count."""
    state, outs = close(state, t)
    if state.ending and state.setup.policy != STANDS and not state.over:
        return state, outs  # more looks, or an answer, are waited for: the throw counts after them
    if state.setup.policy == LEGAL and state.roll is not None and not state.over:
        state, more = note(replace(state, ignored=throw), t, Finding.PREMATURE_ROLL)
    else:
        again = (lambda s: (s, ())) if any(isinstance(o, Gap) for o in outs) else (lambda s: missed(s, t))
        state, more = chain(state, again, lambda s: rolled(s, t, throw.roll, throw))
    return state, outs + more


def _premature(state: State, t: float, throw: Throw, close: Close, missed: Close) -> Step:
    """Thrown before the turn was over. Nudged dice are no throw."""
    assert state.roll is not None
    if sorted(throw.roll) == sorted(state.roll):
        return replace(state, throw=throw), ()
    state, outs = note(state, t, Finding.PREMATURE_ROLL)
    if state.setup.policy == LEGAL:
        return replace(state, ignored=throw), outs
    state, more = _next_roll(state, t, throw, close, missed)
    return state, outs + more


def _reread(state: State, t: float, throw: Throw) -> Step:
    if state.roll is None or sorted(throw.roll) == sorted(state.roll) or state.how == "typed":
        return replace(state, throw=throw), ()
    return rolled(state, t, throw.roll, throw)


def rolled(state: State, t: float, roll: tuple[int, ...], throw: Throw | None, how: str = "seen") -> Step:
    """A throw counts from now on; an equal opening throw does not."""
    if state.over or state.offered:
        return state, ()
    if state.setup.opening and not state.past and len(set(roll)) == 1 and state.setup.start is None:
        return note(replace(state, throw=throw, roll=None, noted=()), t, Finding.OPENING_TIE)
    state = replace(
        state, roll=roll, throw=throw if throw is not None else state.throw, roll_since=t, kept=None,
        judged="", how=how, noted=(), ignored=None, asked=(), pinned=None, dice_lay=throw is not None,
    )  # fmt: skip
    outs: tuple[Output, ...] = (Rolled(t, state.side, roll, how),)
    if state.side is not None and state.clock.running is None:
        clock = run(state.clock, state.side, t)
        if clock != state.clock:
            return replace(state, clock=clock), (*outs, ClockSet(t, clock))
    return state, outs


def cocked_seen(state: State, t: float) -> Step:
    """Dice that lean are named; they count for nothing until they are thrown again."""
    since = state.settling.cocked_since
    if since is None:
        return replace(state, noted=tuple(n for n in state.noted if n != Finding.COCKED_DICE)), ()
    return note(state, t, Finding.COCKED_DICE) if t - since >= COCKED_SECONDS else (state, ())


def rolls_that_explain(state: State) -> tuple[Candidate, ...]:
    """Plays with their rolls (dice in falling order) that explain the table about as well as anything can."""
    table, evidence, rules = table_of_state(state), state.settling.evidence, rules_of(state)
    found: list[tuple[float, Candidate]] = []
    _, free = free_reading(evidence, *_counts(state))
    for low_first in combinations_with_replacement(range(1, 7), rules.dice):
        roll = low_first[::-1]
        for turn in turns_of(state, roll):
            best = scored(table, turn, legal_plays(turn.before, roll, rules), evidence)[0]
            if best.play.hops and free - best.score < APART:
                found.append((-best.score, Candidate(turn.side, roll, best.play, best.table)))
    return tuple(candidate for _, candidate in sorted(found, key=lambda row: row[0]))


def _counts(state: State) -> tuple[tuple[int, int], tuple[int, int]]:
    table, turn = table_of_state(state), turns_of(state, ())[0]
    return checkers(table, turn), borne_off(table, turn)
