"""One turn from its roll to its end: everything that may follow when the table is at rest."""

from __future__ import annotations

from msgspec.structs import replace

from referee.dice import cocked_seen, dice_seen
from referee.events import Lit, Resumed
from referee.findings import way_back
from referee.inference import differences
from referee.judging import ASK_SECONDS, idle, judge, verdict_of
from referee.signal import Sign, Signal
from referee.state import (
    STANDS,
    State,
    Step,
    chain,
    read_at_rest,
)  # fmt: skip
from referee.turn_end import close, close_unrolled, missed_roll
from referee.verdict import Accepted


def look(state: State, t: float) -> Step:
    """The table is at rest: everything that may follow from what it shows."""
    if state.setup.policy == STANDS:
        return chain(state, lambda s: _dice(s, t), lambda s: judge(s, t), lambda s: _lifted(s, t))
    state, compared = _compared(state, t)
    state = replace(state, rest=read_at_rest(state))
    if state.held is not None and state.held == state.rest:
        return state, compared
    state, outs = chain(
        replace(state, held=None), lambda s: cocked_seen(s, t), lambda s: _dice(s, t), lambda s: judge(s, t),
        lambda s: idle(s, t), lambda s: _ended(s, t), lambda s: _lifted(s, t),
    )  # fmt: skip
    return state, compared + outs


def _dice(state: State, t: float) -> Step:
    return dice_seen(state, t, close, missed_roll, _may_end)


def _may_end(state: State) -> bool:
    return state.kept is not None or isinstance(verdict_of(state, finished=True)[1], Accepted)


def _compared(state: State, t: float) -> Step:
    """After a pause: what lies otherwise than it lay before."""
    if not state.resuming:
        return state, ()
    state = replace(state, resuming=False)
    before = state.rest
    if before is None:
        return state, (Resumed(t, ()),)
    now = read_at_rest(state)
    diff = differences(before, now, state.settling.evidence)
    hint = (Lit(Signal(t, Sign.HINT, way_back(now, before))),) if diff else ()
    return state, (Resumed(t, diff), *hint)


def _lifted(state: State, t: float) -> Step:
    """Dice off the table end the turn, if they were there in it; an unfinished one gets more time."""
    bare = state.settling.bare_since
    if state.roll is None or bare is None or bare < state.roll_since or not state.settling.dice_lifted:
        return state, ()
    if not state.dice_lay:
        return state, ()
    if state.kept is None and (state.setup.policy == STANDS or t - bare < ASK_SECONDS or state.illegal):
        return state, ()
    return close(state, t)


def _ended(state: State, t: float) -> Step:
    if not state.ending:
        return state, ()
    state = replace(state, ending=False)
    return close(state, t) if state.roll is not None else close_unrolled(state, t)
