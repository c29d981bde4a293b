"""The same troubles under both policies, questions to the players, and what becomes of their answers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.rules import BACKGAMMON
from referee.events import (
    Amended,
    Chosen,
    Corrected,
    CubeActed,
    CubeTurned,
    GameOver,
    IllegalSeen,
    Input,
    Judged,
    LetStand,
    Lit,
    Noted,
    Output,
    PutRight,
    Refused,
    Rolled,
    RollGiven,
    Seen,
    Setup,
    Still,
    Superseded,
    TurnEnd,
    TurnPlayed,
    WrongStart,
)  # fmt: skip
from referee.layout import LIGHT
from referee.observation import UNSEEN, belief
from referee.session import State, begin
from referee.signal import Sign
from tests.referee.tables import LAYOUT, dice_at, look, looks, of, play_out, shown
from tests.referee.test_findings import WRONG, after

START = shown(BACKGAMMON.start)
RIGHT = after("8/5 6/5")


def game(policy: str = "legal", **more: object) -> State:
    setup = Setup(policy=policy, layout=LAYOUT, side=LIGHT, **more)  # type: ignore[arg-type]
    return play_out(begin(setup), looks(0, 1, START, None))[0]


def signs(outs: list[Output]) -> list[Sign]:
    return [o.signal.sign for o in outs if isinstance(o, Lit)]


@pytest.mark.parametrize("finding", WRONG)
def test_what_must_be_put_right_keeps_the_turn_open_until_it_is(finding: str) -> None:
    wrong = WRONG[finding]
    inputs = [RollGiven(2, (3, 1)), *looks(2, 1.2, wrong, None), TurnEnd(4), *looks(4.2, 3, wrong, None)]
    state, outs = play_out(game("legal"), inputs)
    assert [i.finding for i in of(IllegalSeen, outs)] == [finding]
    assert Sign.ILLEGAL in signs(outs)
    assert not of(TurnPlayed, outs)
    state, outs = play_out(state, [*looks(8, 1, START, None), *looks(9, 1, RIGHT, None), TurnEnd(11)])
    assert len(of(PutRight, outs)) == 1
    assert [(t.text, t.stood_illegal) for t in of(TurnPlayed, outs)] == [("8/5 6/5", False)]


@pytest.mark.parametrize("finding", WRONG)
def test_responsible_players_end_the_turn_and_the_arbiter_finds_it_noted(finding: str) -> None:
    wrong = WRONG[finding]
    inputs = [RollGiven(2, (3, 1)), *looks(2, 1.2, wrong, None), TurnEnd(4), *looks(4.2, 1, wrong, None)]
    _, outs = play_out(game("responsible"), inputs)
    assert [i.finding for i in of(IllegalSeen, outs)] == [finding]
    assert Sign.ILLEGAL not in signs(outs)
    assert [(t.after, t.stood_illegal) for t in of(TurnPlayed, outs)] == [(wrong, True)]


def test_responsible_players_who_put_it_right_by_themselves_have_a_legal_turn() -> None:
    inputs = [
        RollGiven(2, (3, 1)),
        *looks(2, 2, after("8/7 6/4"), None),
        *looks(5, 1, RIGHT, None),
        TurnEnd(7),
    ]
    _, outs = play_out(game("responsible"), inputs)
    assert len(of(IllegalSeen, outs)) == 1
    assert [t.stood_illegal for t in of(TurnPlayed, outs)] == [False]


def test_a_roll_too_early_counts_among_responsible_players() -> None:
    half = after("8/5")
    inputs = [
        *looks(2, 1, START, dice_at((3, 1))),
        *looks(3, 1, half, dice_at((3, 1))),
        *looks(4, 2, half, dice_at((6, 2), side=1)),
    ]
    _, outs = play_out(game("responsible"), inputs)
    assert "premature_roll" in [n.finding for n in of(Noted, outs)]
    assert [t.stood_illegal for t in of(TurnPlayed, outs)] == [True]
    assert [r.roll for r in of(Rolled, outs)] == [(3, 1), (6, 2)]


def hidden(table: tuple[int, ...], places: set[int], t: float, seconds: float) -> list[Input]:
    """A hand comes, and something stays over these places."""
    seen = look(t, table, None)
    points = tuple(UNSEEN if i in places else b for i, b in enumerate(seen.points))
    came: Input = Seen(look(t, table, None, hand=True))
    return [came, *(Seen(replace(seen, t=t + k / 5, points=points)) for k in range(1, round(seconds * 5)))]


@pytest.mark.parametrize("policy", ["legal", "responsible"])
def test_a_play_that_hidden_points_leave_open_is_asked_about_when_the_turn_ends(policy: str) -> None:
    """8/4 and 8/5 6/5 cannot be told apart while light's 4, 5, 6 and 8 are hidden: nor can others."""
    covered = hidden(RIGHT, {16, 18, 19, 20}, 2, 3)
    state, outs = play_out(game(policy), [RollGiven(2, (3, 1)), *covered, TurnEnd(6)])
    assert not of(TurnPlayed, outs)
    assert [j.verdict for j in of(Judged, outs)][-1] == "ambiguous"
    assert Sign.AMBIGUOUS in signs(outs)
    state, outs = play_out(state, [Still(6 + k / 5) for k in range(1, 20)])
    assert outs == []
    index = next(i for i, c in enumerate(state.asked) if c.table == RIGHT)
    _, refused = play_out(state, [Chosen(10, 99)])
    assert len(of(Refused, refused)) == 1
    _, outs = play_out(state, [Chosen(10, index)])
    assert [(t.text, t.confidence, t.stood_illegal) for t in of(TurnPlayed, outs)] == [
        ("8/5 6/5", 1.0, False)
    ]


def test_a_question_is_answered_by_taking_the_hand_away_too() -> None:
    covered = hidden(RIGHT, {16, 18, 19, 20}, 2, 3)
    state, _ = play_out(game(), [RollGiven(2, (3, 1)), *covered, TurnEnd(6)])
    state, _ = play_out(state, hidden(RIGHT, {16, 18, 19, 20}, 6.2, 3))
    _, outs = play_out(state, looks(10, 1, RIGHT, None))
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5 6/5"]


def test_a_question_is_answered_by_saying_what_lies_there() -> None:
    wrong = after("8/7 6/4")
    state, _ = play_out(game(), [RollGiven(2, (3, 1)), *hidden(RIGHT, {16, 18, 19, 20}, 2, 3), TurnEnd(6)])
    state, _ = play_out(state, hidden(wrong, {16, 18, 19, 20}, 6.2, 3))
    _, outs = play_out(state, [Corrected(10, wrong), *hidden(wrong, {16, 18, 19, 20}, 10.2, 1)])
    assert not [t for t in of(TurnPlayed, outs) if not t.stood_illegal]


def test_doubling_goes_back_and_forth_and_the_game_is_worth_the_cube() -> None:
    state, outs = play_out(game(length=5), [CubeActed(2, "double"), CubeActed(2.5, "take")])
    state, outs = play_out(state, [CubeActed(3, "double")])
    assert len(of(Refused, outs)) == 1  # the cube is dark's now
    state, _ = play_out(state, [RollGiven(4, (3, 1)), *looks(4, 1, RIGHT, None), TurnEnd(5.5)])
    state, outs = play_out(state, [CubeActed(6, "double"), CubeActed(7, "drop")])
    assert [(c.act, c.value) for c in of(CubeTurned, outs)] == [("double", 4), ("drop", 2)]
    assert [(g.winner, g.points, g.name, g.score) for g in of(GameOver, outs)] == [(1, 2, "dropped", (0, 2))]


def test_a_turn_that_stood_illegal_becomes_legal_by_amending_its_dice() -> None:
    wrong = after("8/7 6/4")
    state, _ = play_out(game(), [RollGiven(2, (3, 1)), *looks(2, 2, wrong, None), LetStand(5)])
    _, outs = play_out(state, [Amended(6, 0, roll=(2, 1))])
    assert [type(o) for o in outs] == [Superseded, TurnPlayed]
    assert [(t.text, t.stood_illegal) for t in of(TurnPlayed, outs)] == [("8/7 6/4", False)]
    _, outs = play_out(state, [Amended(6, 0, play="8/7 6/4")])
    assert [t.stood_illegal for t in of(TurnPlayed, outs)] == [True]


def test_any_position_can_be_the_start_and_a_wrong_one_is_named_point_by_point() -> None:
    problem = after("13/7 13/8 24/18")
    setup = Setup(policy="legal", layout=LAYOUT, start=problem, side=1)
    _, outs = play_out(begin(setup), looks(0, 1, START, None))
    (wrong,) = of(WrongStart, outs)
    assert {d.place: (d.expected, d.seen) for d in wrong.difference} == {
        i: (problem[i], START[i]) for i in range(24) if problem[i] != START[i]
    }
    assert Sign.HINT in signs(outs)
    state, _ = play_out(begin(setup), looks(0, 1, problem, None))
    assert (state.side, state.base is not None) == (1, True)


def doubted(table: tuple[int, ...], t: float, seconds: float) -> list[Input]:
    """A reader that is never quite sure, and trays that nobody watches."""
    beliefs = tuple(belief([(n, 0.97), (n + (1 if n >= 0 else -1), 0.02), (0, 0.01)]) for n in table)
    seen = replace(look(t, table, None), points=beliefs[:24], bar=(beliefs[24], beliefs[25]))
    return [Seen(replace(seen, t=round(t + k / 5, 3))) for k in range(round(seconds * 5))]


HOME = tuple([0] * 11 + [-3] + [0] * 9 + [4, 2, 3, 0, 0, 6, -12])
#: light has 4, 2 and 3 on its 3, 2 and 1; dark 3 on its 1; the rest is off


@pytest.mark.parametrize(
    ("wrong", "finding"),
    [
        ({18: 1, 21: 3}, "direction"),  # from 3 back to 6
        ({11: 0}, "vanished"),  # dark takes its last three off
    ],
)
def test_what_goes_to_a_tray_out_of_sight_explains_no_steady_table(
    wrong: dict[int, int], finding: str
) -> None:
    state, outs = play_out(
        begin(Setup(policy="legal", layout=LAYOUT, start=HOME, side=LIGHT)), looks(0, 1, HOME, None)
    )
    table = tuple(wrong.get(i, n) for i, n in enumerate(HOME))
    _, outs = play_out(state, [RollGiven(2, (3, 1)), *doubted(HOME, 2, 1), *doubted(table, 4, 4)])
    assert [o.finding for o in outs if isinstance(o, IllegalSeen | Noted)] == [finding]


def test_a_play_that_a_steady_table_hardly_shows_is_asked_about() -> None:
    """2-1: two checkers went off from the 2; 2/off 2/1 would leave one more on the 1."""
    state, _ = play_out(
        begin(Setup(policy="legal", layout=LAYOUT, start=HOME, side=LIGHT)), looks(0, 1, HOME, None)
    )
    table = tuple({22: 0}.get(i, n) for i, n in enumerate(HOME))
    state, outs = play_out(state, [RollGiven(2, (2, 1)), *doubted(HOME, 2, 1), *doubted(table, 4, 5)])
    assert not of(TurnPlayed, outs)
    assert [c.table[21:24] for c in state.asked] == [(4, 0, 4)]
    state, outs = play_out(state, [TurnEnd(9), *doubted(table, 9.2, 1)])
    assert not of(TurnPlayed, outs)
    _, outs = play_out(state, [Corrected(11, table)])
    assert len(of(IllegalSeen, outs)) == 1


def test_the_next_roll_does_not_settle_what_a_steady_table_hardly_shows() -> None:
    state, _ = play_out(
        begin(Setup(policy="legal", layout=LAYOUT, start=HOME, side=LIGHT)), looks(0, 1, HOME, None)
    )
    table = tuple({22: 0}.get(i, n) for i, n in enumerate(HOME))
    state, _ = play_out(state, [RollGiven(2, (2, 1)), *doubted(HOME, 2, 1), *doubted(table, 4, 5)])
    thrown = [replace(s, look=replace(s.look, dice=dice_at((6, 5), side=1))) for s in doubted(table, 9, 2)]
    state, outs = play_out(state, thrown)
    assert not of(TurnPlayed, outs)
    state, outs = play_out(
        state, [Chosen(12, 0), *(replace(s, look=replace(s.look, t=s.t + 4)) for s in thrown)]
    )
    assert len(of(TurnPlayed, outs)) == 1
    assert [(r.side, r.roll) for r in of(Rolled, outs)] == [(1, (6, 5))]
