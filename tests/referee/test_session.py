"""The session: what players do at a table, and what the referee makes of it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.plays import legal_plays
from engine.position import turned
from engine.rules import BACKGAMMON
from referee.events import (
    Ended,
    Gap,
    IllegalSeen,
    Input,
    LetStand,
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
from referee.session import State, begin
from tests.referee.tables import dice_at, look, looks, moved, of, play_out, shown

START = shown(BACKGAMMON.start)


def started() -> State:
    state, outs = play_out(begin(Setup()), looks(0, 1, START))
    assert of(Started, outs)
    return state


def test_the_start_is_recognised_in_all_four_ways_a_board_can_lie() -> None:
    mirrored = tuple(START[11 - i] if i < 12 else START[35 - i] for i in range(24)) + START[24:]
    for table in (START, mirrored, tuple(-n for n in START), tuple(-n for n in mirrored)):
        _, outs = play_out(begin(Setup()), looks(0, 1, table))
        assert [s.table for s in of(Started, outs)] == [table]


def test_a_wrong_start_is_named_point_by_point_and_only_once() -> None:
    wrong = moved(START, (18, -1), (19, 1))
    _, outs = play_out(begin(Setup()), looks(0, 2, wrong))
    assert [[d.place for d in w.difference] for w in of(WrongStart, outs)] == [[18, 19]]


def test_a_play_is_recorded_when_the_next_roll_is_seen() -> None:
    after = moved(START, (16, -1), (19, 1), (18, -1), (19, 1))
    inputs = [
        *looks(2, 1, START, dice_at((3, 1))),
        *looks(3, 1, after, dice_at((3, 1))),
        *looks(4, 1, after, dice_at((6, 2), side=1)),
    ]
    _, outs = play_out(started(), inputs)
    turns = of(TurnPlayed, outs)
    assert [(t.side, t.roll, t.text, t.stood_illegal) for t in turns] == [(0, (3, 1), "8/5 6/5", False)]
    assert turns[0].after == after
    assert turns[0].confidence > 0.95
    assert not of(IllegalSeen, outs)
    assert [(r.side, r.roll) for r in of(Rolled, outs)] == [(None, (3, 1)), (1, (6, 2))]


def test_an_illegal_play_is_named_stays_and_is_put_right() -> None:
    wrong = moved(START, (16, -1), (17, 1), (18, -1), (20, 1))
    right = moved(START, (16, -1), (19, 1), (18, -1), (19, 1))
    inputs = [
        *looks(2, 1, START, dice_at((3, 1))),
        *looks(3, 1.4, wrong, dice_at((3, 1))),
        *looks(5, 1, right, dice_at((3, 1))),
        *looks(6, 1, right, dice_at((4, 4), side=1)),
    ]
    _, outs = play_out(started(), inputs)
    assert [set(i.places) for i in of(IllegalSeen, outs)] == [{16, 17, 18, 20}]
    assert len(of(PutRight, outs)) == 1
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5 6/5"]


def test_an_illegal_play_that_stands_is_recorded_as_such() -> None:
    wrong = moved(START, (16, -1), (17, 1), (18, -1), (20, 1))
    inputs = [*looks(2, 1, START, dice_at((3, 1))), *looks(3, 1.4, wrong, dice_at((3, 1))), LetStand(4.5)]
    state, outs = play_out(started(), inputs)
    (turn,) = of(TurnPlayed, outs)
    assert turn.stood_illegal
    assert turn.after == wrong
    assert state.side == 1


def test_a_hand_over_the_board_is_never_judged() -> None:
    odd = moved(START, (16, -1))
    inputs = [Seen(look(2 + k / 5, odd, dice_at((3, 1)), hand=True)) for k in range(20)]
    _, outs = play_out(started(), inputs)
    assert outs == []


def test_half_a_play_and_a_lifted_checker_are_waited_for() -> None:
    inputs = [
        *looks(2, 1, START, dice_at((3, 1))),
        *looks(3, 2, moved(START, (16, -1)), dice_at((3, 1))),
        *looks(5, 2, moved(START, (16, -1), (19, 1)), dice_at((3, 1))),
    ]
    _, outs = play_out(started(), inputs)
    assert not of(IllegalSeen, outs)
    assert not of(TurnPlayed, outs)


def test_dice_lifted_end_the_turn() -> None:
    right = moved(START, (16, -1), (19, 1), (18, -1), (19, 1))
    inputs = [
        *looks(2, 1, START, dice_at((3, 1))),
        *looks(3, 1, right, dice_at((3, 1))),
        *looks(4, 1, right, ()),
    ]
    _, outs = play_out(started(), inputs)
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5 6/5"]


def test_without_dice_in_sight_typed_rolls_and_the_clock_do() -> None:
    right = moved(START, (16, -1), (19, 1), (18, -1), (19, 1))
    inputs = [RollGiven(2, (3, 1)), *looks(2, 1, START, None), *looks(3, 1, right, None), TurnEnd(4)]
    _, outs = play_out(started(), inputs)
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5 6/5"]


def test_ending_a_turn_unfinished_is_illegal() -> None:
    half = moved(START, (16, -1), (19, 1))
    inputs = [RollGiven(2, (3, 1)), *looks(2, 1, START, None), *looks(3, 1, half, None), TurnEnd(4)]
    _, outs = play_out(started(), inputs)
    assert [i.reason for i in of(IllegalSeen, outs)] == ["more of the roll can be played"]
    assert [turn.stood_illegal for turn in of(TurnPlayed, outs)] == [True]


def test_where_plays_must_be_legal_the_turn_stays_open_until_it_is_finished() -> None:
    half = moved(START, (16, -1), (19, 1))
    whole = moved(half, (18, -1), (19, 1))
    state, _ = play_out(begin(Setup(policy="legal")), looks(0, 1, START))
    inputs = [
        RollGiven(2, (3, 1)),
        *looks(2, 1, half, None),
        TurnEnd(4),
        *looks(5, 1, whole, None),
        TurnEnd(7),
    ]
    _, outs = play_out(state, inputs)
    assert len(of(IllegalSeen, outs)) == 1
    assert len(of(PutRight, outs)) == 1
    assert [(turn.text, turn.stood_illegal) for turn in of(TurnPlayed, outs)] == [("8/5 6/5", False)]


def test_a_checker_that_appears_is_a_gap_not_an_accusation() -> None:
    odd = moved(START, (3, -2))
    inputs = [
        *looks(2, 1, START, dice_at((3, 1))),
        *looks(3, 3, odd, dice_at((3, 1))),
        *looks(6, 1, odd, dice_at((5, 2), side=1)),
    ]
    _, outs = play_out(started(), inputs)
    assert not of(IllegalSeen, outs)
    assert len(of(Gap, outs)) == 1


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), turns=st.integers(1, 12))
def test_random_legal_games_are_recorded_exactly(seed: int, turns: int) -> None:
    rng = Random(seed)
    state, position, side, t = started(), BACKGAMMON.start, 0, 2.0
    want: list[tuple[int, ...]] = []
    got: list[TurnPlayed] = []
    for _ in range(turns):
        roll = (rng.randint(1, 6), rng.randint(1, 6))
        play = rng.choice(legal_plays(position, roll))
        dice = dice_at(roll, side, shift=rng.random() / 10)
        inputs = looks(t, 0.8, shown(position, side), dice) + looks(
            t + 1, 0.8, shown(play.result, side), dice
        )
        state, outs = play_out(state, inputs)
        got += of(TurnPlayed, outs)
        assert not of(IllegalSeen, outs)
        want.append(shown(play.result, side))
        position, side, t = turned(play.result, BACKGAMMON), 1 - side, t + 3
    state, outs = play_out(state, [Ended(t)])
    got += of(TurnPlayed, outs)
    assert [e.after for e in got] == want


@pytest.mark.parametrize("seed", range(5))
def test_random_tables_are_never_taken_for_a_play(seed: int) -> None:
    rng = Random(seed)
    state, _ = play_out(started(), looks(2, 1, START, dice_at((3, 1))))
    for k in range(20):
        a, b = rng.sample([i for i in range(24) if START[i] > 0], 2)
        wrong = moved(START, (a, -1), (b, -1), (rng.randrange(1, 4), 2))
        _, outs = play_out(state, looks(3 + k, 1.5, wrong, dice_at((3, 1))))
        assert [type(o) for o in outs if isinstance(o, TurnPlayed)] == []


def test_one_look_and_then_nothing_new_is_a_table_at_rest() -> None:
    """Sensor boards tell a change once, and then only that nothing has changed."""
    right = moved(START, (16, -1), (19, 1), (18, -1), (19, 1))
    inputs: list[Input] = [RollGiven(2, (3, 1)), *looks(2, 1, START, None), Seen(look(3.2, right, None))]
    inputs += [Still(3.2 + k / 5) for k in range(1, 6)]
    _, outs = play_out(started(), [*inputs, TurnEnd(5)])
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5 6/5"]
