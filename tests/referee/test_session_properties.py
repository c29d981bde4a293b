"""Whatever is seen and said, in whatever order: the session neither fails nor loses a play, and replays."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.plays import legal_plays, partial_plays
from engine.rules import RULESETS, Ruleset, ruleset
from referee.clock import ClockRule
from referee.events import (
    Adjourn,
    Amended,
    Chosen,
    ClockPressed,
    Corrected,
    CubeActed,
    Ended,
    Input,
    LetStand,
    NextGame,
    Output,
    Resigned,
    Resume,
    Resync,
    RollGiven,
    Seen,
    Setup,
    Started,
    Still,
    Superseded,
    Tick,
    TurnEnd,
    TurnPlayed,
    TurnUndone,
)  # fmt: skip
from referee.journal import SCHEMA, Entry, Header, line, replay
from referee.layout import LIGHT
from referee.observation import PLACES, UNSEEN, Belief, Die, Observation, Quality, belief
from referee.session import State, begin, step
from referee.state import table_of_state, turns_of
from tests.referee.tables import LAYOUT, dice_at, look, looks, shown

Table = tuple[int, ...]


def blurred(draw: st.DrawFn, count: int) -> Belief:
    """A belief that need not be right, nor sure, nor there at all."""
    if draw(st.integers(0, 11)) == 0:
        return UNSEEN
    other = count + draw(st.sampled_from([-2, -1, 1, 2]))
    return belief(
        [(count, draw(st.sampled_from([0.999, 0.9, 0.6]))), (other, draw(st.sampled_from([0.001, 0.3])))]
    )


@st.composite
def dice(draw: st.DrawFn) -> tuple[Die, ...] | None:
    """None seen, none there, lying ones, leaning ones, too many."""
    kind = draw(st.sampled_from(["hidden", "none", "lying", "lying", "lying", "any"]))
    if kind == "hidden":
        return None
    if kind == "none":
        return ()
    values = draw(st.lists(st.integers(1, 6), min_size=2, max_size=3 if kind == "lying" else 4))
    lying = dice_at(values, draw(st.integers(0, 1)), draw(st.sampled_from([0.0, 0.1])))
    if kind == "lying":
        return lying
    return tuple(
        replace(d, p=draw(st.sampled_from([0.3, 0.7, 0.99])), cocked=draw(st.booleans())) for d in lying
    )


@st.composite
def sights(draw: st.DrawFn, table: Table, t: float) -> list[Input]:
    """Several looks at a table, seen well or badly, with or without hands and dice."""
    lying = draw(dice())
    if draw(st.integers(0, 3)):
        return looks(t, draw(st.sampled_from([0.2, 0.8, 1.8])), table, lying)
    places = tuple(blurred(draw, n) for n in table)
    mixed = (draw(st.integers(0, 23)),) if draw(st.integers(0, 5)) == 0 else ()
    seen = Observation(
        t, places[:24], (places[24], places[25]), (places[26], places[27]), lying, draw(st.booleans()),
        Quality(sight=draw(st.integers(0, 4)) > 0), mixed,
    )  # fmt: skip
    stills: list[Input] = [Still(t + k / 5) for k in range(1, draw(st.integers(1, 9)))]
    return [Seen(seen), *stills]


@st.composite
def tables(draw: st.DrawFn, state: State, rules: Ruleset) -> Table:
    """What may lie there: the turn's start, a play, a part of one, or that with checkers moved anyhow."""
    before = shown(rules.start, rules=rules)
    if state.base is None:
        return before
    table, plays = table_of_state(state), []
    for turn in turns_of(state, state.roll or draw(rolls(rules))):
        plays += [table.of(turn.side, p.result) for p in legal_plays(turn.before, turn.roll, rules)[:30]]
        plays += [table.of(turn.side, p.result) for p in partial_plays(turn.before, turn.roll, rules)[:10]]
    chosen = draw(
        st.sampled_from([table.of(LIGHT if state.side is None else state.side, state.base), *plays])
    )
    counts = list(chosen)
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        a, b = draw(st.integers(0, PLACES - 1)), draw(st.integers(0, PLACES - 1))
        sign = 1 if counts[a] > 0 else -1
        counts[a], counts[b] = counts[a] - sign, counts[b] + sign
    return tuple(max(-15, min(15, n)) for n in counts)


def rolls(rules: Ruleset) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(1, 6)] * rules.dice)


@st.composite
def wishes(draw: st.DrawFn, t: float, rules: Ruleset, table: Table) -> list[Input]:
    """Something that people say."""
    side, roll = draw(st.integers(0, 1)), draw(rolls(rules))
    said: list[Input] = [
        RollGiven(t, roll), RollGiven(t, roll), TurnEnd(t), TurnEnd(t), LetStand(t), ClockPressed(t, side),
        Corrected(t, table), TurnUndone(t), Resync(t), Resync(t, table, side), Adjourn(t), Resume(t),
        Resigned(t, side), CubeActed(t, "double"), CubeActed(t, "take"), CubeActed(t, "drop"),
        Chosen(t, draw(st.integers(0, 2))), NextGame(t), Tick(t), Ended(t),
        Amended(t, draw(st.integers(0, 3)), roll),
    ]  # fmt: skip
    return [draw(st.sampled_from(said))]


def record(held: list[TurnPlayed], made: tuple[Output, ...]) -> list[TurnPlayed]:
    """The record as somebody keeps it who only hears what the session says."""
    for output in made:
        if isinstance(output, Superseded):
            held = [turn for turn in held if turn.turn < output.turn]
        elif isinstance(output, Started):
            held = []
        elif isinstance(output, TurnPlayed):
            held = [*held, output]
    return held


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_whatever_is_seen_and_said_no_play_is_lost_and_the_journal_replays(data: st.DataObject) -> None:
    rules = ruleset(data.draw(st.sampled_from(sorted(RULESETS))))
    policy = data.draw(st.sampled_from(["legal", "responsible", "stands"]))
    setup = Setup(rules.name, LAYOUT, side=0, policy=policy, clock=ClockRule("delay", 30.0, 2.0))
    state, t = begin(setup), 0.0
    held: list[TurnPlayed] = []
    lines = [line(Header(SCHEMA, "x", "test", setup))]
    inputs: list[Input] = list(looks(0, 1, shown(rules.start, rules=rules), None))
    for _ in range(data.draw(st.integers(1, 14))):
        for one in inputs:
            before = state
            state, made = step(state, one)
            lines.append(line(Entry(one, made)))
            held = record([] if isinstance(one, NextGame) and before.over else held, made)
            assert [p.event for p in state.past] == held
            t = max(t, one.t)
        table = data.draw(tables(state, rules))
        seen = data.draw(st.integers(0, 2)) > 0
        inputs = data.draw(sights(table, t + 0.2) if seen else wishes(t + 0.2, rules, table))
    again = replay(lines)
    assert again.differs_at is None
    assert again.state == state


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_turn_that_does_not_stand_illegal_was_a_legal_play(data: st.DataObject) -> None:
    rules = ruleset(data.draw(st.sampled_from(sorted(RULESETS))))
    state, t = begin(Setup(rules.name, LAYOUT, side=0, policy="responsible")), 2.0
    for one in looks(0, 1, shown(rules.start, rules=rules), None):
        state, _ = step(state, one)
    for _ in range(data.draw(st.integers(1, 6))):
        roll = data.draw(rolls(rules))
        state, _ = step(state, RollGiven(t, roll))
        table = data.draw(tables(state, rules))
        inputs = [*looks(t, 2.4, table, None), TurnEnd(t + 2.5), *looks(t + 2.6, 2.4, table, None)]
        for one in inputs:
            base, side = state.base, state.side
            state, made = step(state, one)
            for turn in made:
                if isinstance(turn, TurnPlayed) and not turn.stood_illegal:
                    assert base is not None
                    legal = legal_plays(base, turn.roll, rules)
                    known = table_of_state(state)
                    assert turn.after in {known.of(turn.side, p.result) for p in legal}
                    assert turn.side == side
        t += 6


def test_an_observation_without_dice_or_points_is_taken() -> None:
    state = begin(Setup(layout=LAYOUT, policy="legal"))
    blind = replace(look(0.0, (0,) * PLACES, None), points=(UNSEEN,) * 24)
    for k in range(10):
        state, made = step(state, Seen(replace(blind, t=k / 5)))
        assert made == ()
