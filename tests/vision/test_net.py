"""The point network on drawn boards that it has not seen: counts, owners, bars, what it must not claim."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.net
from vision.geometry import BoardGeometry
from vision.net import ModelError, PointReader, look_at_points, read_points
from vision.synth import Camera, Hand, Light, Scene, Style, render
from vision.synth_look import Checker, Points, Surface

START = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 0, 0, 0, 0)
LATER = (6, 0, -1, 0, 2, -4, 0, -3, 0, 1, 0, 1, -2, 0, -1, 0, 0, 3, 0, 1, 0, -3, 0, 0, 1, -1, 0, 0)
CAMERAS = (
    Camera(tilt=3),
    Camera(960, 720, tilt=20, azimuth=12, roll=3),
    Camera(tilt=15, azimuth=-90, roll=-90),
)
STYLES = (
    Style(),
    Style(
        ground=Surface((200, 215, 220)),
        points=Points((60, 120, 40), (50, 60, 190)),
        dark=Checker((50, 40, 150), "dish"),
    ),
)


def scene(table: tuple[int, ...], camera: Camera = CAMERAS[0], style: Style = STYLES[0]) -> Scene:
    return Scene(table, camera=camera, style=style, light=Light(slant=0.3, hard=0.3), seed=9)


def best(image: np.ndarray, board: BoardGeometry) -> list[int]:
    return [b.best for b in read_points(image, board)]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("table", [START, LATER])
def test_plain_boards_are_read(table: tuple[int, ...], camera: Camera, style: Style) -> None:
    drawn = render(scene(table, camera, style))
    read = best(drawn.image, drawn.board)
    assert sum(a != b for a, b in zip(read[:24], table[:24], strict=True)) <= 1
    assert read[24:] == list(table[24:26])


def test_an_empty_board_is_empty() -> None:
    drawn = render(scene((0,) * 28))
    assert not any(best(drawn.image, drawn.board))


def test_a_board_without_a_bar_says_nothing_of_it() -> None:
    drawn = render(scene((*START[:24], 0, 0, 0, 0), style=Style(bar=0.0)))
    beliefs = read_points(drawn.image, drawn.board)
    assert not beliefs[24].seen
    assert not beliefs[25].seen


def test_what_an_arm_covers_is_not_read() -> None:
    drawn = render(replace(scene(START), hand=Hand(6.0, 2.0, "near")))
    beliefs = read_points(drawn.image, drawn.board)
    assert not beliefs[17].seen
    assert beliefs[11].best == START[11]


def test_more_looks_read_a_board_whose_corners_are_off() -> None:
    drawn = render(scene(LATER, CAMERAS[1]))
    off = BoardGeometry(tuple((x + 3.0, y - 3.0) for x, y in drawn.board.corners), drawn.board.bar)  # type: ignore[arg-type]
    read = [b.best for b in read_points(drawn.image, off, looks=5)]
    assert sum(a != b for a, b in zip(read[:24], LATER[:24], strict=True)) <= 1


def test_beliefs_are_probabilities() -> None:
    drawn = render(scene(LATER))
    for belief in read_points(drawn.image, drawn.board):
        assert sum(c.p for c in belief.counts) == pytest.approx(1, abs=1e-3)


def test_a_large_picture_reads_like_a_small_one() -> None:
    drawn = render(scene(START, CAMERAS[1]))
    big = cv2.resize(drawn.image, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    a, b, c, d = ((4 * x, 4 * y) for x, y in drawn.board.corners)
    assert best(big, BoardGeometry((a, b, c, d), drawn.board.bar)) == best(drawn.image, drawn.board)


@pytest.mark.parametrize("name", ["points.onnx", "points_second.onnx"])
def test_the_networks_say_what_they_were_made_from_and_stay_small(name: str) -> None:
    data = (Path(vision.net.__file__).parent / "models" / name).read_bytes()
    assert len(data) < 3_000_000
    start = data.rindex(b'{"recipe"')
    about = json.JSONDecoder().raw_decode(data[start:].decode("utf-8", "ignore"))[0]
    assert about["recipe"]["seed"]
    assert len(about["data_sha256"]) == 64


def test_sets_of_one_lightness_are_one_doubt_for_all_places() -> None:
    alike = replace(
        STYLES[0],
        light=Checker((60, 150, 60), "flat"),
        dark=Checker((60, 90, 190), "flat"),
        points=Points((120, 120, 120), (230, 230, 230)),
    )
    drawn = render(scene(START, style=alike))
    told = look_at_points(drawn.image, drawn.board)
    assert told.named < 0.99
    assert max(b.p(-b.best) for b in told.places[:24] if b.best) < 0.02
    assert all(abs(b.best) == abs(n) for b, n in zip(told.places, START, strict=False))
    mixed = read_points(drawn.image, drawn.board)
    assert mixed[0].p(-mixed[0].best) > 0.9 * (1 - told.named)


def test_a_missing_model_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"points\.onnx is missing; .*make train"):
        PointReader(tmp_path)
