"""What can be saved from the page: the game in record formats, and the debug bundle."""

import io
import json
import zipfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.formats import FORMATS
from engine.record import Act
from engine.rules import RULESETS, ruleset
from kibitz.web.bundle import bundle
from kibitz.web.records import match_of
from kibitz.web.shown import own_numbers, same_but_picture
from referee.events import (
    CubeActed,
    CubeTurned,
    GameOver,
    NextGame,
    Refused,
    Resigned,
    Setup,
    Started,
    Superseded,
    Tick,
    TurnPlayed,
    TurnUndone,
)  # fmt: skip
from referee.journal import SCHEMA, Entry, Header
from referee.layout import LAYOUTS, Layout, table_of
from tests.web.games import at_start, random_turns

layouts = st.sampled_from(LAYOUTS)
games = st.sampled_from(sorted(RULESETS))


def journal(rules: str, layout: Layout, turns: int, seed: int) -> list[Header | Entry]:
    """The journal of a random game; only what a record is made from."""
    head = Header(SCHEMA, "0", "sim:", Setup(rules=rules, names=("Anna", "Boris"), length=5))
    start = table_of(layout, ruleset(rules), 0, ruleset(rules).start)
    plays = random_turns(rules, layout, turns, seed)
    return [head, Entry(Tick(0.0), (Started(0.0, layout, start),)), *(Entry(Tick(p.t), (p,)) for p in plays)]


def turns_of(items: list[Header | Entry]) -> list[TurnPlayed]:
    return [o for e in items if isinstance(e, Entry) for o in e.made if isinstance(o, TurnPlayed)]


@given(games, layouts, st.integers(0, 25), st.integers(0, 999))
def test_the_record_holds_what_was_played(rules: str, layout: Layout, turns: int, seed: int) -> None:
    items = journal(rules, layout, turns, seed)
    match = match_of(items)
    assert (match.rules, match.names, match.length) == (rules, ("Anna", "Boris"), 5)
    assert match.games[0].start is None
    for turn, play in zip(match.games[0].turns, turns_of(items), strict=True):
        assert play.play is not None
        assert (turn.side, turn.roll, turn.play) == (play.side, play.roll, play.play.hops)


def test_a_mat_file_reads_back() -> None:
    match = match_of(journal("backgammon", Layout(), 30, 3))
    mat = next(f for f in FORMATS if f.name == "mat")
    again = mat.read(mat.encode(match))
    one, other = ([(t.side, t.play) for t in m.games[0].turns] for m in (again, match))
    assert one == other


def test_an_illegal_play_that_stands_is_kept_as_the_table_after_it() -> None:
    items = journal("backgammon", Layout(), 4, 3)
    odd = replace(turns_of(items)[1], stood_illegal=True, play=None, text="")
    turn = match_of([*items[:3], Entry(Tick(1.0), (odd,)), *items[4:]]).games[0].turns[1]
    assert turn.stood_illegal
    assert turn.play is None
    assert turn.after is not None


def test_what_was_taken_back_is_not_in_the_record() -> None:
    items = journal("backgammon", Layout(), 6, 3)
    other = turns_of(journal("backgammon", Layout(), 6, 4))[4]
    corrected = [*items, Entry(TurnUndone(9.0), (Superseded(9.0, 4),)), Entry(Tick(9.5), (other,))]
    turns = match_of(corrected).games[0].turns
    assert len(turns) == 5
    assert other.play is not None
    assert turns[4].play == other.play.hops


def test_cube_resignation_and_the_next_game() -> None:
    items = journal("backgammon", Layout(), 4, 3)
    double = Entry(CubeActed(5.0, "double"), (CubeTurned(5.0, 4, 0, "double", 2, None),))
    take = Entry(CubeActed(5.1, "take"), (CubeTurned(5.1, 4, 1, "take", 2, 1),))
    resigned = Entry(Resigned(6.0, 1, 2), (GameOver(6.0, 0, 4, "resigned", (4, 0)),))
    following = [Entry(NextGame(7.0)), *journal("backgammon", Layout(), 2, 5)[1:]]
    first, second = match_of([*items, double, take, resigned, *following]).games
    assert [turn.act for turn in first.turns[4:]] == [Act.DOUBLE, Act.TAKE, Act.RESIGN]
    assert (first.winner, first.points) == (0, 4)
    assert second.score == (4, 0)
    assert second.crawford
    assert len(second.turns) == 2


def test_a_refused_wish_leaves_no_trace() -> None:
    items = journal("backgammon", Layout(), 2, 3)
    refused = Entry(Resigned(3.0, 0, 1), (Refused(3.0, "no"),))
    assert match_of([*items, refused]) == match_of(items)


@given(games, layouts)
def test_each_side_numbers_every_point_once(rules: str, layout: Layout) -> None:
    for numbers in own_numbers(rules, layout):
        assert sorted(numbers) == list(range(1, 25))


def test_only_pictures_and_time_go_short() -> None:
    snapshot = at_start()
    assert same_but_picture(snapshot, replace(snapshot, revision=9, t=7.0, picture=4))
    assert not same_but_picture(snapshot, replace(snapshot, side=None))


def test_a_bundle_holds_the_session_and_nothing_else(tmp_path: Path) -> None:
    snapshot = at_start()
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
    snapshot = at_start()
    for number in range(6):
        (tmp_path / f"{number}.jpg").write_bytes(number.to_bytes() * 5_000_000)
    (tmp_path / "game.jsonl").write_text("x")
    with zipfile.ZipFile(io.BytesIO(bundle(tmp_path, snapshot, {}))) as file:
        assert "session/game.jsonl" in file.namelist()
        assert sum(i.file_size for i in file.infolist()) < 21_000_000
