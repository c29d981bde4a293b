"""`kibitz check`, `kibitz convert` and the words they use."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from engine.formats import FORMATS
from engine.mat import read_mat, write_mat
from engine.notation import parse_play
from engine.rules import BACKGAMMON
from kibitz.check import check
from kibitz.convert import convert
from kibitz.lang import LANGUAGES, SPOKEN, Code, choose
from kibitz.lang_texts import TEXTS

SAMPLE = Path(__file__).parents[1] / "data" / "sample_game.txt"
GAME = """3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                  42: 13/11 8/4
  2) 64: 24/14*                   61: bar/24 13/7
"""


@pytest.fixture
def run():
    app = typer.Typer()
    app.command()(check)
    app.command()(convert)
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.mat"
    path.write_text(GAME)
    return path


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.shared
def test_every_shared_record_gives_the_figures_of_the_index(run, shared):
    result = run("check", "--json", shared / "records" / "matches")
    *files, total = lines(result)
    with open(shared / "records" / "index.tsv", newline="") as index:
        rows = {row["file"]: row for row in csv.DictReader(index, delimiter="\t")}
    keys = ("games", "rolls", "dances", "illegal")
    assert {f["file"]: [f[key] for key in keys] for f in files} == {
        name: [int(row[key]) for key in keys] for name, row in rows.items()
    }
    assert total == {"files": 158, "games": 754, "rolls": 31893, "illegal": 0}
    assert result.exit_code == 0


def test_a_good_record_is_status_0(run, game):
    result = run("check", game, "--json")
    assert result.exit_code == 0
    assert lines(result)[-1] == {"files": 1, "games": 1, "rolls": 4, "illegal": 0}


def test_an_illegal_play_is_told_with_its_reason_and_the_nearest_plays(run, game):
    game.write_text(GAME.replace("61: bar/24 13/7", "61: 13/7 8/7"))
    result = run("check", game, "--json")
    assert result.exit_code == 1
    (fault,) = lines(result)[0]["faults"]
    assert (fault["game"], fault["turn"], fault["side"], fault["roll"]) == (1, 4, 1, [6, 1])
    assert fault["played"] == "13/7 8/7"
    assert fault["why"] == ["not_entered"]
    assert "bar" in fault["reason"]
    assert fault["nearest"][0].startswith("bar/24")


def test_reasons_in_russian_and_the_seeds_notation(run):
    result = run("check", SAMPLE, "--lang", "ru", "--notation", "trictrac")
    assert result.exit_code == 1
    assert "не то число, которое даёт 4" in result.stdout
    assert "8–9* 12–IX*" in result.stdout
    assert "неправильных ходов 5" in result.stdout


def test_what_cannot_be_read_is_status_2_and_the_rest_is_still_checked(run, game):
    (game.parent / "bad.mat").write_text("not a match")
    result = run("check", "--json", game.parent)
    bad, good, total = lines(result)
    assert result.exit_code == 2
    assert (bad["file"], good["file"]) == ("bad.mat", "game.mat")
    assert "not a .mat" in bad["error"]
    assert total == {"files": 2, "games": 1, "rolls": 4, "illegal": 0, "errors": 1}


def test_other_files_in_a_folder_are_left_alone(run, game):
    (game.parent / "journal.jsonl").write_text('{"schema": 1}\n')
    (game.parent / "readme.txt").write_text("hello")
    (game.parent / "sample.txt").write_bytes(SAMPLE.read_bytes())
    assert [line.get("file") for line in lines(run("check", "--json", game.parent))] == [
        "game.mat",
        "sample.txt",
        None,
    ]


def test_a_missing_file_is_one_line_and_status_2(run, tmp_path):
    result = run("check", tmp_path / "nothing.mat")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("ending", ["mat", "sgf", "jsonl", "txt", "ogxm"])
def test_convert_there_and_back(run, game, ending):
    if ending == "ogxm":
        pytest.importorskip("ogxm")
    there, back = game.with_name(f"there.{ending}"), game.with_name("back.mat")
    assert run("convert", game, there).exit_code == 0
    assert run("convert", there, back).exit_code == 0
    assert read_mat(back.read_bytes()).games == read_mat(game.read_bytes()).games


def test_convert_says_what_it_left_out(run, game):
    game.write_text(GAME + "  3)  Doubles => 2               Takes\n")
    result = run("convert", game, game.with_name("game.txt"))
    assert result.exit_code == 0
    assert "game 1, turn 5" in result.stderr


@pytest.mark.parametrize("target", ["game.doc", "no/such/folder/game.sgf"])
def test_a_target_that_cannot_be_written_is_status_2_and_leaves_nothing(run, game, target):
    result = run("convert", game, game.parent / target)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert [path.name for path in game.parent.iterdir()] == ["game.mat"]


def test_every_language_has_words_for_every_value():
    for code in Code:
        missing = [member for kind in SPOKEN for member in kind if member not in TEXTS[code]]
        assert missing == []
    assert set(TEXTS["en"]) == set(TEXTS["ru"])


@pytest.mark.parametrize(
    ("asked", "environment", "code"),
    [
        ("ru", {}, "ru"),
        (None, {"LANG": "ru_RU.UTF-8"}, "ru"),
        (None, {"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "en"),
        (None, {}, "en"),
        ("en", {"LANG": "ru_RU.UTF-8"}, "en"),
    ],
)
def test_the_language_is_the_one_asked_for_or_the_environments(asked, environment, code):
    assert choose(asked, environment) is LANGUAGES[Code(code)]


def test_the_formats_are_known_by_name_and_content():
    match = read_mat(GAME)
    assert {fmt.name for fmt in FORMATS} == {"mat", "sgf", "jsonl", "trictrac", "ogxm"}
    assert write_mat(match).startswith("; [Player 1")
    assert parse_play("bar/24", BACKGAMMON.start)
