"""Finding boards in drawn pictures whose geometry is known exactly, and nothing where there is no board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import cv2
import numpy as np
import pytest

from vision import board_net
from vision.corners import DOUBTFUL, bar_width, find_board, from_corners, in_picture_order, refine
from vision.corners_fit import COARSE, Spikes, look
from vision.corners_lattice import far_apart
from vision.corners_reading import merit
from vision.corners_score import score
from vision.corners_search import all_settled, best_of, searched
from vision.geometry import COLUMNS, BoardGeometry, Image
from vision.synth import Camera, Drawn, Scene, Style, render

START = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0, 0)


def drawn(camera: Camera | None = None, bar: float = 1.0, table: tuple[int, ...] = START) -> Drawn:
    style = replace(Style(), bar=bar)
    return render(Scene(table=table, style=style, camera=camera or Camera(tilt=15.0, azimuth=6.0)))


def miss(found: BoardGeometry, truth: BoardGeometry) -> float:
    """Largest corner error as a share of the diagonal."""
    got, want = np.array(found.corners), np.array(truth.corners)
    diagonal = np.linalg.norm(want[2] - want[0])
    return float(np.linalg.norm(got - want, axis=1).max() / diagonal)


def moved(board: BoardGeometry, by: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> BoardGeometry:
    a, b, c, d = ((float(x), float(y)) for x, y in np.array(board.corners) + by)
    return BoardGeometry((a, b, c, d), board.bar, board.rotate_cw_deg)


@pytest.mark.parametrize(
    "camera",
    [Camera(tilt=2.0), Camera(tilt=30.0, azimuth=-12.0), Camera(tilt=20.0, azimuth=-90.0, roll=-90.0)],
    ids=["overhead", "slanted", "from-the-end"],
)
def test_board_is_found_within_a_hundredth(camera: Camera) -> None:
    scene = drawn(camera)
    found = find_board(scene.image)
    assert found is not None
    assert found.score > DOUBTFUL
    assert found.geometry.rotate_cw_deg == scene.board.rotate_cw_deg
    assert miss(found.geometry, scene.board) < 0.01


@pytest.mark.parametrize("tip", ["round", "blunt", "drop"])
def test_odd_spikes_show_where_the_rows_begin(tip: Literal["round", "blunt", "drop"]) -> None:
    style = replace(Style(), points=replace(Style().points, tip=tip))
    scene = render(Scene(table=START, style=style, camera=Camera(tilt=15.0, azimuth=6.0)))
    found = find_board(scene.image)
    assert found is not None
    assert miss(found.geometry, scene.board) < 0.012


@pytest.mark.parametrize("base", [0.94, 0.8])
def test_spikes_of_one_colour_show_where_the_rows_begin(base: float) -> None:
    white = (220, 225, 230)
    style = replace(Style(), points=replace(Style().points, first=white, second=white, base=base))
    scene = render(Scene(table=START, style=style, camera=Camera(tilt=15.0, azimuth=6.0)))
    found = find_board(scene.image)
    assert found is not None
    assert miss(found.geometry, scene.board) < 0.012


@pytest.mark.parametrize("bar", [0.0, 0.6, 1.2])
def test_bar_is_measured(bar: float) -> None:
    scene = drawn(bar=bar)
    found = find_board(scene.image)
    assert found is not None
    assert found.geometry.bar == pytest.approx(bar, abs=0.12)
    assert bar_width(scene.image, scene.board.corners) == pytest.approx(bar, abs=0.12)


def test_given_corners_are_kept_and_the_rows_direction_is_told() -> None:
    scene = drawn(Camera(tilt=10.0, azimuth=-90.0, roll=-90.0))
    told = from_corners(scene.image, scene.board.corners)
    assert told.corners == scene.board.corners
    assert told.rotate_cw_deg == scene.board.rotate_cw_deg == 90


def test_refine_snaps_a_near_guess() -> None:
    scene = drawn()
    diagonal = float(np.linalg.norm(np.subtract(scene.board.corners[2], scene.board.corners[0])))
    rng = np.random.default_rng(3)
    for _ in range(4):
        guess = moved(scene.board, rng.uniform(-0.01, 0.01, (4, 2)) * diagonal)
        assert miss(refine(scene.image, guess), scene.board) < 0.008


def test_turning_the_picture_turns_the_corners() -> None:
    scene = drawn()
    turned = cv2.rotate(scene.image, cv2.ROTATE_180)
    there = find_board(np.asarray(turned, np.uint8))
    assert there is not None
    height, width = scene.image.shape[:2]
    back = np.array([width - 1, height - 1]) - np.roll(np.array(there.geometry.corners), 2, axis=0)
    expected = np.array(scene.board.corners)
    assert np.abs(back - expected).max() < 0.01 * np.linalg.norm(expected[2] - expected[0])


def test_the_network_suggests_the_same_boards_for_the_picture_turned_by_half() -> None:
    scene = drawn(Camera(tilt=40.0, roll=20.0, fill=0.7))
    turned = np.ascontiguousarray(scene.image[::-1, ::-1])
    last = np.array([turned.shape[1] - 1.0, turned.shape[0] - 1.0])
    there = [np.roll(last - guess.quad, 2, axis=0) for guess in board_net.guesses(turned)]
    suggested = [guess.quad for guess in board_net.guesses(scene.image)]
    assert len(suggested) == len(there) > 1
    assert not any(all(far_apart(one, other) for other in there) for one in suggested)


def test_board_one_column_off_scores_less() -> None:
    scene = drawn()
    quad = np.array(scene.board.corners)
    right = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    beside = quad + right / (COLUMNS + scene.board.bar)
    true = Spikes(quad, scene.board.bar, 0.42)
    wrong = Spikes(beside, scene.board.bar, 0.42)
    assert score(look(scene.image, wrong), wrong) < score(look(scene.image, true), true) - 0.1


def test_from_one_column_off_the_search_leads_to_the_board() -> None:
    scene = drawn()
    quad = np.array(scene.board.corners)
    right = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    for columns in (-1, 1):
        beside = quad + columns * right / (COLUMNS + scene.board.bar)
        (start,) = all_settled(scene.image, [Spikes(beside, scene.board.bar, 0.42)], COARSE)
        (best,) = best_of(searched(scene.image, [start]), 1)
        assert miss(in_picture_order(start.spikes.quad, 1.0), scene.board) > 0.05
        assert miss(in_picture_order(best.spikes.quad, 1.0), scene.board) < 0.02


def test_what_is_read_one_column_off_says_less_for_a_board() -> None:
    scene = drawn()
    quad = np.array(scene.board.corners)
    beside = moved(scene.board, (quad[1] - quad[0] + quad[2] - quad[3]) / 2 / (COLUMNS + scene.board.bar))
    assert merit(scene.image, scene.board) > merit(scene.image, beside) + 0.1


def test_corners_start_at_the_pictures_top_left_whichever_way_the_board_lies() -> None:
    quad = np.array([[100.0, 80], [500, 90], [520, 400], [90, 390]])
    upright = in_picture_order(quad, 1.0)
    assert upright == in_picture_order(np.roll(quad, 2, axis=0), 1.0)
    end_on = in_picture_order(np.roll(quad, 1, axis=0), 1.0)
    assert end_on.corners == upright.corners
    assert (upright.rotate_cw_deg, end_on.rotate_cw_deg) == (0, 90)


def black() -> Image:
    return np.zeros((720, 1280, 3), np.uint8)


def page_of_text() -> Image:
    page = np.full((720, 1280, 3), 245, np.uint8)
    for row, y in enumerate(range(40, 700, 28)):
        line = "".join(chr(ord("a") + (7 * row + 5 * k + k * k) % 26) for k in range(70))
        cv2.putText(page, line, (40, y), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (20, 20, 20), 2)
    return page


def chessboard() -> Image:
    y, x = np.mgrid[0:720, 0:1280]
    field = ((x // 80 + y // 80) % 2 * 190 + 30).astype(np.uint8)
    return np.repeat(field[..., None], 3, axis=2)


def scattered_triangles() -> Image:
    rng = np.random.default_rng(1)
    picture = np.full((720, 1280, 3), 90, np.uint8)
    for _ in range(60):
        at, angle, long = rng.uniform((0, 0), (1280, 720)), rng.uniform(0, 6.3), rng.uniform(60, 250)
        way = np.array([np.cos(angle), np.sin(angle)])
        side = rng.uniform(8, 25) * np.array([-way[1], way[0]])
        cv2.fillPoly(
            picture,
            [np.array([at + long * way, at + side, at - side], np.int32)],
            rng.integers(0, 255, 3).tolist(),
        )
    return picture


@pytest.mark.parametrize("picture", [black, page_of_text, chessboard, scattered_triangles])
def test_no_board_is_found_where_there_is_none(picture: Callable[[], Image]) -> None:
    found = find_board(picture())
    assert found is None or found.score < DOUBTFUL - 0.1
