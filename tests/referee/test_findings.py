"""Each kind of trouble at a table has a name of its own, and what is no trouble has none."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.plays import legal_plays
from engine.position import Position
from engine.rules import BACKGAMMON
from referee.events import (
    Chosen,
    IllegalSeen,
    Input,
    Judged,
    LetStand,
    Noted,
    Output,
    PutRight,
    Rolled,
    RollGiven,
    Seen,
    Setup,
    Started,
    TurnEnd,
    TurnPlayed,
)  # fmt: skip
from referee.layout import DARK, LIGHT
from referee.observation import UNSEEN, Die
from referee.session import State, begin
from referee.state import roll_judged
from tests.referee.tables import LAYOUT, at, dice_at, look, looks, moved, of, play_out, shown, went

START = shown(BACKGAMMON.start)


def after(text: str, table: tuple[int, ...] = START, sign: int = 1) -> tuple[int, ...]:
    return went(text, table, sign)


def game(table: tuple[int, ...] = START, side: int | None = LIGHT, policy: str = "legal") -> State:
    setup = Setup(policy=policy, layout=LAYOUT, start=None if table == START else table, side=side)
    state, outs = play_out(begin(setup), looks(0, 1, table, None))
    assert of(Started, outs)
    return state


def ended_on(
    table: tuple[int, ...], roll: tuple[int, ...], before: tuple[int, ...] = START, policy: str = "legal"
) -> list[Output]:
    """Roll, then this table, then the mover says that the turn is over."""
    inputs: list[Input] = [
        RollGiven(2, roll),
        *looks(2, 1.2, table, None),
        TurnEnd(4),
        *looks(4.2, 1, table, None),
    ]
    return play_out(game(before, policy=policy), inputs)[1]


def table_with(points: dict[int, int], theirs: dict[int, int]) -> Position:
    counts = [0] * 26
    for own, n in points.items():
        counts[own] = n
    for own, n in theirs.items():
        counts[own] = -n
    return Position.of(counts)


WRONG = {
    "direction": after("6/9 6/7"),
    "wrong_count": after("8/7 6/4"),
    "opponents_checker": after("17/16", sign=-1),
}


@pytest.mark.parametrize("finding", WRONG)
def test_illegal_plays_are_named_after_the_rule_they_break(finding: str) -> None:
    (seen,) = of(IllegalSeen, ended_on(WRONG[finding], (3, 1)))
    assert seen.finding == finding


def test_a_point_that_is_held_on_the_way_is_named() -> None:
    """24/14 with 5-5: dark holds light's 19."""
    (seen,) = of(IllegalSeen, ended_on(after("24/14 13/8 13/8"), (5, 5)))
    assert seen.finding == "blocked"


def test_the_opponents_turn_played_by_the_opponent_is_out_of_turn() -> None:
    play = legal_plays(BACKGAMMON.start, (3, 1))[0]
    (seen,) = of(IllegalSeen, ended_on(shown(play.result, DARK), (3, 1)))
    assert seen.finding == "out_of_turn"


BAR = Position(
    tuple([0, -2] + [0] * 4 + [5, 0, 2, 0, 0, 0, -5] + [4] + [0] * 3 + [-3, 0, -5, 0, 0, 0, 0, 3, 1])
)


def test_a_checker_left_on_the_bar_is_named() -> None:
    before = shown(BAR)
    roll, hop = (3, 1), [(18, -1), (21, 1), (18, -1), (19, 1)]
    (seen,) = of(IllegalSeen, ended_on(moved(before, *hop), roll, before))
    assert seen.finding == "not_entered"


def test_half_a_play_is_unfinished_and_none_at_all_must_be_played() -> None:
    (half,) = of(IllegalSeen, ended_on(after("8/5"), (3, 1)))
    (none,) = of(IllegalSeen, ended_on(START, (3, 1)))
    assert (half.finding, none.finding) == ("unfinished", "must_play")


def test_a_beginning_that_cannot_be_finished_while_another_play_takes_both_dice() -> None:
    """6-5 with light on 13 and 12: 13/7 12/7 takes both dice."""
    before = table_with({13: 1, 12: 1, 1: 13}, {8: 2, 6: 11, 24: 2})
    assert {len(p.hops) for p in legal_plays(before, (6, 5))} == {2}
    table = shown(before)
    (seen,) = of(IllegalSeen, ended_on(after("13/7", table), (6, 5), table))
    assert seen.finding in ("unfinished", "more_dice")


def test_the_smaller_die_where_only_the_larger_may_be_played() -> None:
    """6-5 with one checker on 13: 13/7 or 13/8, and nothing after either."""
    before = table_with({13: 1, 1: 14}, {2: 2, 24: 13})
    assert [p.hops[0].dst for p in legal_plays(before, (6, 5))] == [7]
    table = shown(before)
    (seen,) = of(IllegalSeen, ended_on(after("13/8", table), (6, 5), table))
    assert seen.finding == "larger_die"


def test_leaning_dice_are_named_once_and_do_not_count() -> None:
    leaning = (Die(3, 0.9, 0.7, 0.5, cocked=True), Die(1, 0.99, 0.8, 0.5))
    _, outs = play_out(game(), looks(2, 2, START, leaning))
    assert [n.finding for n in of(Noted, outs)] == ["cocked_dice"]
    assert not of(Rolled, outs)


def test_a_roll_before_the_turn_is_over_does_not_count() -> None:
    half = after("8/5")
    whole = after("6/5", half)
    inputs = [
        *looks(2, 1, START, dice_at((3, 1))),
        *looks(3, 1, half, dice_at((3, 1))),
        *looks(4, 1, half, dice_at((6, 2), side=1)),
        *looks(5, 1, whole, dice_at((6, 2), side=1)),
        *looks(6, 1, whole, ()),
        *looks(7, 1, whole, dice_at((5, 4), side=1, shift=0.1)),
    ]
    _, outs = play_out(game(), inputs)
    assert [n.finding for n in of(Noted, outs)] == ["premature_roll"]
    assert [(r.side, r.roll) for r in of(Rolled, outs)] == [(LIGHT, (3, 1)), (DARK, (5, 4))]
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5 6/5"]


def test_nudged_dice_are_the_same_roll() -> None:
    inputs = [*looks(2, 1, START, dice_at((3, 1))), *looks(3, 1, START, dice_at((3, 1), shift=0.08))]
    _, outs = play_out(game(), inputs)
    assert len(of(Rolled, outs)) == 1
    assert not of(Noted, outs)


@pytest.mark.parametrize(("change", "finding"), [((3, -2), "appeared"), ((16, -1), "vanished")])
def test_checkers_that_appear_or_vanish_between_turns(change: tuple[int, int], finding: str) -> None:
    state, outs = play_out(game(), looks(2, 3, moved(START, change), ()))
    assert [n.finding for n in of(Noted, outs)] == [finding]
    _, outs = play_out(state, looks(6, 1, START, ()))
    assert len(of(PutRight, outs)) == 1


def test_a_checker_that_is_missing_when_the_turn_ends() -> None:
    """During the turn it may be in the mover's hand."""
    missing = moved(after("8/5 6/5"), (at(13), -1))
    state, outs = play_out(game(), [RollGiven(2, (3, 1)), *looks(2, 3, missing, None)])
    assert not of(Noted, outs)
    _, outs = play_out(state, [TurnEnd(6), *looks(6, 2, missing, None)])
    assert [n.finding for n in of(Noted, outs)] == ["vanished"]
    assert not of(TurnPlayed, outs)


def test_playing_before_rolling_is_noted() -> None:
    table = after("8/5")
    _, outs = play_out(game(), looks(2, 3, table, ()))
    assert [n.finding for n in of(Noted, outs)] == ["no_roll"]


def test_equal_opening_dice_are_thrown_again() -> None:
    state, _ = play_out(begin(Setup(policy="legal", opening=True)), looks(0, 1, START, None))
    inputs = [*looks(2, 1, START, dice_at((4, 4))), *looks(3, 1, START, dice_at((5, 2), shift=0.1))]
    _, outs = play_out(state, inputs)
    assert [n.finding for n in of(Noted, outs)] == ["opening_tie"]
    assert [r.roll for r in of(Rolled, outs)] == [(5, 2)]


def test_touching_and_putting_back_is_nothing() -> None:
    lifted = moved(START, (16, -1))
    inputs: list[Input] = [*looks(2, 1, START, dice_at((3, 1)))]
    inputs += [Seen(look(3 + k / 5, lifted, dice_at((3, 1)), hand=True)) for k in range(5)]
    inputs += looks(4, 2, START, dice_at((3, 1)))
    _, outs = play_out(game(), inputs)
    assert not of(IllegalSeen, outs)
    assert not of(Noted, outs)


def test_a_slow_slide_is_not_the_shorter_play() -> None:
    """6-1: one checker rests half-way for long, on a legal point; the turn's end finds the whole play."""
    resting, whole = after("8/7"), after("13/7 8/7")
    inputs = [
        *looks(2, 1, START, dice_at((6, 1))),
        *looks(3, 2, resting, dice_at((6, 1))),
        *looks(5, 1, whole, dice_at((6, 1))),
        *looks(6, 1, whole, ()),
    ]
    _, outs = play_out(game(), inputs)
    assert not of(IllegalSeen, outs)
    assert [t.text for t in of(TurnPlayed, outs)] == ["13/7 8/7"]


def test_the_play_may_change_until_the_turn_ends() -> None:
    one = after("8/5 6/5")
    other = after("24/23 13/10")
    inputs = [
        *looks(2, 1, START, dice_at((3, 1))),
        *looks(3, 2, one, dice_at((3, 1))),
        *looks(5, 1, other, dice_at((3, 1))),
        *looks(6, 1, other, ()),
    ]
    _, outs = play_out(game(), inputs)
    assert [t.text for t in of(TurnPlayed, outs)] == ["24/23 13/10"]


def test_both_orders_of_a_roll_are_one_play() -> None:
    texts = []
    for roll in ((3, 1), (1, 3)):
        outs = ended_on(after("13/9"), roll)
        texts += [t.text for t in of(TurnPlayed, outs)]
    assert texts == ["13/9", "13/9"]


def test_responsible_players_are_not_told_and_the_arbiter_is() -> None:
    wrong = after("8/7 6/4")
    outs = ended_on(wrong, (3, 1), policy="responsible")
    assert [s.finding for s in of(IllegalSeen, outs)] == ["wrong_count"]
    assert [t.stood_illegal for t in of(TurnPlayed, outs)] == [True]
    assert not any(getattr(getattr(o, "signal", None), "sign", "") == "illegal" for o in outs)


def test_the_roll_is_inferred_where_only_one_explains_the_play() -> None:
    table = after("13/7 8/7")
    inputs: list[Input] = [*looks(2, 1, table, None), TurnEnd(4), *looks(4.2, 0.6, table, None)]
    _, outs = play_out(game(), inputs)
    assert [(t.roll, t.text, t.how) for t in of(TurnPlayed, outs)] == [((6, 1), "13/7 8/7", "inferred")]


def test_where_several_rolls_explain_the_play_the_players_are_asked() -> None:
    """8/5 6/5 is a 3-1 or a 1-1."""
    table = after("8/5 6/5")
    inputs: list[Input] = [*looks(2, 1, table, None), TurnEnd(4), *looks(4.2, 0.6, table, None)]
    state, outs = play_out(game(), inputs)
    assert not of(TurnPlayed, outs)
    assert {c.roll for c in state.asked} == {(3, 1), (1, 1)}
    index = [c.roll for c in state.asked].index((3, 1))
    _, outs = play_out(state, [Chosen(5, index)])
    assert [(t.roll, t.how) for t in of(TurnPlayed, outs)] == [((3, 1), "inferred")]


def test_an_illegal_play_is_let_stand_by_one_click() -> None:
    wrong = after("8/7 6/4")
    state, outs = play_out(game(), [RollGiven(2, (3, 1)), *looks(2, 2, wrong, None)])
    assert not of(TurnPlayed, outs)
    _, outs = play_out(state, [LetStand(5)])
    assert [(t.stood_illegal, t.after) for t in of(TurnPlayed, outs)] == [(True, wrong)]


def test_a_hit_in_passing_is_not_moving_the_opponents_checkers() -> None:
    """13/8*/3 with a 6-3: dark's blot on light's 8 went to the bar, only the count is wrong."""
    before = table_with({13: 5, 6: 5, 5: 5}, {8: 1, 24: 2, 12: 5, 19: 7})
    table = list(after("13/3", shown(before)))
    table[at(8)], table[25] = 0, -1
    (seen,) = of(IllegalSeen, ended_on(tuple(table), (6, 3), shown(before)))
    assert seen.finding == "wrong_count"


def doubtful(values: tuple[int, int], p: float) -> tuple[Die, ...]:
    """Dice of which the first is read with probability `p`; its other faces share what is left."""
    return (Die(values[0], p, 0.7, 0.5), Die(values[1], 0.999, 0.78, 0.5))


@pytest.mark.parametrize("p", [0.84, 0.7])
def test_a_play_of_dice_that_may_have_been_misread_is_asked_about_not_accepted(p: float) -> None:
    """8/4 6/3 takes a 4-3; a 2-3 was read, with a few percent for the four."""
    table = after("8/4 6/3")
    dice = doubtful((2, 3), p)
    state, outs = play_out(game(), [*looks(2, 1, START, dice), *looks(3, 3, table, dice)])
    assert not of(IllegalSeen, outs)
    assert {j.verdict for j in of(Judged, outs)} == {"incomplete", "ambiguous"}
    assert [c.roll for c in state.asked] == [(4, 3)]
    _, taken = play_out(state, [Chosen(7, 0), TurnEnd(8)])
    assert [(t.roll, t.text, t.how) for t in of(TurnPlayed, taken)] == [((4, 3), "8/4 6/3", "inferred")]
    _, told = play_out(state, [RollGiven(7, (2, 3)), *looks(7.2, 1, table, dice)])
    assert [i.finding for i in of(IllegalSeen, told)] == ["wrong_count"]


def test_a_play_of_a_likely_other_reading_is_taken_and_marked() -> None:
    dice = (*doubtful((2, 3), 0.5)[:1], Die(3, 0.999, 0.78, 0.5))
    four = (Die(4, 0.5, 0.7, 0.5), dice[1])
    inputs = [
        *looks(2, 0.6, START, dice),
        *looks(2.6, 0.4, START, four),
        *looks(3, 1, after("8/4 6/3"), dice),
    ]
    state, outs = play_out(game(), inputs)
    assert roll_judged(state) == ((4, 3), "inferred")
    _, outs = play_out(state, [TurnEnd(5)])
    assert [(t.roll, t.how) for t in of(TurnPlayed, outs)] == [((4, 3), "inferred")]


def test_a_turn_that_was_ended_too_early_stays_named_until_something_is_moved() -> None:
    half = after("8/5")
    state, outs = play_out(game(), [RollGiven(2, (3, 1)), *looks(2, 1.2, half, None), TurnEnd(4)])
    assert [s.finding for s in of(IllegalSeen, outs)] == ["unfinished"]
    state, outs = play_out(state, looks(4.2, 3, half, None))
    assert not outs
    assert state.illegal is not None
    _, outs = play_out(state, [*looks(8, 1, after("6/5", half), None), TurnEnd(9)])
    assert [type(o) for o in outs if isinstance(o, PutRight | TurnPlayed)] == [PutRight, TurnPlayed]


def test_typed_dice_that_never_lay_on_the_table_were_not_lifted_from_it() -> None:
    """A hand passes over a table that is watched for dice."""
    inputs: list[Input] = [RollGiven(2, (3, 1)), *looks(2, 1, START, ())]
    inputs += [Seen(look(3 + k / 5, START, (), hand=True)) for k in range(3)]
    state, outs = play_out(game(), [*inputs, *looks(4, 4, START, ())])
    assert not of(IllegalSeen, outs)
    _, outs = play_out(
        state, [*looks(8, 1, after("8/5 6/5"), ()), TurnEnd(9.5), *looks(9.6, 0.4, after("8/5 6/5"), ())]
    )
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5 6/5"]


def test_points_that_nobody_sees_are_no_question_while_the_turn_goes_on() -> None:
    """Something lies over light's home; then over the whole table."""
    for hidden in (range(18, 24), range(24)):
        seen = look(3, after("8/5"), None)
        points = tuple(UNSEEN if i in hidden else b for i, b in enumerate(seen.points))
        blind: list[Input] = [Seen(replace(seen, t=3 + k / 5, points=points)) for k in range(20)]
        state, outs = play_out(game(), [RollGiven(2, (3, 1)), *looks(2, 1, START, None), *blind])
        assert not [o for o in outs if isinstance(o, IllegalSeen | Noted | TurnPlayed)]
        assert state.asked == ()
