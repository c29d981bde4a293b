"""The session: a pure function from (state, input) to (state, outputs).

It keeps no clock and no device; time comes in with the inputs, so a journal of inputs replays to the same
outputs. A turn is committed when it ends: dice lifted, the next throw seen, or the mover says so. What people
say (`referee.orders`) supersedes what was recorded; history is never edited.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from engine.rules import Ruleset, ruleset
from referee import orders
from referee import settling as settle
from referee.amending import amend
from referee.both_colours import both_colours_lie
from referee.clock import with_flag
from referee.dice import rolled
from referee.events import (
    Adjourn,
    Amended,
    Chosen,
    ClockPressed,
    Configured,
    Corrected,
    CubeActed,
    Ended,
    Input,
    LetStand,
    Lit,
    NextGame,
    Resigned,
    Resume,
    Resync,
    RollGiven,
    Seen,
    Setup,
    Started,
    Still,
    Tick,
    TurnEnd,
    TurnUndone,
    WrongStart,
)  # fmt: skip
from referee.findings import Finding
from referee.layout import LIGHT, Layout, position_of
from referee.orders import corrected_look
from referee.signal import Sign, Signal
from referee.start import all_points_seen, fit_start, start_tables
from referee.state import STANDS, State, Step, begin, expected, note, refuse, table_of_state
from referee.turn_end import close, press, stood
from referee.turnflow import look

__all__ = ["State", "Step", "begin", "known_tables", "step", "table_of_state"]

#: What may still be said when the game is over.
AFTERWARDS = (TurnUndone, Amended, NextGame, Configured)


def step(state: State, given: Input) -> Step:
    """One input → the next state and what happened. Pure; raises `RulesError` only for an unknown ruleset."""
    ruleset(state.setup.rules)
    if state.over and not isinstance(given, AFTERWARDS):
        return _watched(state, given), ()
    return _HANDLERS[type(given)](state, given)


def known_tables(state: State) -> tuple[tuple[int, ...], ...]:
    """The positions (28 counts) that the table may show now, likeliest first."""
    if state.layout is None:
        return tuple(table for _, table in _start_choices(state.setup, ruleset(state.setup.rules)))
    tables = [t for t in (state.rest, expected(state)) if t is not None]
    return tuple(dict.fromkeys(tables))


def _watched(state: State, given: Input) -> State:
    """The table is looked at also while nothing is judged: it may be set up for the next game meanwhile."""
    if isinstance(given, Still):
        return replace(state, settling=settle.still(state.settling, given.t))
    if not isinstance(given, Seen):
        return state
    shown = corrected_look(state, given.look) if state.overrides else given.look
    return replace(state, settling=settle.seen(state.settling, shown, _dice(state)))


def _looked(state: State, given: Seen | Still) -> Step:
    state = _watched(state, given)
    return (state, ()) if state.adjourned else _settled(state, given.t)


def _dice(state: State) -> int:
    return ruleset(state.setup.rules).dice


def _settled(state: State, t: float) -> Step:
    if not state.settling.at_rest:
        return state, ()
    return _start(state, t) if state.layout is None else look(state, t)


# --- the start -----------------------------------------------------------------------------------------


def _start(state: State, t: float) -> Step:
    evidence = state.settling.evidence
    if not all_points_seen(evidence) or both_colours_lie(state):
        return state, ()
    rules = ruleset(state.setup.rules)
    fit = fit_start(evidence, _start_choices(state.setup, rules))
    if fit.difference:
        if fit.difference == state.refused:
            return state, ()
        lamps = Lit(Signal(t, Sign.HINT, orders.pairs(fit.difference)))
        hint = () if state.setup.policy == STANDS else (lamps,)
        return replace(state, refused=fit.difference), (WrongStart(t, fit.difference), *hint)
    side = LIGHT if state.setup.side is None else state.setup.side
    base = position_of(fit.layout, rules, side, fit.table)
    state = replace(state, layout=fit.layout, base=base, side=state.setup.side, refused=())
    said = () if state.setup.policy == STANDS else (Lit(Signal(t, Sign.YOUR_TURN, (), state.side)),)
    return state, (Started(t, fit.layout, fit.table), *said)


def _start_choices(setup: Setup, rules: Ruleset) -> list[tuple[Layout, tuple[int, ...]]]:
    if setup.start is not None:
        return [(setup.layout or Layout(), setup.start)]
    return start_tables(rules) if setup.layout is None else start_tables(rules, (setup.layout,))


# --- what the mover says -------------------------------------------------------------------------------


def _ended(state: State, given: Ended) -> Step:
    return close(state, given.t) if state.roll is not None else (state, ())


def _turn_end(state: State, given: TurnEnd) -> Step:
    if state.roll is not None:
        return close(state, given.t)
    if state.setup.policy == STANDS or state.layout is None:
        return state, ()
    return replace(state, ending=True), ()


def _roll_given(state: State, given: RollGiven) -> Step:
    if len(given.roll) != _dice(state):
        return refuse(state, given.t, f"{given.roll} is no roll of this game: it takes {_dice(state)} dice")
    if state.offered:
        return refuse(state, given.t, "a double is offered: take or drop first")
    return rolled(state, given.t, given.roll, None, "typed")


def _let_stand(state: State, given: LetStand) -> Step:
    if state.illegal is None or state.roll is None:
        return refuse(state, given.t, "nothing illegal lies on the table")
    if state.illegal.finding == Finding.BOTH_COLOURS:
        return refuse(state, given.t, "both colours on one place cannot stand: take one of them away")
    return stood(state, given.t)


def _clock_pressed(state: State, given: ClockPressed) -> Step:
    """The side's turn is over; where it may not be, its time goes on."""
    before = state.turn
    if state.layout is not None and state.side in (None, given.side):
        state, outs = _turn_end(state, TurnEnd(given.t))
        if state.turn != before or (state.illegal is not None and not state.over):
            return state, outs
    else:
        outs = ()
    state, clock = press(state, given.t, given.side)
    return state, outs + clock


def _tick(state: State, given: Tick) -> Step:
    clock = with_flag(state.clock, given.t)
    if clock == state.clock:
        return state, ()
    return note(replace(state, clock=clock), given.t, Finding.FLAG_FELL, side=clock.flag)


_HANDLERS: Mapping[type, Callable[[State, Any], Step]] = MappingProxyType(
    {
        Seen: _looked, Still: _looked, RollGiven: _roll_given, TurnEnd: _turn_end, LetStand: _let_stand,
        Ended: _ended, Tick: _tick, ClockPressed: _clock_pressed, Corrected: orders.correct,
        Amended: amend, TurnUndone: orders.undo, Resync: orders.resync, Adjourn: orders.adjourn,
        Resume: orders.resume, Resigned: orders.resign, CubeActed: orders.cube, Chosen: orders.choose_asked,
        NextGame: orders.next_game, Configured: orders.configure,
    }
)  # fmt: skip
