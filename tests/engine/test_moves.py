"""Legal plays against what independent programs agree on."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import RulesError
from engine.plays import legal_plays, partial_plays
from engine.position import Position, pip_count, turned
from engine.resolve import apply_hops
from engine.rules import BACKGAMMON, RULESETS
from tests.strategies import positions, rolls, rulesets

GOLDEN = (
    "11:42 21:15 22:75 31:16 32:17 33:73 41:14 42:18 43:17 44:52 51:8 52:8 53:9 54:9 55:4 61:10 62:14 63:14 "
    "64:14 65:7 66:11"
)


def test_distinct_results_from_the_start():
    counts = {
        (a, b): len(legal_plays(BACKGAMMON.start, (a, b))) for a in range(1, 7) for b in range(1, a + 1)
    }
    assert " ".join(f"{a}{b}:{n}" for (a, b), n in counts.items()) == GOLDEN


@pytest.mark.shared
def test_all_move_lists_of_the_oracle(shared):
    """The oracle counts the opponent's bar upwards, `Position` downwards."""
    lists = 0
    with gzip.open(shared / "records" / "oracle_moves.jsonl.gz", "rt") as rows:
        for row in map(json.loads, rows):
            position = Position.of(signed(row["board"]))
            plays = legal_plays(position, tuple(row["roll"]))
            expected = [signed(board) for board in row["results"]] or [signed(row["board"])]
            assert sorted(play.result.points for play in plays) == sorted(expected), row["xgid"]
            assert {len(play.hops) for play in plays} == {row["dice_used"]}
            lists += 1
    assert lists == 4242


def signed(board: list[int]) -> tuple[int, ...]:
    return (-board[0], *board[1:])


@settings(max_examples=30)
@given(data=st.data(), rules=rulesets)
def test_hops_lead_to_the_result_and_pips_fall_by_the_dice_played(data, rules):
    position, roll = data.draw(positions(rules)), data.draw(rolls(rules))
    before, _ = pip_count(position, rules)
    for play in (*legal_plays(position, roll, rules), *partial_plays(position, roll, rules)):
        assert apply_hops(position, play.hops, rules) == play.result
        spent = before - pip_count(play.result, rules)[0]
        assert spent == sum(hop.src - hop.dst for hop in play.hops)
        if not rules.bears_off or not any(hop.dst == 0 for hop in play.hops):
            assert all(abs(hop.src - hop.dst) in roll for hop in play.hops)


@settings(max_examples=30)
@given(data=st.data(), rules=rulesets)
def test_turning_the_table_twice_changes_nothing(data, rules):
    position = data.draw(positions(rules))
    assert turned(turned(position, rules), rules) == position
    assert pip_count(turned(position, rules), rules) == pip_count(position, rules)[::-1]


@settings(max_examples=30)
@given(data=st.data())
def test_a_play_undone_is_the_table_before_it(data):
    """Hops played backwards, with what they hit put back."""
    position, roll = data.draw(positions()), data.draw(rolls())
    for play in legal_plays(position, roll):
        points, off = list(play.result.points), play.result.off
        for src, dst, hit in reversed(play.hops):
            points[src] += 1
            if dst == 0:
                off = (off[0] - 1, off[1])
            else:
                points[dst] = -1 if hit else points[dst] - 1
                points[0] += hit
        assert Position(tuple(points), off) == position


@pytest.mark.parametrize("roll", [(), (1,), (0, 1), (7, 1), (1, 2, 3)])
def test_an_impossible_roll_is_refused(roll):
    with pytest.raises(RulesError, match="no roll of backgammon"):
        legal_plays(BACKGAMMON.start, roll)


def test_every_game_is_found_by_its_name():
    assert set(RULESETS) == {"backgammon", "trictrac", "short_nardy", "garanguet", "predators", "long_nardy"}
