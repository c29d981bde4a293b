"""The report on a match: figures, facts, pictures, and a page that needs nothing else."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from engine.jsonl import write_jsonl
from engine.plays import Hop
from engine.position import Position
from engine.record import Act, Game, Match, Turn
from engine.rules import BACKGAMMON, RULESETS
from kibitz.analyse import figures, find_analyst, findings_of, link_to
from kibitz.analysis import CubeError, Judged, Judgement, judge_all, rates
from kibitz.analysis_gnubg import GnubgAnalyst, judgement
from kibitz.board_svg import board
from kibitz.cli import program
from kibitz.coach import GAMES, CoachError
from kibitz.facts import moments, race_start, side_facts
from kibitz.graph_svg import graph
from kibitz.lang import LANGUAGES, Code
from kibitz.options import CallError
from kibitz.report_page import Findings, page
from tests.strategies import random_game

EN = LANGUAGES[Code.EN]
EVIL = '<script>alert("1")</script> & co'
FIRST = (
    Turn(0, (3, 1), (Hop(8, 5), Hop(6, 5)), t=(2.0, 5.5)),
    Turn(1, (6, 4), (Hop(24, 18), Hop(18, 14)), t=(6.0, 11.0)),
    Turn(0, (6, 6), (Hop(13, 7), Hop(13, 7), Hop(24, 18), Hop(24, 18)), t=(12.0, 14.0)),
)
MATCH = Match((EVIL, "Bob"), games=(Game(FIRST, winner=1, points=2),))


def game_of(name: str) -> Game:
    random = Random(name)
    game = random_game(random, RULESETS[name], (0, 0), cube=name == "backgammon", illegal=True)
    while not 20 < len(game.turns) < 60:
        game = random_game(random, RULESETS[name], (0, 0), cube=name == "backgammon", illegal=True)
    return game


@pytest.mark.parametrize("code", list(Code))
@pytest.mark.parametrize("name", sorted(RULESETS))
def test_every_game_has_a_report_of_facts_that_needs_nothing_else(name, code):
    match = Match((EVIL, "Bob"), rules=name, games=(game_of(name),))
    text = page(Findings(match, EVIL), LANGUAGES[code])
    tree = ElementTree.fromstring(text.partition("\n")[2])
    assert tree.find("body/h1").text == f"{EVIL} – Bob"
    assert "<script" not in text
    assert not [
        e for e in tree.iter() if {"src", "href"} & set(e.attrib) or e.tag in ("link", "script", "img")
    ]
    turns = len(match.games[0].turns)
    assert len(tree.findall("body/details//tr")) == turns + 1
    assert len(tree.findall("body/figure/svg")) == 1


def test_facts_of_a_side():
    light, dark = side_facts(MATCH, 0), side_facts(MATCH, 1)
    assert (light.rolls, light.pips_rolled, light.doubles, light.dances) == (2, 28, 1, 0)
    assert (light.seconds, light.longest, dark.seconds) == (5.5, 3.5, 5.0)
    assert (light.won, dark.won, dark.points) == (0, 1, 2)
    assert [moment.pips for moment in moments(MATCH.games[0], BACKGAMMON)] == [
        (167, 167),
        (163, 167),
        (163, 157),
    ]


def test_the_race_begins_where_the_sides_have_passed_each_other():
    points = [0] * 26
    points[8], points[6], points[7] = 2, 13, -15
    game = Game((Turn(0, (2, 1), (Hop(8, 6), Hop(8, 7, True))),), start=Position(tuple(points)))
    assert race_start(moments(game, BACKGAMMON)) is None
    points[7], points[20] = 0, -15
    apart = Game((Turn(0, (2, 1), (Hop(8, 6), Hop(8, 7))),), start=Position(tuple(points)))
    assert race_start(moments(apart, BACKGAMMON)).number == 0


JUDGED = Judgement(
    {0: Judged(0.0, 0.15, (Hop(8, 5), Hop(6, 5)), 0.1), 1: Judged(0.1, -0.3, (Hop(24, 20), Hop(13, 7)), -0.2),
     2: Judged(0.0, 0.4, (), 0.3, forced=True)},
    (CubeError("missed_double", 0, 0.05),),
)  # fmt: skip


def test_rates_leave_forced_plays_out_and_count_cube_errors():
    light, dark = rates(MATCH, {0: JUDGED}, 0), rates(MATCH, {0: JUDGED}, 1)
    assert (light.decisions, light.cube_errors, light.errors, light.blunders) == (1, 1, 1, 0)
    assert light.per_decision == pytest.approx(25)
    assert light.luck == pytest.approx(0.4)
    assert (dark.decisions, dark.blunders) == (1, 1)
    assert dark.rating == pytest.approx(50)


def test_a_blunder_has_its_board_both_plays_and_its_clip():
    findings = Findings(MATCH, "m.mat", "engine", 2, {0: JUDGED}, video="my%20film.mp4")
    tree = ElementTree.fromstring(page(findings, EN).partition("\n")[2])
    figure = tree.find("body/div[@class='pair']/figure")
    told = "".join(figure.itertext())
    assert "2. Bob 6-4: 0.100 points lost" in told
    assert "best: 24/20 13/7" in told
    assert "played: 24/14" in told
    assert figure.find(".//a").get("href") == "my%20film.mp4#t=6.0"
    assert len(figure.findall("svg/path[@class='way best']")) == 2
    assert "a double missed" in "".join(tree.itertext())


def test_a_board_shows_every_checker_once():
    drawn = ElementTree.fromstring(board(BACKGAMMON.start, 0, alt="x"))
    discs = [e for e in drawn.iter("circle") if e.get("class") in ("side0", "side1")]
    assert len(discs) == 30
    light = [e for e in discs if e.get("class") == "side0"]
    assert (
        sum(float(e.get("cy", "nan")) > 200 for e in light) == 8
    )  # 6-point and 8-point are the mover's half


def test_a_curve_stays_in_its_frame_and_skips_what_is_not_known():
    drawn = ElementTree.fromstring(graph("t", [("one", [0.0, None, 9.0, -9.0])], -1, 1))
    points = drawn.find("polyline").get("points").split()
    ys = [float(point.split(",")[1]) for point in points]
    assert len(points) == 3
    assert min(ys) >= 0
    assert max(ys) <= 200


class Moody:
    """An engine that cannot follow the second game."""

    name, plies = "moody", 0

    def judge(self, _match, number, _at):
        if number == 1:
            raise CoachError("no <idea>")
        return JUDGED


def test_a_game_that_the_engine_cannot_follow_is_said_and_the_others_are_judged():
    match = replace(MATCH, games=MATCH.games * 2)
    heard: list[float] = []
    judged, refused = judge_all(match, Moody(), heard.append)
    assert (list(judged), refused, heard) == ([0], {1: "no <idea>"}, [1, 2])
    findings = findings_of(match, "m", Moody(), None)
    assert "no &lt;idea&gt;" in page(findings, EN)
    assert figures(findings)["refused"] == [{"game": 2, "why": "no <idea>"}]


def test_nodes_that_are_not_the_games_turns_are_refused():
    with pytest.raises(CoachError, match="left out a part"):
        judgement(MATCH, [{}, {"W": ["31hefe"]}], BACKGAMMON)


def test_gnubg_judges_plays_and_luck_as_it_counts_them_itself():
    program = shutil.which("gnubg", path=GAMES)
    if program is None:
        pytest.skip("NOT RUN: gnubg is missing; apt install gnubg")
    bad = Turn(1, (6, 4), (Hop(8, 2), Hop(8, 4)))
    match = replace(MATCH, games=(Game((FIRST[0], bad, FIRST[2])),))
    found = GnubgAnalyst(program, 0).judge(match, 0, lambda _part: None)
    assert found.plays[0].cost == 0.0  # everybody's 3-1
    assert found.plays[1].cost is not None
    assert found.plays[1].cost > 0.08
    assert found.plays[1].best != bad.play
    assert all(play.luck is not None for play in found.plays.values())
    unknown = replace(match, games=(Game((replace(FIRST[0], play=None), bad)),))
    with pytest.raises(CoachError, match="cannot follow"):
        GnubgAnalyst(program, 0).judge(unknown, 0, lambda _part: None)


def test_only_games_on_backgammons_board_have_an_engine():
    def here(_name, **_where):
        return "/usr/games/gnubg"

    assert find_analyst(RULESETS["trictrac"], here).name == "GNU Backgammon"
    assert find_analyst(RULESETS["predators"], here) is None


def test_links_into_the_video_are_relative_where_they_can_be(tmp_path):
    film = tmp_path / "films" / "a b.mp4"
    film.parent.mkdir()
    film.write_bytes(b"")
    assert link_to(film, tmp_path / "report.html") == "films/a%20b.mp4"
    assert link_to(film, tmp_path / "other" / "report.html").startswith("file:///")
    with pytest.raises(CallError, match="no such video"):
        link_to(tmp_path / "none.mp4", tmp_path / "report.html")


def test_the_command_writes_the_report_and_prints_the_figures(tmp_path):
    record = tmp_path / "m.jsonl"
    record.write_text(
        write_jsonl(
            replace(MATCH, games=(Game((*FIRST, Turn(1, act=Act.RESIGN, value=1)), winner=0, points=1),))
        )
    )
    result = CliRunner().invoke(program(), ["analyse", str(record), "--no-engine", "--json"])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert (told["engine"], told["sides"][0]["won"], told["sides"][0]["seconds"]) == (None, 1, 5.5)
    assert (tmp_path / "m.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    "arguments", [["none.mat"], ["m.jsonl", "--video", "none.mp4"], ["m.jsonl", "-o", "no/m.html"]]
)
def test_a_wrong_call_is_one_line_and_status_2(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.jsonl").write_text(write_jsonl(MATCH))
    result = CliRunner().invoke(program(), ["analyse", "--no-engine", *arguments])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
