"""Why a play is illegal, and what is nearest to it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.faults import nearest, reasons, unlikeness
from engine.plays import Hop, legal_plays
from engine.position import Position
from engine.reasons import Why
from engine.resolve import resolve
from engine.rules import BACKGAMMON, RULESETS
from tests.strategies import positions, rolls, rulesets


def table(counts: dict[int, int]) -> Position:
    return Position.of([counts.get(place, 0) for place in range(26)])


@pytest.mark.parametrize(
    ("counts", "roll", "hops", "why", "points"),
    [
        ({13: 2, 8: -2}, (5, 1), [(13, 8)], Why.BLOCKED, (8,)),
        ({13: 2, 8: -2, 7: -2}, (6, 5), [(13, 2)], Why.BLOCKED, (8, 7)),
        ({13: 2}, (5, 1), [(13, 9), (13, 12)], Why.WRONG_COUNT, (13, 9)),
        ({25: 1, 13: 2}, (5, 1), [(13, 8), (13, 12)], Why.NOT_ENTERED, (25,)),
        ({12: 1, 1: -2}, (6, 5), [(12, 7)], Why.LARGER_DIE, ()),
        ({6: 2, 7: 1, 13: 1}, (6, 1), [(6, 0), (7, 6)], Why.NOT_ALL_HOME, (13,)),
        ({5: 1, 3: 1}, (4, 1), [(3, 0), (5, 4)], Why.HIGHER_CHECKER, (4,)),
        ({13: 2}, (5, 1), [(13, 18), (13, 12)], Why.DIRECTION, (13, 18)),
        ({13: 2}, (5, 1), [(13, 8)], Why.MORE_DICE, ()),
        ({13: 2}, (5, 1), [], Why.MUST_PLAY, ()),
        ({13: 2}, (5, 1), [(11, 6), (13, 12)], Why.NO_CHECKER, (11,)),
    ],
)
def test_each_reason(counts, roll, hops, why, points):
    found = reasons(table(counts), roll, [Hop(*hop) for hop in hops])
    assert why in [reason.why for reason in found]
    assert points in [reason.points for reason in found]


def test_a_roll_that_is_none_is_the_reason():
    assert [r.why for r in reasons(BACKGAMMON.start, (7, 1), [Hop(13, 6)])] == [Why.IMPOSSIBLE_ROLL]


def test_reasons_of_the_other_games():
    long, predators = RULESETS["long_nardy"], RULESETS["predators"]
    assert [r.why for r in reasons(long.start, (2, 1), [Hop(24, 22), Hop(24, 23)], long)] == [Why.HEAD]
    back = reasons(table({16: 1, 22: -1}), (3, 3), [Hop(16, 19), Hop(19, 22)], predators)
    assert back[0].why is Why.BACK_WITHOUT_EATING
    assert reasons(table({1: 1, 24: -1}), (3, 2), [Hop(1, 0)], predators)[0].why is Why.NO_BEARING_OFF


@settings(max_examples=30)
@given(data=st.data(), rules=rulesets)
def test_a_legal_play_has_no_reason_against_it_and_is_nearest_to_itself(data, rules):
    position, roll = data.draw(positions(rules)), data.draw(rolls(rules))
    play = data.draw(st.sampled_from(legal_plays(position, roll, rules)))
    assert reasons(position, roll, play.hops, rules) == ()
    assert unlikeness(play.hops, nearest(position, roll, play.hops, rules)[0].hops) == 0


@settings(max_examples=30)
@given(
    data=st.data(),
    rules=rulesets,
    hops=st.lists(st.builds(Hop, st.integers(1, 25), st.integers(0, 24)), max_size=4),
)
def test_any_play_is_either_legal_or_has_a_reason(data, rules, hops):
    position, roll = data.draw(positions(rules)), data.draw(rolls(rules))
    ends = {play.result for play in legal_plays(position, roll, rules)}
    if not reasons(position, roll, hops, rules):
        assert resolve(position, roll, hops, rules).result in ends
