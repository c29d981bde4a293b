"""The drawn boards: exact geometry, true labels, the same picture from the same scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.geometry import PITCH, straighten
from vision.synth import Camera, Die, Hand, Scene, Sensor, Style, render

EMPTY = (0,) * 28
SMALL = Camera(width=640, height=360, tilt=12)
CLEAN = Sensor(noise=0, jpeg=0)


def scene(table: tuple[int, ...] = EMPTY, **more: object) -> Scene:
    return replace(Scene(table, camera=SMALL, sensor=CLEAN), **more)  # type: ignore[arg-type]


def one(place: int, count: int) -> tuple[int, ...]:
    return tuple(count if i == place else 0 for i in range(28))


def test_the_same_scene_gives_the_same_picture() -> None:
    table = scene(one(3, 7), sensor=Sensor(), dice=(Die(5, 3, 5),), hand=Hand(4, 4), seed=5)
    assert np.array_equal(render(table).image, render(table).image)
    assert not np.array_equal(render(table).image, render(replace(table, seed=6)).image)


@pytest.mark.parametrize("lens", [0.0, 0.05])
@pytest.mark.parametrize("camera", [SMALL, replace(SMALL, tilt=35, azimuth=20), replace(SMALL, roll=-90)])
@pytest.mark.parametrize("place", [0, 7, 16, 23])
def test_a_checker_shows_where_the_geometry_says(camera: Camera, place: int, lens: float) -> None:
    drawn = render(scene(one(place, -1), camera=camera, sensor=replace(CLEAN, lens=lens)))
    board = drawn.board
    view = straighten(np.dstack([np.where(drawn.labels == 2, 255, 0).astype(np.uint8)] * 3), board)
    x = np.nonzero(view[:, :, 0] > 128)[1].mean()
    assert abs(x - board.column_x(place % 12)) < 0.5 * PITCH


def test_a_board_seen_from_its_end_says_so() -> None:
    assert render(scene(camera=replace(SMALL, roll=-90))).board.rotate_cw_deg == 90
    assert render(scene()).board.rotate_cw_deg == 0


@pytest.mark.parametrize("count", [1, 5, 6, 11, 15])
def test_every_checker_more_can_be_seen(count: int) -> None:
    before, after = (render(scene(one(5, n))) for n in (count - 1, count))
    assert (np.abs(before.image.astype(int) - after.image).max(axis=2) > 20).sum() > 20
    assert ((after.labels > 0) & (after.labels < 4)).sum() > ((before.labels > 0) & (before.labels < 4)).sum()


def test_owners_lie_apart() -> None:
    labels = render(scene(tuple(2 if i == 2 else -3 if i == 20 else 0 for i in range(28)))).labels
    assert (labels == 1).any()
    assert (labels == 2).sum() > (labels == 1).sum()


def test_a_hand_hides_what_is_below() -> None:
    open_, covered = (render(scene(one(4, 5), hand=h)).labels for h in (None, Hand(4.5, 2.0, "far")))
    assert (covered == 1).sum() < 0.75 * (open_ == 1).sum()


def test_a_wrong_table_is_refused() -> None:
    with pytest.raises(ValueError, match="28 counts"):
        Scene((0, 1))


def test_boards_without_bar_or_tray_are_drawn() -> None:
    drawn = render(scene(style=Style(bar=0.0, trays=())))
    assert drawn.board.bar == 0.0
    assert drawn.image.std() > 5
