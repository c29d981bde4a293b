"""What lies on the table is judged; nothing here ends a turn."""

from __future__ import annotations

from msgspec.structs import replace

from engine.notation import format_play
from referee.both_colours import mixed_differences, verdict_on_mixed
from referee.events import IllegalSeen, Judged, Lit, Output
from referee.findings import Finding, of_difference
from referee.inference import CLEAR, Turn, differences, infer
from referee.layout import LIGHT, place_of
from referee.observation import PLACES, POINTS
from referee.settling import shows
from referee.signal import Sign, Signal
from referee.state import (
    STANDS,
    Candidate,
    Kept,
    State,
    Step,
    chain,
    expected,
    lit,
    note,
    put_right,
    table_of_state,
    turns_of,
)  # fmt: skip
from referee.throws import Throw, other_rolls
from referee.verdict import Accepted, Ambiguous, Desynced, Difference, Illegal, Incomplete, Verdict

#: An illegal play is named only after the table has shown it, untouched, for this long.
ILLEGAL_SECONDS = 0.8
#: Live, it takes so many looks, too.
ILLEGAL_LOOKS = 3
#: What confidence a play loses when it takes another reading of the dice than the likeliest.
DICE_DOUBT = 0.1
#: Live, where the dice lie there to be looked at again, other faces less likely than this are not thought of.
LIVE_DOUBT = 0.02
#: A table that has shown the same for so long, in so many looks, is steady.
STEADY_SECONDS, STEADY_LOOKS = 2.0, 10
#: Live, a reading of the dice less likely than this is asked about: it may as well be an illegal play.
ASKED_SHARE = 0.15
#: The same for a question to the players, and for the loss of the thread.
ASK_SECONDS = 1.5


def verdict_of(state: State, *, finished: bool = False) -> tuple[Turn, Verdict]:
    """The verdict on the roll that was read; where nothing fits it, on the other rolls it may have been.

    So a misread die never makes an accusation: that takes a play which no possible reading of the dice
    allows.
    """
    assert state.roll is not None
    mixed = verdict_on_mixed(state, state.roll, finished=finished)
    if mixed is not None:
        return mixed
    turn, verdict = _verdict_on(state, state.roll, finished)
    if isinstance(verdict, Ambiguous) and state.pinned is not None:
        return turn, _pinned(state, turn, verdict)
    if state.throw is None or state.how != "seen" or isinstance(verdict, Accepted | Incomplete):
        return turn, verdict
    return _on_other_dice(state, state.throw, finished) or (turn, verdict)


def _on_other_dice(state: State, throw: Throw, finished: bool) -> tuple[Turn, Verdict] | None:
    waiting = None
    least = 0.0 if state.setup.policy == STANDS else LIVE_DOUBT
    for roll, share in other_rolls(throw):
        if share < least:
            continue
        other, told = _verdict_on(state, roll, finished)
        if isinstance(told, Accepted):
            return other, _doubted(state, other, told, share)
        if isinstance(told, Incomplete) and told.confidence > 0 and share >= DICE_DOUBT / 10:
            waiting = waiting or (other, told)
    return waiting


def _doubted(state: State, other: Turn, told: Accepted, share: float) -> Verdict:
    """A play that another reading of the dice would allow: taken where that is likely or was confirmed."""
    sure = state.setup.policy == STANDS or share >= ASKED_SHARE or state.pinned == told.table
    if sure:
        return replace(told, confidence=round(told.confidence * (1 - DICE_DOUBT), 4))
    before = table_of_state(state).of(other.side, other.before)
    return Ambiguous((told.play,), tuple(i for i, n in enumerate(told.table) if n != before[i]))


def _verdict_on(state: State, roll: tuple[int, ...], finished: bool) -> tuple[Turn, Verdict]:
    """The best side's verdict: an accepted play before all others."""
    table, evidence, sure = table_of_state(state), state.settling.evidence, steady(state)
    rows = [
        (turn, infer(table, turn, evidence, finished=finished, steady=sure)) for turn in turns_of(state, roll)
    ]
    return max(rows, key=lambda row: _rank(row[1]))


def steady(state: State) -> bool:
    """Live, where nobody looks ahead: the table has lain there, and been looked at again and again."""
    settling = state.settling
    many = settling.rested >= STEADY_SECONDS and settling.evidence.looks >= STEADY_LOOKS
    return many and state.setup.policy != STANDS


def _pinned(state: State, turn: Turn, verdict: Ambiguous) -> Verdict:
    """The candidate that a person chose, while it still is one."""
    table = table_of_state(state)
    for play in verdict.candidates:
        if table.of(turn.side, play.result) == state.pinned:
            return Accepted(play, state.pinned, 1.0)
    return verdict


def _rank(verdict: Verdict) -> tuple[int, float]:
    if isinstance(verdict, Accepted):
        return 4, verdict.confidence
    order = (Desynced, Illegal, Ambiguous, Incomplete)
    return order.index(type(verdict)), 0.0


def judge(state: State, t: float) -> Step:
    if state.roll is None or state.over:
        return state, ()
    turn, verdict = verdict_of(state)
    if isinstance(verdict, Accepted):
        return chain(state, lambda s: put_right(s, t), lambda s: accept(s, t, turn, verdict))
    if isinstance(verdict, Illegal):
        return accuse(state, t, turn, verdict)
    if isinstance(verdict, Incomplete):
        if _still_unfinished(state) or (state.ending and state.asked):
            return state, ()
        state = replace(state, kept=None, asked=())
        return chain(state, lambda s: put_right(s, t), lambda s: _say(s, t, verdict))
    if state.settling.rested < ASK_SECONDS:
        return state, ()
    if state.setup.policy == STANDS:
        return _say(state, t, verdict)
    if isinstance(verdict, Ambiguous):
        return ask(state, t, turn, verdict)
    return (state, ()) if _in_hand(turn, verdict) else misfit(state, t, verdict)


def _still_unfinished(state: State) -> bool:
    """Named when the turn was ended too early, and nothing was moved since."""
    wrong, evidence = state.illegal, state.settling.evidence
    return wrong is not None and all(
        evidence.best(i) == n for i, n in enumerate(wrong.table[:POINTS]) if evidence.seen(i)
    )


def _in_hand(turn: Turn, verdict: Desynced) -> bool:
    """One checker of the mover's is missing in the middle of a turn: it is in a hand."""
    sign = 1 if turn.side == LIGHT else -1
    mine = sum(max(0, sign * d.seen) - max(0, sign * d.expected) for d in verdict.difference)
    theirs = sum(max(0, -sign * d.seen) - max(0, -sign * d.expected) for d in verdict.difference)
    return mine == -1 and theirs == 0


def ask(state: State, t: float, turn: Turn, verdict: Ambiguous) -> Step:
    table = table_of_state(state)
    asked = tuple(
        Candidate(turn.side, turn.roll, play, table.of(turn.side, play.result)) for play in verdict.candidates
    )
    return _say(replace(state, asked=asked, kept=None), t, verdict)


def misfit(state: State, t: float, verdict: Desynced) -> Step:
    """Nothing explains the table: checkers appeared or vanished, or the thread is lost."""
    if not verdict.difference:
        return _say(state, t, verdict)
    return chain(
        state,
        lambda s: _say(s, t, verdict),
        lambda s: _troubled(s, t, of_difference(verdict.difference), verdict.difference),
    )


def _troubled(state: State, t: float, finding: Finding, difference: tuple[Difference, ...]) -> Step:
    now = {d.place: d.seen for d in difference}
    if state.trouble == difference or not shows(state.settling, [now.get(i, 0) for i in range(PLACES)], now):
        return state, ()
    places = tuple(d.place for d in difference)
    fresh = replace(state, trouble=difference, noted=tuple(n for n in state.noted if n != finding))
    state, outs = note(fresh, t, finding, places, difference)
    return state, outs + lit(state, Signal(t, Sign.ILLEGAL, places))


def idle(state: State, t: float) -> Step:
    """Between turns nothing may move; what does is named after a while."""
    if state.roll is not None or state.over or state.offered:
        return state, ()
    evidence, should, now = state.settling.evidence, expected(state), state.rest
    assert now is not None
    last = state.settling.last
    mixed = mixed_differences(last, should) if last is not None and last.mixed else ()
    diff = mixed or differences(should, now, evidence)
    if not mixed and (not diff or evidence.fit(now) - evidence.fit(should) < CLEAR):
        return put_right(state, t)
    if state.settling.rested < ASK_SECONDS:
        return state, ()
    finding = Finding.BOTH_COLOURS if mixed else of_difference(diff)
    if finding is not Finding.LOST:
        return _troubled(state, t, finding, diff)
    if state.settling.bare_since is None:
        return state, ()
    return note(state, t, Finding.NO_ROLL, tuple(d.place for d in diff), diff)


def _say(state: State, t: float, verdict: Verdict, play: str = "", confidence: float = 0.0) -> Step:
    name = type(verdict).__name__.lower()
    if state.judged == name + play:
        return state, ()
    outs: tuple[Output, ...] = (Judged(t, state.turn, name, play, confidence),)
    if isinstance(verdict, Ambiguous):
        outs += (Lit(Signal(t, Sign.AMBIGUOUS, verdict.places)),)
    return replace(state, judged=name + play), outs


def accept(state: State, t: float, turn: Turn, verdict: Accepted) -> Step:
    """A whole legal play lies on the table; it may still change."""
    text = format_play(verdict.play)
    since = state.settling.since if state.settling.since is not None else t
    if state.kept is not None and state.kept.verdict.table == verdict.table:
        since = state.kept.since
    state = replace(state, kept=Kept(verdict, turn.side, turn.roll, since, t), asked=())
    known = state.judged == "accepted" + text
    state, outs = _say(state, t, verdict, text, verdict.confidence)
    if known or not verdict.play.hops:
        return state, outs
    places = _places_of(state, turn.side, verdict)
    return state, (*outs, Lit(Signal(t, Sign.ACCEPTED, places)))


def _places_of(state: State, side: int, verdict: Accepted) -> tuple[int, ...]:
    table = table_of_state(state)
    own = {n for hop in verdict.play.hops for n in (hop.src, hop.dst)}
    return tuple(sorted(place_of(table.layout, table.rules, side, n) for n in own))


def long_enough(state: State, seconds: float) -> bool:
    """Whether the table has lain untouched, and been looked at, long enough to call something wrong."""
    settling = state.settling
    return settling.rested >= seconds - 1e-9 and settling.evidence.looks >= ILLEGAL_LOOKS


def _sure_enough(state: State, verdict: Illegal) -> bool:
    """Live, several looks and the newest one say so, too."""
    settling = state.settling
    return settling.evidence.looks >= ILLEGAL_LOOKS and shows(settling, verdict.table, verdict.places)


def accuse(state: State, t: float, turn: Turn, verdict: Illegal) -> Step:
    """Name an illegal play, but not while other dice than the roll's lie there: somebody has thrown."""
    if not state.settling.clear:
        return state, ()
    if state.settling.rested < ILLEGAL_SECONDS - 1e-9:
        return state, ()
    if state.setup.policy != STANDS and not _sure_enough(state, verdict):
        return state, ()
    if state.illegal is not None and state.illegal.table == verdict.table:
        return replace(state, illegal=verdict), ()
    state = replace(state, illegal=verdict, kept=None, judged="illegal", asked=())
    seen = IllegalSeen(
        t, state.turn, turn.side, turn.roll, verdict.places, verdict.reason, verdict.finding, verdict.why
    )
    return state, (seen, *lit(state, Signal(t, Sign.ILLEGAL, verdict.places)))
