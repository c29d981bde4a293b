"""Pictures turned, huge, grey, deep, transparent, torn or mirrored: a right reading or a clear no."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike
from msgspec.structs import replace

from kibitz.read import line_of, read_one, warnings_of
from tests.kibitz.films import board_picture
from vision.cube import Cube, read_cube
from vision.errors import SourceError
from vision.geometry import Image
from vision.oddities import LARGEST, colourless, in_mirror, mirrored, proves, suggests
from vision.picture_file import torn
from vision.synth import Scene, render

TABLE = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -5, 1, 0, 0, 0, 2, 0, 0, 0, 0)
POINTS = TABLE[:24]
#: A JPEG's EXIF that says: turned a quarter, show it turned back.
TURNED = bytes.fromhex("ffe1001e45786966000049492a000800000001001201030001000000") + b"\x06\0\0\0"


@pytest.fixture(scope="module")
def board() -> Image:
    return board_picture(TABLE)


def saved(folder: Path, image: MatLike, name: str = "a.jpg") -> Path:
    path = folder / name
    cv2.imwrite(str(path), image)
    return path


def points_of(path: Path) -> tuple[tuple[int, ...], int]:
    line = line_of(path, read_one(path, None, None), None, 0, "backgammon")
    return line.points, line.rotate_cw_deg


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        (cv2.ROTATE_90_CLOCKWISE, (POINTS[::-1], 90)),
        (cv2.ROTATE_180, (POINTS[::-1], 0)),
        (cv2.ROTATE_90_COUNTERCLOCKWISE, (POINTS, 90)),
    ],
    ids=["90", "180", "270"],
)
def test_a_turned_picture_gives_the_same_position(
    tmp_path: Path, board: Image, turn: int, told: tuple[tuple[int, ...], int]
) -> None:
    assert points_of(saved(tmp_path, cv2.rotate(board, turn))) == told


def test_exif_turns_the_picture_upright(tmp_path: Path, board: Image) -> None:
    lying = saved(tmp_path, cv2.rotate(board, cv2.ROTATE_90_COUNTERCLOCKWISE))
    data = lying.read_bytes()
    lying.write_bytes(data[:2] + TURNED + data[2:])
    assert points_of(lying) == (POINTS, 0)


def test_a_huge_picture_is_read_and_its_corners_are_its_own(tmp_path: Path, board: Image) -> None:
    small = line_of(tmp_path, read_one(saved(tmp_path, board), None, None), None, 0, "backgammon")
    huge = cv2.resize(board, (8000, 4500), interpolation=cv2.INTER_NEAREST)
    path = saved(tmp_path, huge, "huge.jpg")
    reading = read_one(path, None, None)
    line = line_of(path, reading, None, 0, "backgammon")
    assert max(reading.image.shape) == LARGEST
    assert line.points == POINTS
    assert np.abs(np.array(line.corners) / 6.25 - np.array(small.corners)).max() < 4


@pytest.mark.parametrize(
    "change",
    [
        lambda image: image.astype(np.uint16) * 257,
        lambda image: np.dstack([image, np.full(image.shape[:2], 255, np.uint8)]),
    ],
    ids=["16-bit", "alpha"],
)
def test_deep_and_transparent_pictures_are_read(
    tmp_path: Path, board: Image, change: Callable[[Image], MatLike]
) -> None:
    assert points_of(saved(tmp_path, change(board), "a.png"))[0] == POINTS


def test_a_grey_picture_says_so(tmp_path: Path, board: Image) -> None:
    grey = saved(tmp_path, cv2.cvtColor(board, cv2.COLOR_BGR2GRAY), "grey.png")
    reading = read_one(grey, None, None)
    assert "no colour" in " ".join(warnings_of(reading))
    assert not colourless(board)


def test_a_tiny_picture_is_refused(tmp_path: Path, board: Image) -> None:
    with pytest.raises(SourceError, match="200 x 150 pixels are too few"):
        read_one(saved(tmp_path, cv2.resize(board, (200, 150))), None, None)


@pytest.mark.parametrize("name", ["a.jpg", "a.png"])
@pytest.mark.parametrize("kept", [0.1, 0.5, 0.95])
def test_a_file_that_breaks_off_is_refused(tmp_path: Path, board: Image, name: str, kept: float) -> None:
    path = saved(tmp_path, board, name)
    data = path.read_bytes()
    assert not torn(data)
    path.write_bytes(data[: int(kept * len(data))])
    with pytest.raises(SourceError, match="breaks off"):
        read_one(path, None, None)


def test_a_thumbnails_end_is_not_the_pictures(board: Image) -> None:
    data = cv2.imencode(".jpg", board)[1].tobytes()
    thumbnail = b"\xff\xe1\x00\x08\xff\xd8\xff\xd9\0\0"
    whole = data[:2] + thumbnail + data[2:]
    assert not torn(whole)
    assert torn(whole[: len(whole) // 2])


def test_a_changed_byte_in_a_png_is_noticed(board: Image) -> None:
    data = bytearray(cv2.imencode(".png", board)[1].tobytes())
    data[len(data) // 2] ^= 1
    assert torn(bytes(data))


def test_only_a_cube_that_reads_surely_and_only_in_the_mirror_proves_one() -> None:
    sure, unsure = Cube(64, 0.97, "middle", 1.1, 0.5), Cube(2, 0.4, "middle", -0.1, 0.5)
    assert proves(unsure, sure)
    assert not proves(None, sure)
    assert not proves(unsure, None)
    assert not proves(replace(unsure, p=0.6), sure)
    assert not proves(unsure, replace(sure, p=0.9))
    assert not proves(replace(unsure, value=64), sure)
    assert not proves(unsure, replace(sure, value=8))
    assert not proves(unsure, replace(sure, x=0.5))


def test_a_cube_that_reads_better_in_the_mirror_is_told_of() -> None:
    there, here = Cube(2, 0.98, "middle", 1.1, 0.5), Cube(64, 0.9, "middle", -0.1, 0.5)
    assert suggests(here, there)
    assert not suggests(replace(here, p=0.95), there)
    assert not suggests(here, replace(there, p=0.94))
    assert not suggests(there, here)
    assert not suggests(None, there)


def test_a_board_without_a_cube_proves_no_mirror() -> None:
    plain = render(Scene(TABLE))
    for image, board in ((plain.image, plain.board), in_mirror(plain.image, plain.board)):
        assert mirrored(image, board, read_cube(image, board)) == "no"
