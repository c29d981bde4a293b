"""The session: a pure function from (state, input) to (state, outputs).

It keeps no clock and no device; time comes in with the inputs, so a journal of inputs replays to the same
outputs.
A turn is committed when it ends: dice lifted, the next throw seen, or the mover says so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from engine.notation import format_play
from engine.plays import Play, result_of
from engine.position import Position, turned
from engine.rules import Ruleset, ruleset
from referee import settling as settle
from referee.counting import free_reading
from referee.events import (
    Ended,
    GameOver,
    Gap,
    IllegalSeen,
    Input,
    Judged,
    LetStand,
    Lit,
    Output,
    PutRight,
    Rolled,
    RollGiven,
    Seen,
    Setup,
    Started,
    Still,
    TurnEnd,
    TurnPlayed,
    WrongStart,
)
from referee.inference import Table, Turn, borne_off, checkers, differences, infer, whole_set
from referee.layout import DARK, LIGHT, Layout, place_of, position_of
from referee.settling import Settling
from referee.signal import Sign, Signal
from referee.start import all_points_seen, fit_start, start_tables
from referee.throws import Throw, other_rolls, same_throw
from referee.verdict import Accepted, Ambiguous, Desynced, Difference, Illegal, Incomplete, Verdict

#: An illegal play is named only after the table has shown it, untouched, for this long.
ILLEGAL_SECONDS = 0.8
#: What confidence a play loses when it takes another reading of the dice than the likeliest.
DICE_DOUBT = 0.1
#: The same for a question to the players, and for the loss of the thread.
ASK_SECONDS = 1.5


class Kept(msgspec.Struct, frozen=True):
    """The accepted play of the turn so far, with the time from which it has lain on the table."""

    verdict: Accepted
    side: int
    roll: tuple[int, ...]
    since: float
    until: float


class State(msgspec.Struct, frozen=True):
    """Everything the session knows. `base` is the position when the turn began, from `side`'s view."""

    setup: Setup
    settling: Settling = Settling()
    layout: Layout | None = None
    base: Position | None = None
    side: int | None = None
    turn: int = 0
    roll: tuple[int, ...] | None = None
    throw: Throw | None = None
    roll_since: float = 0.0
    kept: Kept | None = None
    judged: str = ""
    illegal: Illegal | None = None
    lost: bool = False
    refused: tuple[Difference, ...] = ()
    #: turns passed in a row, which some games count
    passes: int = 0
    over: bool = False


Step = tuple[State, tuple[Output, ...]]


def begin(setup: Setup) -> State:
    """The state before anything was seen."""
    return State(setup)


def step(state: State, given: Input) -> Step:
    """One input → the next state and what happened. Pure; raises `RulesError` only for an unknown ruleset."""
    rules = ruleset(state.setup.rules)
    if state.over:
        return state, ()
    if isinstance(given, Ended):
        return _close(state, given.t) if state.roll is not None else (state, ())
    if isinstance(given, RollGiven):
        return _rolled(state, given.t, given.roll, None)
    if isinstance(given, TurnEnd):
        return _close(state, given.t) if state.roll is not None else (state, ())
    if isinstance(given, LetStand):
        return _stood(state, given.t) if state.illegal is not None else (state, ())
    state = replace(state, settling=_settled(state.settling, given, rules.dice))
    if not state.settling.at_rest:
        return state, ()
    return _look(state, given.t)


def _settled(settling: Settling, given: Seen | Still, dice: int) -> Settling:
    return (
        settle.still(settling, given.t)
        if isinstance(given, Still)
        else settle.seen(settling, given.look, dice)
    )


def _chain(state: State, *steps: Callable[[State], Step]) -> Step:
    """Run steps one after the other, outputs joined."""
    outs: tuple[Output, ...] = ()
    for one in steps:
        state, more = one(state)
        outs += more
    return state, outs


@lru_cache(maxsize=64)
def _table(rules: str, layout: Layout) -> Table:
    return Table(ruleset(rules), layout)


def table_of_state(state: State) -> Table:
    """The state's ruleset and layout together.

    Raises:
        ValueError: the game has not started.
    """
    if state.layout is None:
        raise ValueError("the start position has not been seen yet")
    return _table(state.setup.rules, state.layout)


def _look(state: State, t: float) -> Step:
    if state.layout is None:
        return _start(state, t)
    return _chain(state, lambda s: _dice(s, t), lambda s: _judge(s, t), lambda s: _lifted(s, t))


# --- the start -----------------------------------------------------------------------------------------


def _start(state: State, t: float) -> Step:
    evidence = state.settling.evidence
    if not all_points_seen(evidence):
        return state, ()
    rules = ruleset(state.setup.rules)
    fit = fit_start(evidence, _start_choices(state.setup, rules))
    if fit.difference:
        news = (WrongStart(t, fit.difference),) if fit.difference != state.refused else ()
        return replace(state, refused=fit.difference), news
    side = LIGHT if state.setup.side is None else state.setup.side
    base = position_of(fit.layout, rules, side, fit.table)
    state = replace(state, layout=fit.layout, base=base, side=state.setup.side, refused=())
    return state, (Started(t, fit.layout, fit.table),)


def _start_choices(setup: Setup, rules: Ruleset) -> list[tuple[Layout, tuple[int, ...]]]:
    if setup.start is not None:
        return [(setup.layout or Layout(), setup.start)]
    return start_tables(rules) if setup.layout is None else start_tables(rules, (setup.layout,))


# --- dice ----------------------------------------------------------------------------------------------


def _dice(state: State, t: float) -> Step:
    throw = state.settling.throw
    if throw is None or not throw.settled or state.settling.bare_since is not None:
        return state, ()
    if state.throw is not None and same_throw(state.throw, throw):
        return _reread(state, t, throw)
    close: tuple[Callable[[State], Step], ...] = ()
    if state.roll is not None:
        close = (lambda s: _close(s, t),)
    return _chain(state, *close, lambda s: _rolled(s, t, throw.roll, throw))


def _reread(state: State, t: float, throw: Throw) -> Step:
    if state.roll is None or sorted(throw.roll) == sorted(state.roll):
        return replace(state, throw=throw), ()
    return _rolled(state, t, throw.roll, throw)


def _rolled(state: State, t: float, roll: tuple[int, ...], throw: Throw | None) -> Step:
    if state.over:
        return state, ()
    state = replace(state, roll=roll, throw=throw, roll_since=t, kept=None, judged="")
    return state, (Rolled(t, state.side, roll),)


def _lifted(state: State, t: float) -> Step:
    if state.roll is None or state.kept is None or not state.settling.dice_lifted:
        return state, ()
    return _close(state, t)


# --- judging -------------------------------------------------------------------------------------------


def _turns(state: State, roll: tuple[int, ...]) -> list[Turn]:
    """The turn, or, while nobody knows who begins, one for each side."""
    rules = ruleset(state.setup.rules)
    assert state.base is not None
    if state.side is not None:
        return [Turn(state.base, state.side, roll)]
    return [Turn(state.base, LIGHT, roll), Turn(turned(state.base, rules), DARK, roll)]


def _verdict(state: State, *, finished: bool = False) -> tuple[Turn, Verdict]:
    """The verdict on the roll that was read; where nothing fits it, on the other rolls it may have been.

    So a misread die never makes an accusation: that takes a play which no possible reading of the dice allows.
    """
    assert state.roll is not None
    turn, verdict = _verdict_on(state, state.roll, finished)
    if state.throw is None or isinstance(verdict, Accepted | Incomplete):
        return turn, verdict
    waiting = None
    for roll, share in other_rolls(state.throw):
        other, told = _verdict_on(state, roll, finished)
        if isinstance(told, Accepted):
            return other, replace(told, confidence=round(told.confidence * (1 - DICE_DOUBT), 4))
        if isinstance(told, Incomplete) and told.confidence > 0 and share >= DICE_DOUBT / 10:
            waiting = waiting or (other, told)
    return waiting or (turn, verdict)


def _verdict_on(state: State, roll: tuple[int, ...], finished: bool) -> tuple[Turn, Verdict]:
    """The best side's verdict: an accepted play before all others."""
    table, evidence = table_of_state(state), state.settling.evidence
    rows = [(turn, infer(table, turn, evidence, finished=finished)) for turn in _turns(state, roll)]
    return max(rows, key=lambda row: _rank(row[1]))


def _rank(verdict: Verdict) -> tuple[int, float]:
    if isinstance(verdict, Accepted):
        return 4, verdict.confidence
    order = (Desynced, Illegal, Ambiguous, Incomplete)
    return order.index(type(verdict)), 0.0


def _judge(state: State, t: float) -> Step:
    if state.roll is None:
        return state, ()
    turn, verdict = _verdict(state)
    if isinstance(verdict, Accepted):
        return _chain(state, lambda s: _put_right(s, t), lambda s: _accept(s, t, turn, verdict))
    if isinstance(verdict, Illegal):
        return _accuse(state, t, turn, verdict)
    if isinstance(verdict, Incomplete):
        state = replace(state, kept=None)
        return _chain(state, lambda s: _put_right(s, t), lambda s: _note(s, t, verdict))
    if state.settling.rested < ASK_SECONDS:
        return state, ()
    return _note(state, t, verdict)


def _note(state: State, t: float, verdict: Verdict, play: str = "", confidence: float = 0.0) -> Step:
    name = type(verdict).__name__.lower()
    if state.judged == name + play:
        return state, ()
    outs: tuple[Output, ...] = (Judged(t, state.turn, name, play, confidence),)
    if isinstance(verdict, Ambiguous):
        outs += (Lit(Signal(t, Sign.AMBIGUOUS, verdict.places)),)
    return replace(state, judged=name + play), outs


def _accept(state: State, t: float, turn: Turn, verdict: Accepted) -> Step:
    text = format_play(verdict.play)
    since = state.settling.since if state.settling.since is not None else t
    if state.kept is not None and state.kept.verdict.table == verdict.table:
        since = state.kept.since
    state = replace(state, kept=Kept(verdict, turn.side, turn.roll, since, t))
    known = state.judged == "accepted" + text
    state, outs = _note(state, t, verdict, text, verdict.confidence)
    if known or not verdict.play.hops:
        return state, outs
    places = _places_of(state, turn.side, verdict)
    return state, (*outs, Lit(Signal(t, Sign.ACCEPTED, places)))


def _places_of(state: State, side: int, verdict: Accepted) -> tuple[int, ...]:
    table = table_of_state(state)
    own = {n for hop in verdict.play.hops for n in (hop.src, hop.dst)}
    return tuple(sorted(place_of(table.layout, table.rules, side, n) for n in own))


def _accuse(state: State, t: float, turn: Turn, verdict: Illegal) -> Step:
    if state.settling.rested < ILLEGAL_SECONDS - 1e-9:
        return state, ()
    if state.illegal is not None and state.illegal.table == verdict.table:
        return replace(state, illegal=verdict), ()
    state = replace(state, illegal=verdict, kept=None, judged="illegal")
    seen = IllegalSeen(t, state.turn, turn.side, turn.roll, verdict.places, verdict.reason)
    return state, (seen, Lit(Signal(t, Sign.ILLEGAL, verdict.places)))


def _put_right(state: State, t: float) -> Step:
    if state.illegal is None:
        return state, ()
    return replace(state, illegal=None), (PutRight(t, state.turn), Lit(Signal(t, Sign.OFF)))


# --- the turn's end ------------------------------------------------------------------------------------


def _close(state: State, t: float) -> Step:
    """The turn is over: put it into the record, or say why it cannot be."""
    turn, verdict = _verdict(state, finished=True) if state.settling.at_rest else (None, None)
    if turn is not None and isinstance(verdict, Accepted):
        state, outs = _accept(state, t, turn, verdict)
        state, played = _played(state, t)
        return state, outs + played
    if turn is not None and isinstance(verdict, Illegal):
        state, outs = _chain(
            replace(state, settling=_rested(state.settling)), lambda s: _accuse(s, t, turn, verdict)
        )
        if state.setup.policy != "stands":
            return state, outs
        state, stood = _stood(state, t, turn)
        return state, outs + stood
    if state.kept is not None:
        return _played(state, t)
    if turn is not None and isinstance(verdict, Ambiguous):
        return _guess(state, t, turn, verdict)
    return _gap(state, t)


def _rested(settling: Settling) -> Settling:
    """Settling that counts as long enough: the turn's end is evidence enough that the play stands."""
    since = settling.until - ILLEGAL_SECONDS
    return replace(settling, since=since if settling.since is None else min(settling.since, since))


def _guess(state: State, t: float, turn: Turn, verdict: Ambiguous) -> Step:
    """The turn ended unanswered: the likeliest stands, with the confidence it has and the others named."""
    table = table_of_state(state)
    play = verdict.candidates[0]
    others = tuple(format_play(p) for p in verdict.candidates[1:4])
    share = round(1 / len(verdict.candidates), 4)
    accepted = Accepted(play, table.of(turn.side, play.result), share, others)
    return _played(replace(state, kept=Kept(accepted, turn.side, turn.roll, t, t)), t)


def _played(state: State, t: float) -> Step:
    kept = state.kept
    assert kept is not None
    verdict, text = kept.verdict, format_play(kept.verdict.play)
    event = TurnPlayed(
        t, state.turn, kept.side, kept.roll, verdict.play, text, verdict.table, verdict.confidence,
        state.roll_since, kept.since, verdict.others,
    )  # fmt: skip
    return _next_turn(state, t, kept.side, verdict.play.result, event)


def _stood(state: State, t: float, turn: Turn | None = None) -> Step:
    """An illegal play stands: recorded as such, the game goes on from it."""
    assert state.illegal is not None
    assert state.roll is not None
    side = turn.side if turn is not None else _verdict(state)[0].side
    table = table_of_state(state)
    result = position_of(table.layout, table.rules, side, state.illegal.table)
    event = TurnPlayed(
        t, state.turn, side, state.roll, None, "", state.illegal.table, 1.0, state.roll_since, t, (), True
    )
    return _next_turn(replace(state, illegal=None), t, side, result, event)


def _gap(state: State, t: float) -> Step:
    """Nothing explains the table. Go on from what is seen when it is a whole set of checkers, else from
    before.
    """
    assert state.roll is not None
    turns, evidence, table = _turns(state, state.roll), state.settling.evidence, table_of_state(state)
    turn = turns[0]
    free, _ = free_reading(evidence, checkers(table, turn), borne_off(table, turn))
    before = table.of(turn.side, turn.before)
    resumed = free is not None and whole_set(table, turn, free, evidence)
    seen = free if free is not None else tuple(evidence.best(i) for i in range(len(before)))
    diff = differences(before, seen, evidence)
    state, outs = _next_turn(state, t, turn.side, turn.before, Gap(t, state.turn, diff, resumed))
    if not resumed:
        return state, outs
    # A whole turn may have been missed: whose turn it is now, the next play will tell.
    return replace(state, base=position_of(table.layout, table.rules, LIGHT, seen), side=None), outs


def _next_turn(state: State, t: float, side: int, result: Position, event: Output) -> Step:
    rules = ruleset(state.setup.rules)
    passes = state.passes + 1 if isinstance(event, TurnPlayed) and _passed(event.play) else 0
    ended = result_of(result, rules, passes)
    if ended is not None:
        winner = None if ended.winner is None else (side, 1 - side)[ended.winner]
        return replace(state, over=True, kept=None), (event, GameOver(t, winner, ended.points, ended.name))
    following = replace(
        state, base=turned(result, rules), side=1 - side, roll=None, kept=None, judged="", passes=passes,
        turn=state.turn + isinstance(event, TurnPlayed),
    )  # fmt: skip
    return following, (event, Lit(Signal(t, Sign.YOUR_TURN, (), 1 - side)))


def _passed(play: Play | None) -> bool:
    return play is not None and not play.hops
