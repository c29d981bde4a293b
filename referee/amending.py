"""A turn of the record was otherwise: it is replaced, and what followed is judged again."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from engine.errors import RulesError
from engine.notation import format_play, parse_play
from engine.plays import result_of
from engine.position import Position, turned
from engine.resolve import apply_hops, resolve
from referee.events import Amended, GameOver, Output, Superseded, TurnPlayed
from referee.evidence import Evidence, add
from referee.inference import Turn, infer
from referee.layout import LIGHT
from referee.observation import POINTS, Observation, certain
from referee.state import Past, State, Step, position_on, refuse, rules_of, table_of_state
from referee.turn_end import game_over
from referee.verdict import Accepted


def amend(state: State, given: Amended) -> Step:
    """A turn of the record was otherwise; the tables after the later turns say what they were."""
    at = next((i for i, p in enumerate(state.past) if p.event.turn == given.turn), None)
    if at is None:
        return refuse(state, given.t, f"there is no turn {given.turn} in this game")
    try:
        entry, result = _amended(state, state.past[at], given)
    except RulesError as error:
        return refuse(state, given.t, str(error))
    past = [*state.past[:at], entry]
    state = replace(state, serial=state.serial + 1)
    for earlier, later in pairwise(state.past[at:]):
        begins = (
            turned(result, rules_of(state)) if _follows(state, earlier, later) else _base_of(state, later)
        )
        state, entry, result = _judged_again(state, later, given.t, begins)
        past.append(entry)
    return _after_amending(replace(state, past=tuple(past)), given, result, at)


def _follows(state: State, earlier: Past, later: Past) -> bool:
    """Whether a turn began from what the one before it left; after a resync it did not."""
    left = turned(position_on(state, earlier.event.side, earlier.event.after), rules_of(state))
    return later.event.side != earlier.event.side and _base_of(state, later) == left


def _base_of(state: State, entry: Past) -> Position:
    """The position before a turn, as the side that played it sees it."""
    seen_by = LIGHT if entry.side is None else entry.side
    return entry.base if seen_by == entry.event.side else turned(entry.base, rules_of(state))


def _amended(state: State, old: Past, given: Amended) -> tuple[Past, Position]:
    """The turn with what was said of it, and the position after it (from its side).

    Raises:
        RulesError: the play is no play, or no roll of the game.
    """
    event, rules = old.event, rules_of(state)
    roll = given.roll if given.roll is not None else event.roll
    position = _base_of(state, old)
    if given.play is None:
        entry, result = _from_after(state, replace(event, roll=roll), position, given.t, event.after)
        return replace(old, event=entry), result
    hops = parse_play(given.play, position, rules)
    play = resolve(position, roll, hops, rules)
    result = play.result if play is not None else apply_hops(position, hops, rules)
    after = table_of_state(state).of(event.side, result)
    text = format_play(play) if play is not None else given.play
    told = replace(
        event, t=given.t, roll=roll, play=play, text=text, after=after, confidence=1.0, others=(),
        how="typed", stood_illegal=play is None, id=state.serial,
    )  # fmt: skip
    return replace(old, event=told), result


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
    event, result = _from_after(state, later.event, position, t, later.event.after)
    entry = replace(later, base=position, side=later.event.side, event=event)
    return replace(state, serial=state.serial + 1), entry, result


def _after_amending(state: State, given: Amended, result: Position, at: int) -> Step:
    """Where the game stands when a turn of the record is another; given up stays given up."""
    rules, side = rules_of(state), state.past[-1].event.side
    outs: tuple[Output, ...] = (Superseded(given.t, given.turn), *(p.event for p in state.past[at:]))
    if state.over and state.ended in ("resigned", "dropped"):
        return state, (*outs, _said_again(state, given.t))
    passes = _passes(state)
    ended = result_of(result, rules, passes)
    state = replace(state, kept=None, judged="", asked=(), pinned=None, passes=passes)
    if state.over:
        state = replace(state, over=False, ended="", score=state.score_before, roll=None)
    if ended is None:
        return replace(state, base=turned(result, rules), side=1 - side), outs
    winner = None if ended.winner is None else (side, 1 - side)[ended.winner]
    state, over = game_over(state, given.t, winner, ended.points, ended.name)
    return state, outs + over


def _said_again(state: State, t: float) -> GameOver:
    """How a game ended that somebody gave up."""
    won = [now - before for now, before in zip(state.score, state.score_before, strict=True)]
    return GameOver(t, won.index(max(won)), max(won), state.ended, state.score)


def _passes(state: State) -> int:
    """How many turns in a row were passed at the end of the record."""
    count = 0
    for entry in reversed(state.past):
        if entry.event.play is None or entry.event.play.hops:
            break
        count += 1
    return count
