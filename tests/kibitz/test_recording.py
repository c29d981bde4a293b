"""Looks on disk: what is written is read again, torn ends lose one item, what is inferred can be fixed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from engine.errors import RecordError
from engine.rules import BACKGAMMON
from kibitz.cli import program
from kibitz.looks import BoardMoved, CubeLook, Done, Head, Item, LooksFile, identity_of, kept_bytes
from kibitz.recording import Ahead, Fix, Recording, infer, match_of, transcript_of
from kibitz.skimming import Wanted, asked_of, position_given
from referee.events import Seen, Setup
from referee.layout import LIGHT, Layout
from referee.observation import UNSEEN, Die, Observation
from tests.kibitz.films import write_video
from tests.referee.recorded import Camera, game
from tests.referee.tables import shown, sights, went
from vision.geometry import BoardGeometry

BOARD = BoardGeometry(((0, 0), (100, 0), (100, 80), (0, 80)))
START = shown(BACKGAMMON.start, LIGHT)[:24]
HEAD = Head(1, "0", "file:x.mp4", "", Setup(names=("Ann", "Bob")), BOARD, START, 0.0)


def recording(seed: int = 1, turns: int = 6) -> Recording:
    played = game(seed, turns, Camera())
    return Recording(HEAD, (*played.looks, Done(played.t)))


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    items: tuple[Item, ...] = (
        *recording().items[:9], CubeLook(1.0, 2, 0.9, "near"), BoardMoved(2.0, BOARD), Done(3.0),
    )  # fmt: skip
    Recording(HEAD, items).save(tmp_path / "a.looks")
    again = Recording.load(tmp_path / "a.looks")
    assert again.head == HEAD
    assert again.items[9:] == items[9:]
    assert [type(item) for item in again.items] == [type(item) for item in items]
    assert again.done
    best = [[b.best for b in item.look.places] for item in items if isinstance(item, Seen)]
    assert [[b.best for b in x.look.places] for x in again.items if isinstance(x, Seen)] == best


@pytest.mark.parametrize("lost", [1, 7, 40])
def test_a_torn_end_loses_no_more_than_what_was_torn(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "a.looks"
    whole = recording()
    whole.save(path)
    path.write_bytes(path.read_bytes()[:-lost])
    torn = Recording.load(path)
    assert 0 < len(torn.items) < len(whole.items)
    assert not torn.done
    with LooksFile(path, HEAD, kept_bytes(path)) as file:
        file.write(Done(9.0))
    assert Recording.load(path).items == (*torn.items, Done(9.0))


def test_other_files_are_none(tmp_path: Path) -> None:
    path = tmp_path / "a.looks"
    path.write_bytes(b"no looks, but a text that somebody gave that name")
    with pytest.raises(RecordError):
        Recording.load(path)
    with pytest.raises(RecordError, match="cannot be read"):
        Recording.load(tmp_path / "none.looks")


def test_an_inferred_match_keeps_names_plays_and_times() -> None:
    inferred = infer(recording())
    match = match_of(inferred, HEAD.setup)
    assert match.names == ("Ann", "Bob")
    assert len(match.games) == 1
    assert [turn.roll for turn in match.games[0].turns] == [line.dice for line in inferred.turns]
    times = [turn.t for turn in match.games[0].turns]
    assert None not in times
    assert times == sorted(t for t in times if t is not None)
    assert inferred.layout == Layout()


def test_a_direction_that_the_plays_do_not_tell_is_a_doubt() -> None:
    start = shown(BACKGAMMON.start, LIGHT)
    head = replace(HEAD, table=(), setup=Setup(start=start, side=LIGHT))
    # within a quarter of the board the checkers go the same way if the homes are changed
    after = went("24/22 6/5", start)
    few = infer(Recording(head, (*sights(0.0, 2.0, start), *sights(3.0, 2.0, after))))
    assert few.other_layouts
    assert [line.after for line in few.turns] == [after[:24]]
    assert few.turns[0].confidence <= 0.51
    assert transcript_of(few, "x.mp4", "backgammon").doubts == ("direction",)
    many = infer(Recording(head, tuple(game(1, 14, Camera()).looks)))
    assert not many.other_layouts
    assert many.layout == Layout()
    assert transcript_of(many, "x.mp4", "backgammon").doubts == ()


def hurried(head: Head) -> Recording:
    """A recording in which something moves nearly all the time."""
    start = shown(BACKGAMMON.start, LIGHT)
    hand = Observation(0.0, (UNSEEN,) * 24, hand=True)
    moves = [Seen(replace(hand, t=t)) for t in (0.5, 4.0, 8.0)]
    begin, between, end = sights(0.0, 0.4, start), sights(3.8, 0.2, start), sights(7.6, 0.4, start)
    return Recording(head, (*begin, moves[0], *between, moves[1], *end, moves[2], Done(12.0)))


def test_a_recording_in_which_hardly_anything_lies_still_is_a_doubt() -> None:
    whole = hurried(HEAD)
    assert infer(whole).doubts == ("lapse",)
    calm = Recording(HEAD, (*whole.items[:-2], Done(12.0)))
    assert not infer(calm).doubts


def test_the_command_says_that_a_time_lapse_wants_its_option(tmp_path: Path) -> None:
    video = write_video(tmp_path / "a.mp4", [np.zeros((90, 160, 3), np.uint8)] * 4)
    asked = asked_of(Wanted())
    hurried(replace(HEAD, identity=identity_of(video), asked=asked)).save(tmp_path / "a.looks")
    said = CliRunner().invoke(program(), ["transcribe", str(video), "-o", str(tmp_path / "a.mat")])
    assert said.exit_code == 0, said.output
    assert "--lapse" in said.output


@pytest.mark.parametrize("printed", [False, True])
def test_what_is_inferred_while_pictures_are_read_is_what_is_inferred_afterwards(*, printed: bool) -> None:
    whole = recording()
    if printed:
        whole = Recording(HEAD, tuple(with_print(item) for item in whole.kept))
    ahead = Ahead()
    for item in (whole.head, *whole.kept):
        ahead.hear(item)
    assert ahead.inference(whole).infer() == infer(whole)


def with_print(item: Item) -> Item:
    """The same look at a board on which something is printed that looks like a die."""
    if not isinstance(item, Seen) or item.look.dice is None:
        return item
    return Seen(replace(item.look, dice=(*item.look.dice, Die(3, 0.9, 0.3, 0.3))))


def test_one_fixed_play_changes_what_follows() -> None:
    first = infer(recording())
    fixed = infer(recording(), {2: Fix(dice=first.turns[2].dice, play=first.turns[2].play)})
    assert [t.after for t in fixed.turns] == [t.after for t in first.turns]
    assert fixed.turns[2].how == "typed"


def test_checkers_missing_from_the_points_are_on_the_bar_unless_all_the_others_are_home() -> None:
    points = (3, 0, -1, 0, 0, 1, -5, 1, -2, 1, -2, 0, -2, 0, 0, 0, 0, 0, 5, -1, -1, 1, 2, -1)
    assert position_given(",".join(map(str, points)), Layout(), BACKGAMMON) == ((*points, 1, 0, 0, 0), None)
    told = (*points, 0, 0)
    assert position_given(",".join(map(str, told)), Layout(), BACKGAMMON) == ((*told, 1, 0), None)
    home = (*(0,) * 18, 2, 2, 3, 0, 0, 5)
    assert position_given(",".join(map(str, home)), Layout(), BACKGAMMON)[0][24:] == (0, 0, 3, -15)
