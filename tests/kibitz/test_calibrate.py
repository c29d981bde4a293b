"""`kibitz calibrate`: with nobody to ask and with somebody, and a camera that is pushed afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from engine.rules import BACKGAMMON
from kibitz.calibrate import Known, Talk, Wish, calibrate, known, learned, placed, still_pair
from kibitz.calibration import layout_in, learned_from, load
from kibitz.cli import program
from kibitz.options import parse_corners
from kibitz.place_watch import PlaceWatch
from referee.events import Seen
from referee.layout import Layout, table_of
from tests.accuracy.filmed_looks import wild_room_of
from vision.corners import find_boards
from vision.errors import NoBoard, NotTheStart
from vision.film import Director
from vision.geometry import HEIGHT, BoardGeometry, Image, to_picture
from vision.source import Frame, read_picture
from vision.synth import Camera, Painter, Scene, Sensor, Style, render
from vision.watch import Watcher

LAYOUT = Layout("left", "top")
START = table_of(LAYOUT, BACKGAMMON, 0, BACKGAMMON.start)
OTHER = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 3, 2, 0, 0, 0, -2)


@pytest.fixture(scope="module")
def start() -> tuple[Image, BoardGeometry]:
    drawn = render(Scene(START))
    return drawn.image, drawn.board


def asked(*answers: str) -> Talk:
    """Somebody who gives these answers in turn, and nothing after them."""
    left = list(answers)
    return Talk(lambda _question: left.pop(0) if left else "")


def shown(image: Image) -> Known:
    """Two such pictures, which are known to show the start."""
    return known((image, image), Wish(), BACKGAMMON)


def miss(board: BoardGeometry, truth: BoardGeometry) -> float:
    """Largest corner error as a share of the diagonal."""
    want = np.array(truth.corners)
    diagonal = np.linalg.norm(want[2] - want[0])
    return float(np.linalg.norm(np.array(board.corners) - want, axis=1).max() / diagonal)


def test_without_a_terminal_all_is_found_and_kept(tmp_path: Path, start: tuple[Image, BoardGeometry]) -> None:
    picture, out = tmp_path / "start.png", tmp_path / "board.json"
    cv2.imwrite(str(picture), start[0])
    calibrate(str(picture), out, yes=True)
    kept = load(out)
    assert main_says("read", "-c", str(out), str(picture)).count("XGID=") == 1
    assert kept.table == START[:24]
    assert layout_in(out) == LAYOUT
    assert miss(kept.board, start[1]) < 0.01
    assert read_picture(tmp_path / "board.check.png").shape == start[0].shape


def test_a_wrong_place_is_put_right_by_hand(tmp_path: Path, start: tuple[Image, BoardGeometry]) -> None:
    said = " ".join(f"{x:.1f},{y:.1f}" for x, y in start[1].corners)
    board = placed(shown(start[0]), Wish(), asked("n", "1,2 3", "no", said, "y"), tmp_path / "check.png")
    assert np.abs(np.subtract(board.corners, start[1].corners)).max() < 0.1


def test_corners_that_miss_the_field_are_told_of(
    tmp_path: Path, start: tuple[Image, BoardGeometry], capsys: pytest.CaptureFixture[str]
) -> None:
    a, b, c, d = start[1].corners
    for wrong, corners in ((False, (a, b, c, d)), (True, ((a[0] + 60, a[1]), b, c, (d[0] + 60, d[1])))):
        said = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        placed(shown(start[0]), Wish(corners=said), Talk(), tmp_path / "check.png")
        assert ("points do not lie" in capsys.readouterr().err) == wrong


def test_corners_that_the_points_bear_out_are_told_of_where_the_position_lies_elsewhere(
    tmp_path: Path, start: tuple[Image, BoardGeometry], capsys: pytest.CaptureFixture[str]
) -> None:
    image, truth = start
    outer = np.array([[0, 0], [truth.width, 0], [truth.width, HEIGHT], [0, HEIGHT]], np.float64)
    rims = [[0, -60], [0, -60], [0, 60], [0, 60]]
    for wrong, moved in ((False, outer + 4), (True, outer + rims)):
        said = " ".join(f"{x:.1f},{y:.1f}" for x, y in to_picture(truth, moved))
        placed(shown(image), Wish(corners=said), Talk(), tmp_path / "check.png")
        heard = capsys.readouterr().err
        assert "points do not lie" not in heard
        assert ("the position is seen on a board at other corners" in heard) == wrong
    told = parse_corners(heard.split('"')[1])
    assert miss(BoardGeometry(told), truth) < 0.01


def test_of_places_that_the_board_may_have_the_one_that_shows_the_position_is_taken(tmp_path: Path) -> None:
    room = wild_room_of(113)
    table = table_of(room.layout, BACKGAMMON, 0, BACKGAMMON.start)
    drawn = render(
        Scene(table, style=room.style, camera=room.camera, light=room.light, sensor=room.sensor, seed=113)
    )
    places = [found.geometry for found in find_boards(drawn.image)]
    wrong = [place for place in places if miss(place, drawn.board) > 0.05]
    right = [place for place in places if miss(place, drawn.board) < 0.01]
    assert wrong, "the points alone tell it: try another board"
    assert right
    assert shown(drawn.image).first_of([*wrong, *right]) == right[0]
    assert placed(shown(drawn.image), Wish(), Talk(), tmp_path / "check.png") == right[0]


def test_no_board_asks_for_corners_or_ends(tmp_path: Path) -> None:
    nothing = np.full((480, 640, 3), 90, np.uint8)
    with pytest.raises(NoBoard):
        placed(shown(nothing), Wish(), Talk(), tmp_path / "check.png")
    board = placed(shown(nothing), Wish(), asked("100,100 500,100 500,400 100,400"), tmp_path / "check.png")
    assert board.corners[2] == (500.0, 400.0)


def test_another_position_is_asked_for_and_checked() -> None:
    drawn = render(Scene((*OTHER, 0, 0, 0, 0)))
    pair = (drawn.image, drawn.image)
    with pytest.raises(NotTheStart):
        learned(pair, drawn.board, Wish(), BACKGAMMON, Talk())
    told = " ".join(map(str, OTHER))
    calibrated, layout = learned(pair, drawn.board, Wish(), BACKGAMMON, asked(told, "left", "top"))
    assert calibrated.table == OTHER
    assert layout == Layout("left", "top")


def test_a_wide_lens_may_be_named(tmp_path: Path) -> None:
    bent = render(Scene(START, sensor=Sensor(lens=0.3)))
    board = placed(shown(bent.image), Wish(lens=0.3), Talk(), tmp_path / "check.png")
    calibrated, layout = learned((bent.image, bent.image), board, Wish(), BACKGAMMON, Talk())
    assert board.lens == 0.3
    assert (calibrated.table, layout) == (START[:24], LAYOUT)


def test_a_picture_that_never_rests_is_refused() -> None:
    rng = np.random.default_rng(1)
    frames = (Frame(k / 5, rng.integers(0, 255, (90, 160, 3)).astype(np.uint8)) for k in range(20))
    with pytest.raises(NoBoard, match="hold still"):
        still_pair(frames)


def main_says(*arguments: str) -> str:
    """What the command line prints."""
    done = CliRunner().invoke(program(), arguments)
    assert done.exit_code == 0
    return done.output


def view(camera: Camera) -> tuple[Callable[[int, bool], Image], BoardGeometry]:
    """Frames of the start seen by a camera, with or without a hand over the board."""
    painter = Painter(Scene(START, camera=camera))
    painter.paint()
    board = painter.finish().board
    director = Director(Style(), 0)
    return lambda k, hand: painter.again((), director.arm(0, (6.0, 4.0)) if hand else None, k), board


@pytest.mark.parametrize(
    "pushed",
    [
        Camera(shift=(0.02, -0.015)),
        Camera(tilt=11.0, azimuth=3.0, fill=0.82),
        Camera(roll=9.0, shift=(0.05, 0.05), fill=0.75),
    ],
    ids=["nudged", "tilted", "knocked"],
)
def test_a_camera_that_jumps_is_followed_within_a_second(pushed: Camera) -> None:
    (before, first), (after, second) = view(Camera()), view(pushed)
    still, moved = [before(k, False) for k in range(3)], [after(k, False) for k in range(3)]
    watcher, place = Watcher(learned_from(still[0], first, START[:24])), PlaceWatch()
    jump = 20
    for k in range(2 * jump):
        image = (still if k < jump else moved)[k % 3]
        found = place.frame(Frame(k / 10, image), watcher)
        assert found is None or k >= jump
        watcher = found or watcher
        if found is not None and k <= jump + 10 and miss(watcher.board, second) < 0.01:
            break
    else:
        pytest.fail("not followed within a second")
    looks = [watcher.frame(10 + k / 10, moved[k % 3]) for k in range(6)]
    seen = next(look for look in looks if isinstance(look, Seen))
    assert [b.best for b in seen.look.points] == list(START[:24])


def test_a_hand_over_the_board_moves_nothing() -> None:
    frames, board = view(Camera())
    still, hand = frames(0, False), frames(1, True)
    watcher, place = Watcher(learned_from(still, board, START[:24])), PlaceWatch()
    assert all(place.frame(Frame(k / 10, hand if k > 5 else still), watcher) is None for k in range(30))
