"""What the session knows, and the small steps that all its parts share."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from engine.plays import Play
from engine.position import Position, turned
from engine.rules import Ruleset, ruleset
from referee.clock import Clock, fresh
from referee.events import Lit, Noted, Output, PutRight, Refused, Setup, TurnPlayed
from referee.inference import Table, Turn
from referee.layout import DARK, LIGHT, Layout, position_of
from referee.settling import Settling
from referee.signal import Sign, Signal
from referee.throws import Throw
from referee.verdict import Accepted, Difference, Illegal

#: The policy of recordings: everything that happened stands.
STANDS, LEGAL, RESPONSIBLE = "stands", "legal", "responsible"


class Kept(msgspec.Struct, frozen=True):
    """The accepted play of the turn so far, with the time from which it has lain on the table."""

    verdict: Accepted
    side: int
    roll: tuple[int, ...]
    since: float
    until: float


class Candidate(msgspec.Struct, frozen=True):
    """A play that may have been made, with the roll that it takes."""

    side: int
    roll: tuple[int, ...]
    play: Play
    table: tuple[int, ...]


class Override(msgspec.Struct, frozen=True):
    """A place that is read as `seen` while a person says that it holds `true`."""

    place: int
    seen: int
    true: int


class Past(msgspec.Struct, frozen=True):
    """A turn that is over: what was known when it began, and how it went into the record. `cube`: its value
    and owner during the turn.
    """

    base: Position
    side: int | None
    passes: int
    event: TurnPlayed
    cube: tuple[int, int | None] = (1, None)


class State(msgspec.Struct, frozen=True):
    """Everything the session knows. `base` is the position when the turn began, from `side`'s view.

    `rest` is the table as last read at rest; `held` a table that is not judged until it changes (after an
    undo); `ending`: the mover said that the turn is over, and it is judged as soon as the table is at rest.
    """

    setup: Setup
    settling: Settling = Settling()
    layout: Layout | None = None
    base: Position | None = None
    side: int | None = None
    turn: int = 0
    roll: tuple[int, ...] | None = None
    how: str = "seen"
    throw: Throw | None = None
    #: thrown when no throw was due: it does not count
    ignored: Throw | None = None
    roll_since: float = 0.0
    #: dice have lain on the table in this turn: taking them off ends it
    dice_lay: bool = False
    kept: Kept | None = None
    judged: str = ""
    asked: tuple[Candidate, ...] = ()
    pinned: tuple[int, ...] | None = None
    illegal: Illegal | None = None
    trouble: tuple[Difference, ...] = ()
    noted: tuple[str, ...] = ()
    refused: tuple[Difference, ...] = ()
    overrides: tuple[Override, ...] = ()
    rest: tuple[int, ...] | None = None
    held: tuple[int, ...] | None = None
    ending: bool = False
    #: turns passed in a row, which some games count
    passes: int = 0
    past: tuple[Past, ...] = ()
    serial: int = 0
    over: bool = False
    #: how the game ended: `resigned`, `dropped`, or what it was worth
    ended: str = ""
    adjourned: bool = False
    resuming: bool = False
    clock: Clock = Clock()
    score: tuple[int, int] = (0, 0)
    score_before: tuple[int, int] = (0, 0)
    cube: int = 1
    cube_owner: int | None = None
    offered: bool = False
    crawford: bool = False
    crawford_done: bool = False


Step = tuple[State, tuple[Output, ...]]


def begin(setup: Setup) -> State:
    """The state before anything was seen."""
    return State(setup, clock=fresh(setup.clock))


def chain(state: State, *steps: Callable[[State], Step]) -> Step:
    """Run steps one after the other, outputs joined."""
    outs: tuple[Output, ...] = ()
    for one in steps:
        state, more = one(state)
        outs += more
    return state, outs


@lru_cache(maxsize=64)
def _table(rules: str, layout: Layout) -> Table:
    return Table(ruleset(rules), layout)


def rules_of(state: State) -> Ruleset:
    """The state's game."""
    return ruleset(state.setup.rules)


def table_of_state(state: State) -> Table:
    """The state's ruleset and layout together.

    Raises:
        ValueError: the game has not started.
    """
    if state.layout is None:
        raise ValueError("the start position has not been seen yet")
    return _table(state.setup.rules, state.layout)


def expected(state: State) -> tuple[int, ...]:
    """The 28 counts that should lie on the table: the turn's start, or the accepted play so far."""
    if state.kept is not None:
        return state.kept.verdict.table
    assert state.base is not None
    return table_of_state(state).of(LIGHT if state.side is None else state.side, state.base)


def roll_judged(state: State) -> tuple[tuple[int, ...], str]:
    """The roll that the table is judged by, and how it is known: another than was read, where the play says
    so.
    """
    if state.kept is not None and sorted(state.kept.roll) != sorted(state.roll or state.kept.roll):
        return state.kept.roll, "inferred"
    return state.roll or (), state.how


def turns_of(state: State, roll: tuple[int, ...]) -> list[Turn]:
    """The turn, or, while nobody knows who begins, one for each side."""
    assert state.base is not None
    if state.side is not None:
        return [Turn(state.base, state.side, roll)]
    return [Turn(state.base, LIGHT, roll), Turn(turned(state.base, rules_of(state)), DARK, roll)]


def position_on(state: State, side: int, table: tuple[int, ...]) -> Position:
    """28 counts as `side` sees them."""
    known = table_of_state(state)
    return position_of(known.layout, known.rules, side, table)


def read_at_rest(state: State) -> tuple[int, ...]:
    """The likeliest count of each place; what nobody watches is as it should be."""
    evidence, should = state.settling.evidence, expected(state)
    return tuple(evidence.best(i) if evidence.seen(i) else should[i] for i in range(len(should)))


def put_right(state: State, t: float) -> Step:
    """What was wrong is wrong no longer."""
    if state.illegal is None and not state.trouble:
        return state, ()
    return replace(state, illegal=None, trouble=()), (PutRight(t, state.turn), Lit(Signal(t, Sign.OFF)))


def note(
    state: State,
    t: float,
    finding: str,
    places: tuple[int, ...] = (),
    difference: tuple[Difference, ...] = (),
    side: int | None = None,
) -> Step:
    """Note something, once in a turn."""
    if finding in state.noted:
        return state, ()
    who = state.side if side is None else side
    said = Noted(t, state.turn, who, finding, places, difference)
    return replace(state, noted=(*state.noted, finding)), (said,)


def refuse(state: State, t: float, why: str) -> Step:
    """A wish that does not fit the moment."""
    return state, (Refused(t, why),)


def lit(state: State, signal: Signal) -> tuple[Output, ...]:
    """The signal, unless the players are to find out for themselves."""
    silent = state.setup.policy == RESPONSIBLE and signal.sign is Sign.ILLEGAL
    return () if silent else (Lit(signal),)
