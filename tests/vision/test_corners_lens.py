"""Boards through wide lenses: the lens is found, and the points are read right."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.corners import find_board
from vision.geometry import Image
from vision.lens import straight_corners, unbent
from vision.net import read_points
from vision.synth import Camera, Scene, Sensor, render

TABLE = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -5, 1, 0, 0, 0, 2, 0, 0, 0, 0)
SIZE = (1280, 720)


def through_opencv(image: Image, k1: float, focal: float = 0.75) -> Image:
    """A straight picture as a camera with OpenCV's distortion k1 sees it; `focal` in picture widths."""
    height, width = image.shape[:2]
    camera = np.array([[focal * width, 0, width / 2], [0, focal * width, height / 2], [0, 0, 1]])
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    places = np.stack([x.ravel(), y.ravel()], axis=1).reshape(-1, 1, 2)
    flat = cv2.undistortPoints(places, camera, np.array([k1, 0, 0, 0.0]), None, None, camera)
    maps = np.asarray(flat, np.float32).reshape(height, width, 2)
    across, down = np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])
    bent = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def points_of(image: Image) -> tuple[tuple[int, ...], float]:
    """What is read, and the lens that was found."""
    found = find_board(image)
    assert found is not None
    flat = unbent(image, found.geometry.lens)
    return tuple(b.best for b in read_points(flat, found.geometry)[:24]), found.geometry.lens


@pytest.mark.parametrize("k1", [-0.35, -0.2, 0.1])
def test_points_are_read_through_opencvs_distortion(k1: float) -> None:
    drawn = render(Scene(TABLE, camera=Camera(fill=0.95)))
    points, lens = points_of(through_opencv(drawn.image, k1))
    assert points == TABLE[:24]
    assert lens == 0.0 or lens * k1 < 0


@pytest.mark.parametrize("lens", [0.35, -0.1])
def test_a_lens_is_found_and_the_corners_with_it(lens: float) -> None:
    drawn = render(Scene(TABLE, sensor=Sensor(lens=lens), camera=Camera(tilt=20.0, azimuth=10.0)))
    found = find_board(drawn.image)
    assert found is not None
    assert found.geometry.lens == pytest.approx(lens, abs=0.06)
    wanted = np.array(straight_corners(drawn.board.corners, found.geometry.lens, SIZE))
    diagonal = np.linalg.norm(wanted[2] - wanted[0])
    assert np.abs(np.array(found.geometry.corners) - wanted).max() < 0.02 * diagonal


def test_a_straight_camera_has_no_lens() -> None:
    drawn = render(Scene(TABLE, camera=Camera(tilt=20.0, azimuth=-15.0)))
    found = find_board(drawn.image)
    assert found is not None
    assert found.geometry.lens == 0.0
