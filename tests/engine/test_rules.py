"""RULES.md, line by line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import RulesError
from engine.games import garanguet
from engine.plays import legal_plays, partial_plays, result_of
from engine.position import Position, Trouble, problems
from engine.reasons import Why
from engine.rules import BACKGAMMON, RULESETS, TRICTRAC, Outcome, ruleset

LONG, PREDATORS, GARANGUET = (RULESETS[name] for name in ("long_nardy", "predators", "garanguet"))


def table(counts: dict[int, int], off: tuple[int, int] | None = None) -> Position:
    """A position from its occupied places; what is missing is borne off unless told."""
    points = tuple(counts.get(place, 0) for place in range(26))
    return Position.of(points) if off is None else Position(points, off)


def ways(position, roll, rules):
    return {tuple(hop[:2] for hop in play.hops) for play in legal_plays(position, roll, rules)}


@pytest.mark.parametrize("game", ["backgammon", "trictrac", "short_nardy", "garanguet"])
def test_start_of_the_games_on_backgammons_table(game):
    start = RULESETS[game].start
    assert {own: n for own, n in enumerate(start.points) if n > 0} == {24: 2, 13: 5, 8: 3, 6: 5}
    assert start.swapped(RULESETS[game].mirror) == start


@pytest.mark.parametrize("game", sorted(RULESETS))
def test_fifteen_checkers_a_side_at_the_start(game):
    assert RULESETS[game].start.men() == (15, 15)
    assert problems(RULESETS[game].start, RULESETS[game]) == ()


def test_both_dice_are_played_when_any_order_allows_it():
    position = table({24: 1, 6: -2, 18: -2, 1: 0})
    assert ways(position, (5, 6), BACKGAMMON) == {((24, 19), (19, 13))}


def test_a_double_is_played_four_times_or_as_often_as_can_be():
    assert {len(p.hops) for p in legal_plays(BACKGAMMON.start, (1, 1))} == {4}
    assert ways(table({24: 1, 16: -2}), (4, 4), BACKGAMMON) == {((24, 20),)}


def test_larger_die_is_a_rule_of_backgammon_and_an_option_off_in_trictrac():
    position = table({12: 1, 1: -2})
    assert TRICTRAC.must_play_larger is False
    assert ways(position, (6, 5), BACKGAMMON) == {((12, 6),)}
    assert ways(position, (6, 5), TRICTRAC) == {((12, 6),), ((12, 7),)}
    assert ways(position, (6, 5), replace(TRICTRAC, must_play_larger=True)) == {((12, 6),)}


def test_two_opposing_checkers_close_a_point_and_one_is_hit():
    assert ways(table({10: 1, 4: -2, 9: -2}), (6, 1), TRICTRAC) == {()}
    hit = legal_plays(table({10: 1, 4: -1, 9: -2, 3: -2}), (6, 1), TRICTRAC)
    assert [p.result.points[0] for p in hit] == [-1]


def test_nothing_moves_while_a_checker_is_on_the_bar():
    assert ways(table({25: 1, 13: 2, 20: -2, 19: -2}), (6, 5), TRICTRAC) == {()}
    assert ways(table({25: 2, 13: 2, 20: -2}), (6, 5), TRICTRAC) == {((25, 19),)}


def test_bearing_off_needs_all_checkers_home():
    assert ways(table({8: 1, 3: 2}), (3, 3), TRICTRAC) == {((8, 5), (5, 2), (3, 0), (3, 0))}
    assert all(dst != 0 for way in ways(table({13: 1, 3: 2}), (3, 1), TRICTRAC) for _, dst in way)
    assert ((3, 0), (2, 0)) in ways(table({3: 2, 2: 1}), (3, 2), TRICTRAC)


def test_a_higher_number_bears_off_the_next_lower_point():
    assert ways(table({3: 2}), (5, 4), TRICTRAC) == {((3, 0), (3, 0))}
    assert ((5, 0), (3, 0)) not in ways(table({5: 1, 4: 1, 3: 1}), (5, 4), TRICTRAC)


def test_moving_inside_the_home_instead_is_allowed():
    results = {play.result.points[1:7] for play in legal_plays(table({6: 2, 4: 1}), (6, 2), TRICTRAC)}
    assert (0, 0, 0, 2, 0, 0) in results


@pytest.mark.parametrize(
    ("loser", "off", "points", "names"),
    [
        ({6: 14}, 1, (1, 1, 1), ("single", "single", "oin")),
        ({6: 15}, 0, (2, 2, 2), ("double", "gammon", "mars")),
        ({6: 14, 7: 1}, 0, (4, 2, 2), ("fourfold", "gammon", "mars")),
        ({6: 14, 19: 1}, 0, (4, 3, 3), ("fourfold", "backgammon", "koks")),
        ({6: 14, 25: 1}, 0, (8, 3, 3), ("eightfold", "backgammon", "koks")),
        ({6: 13, 25: 1}, 1, (1, 1, 1), ("single", "single", "oin")),
    ],
)
def test_what_a_win_is_worth(loser, off, points, names):
    position = table(loser, (off, 15))
    for name, worth, called in zip(("trictrac", "backgammon", "short_nardy"), points, names, strict=True):
        rules = RULESETS[name]
        lost = result_of(position, rules)
        won = result_of(position.swapped(rules.mirror), rules)
        assert (lost.winner, lost.points, lost.name) == (1, worth, called)
        assert (won.winner, won.points, won.name) == (0, worth, called)


def test_a_game_goes_on_while_both_sides_have_checkers():
    assert result_of(BACKGAMMON.start, BACKGAMMON) is None


# Garanguet


@pytest.mark.parametrize(
    ("roll", "pips"),
    [
        ((5, 5, 4), (5, 5, 5, 5, 4)),
        ((5, 4, 5), (5, 5, 5, 5, 4)),
        ((5, 5, 6), (6, 5, 5)),
        ((3, 3, 3), (3,) * 6),
        ((1, 2, 6), (6, 2, 1)),
    ],
)
def test_three_dice_and_their_doubles(roll, pips):
    assert sorted(GARANGUET.pips(roll, GARANGUET)) == sorted(pips)


def test_garanguet_is_trictrac_otherwise_with_most_dice_then_most_pips():
    assert GARANGUET.start == TRICTRAC.start
    assert GARANGUET.stakes == TRICTRAC.stakes
    two_of_three = table({12: 1, 6: -2, 4: -2, 1: -2, 3: -2, 2: -2})
    ends = {play.result.points.index(1) for play in legal_plays(two_of_three, (5, 3, 2), GARANGUET)}
    assert ends == {5}
    one_of_three = table({24: 1, 23: -2, 19: -2, 17: -2, 14: -2})
    assert ways(one_of_three, (6, 4, 1), GARANGUET) == {((24, 18),)}


def test_garanguets_other_ways_are_options():
    assert len(replace(GARANGUET, triplet_hops=9).pips((2, 2, 2), replace(GARANGUET, triplet_hops=9))) == 9
    no_hits = replace(GARANGUET, closed_at=1)
    blot = table({10: 1, 9: -1, 8: -1, 7: -1, 4: -1})
    assert ways(blot, (1, 2, 3), no_hits) == {()}
    assert garanguet.PILES.points[24] == 15
    assert garanguet.PILES.points[1] == -15


# Predators. Seen by the mover: White's point n is own 25 - n, Black's is own n.


def test_everything_on_a_point_is_eaten_and_leaves_the_game():
    plays = legal_plays(table({10: 1, 4: -7}, (0, 0)), (6, 1), PREDATORS)
    assert {play.result.men() for play in plays} == {(1, 0), (1, 7)}
    assert all(play.result.points[0] == 0 and play.result.off == (0, 0) for play in plays)


def test_the_seeds_white_on_9_may_not_go_back_by_two_threes():
    """White on 9, Black on 3, roll 3-3: White may not go 9-6-3."""
    white, black = 25 - 9, 25 - 3
    plays = legal_plays(table({white: 1, black: -1}, (0, 0)), (3, 3), PREDATORS)
    assert all(play.result.men()[1] == 1 for play in plays)


def test_the_seeds_black_on_3_eats_back_on_4_and_then_three_on_1():
    plays = legal_plays(table({3: 1, 4: -1, 1: -3}, (0, 0)), (3, 1), PREDATORS)
    assert ((3, 4), (4, 1)) in {tuple(hop[:2] for hop in play.hops) for play in plays}
    assert any(play.result.men() == (1, 0) for play in plays)


def test_forward_and_backward_captures_are_the_players_choice():
    plays = ways(table({10: 1, 8: -1, 12: -1}, (0, 0)), (2, 2), PREDATORS)
    assert {way[0] for way in plays} == {(10, 8), (10, 12)}


def test_a_predator_roll_is_used_as_far_as_possible_backwards_too():
    assert ways(table({1: 1, 4: -1}, (0, 0)), (3, 6), PREDATORS) == {((1, 4),)}


def test_predators_do_not_bear_off():
    assert ways(table({3: 1, 24: -1}, (0, 0)), (3, 5), PREDATORS) == {()}


def test_two_passes_in_a_row_end_predators_and_the_difference_counts():
    stuck = table({1: 5, 24: -1}, (0, 0))
    assert result_of(stuck, PREDATORS, passes=1) is None
    assert result_of(stuck, PREDATORS, passes=2) == Outcome(0, 4, "difference")
    assert result_of(table({1: 3, 24: -3}, (0, 0)), PREDATORS, 2).winner is None


def test_predators_start_with_all_on_their_first_point():
    assert PREDATORS.start.points[24] == 15
    assert PREDATORS.start.points[1] == -15


# Long nardy


def test_long_nardy_travels_the_same_way_and_hits_nothing():
    assert LONG.mirror(1) == 13
    assert LONG.mirror(24) == 12
    assert all(LONG.mirror(LONG.mirror(own)) == own for own in range(1, 25))
    assert ways(table({10: 1, 4: -1, 9: -1}), (6, 1), LONG) == {()}


def test_one_checker_a_turn_leaves_the_head():
    assert all(sum(src == 24 for src, _ in way) == 1 for way in ways(LONG.start, (2, 1), LONG))


@pytest.mark.parametrize("die", [3, 4, 6])
def test_two_leave_the_head_on_the_first_blocked_double(die):
    assert max(sum(src == 24 for src, _ in way) for way in ways(LONG.start, (die, die), LONG)) == 2


def test_two_do_not_leave_the_head_on_other_doubles_or_later():
    assert all(sum(src == 24 for src, _ in way) < 2 for way in ways(LONG.start, (5, 5), LONG))
    later = table({24: 14, 20: 1, 12: -15}, (0, 0))
    assert all(sum(src == 24 for src, _ in way) < 2 for way in ways(later, (6, 6), LONG))


def primes(position, roll):
    """The legal plays that make six in a row on 6-11."""
    plays = legal_plays(position, roll, LONG)
    return [play for play in plays if all(play.result.points[own] > 0 for own in range(6, 12))]


def test_six_in_a_row_need_an_opponent_ahead_of_them():
    nearly = {11: 2, 10: 2, 9: 2, 8: 2, 7: 2, 24: 5}
    assert primes(table(nearly | {12: -15}, (0, 0)), (2, 1)) == []
    assert primes(table(nearly | {12: -14, 1: -1}, (0, 0)), (2, 1)) != []
    prime = table(dict.fromkeys(range(6, 12), 1) | {12: -15}, (0, 0))
    assert LONG.forbids(prime, prime, (2, 1)).why is Why.SIX_PRIME


def test_mars_and_oin():
    assert result_of(table({6: 15}, (0, 15)), LONG).points == 2
    assert result_of(table({6: 14}, (1, 15)), LONG).points == 1


# Common


def test_an_unknown_game_names_those_there_are():
    with pytest.raises(RulesError, match=r"chess.*backgammon, garanguet, long_nardy"):
        ruleset("chess")


def test_being_invalid_is_a_value_that_says_what_is_wrong():
    assert [p.trouble for p in problems(Position((0,) * 3), BACKGAMMON)] == [Trouble.LENGTH]
    wrong = Position((1, *(0,) * 23, 16, -1), (0, 0))
    assert {p.trouble for p in problems(wrong, BACKGAMMON)} >= {
        Trouble.BAR_SIGN,
        Trouble.TOO_MANY,
        Trouble.MISSING,
    }
    assert problems(table({1: 5}, (0, 0)), PREDATORS) == ()


def test_partial_plays_hold_the_start_and_the_dead_ends_but_no_legal_end():
    partial = {play.hops for play in partial_plays(BACKGAMMON.start, (3, 1))}
    assert () in partial
    assert not partial & {play.hops for play in legal_plays(BACKGAMMON.start, (3, 1))}
    assert partial_plays(table({25: 2, 19: -2, 20: -2}), (6, 5)) == ()
