"""What can be saved from the page: the game in record formats, and the debug bundle."""

import io
import json
import zipfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.formats import FORMATS
from engine.rules import RULESETS
from kibitz.web.bundle import bundle
from kibitz.web.records import match_of
from kibitz.web.shown import own_numbers, same_but_picture
from referee.layout import LAYOUTS, Layout
from tests.web.games import played

layouts = st.sampled_from(LAYOUTS)
games = st.sampled_from(sorted(RULESETS))


@given(games, layouts, st.integers(0, 25), st.integers(0, 999))
def test_the_record_holds_what_was_played(rules: str, layout: Layout, turns: int, seed: int) -> None:
    snapshot, hops = played(rules, layout, turns, seed)
    match = match_of(snapshot)
    assert match.rules == rules
    assert match.names == ("Anna", "Boris")
    assert match.games[0].score == (1, 2)
    for turn, line, one in zip(match.games[0].turns, snapshot.turns, hops, strict=True):
        assert (turn.side, turn.roll, turn.after) == (line.side, line.roll, None)
        assert turn.play is not None
        assert sorted(h[:2] for h in turn.play) == sorted(h[:2] for h in one)


def test_a_mat_file_reads_back() -> None:
    snapshot, _ = played("backgammon", Layout(), 30, 3)
    match = match_of(snapshot)
    mat = next(f for f in FORMATS if f.name == "mat")
    again = mat.read(mat.encode(match))
    assert [(t.side, t.play) for t in again.games[0].turns] == [
        (t.side, t.play) for t in match.games[0].turns
    ]


def test_an_illegal_play_that_stands_is_kept_as_the_table_after_it() -> None:
    snapshot, _ = played("backgammon", Layout(), 4, 3)
    odd = replace(snapshot.turns[1], illegal=True, play="")
    turn = match_of(replace(snapshot, turns=(snapshot.turns[0], odd, *snapshot.turns[2:]))).games[0].turns[1]
    assert turn.stood_illegal
    assert turn.play is None
    assert turn.after is not None


@given(games, layouts)
def test_each_side_numbers_every_point_once(rules: str, layout: Layout) -> None:
    for numbers in own_numbers(rules, layout):
        assert sorted(numbers) == list(range(1, 25))


def test_only_pictures_and_time_go_short() -> None:
    snapshot, _ = played("backgammon", Layout(), 2, 1)
    assert same_but_picture(snapshot, replace(snapshot, revision=9, t=7.0, picture=4))
    assert not same_but_picture(snapshot, replace(snapshot, side=None))


def test_a_bundle_holds_the_session_and_nothing_else(tmp_path: Path) -> None:
    snapshot, _ = played("backgammon", Layout(), 2, 1)
    for folder in ("turns", "rejections"):
        (tmp_path / folder).mkdir()
    session = {"game.jsonl", "calibration.json", "turns/3.jpg", "rejections/9-reading.jpg"}
    for name in (*session, "kibitz-x.key", "notes.txt"):
        (tmp_path / name).write_text("x")
    with zipfile.ZipFile(io.BytesIO(bundle(tmp_path, snapshot, {"plain": b"jpeg"}))) as file:
        names = set(file.namelist())
        about = json.loads(file.read("about.json"))
    expected = {"about.json", "snapshot.json", "now/plain.jpg"}
    assert names == expected | {f"session/{name}" for name in session}
    assert about["source"] == "sim:"


def test_a_long_session_still_fits_into_a_mail(tmp_path: Path) -> None:
    snapshot, _ = played("backgammon", Layout(), 1, 1)
    for number in range(6):
        (tmp_path / f"{number}.jpg").write_bytes(number.to_bytes() * 5_000_000)
    (tmp_path / "game.jsonl").write_text("x")
    with zipfile.ZipFile(io.BytesIO(bundle(tmp_path, snapshot, {}))) as file:
        assert "session/game.jsonl" in file.namelist()
        assert sum(i.file_size for i in file.infolist()) < 21_000_000
