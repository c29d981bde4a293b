"""A moved camera is noticed and measured; a moving hand is not taken for one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.corners_fit import project
from vision.geometry import Image
from vision.register import Anchor, anchor, moved, shifted
from vision.synth import Camera, Drawn, Scene, render

TABLE = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0, 0, 0)


@pytest.fixture(scope="module")
def scene() -> Drawn:
    return render(Scene(table=TABLE, camera=Camera(tilt=15.0)))


@pytest.fixture(scope="module")
def start(scene: Drawn) -> Anchor:
    return anchor(scene.image, scene.board)


def seen(scene: Drawn, warp: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Image:
    height, width = scene.image.shape[:2]
    noise = np.random.default_rng(1).normal(0, 2, scene.image.shape)
    return np.clip(cv2.warpPerspective(scene.image, warp, (width, height)) + noise, 0, 255).astype(np.uint8)


def test_still_camera_has_not_moved(scene: Drawn, start: Anchor) -> None:
    assert moved(start, seen(scene, np.eye(3))) is None


@pytest.mark.parametrize(
    "warp",
    [
        np.array([[1, 0, 9.0], [0, 1, -6], [0, 0, 1]]),
        np.array([[1.02, 0.03, 14], [-0.03, 1.01, -10], [2e-5, 0, 1]]),
        np.array([[0.9, 0.17, 60], [-0.17, 0.9, 130], [0, 0, 1]]),
    ],
    ids=["shift", "tilt", "far"],
)
def test_movement_is_measured(
    scene: Drawn, start: Anchor, warp: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> None:
    found = moved(start, seen(scene, warp))
    assert found is not None
    corners = np.array(scene.board.corners)
    diagonal = np.linalg.norm(corners[2] - corners[0])
    error = np.array(shifted(scene.board, found).corners) - project(warp, corners)
    assert np.abs(error).max() < 0.02 * diagonal


def test_hand_over_the_board_is_no_movement(scene: Drawn, start: Anchor) -> None:
    covered = seen(scene, np.eye(3))
    height, width = covered.shape[:2]
    cv2.ellipse(covered, (width // 2, height), (width // 8, height * 2 // 3), 10, 0, 360, (120, 150, 200), -1)
    assert moved(start, covered) is None


def test_another_scene_is_no_movement(start: Anchor) -> None:
    shape = (round(start.grey.shape[0] / start.scale), round(start.grey.shape[1] / start.scale), 3)
    assert moved(start, np.random.default_rng(2).integers(0, 256, shape).astype(np.uint8)) is None
