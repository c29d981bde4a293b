"""What people say to the referee: corrections, undo, adjournment, the cube. They supersede, never edit."""

from __future__ import annotations

from msgspec.structs import replace

from engine.errors import RulesError
from engine.notation import format_play, parse_play
from engine.plays import legal_plays, result_of
from engine.position import Position, turned
from engine.resolve import apply_hops, resolve
from referee.clock import started_again, stopped
from referee.events import (
    Adjourn,
    Adjourned,
    Amended,
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
    TurnPlayed,
    TurnUndone,
)  # fmt: skip
from referee.evidence import Evidence, add
from referee.findings import way_back
from referee.inference import Turn, infer
from referee.layout import LIGHT, Layout
from referee.observation import OFF_DARK, OFF_LIGHT, PLACES, POINTS, Belief, Observation, certain
from referee.settling import Settling
from referee.signal import Sign, Signal
from referee.state import (
    Override,
    Past,
    State,
    Step,
    begin,
    expected,
    position_on,
    read_at_rest,
    refuse,
    rules_of,
    table_of_state,
)  # fmt: skip
from referee.turn_end import choose, game_over
from referee.turnflow import look
from referee.verdict import Accepted, Difference

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
    """Settling after long agreement on these beliefs."""
    seen = Observation(t, places[:POINTS], (places[24], places[25]), (places[26], places[27]))
    evidence = add(add(Evidence(), seen), seen)
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
    """The last turn is open again, with its roll; the table is not judged until it changes."""
    if not state.past:
        return refuse(state, given.t, "there is no turn to take back")
    last = state.past[-1]
    state = replace(
        state, base=last.base, side=last.side, passes=last.passes, turn=last.event.turn, roll=last.event.roll,
        how=last.event.how, roll_since=given.t, kept=None, illegal=None, trouble=(), judged="", asked=(),
        pinned=None, ending=False, past=state.past[:-1], over=False, score=state.score_before,
        held=state.rest, noted=(), ignored=None,
    )  # fmt: skip
    hint = way_back(state.rest or last.event.after, expected(state))
    return state, (Superseded(given.t, state.turn), Lit(Signal(given.t, Sign.HINT, hint)))


def amend(state: State, given: Amended) -> Step:
    """A turn of the record was otherwise; the tables after the later turns say what they were."""
    at = next((i for i, p in enumerate(state.past) if p.event.turn == given.turn), None)
    if at is None:
        return refuse(state, given.t, f"there is no turn {given.turn} in this game")
    old = state.past[at]
    try:
        entry, result = _amended(state, old, given)
    except RulesError as error:
        return refuse(state, given.t, str(error))
    past, events = [*state.past[:at], entry], [entry.event]
    state = replace(state, serial=state.serial + 1)
    for later in state.past[at + 1 :]:
        state, entry, result = _judged_again(state, later, given.t, turned(result, rules_of(state)))
        past.append(entry)
        events.append(entry.event)
    state = replace(state, past=tuple(past))
    return _after_amending(state, given, result, tuple(events))


def _amended(state: State, old: Past, given: Amended) -> tuple[Past, Position]:
    """The turn with what was said of it, and the position after it (from its side).

    Raises:
        RulesError: the play is no play, or no roll of the game.
    """
    event, rules = old.event, rules_of(state)
    roll = given.roll if given.roll is not None else event.roll
    seen_by = LIGHT if old.side is None else old.side
    position = old.base if seen_by == event.side else turned(old.base, rules)
    if given.play is None:
        entry, result = _from_after(state, replace(event, roll=roll), position, given.t, event.after)
        return Past(old.base, old.side, old.passes, entry), result
    hops = parse_play(given.play, position, rules)
    play = resolve(position, roll, hops, rules)
    result = play.result if play is not None else apply_hops(position, hops, rules)
    after = table_of_state(state).of(event.side, result)
    text = format_play(play) if play is not None else given.play
    told = replace(
        event, t=given.t, roll=roll, play=play, text=text, after=after, confidence=1.0, others=(),
        how="typed", stood_illegal=play is None, id=state.serial,
    )  # fmt: skip
    return Past(old.base, old.side, old.passes, told), result


def _from_after(
    state: State, event: TurnPlayed, position: Position, t: float, after: tuple[int, ...]
) -> tuple[TurnPlayed, Position]:
    """The turn judged again by the table after it."""
    seen = Observation(
        t, tuple(certain(n) for n in after[:POINTS]), (certain(after[24]), certain(after[25])),
        (certain(after[26]), certain(after[27])),
    )  # fmt: skip
    verdict = infer(
        table_of_state(state), Turn(position, event.side, event.roll), add(Evidence(), seen), finished=True
    )
    fresh = replace(event, t=t, id=state.serial)
    if isinstance(verdict, Accepted):
        told = replace(fresh, play=verdict.play, text=format_play(verdict.play), stood_illegal=False)
        return told, verdict.play.result
    told = replace(fresh, play=None, text="", stood_illegal=True)
    return told, position_on(state, event.side, after)


def _judged_again(state: State, later: Past, t: float, position: Position) -> tuple[State, Past, Position]:
    legal_plays(position, later.event.roll, rules_of(state))
    event, result = _from_after(state, later.event, position, t, later.event.after)
    entry = Past(position, later.event.side, later.passes, event)
    return replace(state, serial=state.serial + 1), entry, result


def _after_amending(state: State, given: Amended, result: Position, events: tuple[TurnPlayed, ...]) -> Step:
    """Where the game stands when the last turn of the record is another."""
    rules, side = rules_of(state), events[-1].side
    outs: tuple[Output, ...] = (Superseded(given.t, given.turn), *events)
    if state.over and result_of(result, rules, state.passes) is None:
        state = replace(state, over=False, score=state.score_before)
    state = replace(
        state, base=turned(result, rules), side=1 - side, kept=None, judged="", asked=(), pinned=None
    )
    return state, outs


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
    settling = Settling(until=given.t, throw=state.settling.throw)
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
