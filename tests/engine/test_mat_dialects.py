"""What .mat files are like in the wild."""

from __future__ import annotations

import pytest

from engine.errors import RecordError
from engine.mat import read_mat, write_mat
from engine.plays import Hop
from engine.record import Act
from engine.repairs import Mend

PLAIN = """; [Player 1 "Ann"]
; [Player 2 "Bob"]

5 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                  42: 24/22 13/9
  2) 64: 24/14
"""


def plays(text: str | bytes):
    return [turn.play for turn in read_mat(text).games[0].turns]


def mends(text: str | bytes):
    return {repair.what for repair in read_mat(text).repaired}


def test_a_plain_file():
    match = read_mat(PLAIN)
    assert (match.names, match.length, match.repaired) == (("Ann", "Bob"), 5, ())
    assert plays(PLAIN)[0] == (Hop(8, 5), Hop(6, 5))
    assert [turn.roll for turn in match.games[0].turns] == [(3, 1), (4, 2), (6, 4)]


@pytest.mark.parametrize(
    "change",
    [
        ("8/5 6/5", "6/5 8/5"),
        ("31:", "13:"),
        ("24/14", "24/20/14"),
        ("24/14", "24/20 20/14"),
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("; [Player 1", "\ufeff; [Player 1"),
        ("5 point match", "  5 Point Match"),
        (" Ann : 0    ", " Ann: 0    "),
    ],
)
def test_dialects_that_mean_the_same(change):
    assert [set(play) for play in plays(PLAIN.replace(*change))] == [set(play) for play in plays(PLAIN)]
    assert mends(PLAIN.replace(*change)) == set()


BAR_AND_OFF = """0 point match

 Game 1
 A : 0                            B : 0
  1) 52: 13/8 24/22               33: {hit}
  2) 41: {enter}
"""


@pytest.mark.parametrize("enter", ["bar/21 6/5", "25/21 6/5", "Bar/21 6/5", "BAR/21 6/5"])
@pytest.mark.parametrize("hit", ["6/3*(2) 8/5(2)", "6/3* 6/3 8/5 8/5", "6/3(2) 8/5(2)"])
def test_bars_repeats_and_missing_stars(hit, enter):
    text = BAR_AND_OFF.format(hit=hit, enter=enter)
    match = read_mat(text)
    _, hits, enters, *_ = match.games[0].turns
    assert hits.play is not None
    assert enters.play is not None
    assert hits.play.count(Hop(6, 3, True)) == 1
    assert enters.play[0] == Hop(25, 21)
    assert not any(turn.stood_illegal for turn in match.games[0].turns)
    assert (Mend.NOT_STARRED in mends(text)) == ("*" not in hit)


def test_a_star_where_nothing_was_hit_is_told():
    assert mends(PLAIN.replace("8/5 6/5", "8/5* 6/5")) == {Mend.STAR_WITHOUT_HIT}


@pytest.mark.parametrize("dance", ["Cannot Move", "cannot move", "No move", ""])
def test_dances(dance):
    text = BAR_AND_OFF.format(hit="6/3*(2) 8/5(2)", enter="x").replace("41: x", f"55: {dance}")
    assert read_mat(text).games[0].turns[2].play == ()


@pytest.mark.parametrize(
    ("ending", "acts"),
    [
        ("  3)  Doubles => 2               Takes\n", [Act.DOUBLE, Act.TAKE]),
        ("  3)  Doubles => 2               Drops\n      Wins 1 point\n", [Act.DOUBLE, Act.DROP]),
        ("  3)  Doubles => 2               Beavers => 4\n", [Act.DOUBLE, Act.BEAVER]),
        ("  3)  Concedes                   Wins 1 point\n", [Act.RESIGN]),
    ],
)
def test_cube_and_resignation(ending, acts):
    match = read_mat(PLAIN.replace("24/14", "24/14                       21: 13/11 6/5") + ending)
    assert [turn.act for turn in match.games[0].turns[4:]] == acts


@pytest.mark.parametrize(
    ("line", "winner", "points"),
    [
        ("      Wins 2 points", 0, 2),
        ("                                  Wins 1 point", 1, 1),
        ("  3)  Losses 2 point              Wins 2 point and the match", 1, 2),
        ("  3)                              Wins 4 point", 1, 4),
    ],
)
def test_who_won_and_how_much(line, winner, points):
    game = read_mat(PLAIN + line + "\n").games[0]
    assert (game.winner, game.points) == (winner, points)


def test_an_unwritten_play_is_unknown():
    assert plays(PLAIN.replace("64: 24/14", "64: ????"))[-1] is None
    assert mends(PLAIN.replace("64: 24/14", "64: ????")) == {Mend.UNKNOWN_PLAY}


def test_bytes_that_are_not_utf_8_are_latin_1():
    match = read_mat(PLAIN.replace("Ann", "Åsa").encode("latin-1"))
    assert match.names == ("Åsa", "Bob")
    assert Mend.LATIN_1 in {repair.what for repair in match.repaired}


@pytest.mark.parametrize("name", ["Dr. No: the 2nd", "a : 3", "x  y", '"quoted"', "Wins 2 points"])
def test_names_with_colons_numbers_and_blanks(name):
    match = read_mat(PLAIN.replace("Ann", name))
    assert match.names == (name, "Bob")
    assert len(match.games[0].turns) == 3


def test_players_who_change_columns_keep_their_sides():
    second = PLAIN.split("\n\n")[-1].replace("Game 1", "Game 2").replace(" Ann : 0  ", " Bob : 0  ")
    second = second.replace("        Bob : 0\n", "        Ann : 1\n")
    match = read_mat(PLAIN + "      Wins 1 point\n\n" + second)
    assert match.games[1].score == (1, 0)
    assert match.games[1].turns[0].side == 1
    assert Mend.COLUMNS_SWAPPED in {repair.what for repair in match.repaired}


def test_a_game_that_was_begun_twice_counts_once():
    stray = " Game 1\n Ann : 0                          Bob : 0\n  1) 31: 8/5 6/5\n\n"
    match = read_mat(PLAIN.replace(" Game 1\n", stray + " Game 1\n"))
    assert len(match.games) == 1
    assert Mend.HALF_GAME in {repair.what for repair in match.repaired}


def test_an_illegal_play_that_stood_is_kept():
    match = read_mat(PLAIN.replace("8/5 6/5", "8/4 6/5"))
    turn = match.games[0].turns[0]
    assert turn.stood_illegal
    assert turn.play == (Hop(8, 4), Hop(6, 5))
    assert read_mat(write_mat(match)).games == match.games


def test_xg_says_that_an_illegal_play_stood_but_not_which():
    turn = read_mat(PLAIN.replace("24/14", "Illegal play (-b----E-C---eE---c-e----B-)")).games[0].turns[-1]
    assert turn.play is None
    assert turn.stood_illegal


def test_a_stray_title_without_names_does_not_hide_them():
    without_labels = PLAIN.split("\n\n", 1)[1].replace(" Game 1\n", " Game 1\n\n Game 1\n")
    assert read_mat(without_labels).names == ("Ann", "Bob")


@pytest.mark.parametrize("text", ["", "hello", "; [Player 1 'x']", "5 point match\n"])
def test_what_is_no_match_file_is_refused_in_one_line(text):
    with pytest.raises(RecordError, match=r"^[^\n]+$"):
        read_mat(text)


def test_an_entry_that_nobody_can_read_names_its_line():
    with pytest.raises(RecordError, match=r"^line 8: .*13-7"):
        read_mat(PLAIN.replace("8/5 6/5", "13-7 6/5"))
