"""The end of a turn puts it into the record, or says why it cannot be."""

from __future__ import annotations

from msgspec.structs import replace

from engine.notation import format_play
from engine.plays import Play, result_of
from engine.position import Position, turned
from referee.clock import pressed, stopped
from referee.counting import free_reading
from referee.dice import rolled, rolls_that_explain
from referee.events import ClockSet, GameOver, Gap, Judged, Lit, Output, TurnPlayed
from referee.findings import Finding
from referee.inference import CLEAR, Turn, borne_off, checkers, differences, infer, whole_set
from referee.judging import (
    ASK_SECONDS,
    ILLEGAL_SECONDS,
    accept,
    accuse,
    ask,
    long_enough,
    misfit,
    steady,
    verdict_of,
)  # fmt: skip
from referee.layout import LIGHT
from referee.settling import Settling
from referee.signal import Sign, Signal
from referee.state import (
    LEGAL,
    STANDS,
    Candidate,
    Kept,
    Past,
    State,
    Step,
    chain,
    expected,
    note,
    position_on,
    put_right,
    read_at_rest,
    roll_judged,
    rules_of,
    table_of_state,
    turns_of,
)  # fmt: skip
from referee.verdict import Accepted, Ambiguous, Desynced, Illegal, Incomplete, Verdict

#: A play that is less likely than this is looked at for longer before its turn ends.
DOUBTFUL = 0.05


def close(state: State, t: float) -> Step:
    """The turn is over: put it into the record, or say why it cannot be."""
    if not state.settling.at_rest and state.setup.policy != STANDS:
        return replace(state, ending=True), ()
    turn, verdict = verdict_of(state, finished=True) if state.settling.at_rest else (None, None)
    if isinstance(verdict, Accepted) and verdict.confidence < DOUBTFUL and _wait_for_more(state):
        return replace(state, ending=True), ()
    if turn is not None and isinstance(verdict, Accepted):
        return chain(
            state, lambda s: put_right(s, t), lambda s: accept(s, t, turn, verdict), lambda s: _played(s, t)
        )
    skipped = _skipped_turn(state, t) if state.kept is None and not isinstance(verdict, Incomplete) else None
    if skipped is not None:
        return skipped
    if turn is not None and isinstance(verdict, Illegal) and state.kept is None:
        return _close_illegal(state, t, turn, verdict)
    doubted = state.setup.policy == LEGAL and isinstance(verdict, Ambiguous) and steady(state)
    if state.kept is not None and not doubted:
        return _played(state, t)
    return _close_unknown(state, t, turn, verdict)


def _wait_for_more(state: State) -> bool:
    """Live, more looks may tell whether a play lies there that the table hardly shows."""
    return state.setup.policy != STANDS and state.pinned is None and not steady(state)


def _close_illegal(state: State, t: float, turn: Turn, verdict: Illegal) -> Step:
    """Live, it must have lain there long enough to be named; a recording has to take what it has."""
    if state.setup.policy != STANDS and not long_enough(state, ILLEGAL_SECONDS):
        return replace(state, ending=True), ()
    rested = replace(state, settling=_rested(state.settling))
    state, outs = accuse(rested, t, turn, verdict)
    if state.illegal is None and state.setup.policy == STANDS:
        return _gap(state, t)  # other dice lie there already: nobody can be accused by what is seen now
    if state.illegal is None or state.setup.policy == LEGAL or verdict.finding == Finding.BOTH_COLOURS:
        return replace(state, ending=state.illegal is None), outs
    state, more = stood(state, t, turn)
    return state, outs + more


def _close_unknown(state: State, t: float, turn: Turn | None, verdict: Verdict | None) -> Step:
    """No play was kept and none is clear now: ask people who can answer, guess for a recording."""
    if state.setup.policy == STANDS:
        if turn is not None and isinstance(verdict, Ambiguous):
            return _guess(state, t, turn, verdict)
        return _gap(state, t)
    if turn is not None and isinstance(verdict, Ambiguous):
        return ask(replace(state, ending=True), t, turn, verdict)
    if isinstance(verdict, Desynced) and long_enough(state, ASK_SECONDS):
        return misfit(state, t, verdict)
    return replace(state, ending=True), ()


def _skipped_turn(state: State, t: float) -> Step | None:
    """In a recording nobody can be asked: where the roll is the other side's legal play, a turn (a dance)
    was missed in between. The record gets a gap there and goes on.
    """
    if state.setup.policy != STANDS or state.side is None or state.roll is None or not state.settling.at_rest:
        return None
    assert state.base is not None
    turn = Turn(turned(state.base, rules_of(state)), 1 - state.side, state.roll)
    verdict = infer(table_of_state(state), turn, state.settling.evidence, finished=True)
    if not isinstance(verdict, Accepted) or not verdict.play.hops:
        return None
    state = replace(state, base=turn.before, side=turn.side, illegal=None)
    gap = Gap(t, state.turn, (), True)
    state, outs = chain(state, lambda s: accept(s, t, turn, verdict), lambda s: _played(s, t))
    return state, (gap, *outs)


def missed_roll(state: State, t: float) -> Step:
    """A recording went on although nobody read the dice of this turn: the play tells them, or a gap does."""
    if state.setup.policy != STANDS or state.roll is not None or not state.settling.at_rest:
        return state, ()
    evidence = state.settling.evidence
    if evidence.fit(read_at_rest(state)) - evidence.fit(expected(state)) < CLEAR:
        return state, ()
    found = rolls_that_explain(state)
    if found:
        return choose(state, t, found[0], end=True, confidence=round(0.9 / len(found), 4))
    return _gap(replace(state, roll=()), t)


def close_unrolled(state: State, t: float) -> Step:
    """The turn was ended and nobody saw a roll: the play tells it where only one roll explains it."""
    found = rolls_that_explain(state)
    if not found:
        return note(state, t, Finding.NO_ROLL)
    if len(found) == 1:
        return choose(state, t, found[0], end=True)
    places = {i for c in found for i, n in enumerate(c.table) if n != expected(state)[i]}
    asked = replace(state, asked=found, ending=True, judged="ambiguous")
    said = Judged(t, state.turn, "ambiguous")
    return asked, (said, Lit(Signal(t, Sign.AMBIGUOUS, tuple(sorted(places)))))


def choose(state: State, t: float, choice: Candidate, *, end: bool, confidence: float = 1.0) -> Step:
    """That play it was; its roll is taken from it where none was known."""
    outs: tuple[Output, ...] = ()
    if state.roll is None:
        state, outs = rolled(state, t, choice.roll, None, "inferred")
    accepted = Accepted(choice.play, choice.table, confidence)
    base = state.base
    assert base is not None
    state = replace(state, pinned=choice.table, asked=(), ending=False, ignored=None)
    turn = Turn(base, choice.side, choice.roll)
    state, more = accept(state, t, turn, accepted)
    if not end:
        return state, outs + more
    state, played = _played(state, t)
    return state, outs + more + played


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
    _, how = roll_judged(state)
    event = TurnPlayed(
        t, state.turn, kept.side, kept.roll, verdict.play, text, verdict.table, verdict.confidence,
        state.roll_since, kept.since, verdict.others, False, state.serial, how,
    )  # fmt: skip
    return next_turn(state, t, kept.side, verdict.play.result, event)


def stood(state: State, t: float, turn: Turn | None = None) -> Step:
    """An illegal play stands: recorded as such, the game goes on from it."""
    assert state.illegal is not None
    assert state.roll is not None
    side = turn.side if turn is not None else verdict_of(state)[0].side
    result = position_on(state, side, state.illegal.table)
    event = TurnPlayed(
        t, state.turn, side, state.roll, None, "", state.illegal.table, 1.0, state.roll_since, t, (), True,
        state.serial, state.how,
    )  # fmt: skip
    return next_turn(replace(state, illegal=None), t, side, result, event)


def _gap(state: State, t: float) -> Step:
    """Nothing explains the table. Go on from what is seen when that is a whole set of checkers, else from
    before.
    """
    assert state.roll is not None
    turns, evidence, table = turns_of(state, state.roll), state.settling.evidence, table_of_state(state)
    turn = turns[0]
    free, _ = free_reading(evidence, checkers(table, turn), borne_off(table, turn))
    before = table.of(turn.side, turn.before)
    resumed = free is not None and whole_set(table, turn, free, evidence)
    seen = free if free is not None else tuple(evidence.best(i) for i in range(len(before)))
    diff = differences(before, seen, evidence)
    state, outs = next_turn(state, t, turn.side, turn.before, Gap(t, state.turn, diff, resumed))
    if not resumed:
        return state, outs
    # A whole turn may have been missed: whose turn it is now, the next play will tell.
    return replace(state, base=position_on(state, LIGHT, seen), side=None), outs


def next_turn(state: State, t: float, side: int, result: Position, event: TurnPlayed | Gap) -> Step:
    """The turn is in the record: whose turn it is now, or that the game is over."""
    played = isinstance(event, TurnPlayed)
    if isinstance(event, TurnPlayed):
        assert state.base is not None
        entry = Past(state.base, state.side, state.passes, event, (state.cube, state.cube_owner))
        state = replace(state, past=(*state.past, entry), serial=state.serial + 1)
    passes = state.passes + 1 if isinstance(event, TurnPlayed) and _passed(event.play) else 0
    rules = rules_of(state)
    ended = result_of(result, rules, passes)
    if ended is not None:
        winner = None if ended.winner is None else (side, 1 - side)[ended.winner]
        state = replace(state, kept=None, asked=(), pinned=None, ending=False, turn=state.turn + played)
        state, over = game_over(state, t, winner, ended.points, ended.name)
        return state, (event, *over)
    following = replace(
        state, base=turned(result, rules), side=1 - side, roll=None, kept=None, judged="", passes=passes,
        turn=state.turn + played, asked=(), pinned=None, ending=False, noted=(), how="seen", ignored=None,
        illegal=None, dice_lay=False,
    )  # fmt: skip
    following, clock = press(following, t, side)
    return following, (event, Lit(Signal(t, Sign.YOUR_TURN, (), 1 - side)), *clock)


def press(state: State, t: float, side: int) -> Step:
    """The side's clock stops and the other's runs."""
    clock = pressed(state.clock, side, t)
    if clock == state.clock:
        return state, ()
    return replace(state, clock=clock), (ClockSet(t, clock),)


def game_over(state: State, t: float, winner: int | None, points: int, name: str) -> Step:
    """The game is over; the cube counts, and the score of the match grows."""
    worth = points * state.cube
    score = list(state.score)
    if winner is not None:
        score[winner] += worth
    clock = stopped(state.clock, t)
    state = replace(
        state, over=True, ended=name, score=(score[0], score[1]), clock=clock, illegal=None, trouble=()
    )
    return state, (GameOver(t, winner, worth, name, state.score),)


def _passed(play: Play | None) -> bool:
    return play is not None and not play.hops
