"""The seed's sample game, misprints included, and games in which illegal plays stood."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from engine.notation_trictrac import format_trictrac
from engine.plays import Hop, legal_plays, result_of
from engine.position import Position
from engine.reasons import Why
from engine.record import Game, Turn, last_position
from engine.repairs import Mend
from engine.review import review
from engine.rules import BACKGAMMON
from engine.trictrac_record import read_trictrac
from tests.strategies import matches

SAMPLE = Path(__file__).parents[1] / "data" / "sample_game.txt"


@pytest.fixture(scope="module")
def sample():
    match = read_trictrac(SAMPLE.read_bytes())
    return match, review(match.games[0], match.ruleset)


def told(sample):
    match, found = sample
    for fault in found.faults:
        turn = match.games[0].turns[fault.turn]
        yield turn, fault


def test_each_misprint_of_the_sample_game_is_found(sample):
    rolls = [(turn.side, turn.roll) for turn, _ in told(sample)]
    assert rolls == [(1, (4, 1)), (1, (2, 2)), (0, (1, 5)), (1, (2, 4)), (1, (3, 2))]


@pytest.mark.parametrize(
    ("number", "why", "reading"),
    [
        (0, Why.WRONG_COUNT, "8–9* 12–IX*"),
        (2, Why.WRONG_COUNT, "12–7 9–8"),
        (3, Why.WRONG_COUNT, "4–6* X–VI"),
        (4, Why.MORE_DICE, "4–7 6–8"),
    ],
)
def test_the_reading_that_keeps_the_rest_playable(sample, number, why, reading):
    turn, fault = list(told(sample))[number]
    assert [reason.why for reason in fault.reasons] == [why]
    assert format_trictrac(fault.reading, turn.side) == reading
    assert fault.reading in fault.nearest


def test_the_double_two_contradicts_what_comes_later(sample):
    """With three gone from VIII there is none left for the 3-4 that follows; VI must hold two fewer."""
    turn, fault = list(told(sample))[1]
    assert [(reason.why, reason.turn) for reason in fault.reasons] == [(Why.CONTRADICTED, 21)]
    assert format_trictrac(fault.nearest[0], turn.side) == "борт–2 VI–IV VI–II"
    assert fault.nearest[0].result.points[8] == 3
    assert fault.nearest[0].result.points[6] == fault.position.points[6] - 2


def test_damaged_numbers_are_read_and_told(sample):
    texts = [repair.text for repair in sample[0].repaired if repair.what is Mend.DAMAGED_NUMBER]
    assert texts == ["У1П–П* VI–П → VIII–II* VI–II", "4, б → 4, 6", "1,-5 → 1, 5", "б, 3 → 6, 3"]


def test_corrected_it_plays_to_whites_single_win_with_13_black_checkers_off(sample):
    match, found = sample
    side, position = last_position(found.game, match.ruleset)
    outcome = result_of(position, match.ruleset)
    assert (side, outcome.winner, outcome.points, outcome.name) == (0, 0, 1, "single")
    assert position.off == (15, 13)
    assert (match.games[0].winner, match.games[0].points) == (0, 1)


@settings(max_examples=25)
@given(match=matches(illegal=False))
def test_a_legal_game_has_no_faults(match):
    for game in match.games:
        found = review(game, BACKGAMMON)
        assert found.faults == ()
        assert found.game == game


@settings(max_examples=10)
@given(match=matches(cube=False))
def test_every_illegal_play_that_stood_is_a_fault_unless_it_reads_better_otherwise(match):
    for game in match.games:
        found = review(game, BACKGAMMON)
        stood = [index for index, turn in enumerate(game.turns) if turn.stood_illegal]
        assert len(found.faults) <= len(stood)
        assert bool(found.faults) == bool(stood)


def test_a_table_that_no_play_leaves_is_a_fault_and_the_nearest_plays_are_told():
    points = list(BACKGAMMON.start.points)
    points[8], points[13] = 4, 4
    after = Position(tuple(points), (0, 0))
    game = Game((Turn(0, (6, 5), None, stood_illegal=True, after=after),))
    (fault,) = review(game, BACKGAMMON).faults
    assert fault.reasons[0].why is Why.TABLE_CHANGED
    assert fault.nearest[0].result.points[13] == 4


def test_a_table_that_a_legal_play_leaves_is_none():
    play = legal_plays(BACKGAMMON.start, (6, 5))[0]
    assert review(Game((Turn(0, (6, 5), None, after=play.result),)), BACKGAMMON).faults == ()


def test_a_turn_after_the_end_is_a_fault():
    over = Position.of([0, -2, *[0] * 24])
    game = Game((Turn(1, (6, 5), (Hop(24, 13),)),), start=over)
    assert [fault.reasons[0].why for fault in review(game, BACKGAMMON).faults] == [Why.AFTER_THE_END]


def test_a_play_of_which_only_that_it_was_illegal_is_known_is_a_fault():
    game = Game((Turn(0, (6, 5), None, stood_illegal=True), Turn(1, (3, 1), (Hop(8, 5), Hop(6, 5)))))
    assert [fault.reasons[0].why for fault in review(game, BACKGAMMON).faults] == [Why.SAID_SO]
