"""Plays as text, both ways, in both notations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import RulesError
from engine.notation import format_play, parse_play
from engine.notation_trictrac import format_trictrac, parse_trictrac, place_name
from engine.plays import Hop, legal_plays
from engine.resolve import resolve
from engine.rules import BACKGAMMON, RULESETS
from tests.strategies import positions, rolls, rulesets


@settings(max_examples=30)
@given(data=st.data(), rules=rulesets)
def test_every_legal_play_is_read_back_from_standard_notation(data, rules):
    position, roll = data.draw(positions(rules)), data.draw(rolls(rules))
    for play in legal_plays(position, roll, rules)[:12]:
        hops = parse_play(format_play(play), position, rules)
        assert resolve(position, roll, hops, rules).result == play.result


@settings(max_examples=30)
@given(data=st.data(), side=st.integers(0, 1), rules=rulesets)
def test_every_legal_play_is_read_back_from_the_seeds_notation_for_both_players(data, side, rules):
    position, roll = data.draw(positions(rules)), data.draw(rolls(rules))
    for play in legal_plays(position, roll, rules)[:12]:
        steps = parse_trictrac(format_trictrac(play, side, rules), side, rules)
        hops = [Hop(step.src, step.dst, step.starred) for step in steps]
        assert resolve(position, roll, hops, rules).result == play.result


@pytest.mark.parametrize(
    ("hops", "text"),
    [
        ([Hop(13, 7), Hop(8, 7, True)], "13/7 8/7*"),
        ([Hop(25, 20)], "bar/20"),
        ([Hop(6, 0)], "6/off"),
        ([Hop(8, 5), Hop(8, 5)], "8/5(2)"),
        ([Hop(24, 18), Hop(18, 13)], "24/13"),
        ([Hop(24, 18, True), Hop(18, 13)], "24/18*/13"),
        ([Hop(6, 5, True), Hop(6, 5)], "6/5*(2)"),
        ([], ""),
    ],
)
def test_standard_notation(hops, text):
    assert format_play(hops) == text


@pytest.mark.parametrize(
    ("text", "hops"),
    [
        ("25/20 6/0", [(25, 20), (6, 0)]),
        ("Bar/20* 6/Off", [(25, 20), (6, 0)]),
        ("BAR/20/14", [(25, 20), (20, 14)]),
        ("8/5(2)", [(8, 5), (8, 5)]),
    ],
)
def test_other_programs_ways_of_writing_are_read(text, hops):
    assert [hop[:2] for hop in parse_play(text, BACKGAMMON.start)] == hops


@pytest.mark.parametrize("text", ["13-7", "13/26", "0/5", "7/bar", "13/7(9)", "x", "13//7", "13/7/", "²/1"])
def test_what_is_no_move_is_refused_with_the_word(text):
    with pytest.raises(RulesError) as bad:
        parse_play(text, BACKGAMMON.start)
    assert text in str(bad.value)
    assert "\n" not in str(bad.value)


@pytest.mark.parametrize(
    ("own", "white", "black"),
    [
        (1, "1", "I"),
        (12, "12", "XII"),
        (13, "XII", "12"),
        (24, "I", "1"),
        (25, "борт", "борт"),
        (0, "двор", "двор"),
    ],
)
def test_the_seeds_names_of_points(own, white, black):
    """1 faces I; White's home is 1-6, Black's I-VI; White travels I … XII, 12 … 1."""
    assert place_name(own, 0) == white
    assert place_name(own, 1) == black


def test_the_seeds_notation():
    assert format_trictrac([Hop(13, 7)], 0) == "XII–7"
    assert format_trictrac([Hop(25, 22)], 0) == "борт–III"
    assert format_trictrac([Hop(6, 0)], 0) == "6–двор"
    assert format_trictrac([Hop(8, 2, True), Hop(6, 2)], 1) == "VIII–II* VI–II"
    assert format_trictrac([Hop(13, 9)], 0, RULESETS["long_nardy"]) == "XII–9"


def test_numbers_that_a_scan_damaged_are_read_and_told():
    steps = parse_trictrac("У1П–П*", 1)
    assert [(step.src, step.dst, step.starred, step.mended) for step in steps] == [(8, 2, True, True)]
    assert not parse_trictrac("VIII–II*", 1)[0].mended


@pytest.mark.parametrize("text", ["XIII–1", "13–7", "двор–1", "1–борт", "VIII", "1–2(8)"])
def test_what_is_no_move_in_the_seeds_notation_is_refused(text):
    with pytest.raises(RulesError):
        parse_trictrac(text, 0)
