"""Matches: score, cube, Crawford, Jacoby, beavers, resignations."""

from __future__ import annotations

import pytest

from engine.errors import RulesError
from engine.match_play import (
    Standing,
    Terms,
    beaver,
    double,
    drop,
    finish,
    is_dead,
    may_double,
    new_match,
    opening,
    resign,
    take,
    terms_of,
    three_wins,
)
from engine.rules import RULESETS, Outcome

WON, LOST = Outcome(0, 1, "single"), Outcome(1, 1, "single")


def test_a_double_taken_belongs_to_the_taker_and_counts_twice():
    taken = take(double(new_match(Terms(7)), 0))
    assert (taken.cube, taken.owner) == (2, 1)
    assert not may_double(taken, 0)
    assert may_double(taken, 1)
    assert finish(taken, Outcome(0, 2, "gammon"), mover=0).score == (4, 0)


def test_a_double_dropped_wins_what_the_cube_was_worth():
    assert drop(double(new_match(Terms(7)), 1)).score == (0, 1)
    redoubled = double(take(double(new_match(Terms(7)), 1)), 0)
    assert drop(redoubled).score == (2, 0)


def test_crawford_is_one_game_and_the_next_has_the_cube_again():
    short = finish(Standing(Terms(3), (1, 0)), WON, mover=0)
    assert short.crawford_game
    assert not may_double(short, 1)
    with pytest.raises(RulesError, match="Crawford"):
        double(short, 1)
    after = finish(short, LOST, mover=0)
    assert after.score == (2, 1)
    assert may_double(after, 1)
    later = finish(after, LOST, mover=0)
    assert not later.crawford_game


def test_without_crawford_there_is_no_such_game():
    assert not finish(Standing(Terms(3, crawford=False), (1, 0)), WON, mover=0).crawford_game


def test_a_dead_cube_may_not_be_turned():
    taken = take(double(new_match(Terms(2)), 0))
    assert is_dead(taken, 1)
    assert not may_double(taken, 1)
    assert is_dead(Standing(Terms(3), (2, 0)), 0)


def test_jacoby_counts_gammons_only_after_a_double_and_only_for_money():
    money = new_match(Terms(jacoby=True))
    assert finish(money, Outcome(0, 3, "backgammon"), mover=1).score == (0, 1)
    assert finish(take(double(money, 0)), Outcome(0, 2, "gammon"), mover=0).score == (4, 0)
    assert finish(new_match(Terms(9, jacoby=True)), Outcome(0, 2, "gammon"), mover=0).score == (2, 0)


def test_a_beaver_keeps_the_cube_and_is_for_money_where_agreed():
    agreed = double(new_match(Terms(beavers=True)), 0)
    assert (beaver(agreed).cube, beaver(agreed).owner) == (4, 1)
    for terms in (Terms(), Terms(5, beavers=True)):
        with pytest.raises(RulesError, match="beavers"):
            beaver(double(new_match(terms), 0))


def test_resignations_give_single_double_or_more_times_the_cube():
    taken = take(double(new_match(Terms(9)), 0))
    assert resign(taken, 0, 2).score == (0, 4)
    assert resign(new_match(Terms(9)), 1).score == (1, 0)
    with pytest.raises(RulesError, match="at least"):
        resign(taken, 0, 0)


def test_answers_need_a_double():
    for answer in (take, drop):
        with pytest.raises(RulesError, match="no double"):
            answer(new_match(Terms(5)))


def test_a_match_ends_at_its_length_and_money_play_never():
    assert finish(Standing(Terms(3), (2, 2)), WON, mover=1).winner == 1
    assert finish(Standing(Terms(), (99, 0)), WON, mover=0).winner is None
    assert not may_double(Standing(Terms(3), (3, 0)), 0)


def test_predators_go_to_15_points_or_3_wins():
    terms = terms_of(RULESETS["predators"])
    assert terms.length == 15
    assert finish(Standing(terms, (12, 0)), Outcome(0, 3, "difference"), mover=0).winner == 0
    assert not may_double(new_match(terms), 0)
    three = finish(Standing(three_wins(), (2, 2)), Outcome(1, 9, "difference"), mover=0)
    assert (three.score, three.winner) == ((2, 3), 1)
    draw = finish(Standing(terms, (4, 5)), Outcome(None, 0, "draw"), mover=0)
    assert draw.score == (4, 5)


def test_only_backgammon_has_a_cube():
    assert {name for name, rules in RULESETS.items() if terms_of(rules).cube} == {"backgammon"}


def test_the_higher_die_begins_with_both_and_equal_dice_are_thrown_again():
    assert opening(5, 1) == (0, (5, 1))
    assert opening(1, 5) == (1, (5, 1))
    assert opening(3, 3) is None
