"""Every codec reads back what it wrote."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import RecordError
from engine.formats import FORMATS, format_named, format_of
from engine.gnubg_id import MatchState, from_match_id, from_position_id, match_id, position_id
from engine.plays import Hop
from engine.position import Position
from engine.record import VIDEO, Act, Game, Match, Turn, timed
from engine.repairs import Loss, Lost
from engine.rules import BACKGAMMON, RULESETS, TRICTRAC
from engine.xgid import Xgid, parse_xgid
from tests.strategies import matches, positions

TEXT = ("mat", "sgf", "jsonl")


def same(one: Match, other: Match) -> bool:
    return replace(one, repaired=()) == replace(other, repaired=())


@pytest.mark.parametrize("name", TEXT)
@settings(max_examples=25)
@given(match=matches() | matches(timed=True))
def test_backgammon_comes_back_from_each_text_format(name, match):
    if (name == "mat" and not match.games) or (name == "sgf" and not match.games):
        return
    fmt = format_named(name)
    data = fmt.encode(match)
    assert format_of(data).name == name
    lost = (Loss(Lost.TIMES),) if name == "mat" and timed(match) else ()
    assert fmt.losses(match) == lost
    assert same(fmt.read(data), untimed(match) if lost else match)


def untimed(match: Match) -> Match:
    games = [
        replace(game, turns=tuple(replace(turn, t=None, confidence=None) for turn in game.turns))
        for game in match.games
    ]
    return replace(match, games=tuple(games))


@settings(max_examples=20)
@given(match=matches(TRICTRAC, cube=False))
def test_trictrac_comes_back_in_the_notation_of_the_seed(match):
    fmt = format_named("trictrac")
    match = replace(match, games=tuple(game for game in match.games if game.turns))
    if match.games:
        assert same(fmt.read(fmt.encode(match)), match)


@settings(max_examples=20)
@given(match=matches() | matches(timed=True))
def test_ogxm_comes_back(match):
    pytest.importorskip("ogxm")
    fmt = format_named("ogxm")
    data = fmt.encode(match)
    assert format_of(data).name == "ogxm"
    assert same(fmt.read(data), match)


@pytest.mark.parametrize("game", sorted(set(RULESETS) - {"backgammon"}))
@pytest.mark.parametrize("name", ["mat", "jsonl"])
@settings(max_examples=5)
@given(data=st.data())
def test_the_other_games_come_back(name, game, data):
    match = data.draw(matches(RULESETS[game], cube=False, illegal=False))
    if match.games:
        fmt = format_named(name)
        assert same(fmt.read(fmt.encode(match)), match)


@settings(max_examples=30)
@given(position=positions())
def test_position_ids_come_back(position):
    assert from_position_id(position_id(position)) == position


@settings(max_examples=30)
@given(
    state=st.builds(
        MatchState,
        cube=st.sampled_from([1, 2, 64, 1024]),
        cube_owner=st.sampled_from([None, 0, 1]),
        on_roll=st.integers(0, 1),
        crawford=st.booleans(),
        game_state=st.integers(0, 4),
        turn=st.integers(0, 1),
        doubled=st.booleans(),
        resigned=st.integers(0, 3),
        roll=st.tuples(st.integers(0, 6), st.integers(0, 6)),
        length=st.integers(0, 32767),
        score=st.tuples(st.integers(0, 32767), st.integers(0, 32767)),
        jacoby=st.booleans(),
    )
)
def test_match_ids_come_back(state):
    assert from_match_id(match_id(state)) == state


@settings(max_examples=30)
@given(
    xgid=st.builds(
        Xgid,
        positions(),
        st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
        cube=st.sampled_from([1, 2, 512]),
        cube_owner=st.sampled_from([-1, 0, 1]),
        turn=st.sampled_from([-1, 1]),
        score=st.tuples(st.integers(0, 99), st.integers(0, 99)),
        flag=st.integers(0, 3),
        length=st.integers(0, 99),
        max_cube=st.integers(0, 10),
    )
)
def test_xgids_come_back(xgid):
    assert parse_xgid(str(xgid)) == xgid


def test_what_jsonl_alone_can_hold_comes_back_and_others_say_what_they_lost():
    table = BACKGAMMON.start
    odd = Turn(0, (6, 5), (Hop(24, 23),), stood_illegal=True, note="let it stand", after=table)
    unknown = Turn(1, (3, 1), None)
    game = Game((odd, unknown, Turn(0, act=Act.DOUBLE, value=2)), (1, 0), start=table, crawford=True)
    match = Match(("A", "B"), 5, games=(game,))
    assert same(format_named("jsonl").read(format_named("jsonl").encode(match)), match)
    lost = {fmt.name: {loss.what for loss in fmt.losses(match)} for fmt in FORMATS}
    assert lost["jsonl"] == set()
    assert lost["mat"] == {Lost.START, Lost.CRAWFORD, Lost.NOTE, Lost.TABLE}
    assert lost["sgf"] == {Lost.START, Lost.TABLE, Lost.UNKNOWN}
    assert lost["trictrac"] == {Lost.START, Lost.CRAWFORD, Lost.NOTE, Lost.TABLE, Lost.CUBE}
    assert lost["ogxm"] == set()


def test_ogxm_keeps_illegal_plays_with_notes_and_tables():
    pytest.importorskip("ogxm")
    after = replace_points(BACKGAMMON.start, {24: 0, 3: 2})
    turns = (
        Turn(0, (6, 5), (Hop(13, 3),), stood_illegal=True, note="nobody saw it"),
        Turn(1, (3, 1), (Hop(8, 5), Hop(6, 5))),
        Turn(0, (2, 1), (Hop(24, 3), Hop(24, 4)), stood_illegal=True, after=after),
    )
    match = Match(("A", "B"), 0, games=(Game(turns),), headers=(("Event", "Открытый"),))
    fmt = format_named("ogxm")
    assert fmt.losses(match) == ()
    assert same(fmt.read(fmt.encode(match)), match)


def test_ogxm_names_the_video_and_keeps_its_seconds():
    ogxm = pytest.importorskip("ogxm")
    turns = (Turn(0, (3, 1), (Hop(8, 5), Hop(6, 5)), t=(12.345, 15.0), confidence=0.9),)
    match = Match(("A", "B"), games=(Game(turns),), headers=((VIDEO, "match.mp4"),))
    data = format_named("ogxm").encode(match)
    document = ogxm.binary_to_json(data)
    assert document["video_info"]["url"] == "match.mp4"
    assert document["games"][0]["plies"][0]["video_ms"] == 12345
    assert same(format_named("ogxm").read(data), match)


def replace_points(position, counts):
    points = [counts.get(place, n) for place, n in enumerate(position.points)]
    return type(position)(tuple(points), position.off)


def test_a_table_with_more_checkers_than_there_are_is_refused():
    crowded = Position((0, *(15,) * 24, 0))
    game = Game((Turn(0, (6, 5), (Hop(24, 13),)),), start=crowded)
    data = format_named("jsonl").encode(Match(games=(game,)))
    with pytest.raises(RecordError, match="cannot be"):
        format_named("jsonl").read(data)
