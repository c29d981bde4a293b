"""Subtitles of a filmed match, and records written by the ending of their name."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine.errors import RecordError
from engine.plays import Hop
from engine.record import Act, Game, Match, Turn
from engine.repairs import Loss, Lost
from kibitz.check import read_file
from kibitz.lang import LANGUAGES, Code
from kibitz.subtitles import write_vtt
from kibitz.writing import check_ending, write_record
from tests.strategies import matches

EN, RU = LANGUAGES[Code.EN], LANGUAGES[Code.RU]
TURNS = (
    Turn(0, (3, 1), (Hop(8, 5), Hop(6, 5)), t=(12.345, 15.0), confidence=0.99),
    Turn(1, act=Act.DOUBLE, value=2, t=(16.0, 16.0)),
    Turn(0, act=Act.TAKE),
    Turn(1, (6, 4), (Hop(24, 14),), t=(3599.5, 3602.25), confidence=0.62),
    Turn(0, (2, 1), (Hop(24, 20),), stood_illegal=True, t=(3610.0, 3611.0)),
)
FILMED = Match(("<Ann> & co", "Боб"), games=(Game(TURNS),))

_CUE = re.compile(r"(\d\d):(\d\d):(\d\d)\.(\d{3}) --> (\d\d):(\d\d):(\d\d)\.(\d{3})")


def test_a_cue_says_who_what_and_whether_the_rules_allow_it():
    blocks = write_vtt(FILMED, EN).split("\n\n")
    assert blocks[0] == "WEBVTT - &lt;Ann&gt; &amp; co – Боб"
    assert blocks[1:] == [
        "00:00:12.345 --> 00:00:15.000\n<v &lt;Ann&gt; &amp; co>3-1: 8/5 6/5\nlegal",
        "00:00:16.000 --> 00:00:17.500\n<v Боб>doubles to 2",
        "00:59:59.500 --> 01:00:02.250\n<v Боб>6-4: 24/18/14\nlegal (62 % sure)".replace("24/18/14", "24/14"),
        "01:00:10.000 --> 01:00:11.500\n<v &lt;Ann&gt; &amp; co>2-1: 24/20\n"
        "illegal, let stand: From 24 to 20 is not what 2, 1 gives.\n",
    ]


def test_the_language_is_the_one_that_was_chosen():
    text = write_vtt(FILMED, RU)
    assert "по правилам (уверенность 62 %)" in text
    assert "не по правилам, оставлено:" in text


@settings(max_examples=15, deadline=None)
@given(match=matches(timed=True))
def test_cues_come_in_order_and_do_not_overlap(match):
    count = sum(turn.t is not None for game in match.games for turn in game.turns)
    if not count:
        return
    cues = [list(map(int, found)) for found in _CUE.findall(write_vtt(match, EN))]
    times = [(h * 3600 + m * 60 + s + ms / 1000, H * 3600 + M * 60 + S + MS / 1000)
             for h, m, s, ms, H, M, S, MS in cues]  # fmt: skip
    assert len(times) == count
    assert all(begin < end for begin, end in times)
    begins = [begin for begin, _ in times]
    assert begins == sorted(begins)


def test_without_times_there_are_no_subtitles():
    bare = replace(FILMED, games=(Game((replace(TURNS[0], t=None),)),))
    with pytest.raises(RecordError, match="holds no times"):
        write_vtt(bare, EN)


@pytest.mark.parametrize(
    ("name", "lost"), [("a.jsonl", ()), ("a.sgf", ()), ("a.vtt", ()), ("a.mat", (Loss(Lost.TIMES),))]
)
def test_the_ending_says_the_format_and_what_is_lost_is_told(tmp_path, name, lost):
    plain = replace(FILMED, names=("Ann", "Боб"))
    path = tmp_path / name
    assert write_record(path, plain, EN) == lost
    if name != "a.vtt":
        times = [turn.t for turn in read_file(path).games[0].turns]
        assert times == ([None] * 5 if lost else [turn.t for turn in TURNS])


def test_an_ending_that_says_nothing_is_refused_before_the_work(tmp_path):
    with pytest.raises(RecordError, match=r"says no format.*\.vtt"):
        check_ending(tmp_path / "match.txtt")
    check_ending(tmp_path / "match.VTT")
