"""What people say to the referee: it supersedes what was recorded and never edits it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules import BACKGAMMON
from referee.clock import ClockRule, fresh, left_at, pressed, started_again, stopped, with_flag
from referee.events import (
    Adjourn,
    Amended,
    ClockPressed,
    ClockSet,
    Corrected,
    CubeActed,
    CubeTurned,
    GameOver,
    Input,
    LetStand,
    NextGame,
    Noted,
    Refused,
    Resigned,
    Resume,
    Resumed,
    Resync,
    Resynced,
    RollGiven,
    Setup,
    Superseded,
    Tick,
    TurnEnd,
    TurnPlayed,
    TurnUndone,
)  # fmt: skip
from referee.journal import SCHEMA, Entry, Header, line, replay
from referee.session import State, begin, step
from tests.referee.tables import LAYOUT, at, looks, of, play_out, shown, went

START = shown(BACKGAMMON.start)


def after(text: str, table: tuple[int, ...] = START, sign: int = 1) -> tuple[int, ...]:
    return went(text, table, sign)


def game(**more: object) -> State:
    setup = Setup(policy="legal", layout=LAYOUT, side=0, **more)  # type: ignore[arg-type]
    return play_out(begin(setup), looks(0, 1, START, None))[0]


def turn(t: float, roll: tuple[int, ...], table: tuple[int, ...]) -> list[Input]:
    """Roll typed, play made, confirmed."""
    return [RollGiven(t, roll), *looks(t, 1, table, None), TurnEnd(t + 1)]


ONE = after("8/5 6/5")
TWO = after("1/7 17/18", ONE, sign=-1)


def test_a_misread_point_that_is_corrected_stays_corrected_while_it_is_read_so() -> None:
    misread = tuple(n - (i == at(5)) for i, n in enumerate(ONE))
    state, _ = play_out(game(), [RollGiven(2, (3, 1)), *looks(2, 2, misread, None)])
    state, outs = play_out(state, [Corrected(4, ONE), *looks(4.2, 2, misread, None), TurnEnd(7)])
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5 6/5"]
    state, outs = play_out(state, looks(8, 3, misread, ()))
    assert not of(Noted, outs)


def test_an_undone_turn_is_open_again_and_waits_for_the_table() -> None:
    state, _ = play_out(game(), turn(2, (3, 1), ONE))
    state, outs = play_out(state, [TurnUndone(4), *looks(4, 3, ONE, ())])
    assert [s.turn for s in of(Superseded, outs)] == [0]
    assert (state.side, state.roll, state.turn) == (0, (3, 1), 0)
    assert not of(TurnPlayed, outs)
    state, outs = play_out(
        state, [*looks(8, 1, START, None), *looks(9, 1, after("24/23 13/10"), None), TurnEnd(10.5)]
    )
    assert [(t.turn, t.text, t.id) for t in of(TurnPlayed, outs)] == [(0, "24/23 13/10", 1)]


def test_undo_reaches_back_to_the_first_turn_and_no_further() -> None:
    state, _ = play_out(game(), turn(2, (3, 1), ONE) + turn(4, (6, 1), TWO))
    for left in (1, 0):
        state, outs = play_out(state, [TurnUndone(8)])
        assert (state.turn, len(state.past)) == (left, left)
    _, outs = play_out(state, [TurnUndone(9)])
    assert len(of(Refused, outs)) == 1


def test_an_amended_roll_is_judged_again_with_all_that_followed() -> None:
    state, _ = play_out(game(), turn(2, (3, 1), ONE) + turn(4, (6, 1), TWO))
    state, outs = play_out(state, [Amended(8, 0, roll=(1, 1))])
    assert [s.turn for s in of(Superseded, outs)] == [0]
    assert [(t.turn, t.roll, t.text, t.stood_illegal) for t in of(TurnPlayed, outs)] == [
        (0, (1, 1), "8/5 6/5", False),
        (1, (6, 1), "24/18 8/7", False),
    ]
    assert state.turn == 2


def test_an_amended_play_that_breaks_a_rule_is_recorded_as_standing() -> None:
    state, _ = play_out(game(), turn(2, (3, 1), ONE))
    _, outs = play_out(state, [Amended(8, 0, play="8/7 6/4")])
    (played,) = of(TurnPlayed, outs)
    assert (played.stood_illegal, played.after) == (True, after("8/7 6/4"))
    _, outs = play_out(state, [Amended(9, 0, play="nonsense")])
    assert len(of(Refused, outs)) == 1


def test_resync_goes_on_from_the_table_as_it_lies() -> None:
    other = after("13/8 13/8")
    state, outs = play_out(game(), [*looks(2, 1, other, ()), Resync(3, side=1)])
    assert [(r.table, r.side) for r in of(Resynced, outs)] == [(other, 1)]
    _, outs = play_out(state, turn(4, (6, 1), after("1/7 17/18", other, sign=-1)))
    assert [t.text for t in of(TurnPlayed, outs)] == ["24/18 8/7"]


def test_adjourned_games_are_not_judged_and_are_compared_on_return() -> None:
    state, _ = play_out(game(), [*turn(2, (3, 1), ONE), *looks(3.2, 1, ONE, None)])
    state, outs = play_out(state, [Adjourn(5), *looks(6, 3, after("13/7", ONE), ())])
    assert not of(Noted, outs)
    _, outs = play_out(state, [Resume(100), *looks(100, 1, after("13/7", ONE), ())])
    (resumed,) = of(Resumed, outs)
    assert {d.place for d in resumed.difference} == {at(13), at(7)}


def test_resigning_ends_the_game_and_the_next_one_keeps_the_score() -> None:
    state, outs = play_out(game(length=3), [Resigned(2, 1, 2)])
    assert [(g.winner, g.points, g.score) for g in of(GameOver, outs)] == [(0, 2, (2, 0))]
    state, _ = play_out(state, [NextGame(3), *looks(4, 1, START, None)])
    assert (state.score, state.crawford, state.over) == ((2, 0), True, False)
    _, outs = play_out(state, [CubeActed(6, "double")])
    assert len(of(Refused, outs)) == 1


def test_the_cube_is_turned_before_a_roll_taken_and_counted() -> None:
    state, outs = play_out(game(), [CubeActed(2, "double"), CubeActed(3, "take")])
    assert [(c.act, c.value, c.owner) for c in of(CubeTurned, outs)] == [("double", 2, None), ("take", 2, 1)]
    _, outs = play_out(state, [Resigned(4, 0)])
    assert [(g.winner, g.points) for g in of(GameOver, outs)] == [(1, 2)]
    _, outs = play_out(game(), [CubeActed(2, "double"), RollGiven(3, (3, 1)), CubeActed(4, "drop")])
    assert len(of(Refused, outs)) == 1
    assert [(g.winner, g.points) for g in of(GameOver, outs)] == [(0, 1)]


def cube_of(state: State) -> tuple[int, int | None, bool]:
    return state.cube, state.cube_owner, state.offered


def test_undoing_over_a_taken_double_puts_the_cube_back() -> None:
    state, _ = play_out(game(), turn(2, (3, 1), ONE))
    before = cube_of(state)
    state, _ = play_out(state, [CubeActed(4, "double"), CubeActed(5, "take")])
    assert cube_of(state) == (2, 0, False)
    state, _ = play_out(state, turn(6, (6, 1), TWO))
    state, outs = play_out(state, [TurnUndone(8)])
    assert (cube_of(state), state.turn) == ((2, 0, False), 1)
    assert not of(CubeTurned, outs)
    state, outs = play_out(state, [TurnUndone(9)])
    assert (cube_of(state), state.turn) == (before, 0)
    assert [(c.act, c.turn, c.value, c.owner) for c in of(CubeTurned, outs)] == [("undone", 1, 1, None)]


@pytest.mark.parametrize("acts", [("double",), ("double", "take"), ("double", "drop")])
def test_what_was_done_with_the_cube_is_taken_back_before_the_turn(acts: tuple[str, ...]) -> None:
    state, _ = play_out(game(), turn(2, (3, 1), ONE))
    state, _ = play_out(state, [CubeActed(4 + k, act) for k, act in enumerate(acts)])
    state, outs = play_out(state, [TurnUndone(8)])
    assert (cube_of(state), state.turn, state.over, state.score) == ((1, None, False), 1, False, (0, 0))
    assert [c.act for c in of(CubeTurned, outs)] == ["undone"]
    state, _ = play_out(state, turn(9, (6, 1), TWO))
    assert state.turn == 2


def test_a_resignation_is_taken_back_without_the_turn_before_it() -> None:
    state, _ = play_out(game(clock=ClockRule("delay", 60, 12)), turn(2, (3, 1), ONE))
    running = state.clock.running
    state, _ = play_out(state, [Resigned(4, 1, 2), TurnUndone(5)])
    assert (state.over, state.turn, state.score, state.clock.running) == (False, 1, (0, 0), running)
    _, outs = play_out(state, turn(6, (6, 1), TWO))
    assert len(of(TurnPlayed, outs)) == 1


def test_amending_a_game_that_was_given_up_leaves_it_given_up() -> None:
    state, _ = play_out(game(), [*turn(2, (3, 1), ONE), Resigned(4, 1, 2)])
    state, outs = play_out(state, [Amended(5, 0, roll=(1, 1))])
    assert (state.over, state.score) == (True, (2, 0))
    assert [(o.winner, o.points, o.name) for o in of(GameOver, outs)] == [(0, 2, "resigned")]


def test_amending_a_turn_leaves_alone_what_was_played_after_a_resync() -> None:
    other = after("13/8 13/8")
    state, _ = play_out(game(), [*turn(2, (3, 1), ONE), Resync(4, other, 1)])
    state, _ = play_out(state, turn(5, (6, 1), after("1/7 17/18", other, sign=-1)))
    _, outs = play_out(state, [Amended(8, 0, roll=(1, 1))])
    told = [(t.turn, t.text, t.stood_illegal) for t in of(TurnPlayed, outs)]
    assert told == [(0, "8/5 6/5", False), (1, "24/18 8/7", False)]


def test_fischer_adds_and_delay_waits() -> None:
    fischer = pressed(pressed(fresh(ClockRule("fischer", 60, 5)), 1, 0), 0, 10)
    assert left_at(fischer, 10) == (55, 60)
    delay = pressed(fresh(ClockRule("delay", 60, 12)), 1, 0)
    assert left_at(delay, 10) == (60, 60)
    assert left_at(delay, 22) == (50, 60)
    paused = stopped(delay, 22)
    assert left_at(started_again(paused, 1000), 1000 + 15) == (47, 60)


@given(st.lists(st.floats(0, 30), max_size=20), st.sampled_from(["delay", "fischer"]))
def test_a_clock_never_gains_without_increment_and_never_goes_below_zero(
    waits: list[float], kind: str
) -> None:
    clock, t = fresh(ClockRule(kind, 60, 3)), 0.0  # type: ignore[arg-type]
    for number, wait in enumerate(waits):
        before = left_at(clock, t)
        t += wait
        now = left_at(clock, t)
        assert all(0 <= b <= a for a, b in zip(before, now, strict=True))
        clock = pressed(clock, number % 2, t)


def test_the_flag_falls_once_and_at_its_time() -> None:
    clock = pressed(fresh(ClockRule("delay", 60, 12)), 1, 0)
    assert with_flag(clock, 71.9).flag is None
    assert with_flag(clock, 72).flag == 0
    state, _ = play_out(game(clock=ClockRule("delay", 60, 12)), [ClockPressed(2, 1)])
    _, outs = play_out(state, [Tick(70), Tick(75), Tick(80)])
    assert [(n.finding, n.side, n.t) for n in of(Noted, outs)] == [("flag_fell", 0, 75)]


def test_pressing_the_clock_ends_the_turn_and_an_illegal_one_keeps_the_time_running() -> None:
    state = game(clock=ClockRule("delay", 60, 12))
    state, outs = play_out(state, [RollGiven(2, (3, 1)), *looks(2, 1, ONE, None), ClockPressed(3, 0)])
    assert len(of(TurnPlayed, outs)) == 1
    assert state.clock.running == 1
    state = game(clock=ClockRule("delay", 60, 12))
    wrong = after("8/7 6/4")
    state, outs = play_out(state, [RollGiven(2, (3, 1)), *looks(2, 1, wrong, None), ClockPressed(3, 0)])
    assert state.clock.running == 0
    state, outs = play_out(state, [LetStand(5)])
    assert [c.clock.running for c in of(ClockSet, outs)] == [1]


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_order_of_wishes_is_taken_or_refused_and_replays_to_the_same_bytes(data: st.DataObject) -> None:
    tables = [START, ONE, TWO, after("8/7 6/4")]
    wishes: st.SearchStrategy[Callable[[float], Input | list[Input]]] = st.sampled_from(
        [
            *(lambda t, x=x: Corrected(t, x) for x in tables),
            *(lambda t, x=x: Resync(t, x, 0) for x in tables),
            Resync, TurnUndone, lambda t: Amended(t, 0, (2, 1)), Adjourn, Resume,
            lambda t: RollGiven(t, (3, 1)), lambda t: RollGiven(t, (6, 1, 2)), TurnEnd, LetStand, NextGame,
            lambda t: Resigned(t, 0, 1), lambda t: ClockPressed(t, 1), lambda t: CubeActed(t, "double"),
            lambda t: CubeActed(t, "take"), Tick, *(lambda t, x=x: looks(t, 1, x, None) for x in tables),
        ]
    )  # fmt: skip
    setup = Setup(policy="legal", layout=LAYOUT, side=0, clock=ClockRule("fischer", 60.0, 2.0))
    inputs: list[Input] = list(looks(0, 1, START, None))
    for number in range(data.draw(st.integers(1, 25))):
        made = data.draw(wishes)(2.0 + 2 * number)
        inputs += made if isinstance(made, list) else [made]
    state, lines = begin(setup), [line(Header(SCHEMA, "x", "test", setup))]
    for one in inputs:
        state, outs = step(state, one)
        lines.append(line(Entry(one, outs)))
    again = replay(lines)
    assert again.differs_at is None
    assert again.state == state
    assert [p.event.turn for p in state.past] == list(range(state.turn))
