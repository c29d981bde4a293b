"""What is taken for the board in the first pictures, and for its position."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from engine.rules import BACKGAMMON
from engine.xgid import parse_xgid
from kibitz.acquire import BORNE_OUT, STRICT, acquire, miscounted
from kibitz.calibration import save
from kibitz.skimming import Wanted, first_look
from referee.layout import LIGHT, Layout, table_of
from tests.kibitz.films import board_picture, write_video
from tests.referee.tables import moved, shown
from vision.calibrate import Calibrated
from vision.corners import find_boards
from vision.corners_lattice import far_apart
from vision.corners_reading import against
from vision.errors import NotTheStart
from vision.source import Frame, open_source
from vision.synth import Camera, Drawn, Scene, Style, render

#: After 3-1 by the capital letters and 6-2 by the others.
MIDGAME = "XGID=-a---BDaB---dEa--c-e----B-:0:0:1:00:0:0:0:0:10"


@pytest.mark.parametrize(
    ("wrong", "misread"),
    [
        ([(5, -5, -4)], True),
        ([(5, -5, -6), (11, 5, 6)], True),
        ([(3, 0, 1)], True),
        ([(5, -5, -4), (7, -3, -4)], False),
        ([(0, 2, 1), (11, 5, 6)], False),
        ([(5, -5, 5)], False),
        ([(0, 2, 0)], False),
        ([(0, 2, 3), (11, 5, 6), (5, -5, -4)], False),
    ],
)
def test_a_side_with_the_right_number_of_checkers_has_played(
    wrong: list[tuple[int, int, int]], misread: bool
) -> None:
    assert miscounted(NotTheStart("", (), tuple(wrong)), 2) is misread


def test_given_corners_vouch_for_the_board() -> None:
    wrong = ((6, 5, 4), (12, 2, 3), (17, -5, -6), (19, -3, -4), (23, 5, 7))
    assert miscounted(NotTheStart("", (), wrong), 8)


def test_the_network_tells_a_board_that_is_off_and_a_checker_elsewhere() -> None:
    start = table_of(Layout(), BACKGAMMON, LIGHT, BACKGAMMON.start)
    elsewhere = (*start[:11], start[11] - 1, start[12] + 1, *start[13:])
    image = board_picture(start)
    board = find_boards(image)[0].geometry
    said = against(image, board, [start, elsewhere])
    assert said[start] < BORNE_OUT < said[elsewhere]
    column = (board.corners[1][0] - board.corners[0][0]) / (12 + board.bar)
    a, b, c, d = ((x + column, y) for x, y in board.corners)
    aside = against(image, replace(board, corners=(a, b, c, d)), [start])
    assert aside[start] > BORNE_OUT


@pytest.mark.parametrize("layout", [Layout(), Layout("left", "top")])
def test_an_xgid_lies_as_the_first_picture_shows_it(tmp_path: Path, layout: Layout) -> None:
    table = table_of(layout, BACKGAMMON, LIGHT, parse_xgid(MIDGAME).position)
    video = write_video(tmp_path / "a.mp4", [board_picture(table)] * 20)
    _, setup = first_look(open_source(str(video)), Wanted(position=MIDGAME))
    assert (setup.layout, setup.start, setup.side) == (layout, table, LIGHT)


@pytest.mark.parametrize("layout", [Layout(), Layout("left", "top")])
def test_with_a_calibration_an_xgid_lies_as_the_picture_shows_it(tmp_path: Path, layout: Layout) -> None:
    start = table_of(layout, BACKGAMMON, LIGHT, BACKGAMMON.start)
    known = write_video(tmp_path / "start.mp4", [board_picture(start)] * 20)
    (learned, _), _ = first_look(open_source(str(known)), Wanted())
    save(path := tmp_path / "board.json", learned.frame.image, learned.calibrated.board, start[:24])
    table = table_of(layout, BACKGAMMON, LIGHT, parse_xgid(MIDGAME).position)
    video = write_video(tmp_path / "a.mp4", [board_picture(table)] * 20)
    wanted = Wanted(position=MIDGAME, calibration=path)
    _, setup = first_look(open_source(str(video)), wanted)
    assert (setup.layout, setup.start, setup.side) == (layout, table, LIGHT)


def test_a_position_whose_light_checkers_are_the_dark_ones_is_told(tmp_path: Path) -> None:
    table = table_of(Layout(), BACKGAMMON, LIGHT, parse_xgid(MIDGAME).position)
    video = write_video(tmp_path / "a.mp4", [board_picture(table)] * 20)
    exchanged = ",".join(str(-n) for n in table[:24])
    with pytest.raises(NotTheStart, match="exchange light and dark"):
        first_look(open_source(str(video)), Wanted(position=exchanged))


def test_what_only_nearly_shows_the_position_is_taken_when_nothing_better_was_seen_for_long() -> None:
    start = shown(BACKGAMMON.start)
    whole, lacking = board_picture(start), board_picture(moved(start, (11, -2)))
    board = find_boards(whole)[0].geometry
    # two checkers are there in every other picture only, so that no two pictures agree
    flicker = [Frame(k / 4, whole if k % 2 else lacking) for k in range(26)]
    late = acquire(iter(flicker), [start], board, patient=False)
    assert STRICT <= late.frame.t < STRICT + 1
    assert late.calibrated.table == start[:24]
    calm = [Frame(frame.t, whole if frame.t > 1 else frame.image) for frame in flicker]
    assert acquire(iter(calm), [start], board, patient=False).frame.t < STRICT
    with pytest.raises(NotTheStart):
        acquire(iter(flicker), [start], board)


@pytest.fixture(scope="module")
def piled() -> Drawn:
    """The start on a board on which people put no more than four checkers in a row."""
    return render(
        Scene(shown(BACKGAMMON.start), style=Style(row=4, height=10.0, mess=0.2), camera=Camera(), seed=3)
    )


def begun(picture: Drawn, table: tuple[int, ...], *, live: bool) -> Calibrated:
    frames = [Frame(k / 4, picture.image) for k in range(3)]
    return acquire(iter(frames), [table], patient=live).calibrated


@pytest.mark.parametrize("live", [False, True])
def test_a_start_with_checkers_on_others_is_taken_where_it_lies(piled: Drawn, *, live: bool) -> None:
    found = begun(piled, shown(BACKGAMMON.start), live=live)
    assert [disc.row for disc in found.learned.discs] == [4, 4]
    assert not far_apart(np.array(found.board.corners), np.array(piled.board.corners))


@pytest.mark.parametrize("live", [False, True])
def test_piles_do_not_vouch_for_a_checker_that_is_not_there(piled: Drawn, *, live: bool) -> None:
    # one of a pile's checkers, which nobody sees, is said to lie alone
    with pytest.raises(NotTheStart, match="1 light expected, empty seen"):
        begun(piled, moved(shown(BACKGAMMON.start), (18, -1), (19, 1)), live=live)
