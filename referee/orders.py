"""What people say to the referee: corrections, undo, adjournment, the cube. They supersede, never edit."""

from __future__ import annotations

from msgspec.structs import replace

from referee.clock import run, started_again, stopped
from referee.events import (
    Adjourn,
    Adjourned,
    Chosen,
    ClockSet,
    Configured,
    Corrected,
    CubeActed,
    CubeTurned,
    Lit,
    NextGame,
    Output,
    Resigned,
    Resume,
    Resync,
    Resynced,
    Superseded,
    TurnUndone,
)  # fmt: skip
from referee.evidence import Evidence, add
from referee.findings import way_back
from referee.judging import STEADY_LOOKS
from referee.layout import LIGHT, Layout
from referee.observation import OFF_DARK, OFF_LIGHT, PLACES, POINTS, Belief, Observation, certain
from referee.settling import Settling
from referee.signal import Sign, Signal
from referee.state import (
    Override,
    State,
    Step,
    begin,
    expected,
    position_on,
    read_at_rest,
    refuse,
    rules_of,
)  # fmt: skip
from referee.turn_end import choose, game_over
from referee.turnflow import look
from referee.verdict import Difference

NOT_STARTED = "the game has not started: the start position has not been seen yet"


def pairs(difference: tuple[Difference, ...]) -> tuple[int, ...]:
    """Where checkers are to be taken from and put, as pairs of places, for the blue lamps."""
    now, wanted = [0] * PLACES, [0] * PLACES
    for d in difference:
        now[d.place], wanted[d.place] = d.seen, d.expected
    return way_back(tuple(now), tuple(wanted))


# --- misreadings ---------------------------------------------------------------------------------------


def correct(state: State, given: Corrected) -> Step:
    """What is read otherwise now is a misreading, and stays one while the same is read."""
    evidence = state.settling.evidence
    if state.settling.since is None:
        return refuse(state, given.t, "the table is not at rest; take the hands off it and try again")
    fresh = {
        i: Override(i, evidence.best(i), n)
        for i, n in enumerate(given.table)
        if evidence.seen(i) and evidence.best(i) != n
    }
    kept = [o for o in state.overrides if o.place not in fresh and given.table[o.place] == o.true]
    told = tuple(certain(n) if evidence.seen(i) else Belief() for i, n in enumerate(given.table))
    settling = _sure(state.settling, told, given.t)
    state = replace(state, overrides=(*kept, *fresh.values()), settling=settling, held=None)
    return look(state, given.t) if state.layout is not None else (state, ())


def _sure(settling: Settling, places: tuple[Belief, ...], t: float) -> Settling:
    """Settling after long agreement on these beliefs: a person's word is worth many looks."""
    seen = Observation(t, places[:POINTS], (places[24], places[25]), (places[26], places[27]))
    evidence = replace(add(Evidence(), seen), looks=STEADY_LOOKS)
    since = min(settling.since if settling.since is not None else t, t - 2.0)
    return replace(
        settling, since=since, until=max(t, settling.until), evidence=evidence, last=seen, odd=None
    )


def corrected_look(state: State, seen: Observation) -> Observation:
    """The look with known misreadings put right."""
    places = list(seen.places)
    for override in state.overrides:
        if places[override.place].seen and places[override.place].best == override.seen:
            places[override.place] = certain(override.true)
    told = {override.place for override in state.overrides}
    return replace(
        seen, points=tuple(places[:POINTS]), bar=(places[24], places[25]), off=(places[26], places[27]),
        mixed=tuple(place for place in seen.mixed if place not in told),
    )  # fmt: skip


def resync(state: State, given: Resync) -> Step:
    """Go on from what lies there (or is said to lie there)."""
    if state.layout is None and given.table is None:
        return refuse(state, given.t, NOT_STARTED)
    if given.table is None and not state.settling.at_rest:
        return refuse(state, given.t, "the table is not at rest; take the hands off it and try again")
    if state.layout is None:
        state = replace(state, layout=state.setup.layout or Layout())
    table = given.table if given.table is not None else _all_told(state, read_at_rest(state))
    side = given.side if given.side is not None else state.side
    return _from_table(state, given.t, table, side)


def _from_table(state: State, t: float, table: tuple[int, ...], side: int | None) -> Step:
    base = position_on(state, LIGHT if side is None else side, table)
    state = replace(
        state, base=base, side=side, roll=None, kept=None, illegal=None, trouble=(), judged="", asked=(),
        pinned=None, ending=False, held=None, noted=(), passes=0, rest=table,
    )  # fmt: skip
    return state, (Resynced(t, state.turn, table, side), Lit(Signal(t, Sign.YOUR_TURN, (), side)))


def _all_told(state: State, table: tuple[int, ...]) -> tuple[int, ...]:
    """The table with trays that nobody watches holding what is missing of the set."""
    rules, counts = rules_of(state), list(table)
    if rules.eats or not rules.bears_off:
        return table
    for side, place in enumerate((OFF_LIGHT, OFF_DARK)):
        if not state.settling.evidence.seen(place):
            sign = 1 if side == LIGHT else -1
            on = sum(max(0, sign * n) for i, n in enumerate(counts) if i not in (OFF_LIGHT, OFF_DARK))
            counts[place] = sign * max(0, rules.men - on)
    return tuple(counts)


# --- the record ----------------------------------------------------------------------------------------


def undo(state: State, given: TurnUndone) -> Step:
    """The last thing that was recorded is taken back: a resignation, what was done with the cube since the
    last turn, or that turn.
    """
    if state.over and state.ended == "resigned":
        return _played_on(state, given.t)
    if state.roll is None and _cube_acts(state):
        return _cube_back(state, given.t)
    if not state.past:
        return refuse(state, given.t, "there is no turn to take back")
    return _turn_back(state, given.t)


def _played_on(state: State, t: float) -> Step:
    """The game is not over after all."""
    clock = started_again(state.clock, t)
    state = replace(state, over=False, ended="", score=state.score_before, clock=clock)
    return state, (Superseded(t, state.turn), ClockSet(t, clock))


def _cube_before(state: State) -> tuple[int, int | None]:
    """The cube as it was during the last turn."""
    return state.past[-1].cube if state.past else (1, None)


def _cube_acts(state: State) -> bool:
    """Whether somebody doubled since the last turn."""
    return state.offered or state.ended == "dropped" or (state.cube, state.cube_owner) != _cube_before(state)


def _cube_back(state: State, t: float) -> Step:
    """The cube lies where it lay before the double."""
    outs: tuple[Output, ...] = ()
    if state.over:
        state, outs = _played_on(state, t)
    value, owner = _cube_before(state)
    state = replace(state, cube=value, cube_owner=owner, offered=False)
    side = 0 if state.side is None else state.side
    said = CubeTurned(t, state.turn, side, "undone", value, owner)
    return state, (*outs, said, Lit(Signal(t, Sign.YOUR_TURN, (), state.side)))


def _turn_back(state: State, t: float) -> Step:
    """The last turn is open again, with its roll; the table is not judged until it changes."""
    outs: tuple[Output, ...] = ()
    if _cube_acts(state):
        state, outs = _cube_back(state, t)
    last = state.past[-1]
    clock = started_again(state.clock, t)
    if clock.running is not None and last.side is not None:
        clock = run(clock, last.side, t)
    if clock != state.clock:
        outs += (ClockSet(t, clock),)
    state = replace(
        state, base=last.base, side=last.side, passes=last.passes, turn=last.event.turn, roll=last.event.roll,
        how=last.event.how, roll_since=t, kept=None, illegal=None, trouble=(), judged="", asked=(),
        pinned=None, ending=False, past=state.past[:-1], over=False, ended="", score=state.score_before,
        held=state.rest, noted=(), ignored=None, clock=clock, dice_lay=False,
    )  # fmt: skip
    hint = way_back(state.rest or last.event.after, expected(state))
    return state, (*outs, Superseded(t, state.turn), Lit(Signal(t, Sign.HINT, hint)))


def choose_asked(state: State, given: Chosen) -> Step:
    """The answer to the question which play it was."""
    if given.index >= len(state.asked):
        return refuse(state, given.t, f"no play {given.index} was asked about; {len(state.asked)} were")
    return choose(state, given.t, state.asked[given.index], end=state.ending or state.roll is None)


# --- pauses and ends -----------------------------------------------------------------------------------


def adjourn(state: State, given: Adjourn) -> Step:
    """Nobody plays for a while."""
    if state.adjourned:
        return refuse(state, given.t, "the game is adjourned already")
    clock = stopped(state.clock, given.t)
    said: tuple[Output, ...] = (Adjourned(given.t), Lit(Signal(given.t, Sign.OFF)))
    if clock != state.clock:
        said += (ClockSet(given.t, clock),)
    return replace(state, adjourned=True, clock=clock), said


def resume(state: State, given: Resume) -> Step:
    """Play goes on, once the table has been compared."""
    clock = started_again(state.clock, given.t)
    said: tuple[Output, ...] = (ClockSet(given.t, clock),) if clock != state.clock else ()
    unwatched = Settling(until=given.t, throw=state.settling.throw)  # the program was away, too
    settling = state.settling if state.adjourned else unwatched
    resuming = state.layout is not None
    return replace(state, adjourned=False, settling=settling, resuming=resuming, clock=clock), said


def resign(state: State, given: Resigned) -> Step:
    """A side gives the game up."""
    if state.layout is None:
        return refuse(state, given.t, NOT_STARTED)
    state, outs = game_over(state, given.t, 1 - given.side, given.points, "resigned")
    return state, (*outs, Lit(Signal(given.t, Sign.OFF)))


def cube(state: State, given: CubeActed) -> Step:
    """The cube, between turns only."""
    if state.side is None or state.roll is not None or state.base is None:
        return refuse(state, given.t, "the cube is turned before a roll, when it is known whose turn it is")
    if given.act == "double":
        return _double(state, given.t, state.side)
    if not state.offered:
        return refuse(state, given.t, "no double was offered")
    return _take(state, given.t, 1 - state.side) if given.act == "take" else _drop(state, given.t, state.side)


def _double(state: State, t: float, side: int) -> Step:
    if state.offered:
        return refuse(state, t, "a double is offered already: take or drop")
    if state.crawford:
        return refuse(state, t, "no doubling in the Crawford game")
    if state.cube_owner not in (None, side):
        return refuse(state, t, "the cube is the other side's")
    said = CubeTurned(t, state.turn, side, "double", state.cube * 2, state.cube_owner)
    return replace(state, offered=True), (said,)


def _take(state: State, t: float, taker: int) -> Step:
    state = replace(state, offered=False, cube=state.cube * 2, cube_owner=taker)
    return state, (CubeTurned(t, state.turn, taker, "take", state.cube, taker),)


def _drop(state: State, t: float, doubler: int) -> Step:
    said = CubeTurned(t, state.turn, 1 - doubler, "drop", state.cube, state.cube_owner)
    state, outs = game_over(replace(state, offered=False), t, doubler, 1, "dropped")
    return state, (said, *outs)


def next_game(state: State, given: NextGame) -> Step:
    """The next game of the match; its start is looked for anew, the board lies as before."""
    if not state.over:
        return refuse(state, given.t, "the game is not over; resign it first")
    length = state.setup.length
    if length and max(state.score) >= length:
        return refuse(state, given.t, f"the match to {length} is over")
    setup = replace(state.setup, start=None, side=None, layout=state.layout)
    one_away = bool(length) and max(state.score) == length - 1
    crawford = one_away and not state.crawford_done and not state.crawford
    done = state.crawford_done or state.crawford
    fresh = replace(
        begin(setup), score=state.score, score_before=state.score, clock=replace(state.clock, running=None),
        serial=state.serial, crawford=crawford, crawford_done=done, settling=state.settling,
        throw=state.throw,
    )  # fmt: skip
    return fresh, (Lit(Signal(given.t, Sign.OFF)),)


def configure(state: State, given: Configured) -> Step:
    """Another set-up; only while no roll has been thrown."""
    if state.roll is not None or state.past:
        return refuse(state, given.t, "the game has begun; resign it to change what is played")
    fresh = replace(begin(given.setup), settling=state.settling, serial=state.serial, score=state.score)
    same = (given.setup.rules, given.setup.start, given.setup.layout, given.setup.side) == (
        state.setup.rules, state.setup.start, state.setup.layout, state.setup.side,
    )  # fmt: skip
    if same:
        fresh = replace(fresh, layout=state.layout, base=state.base, side=state.side, refused=state.refused)
    return fresh, ()
