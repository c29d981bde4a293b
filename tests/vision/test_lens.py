"""A wide lens: the model and its inverse, and boards that are read right through it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import BoardGeometry
from vision.lens import STRONGEST, WEAKEST, seen, seen_corners, straight, straight_corners, unbent
from vision.synth import Camera, Scene, Sensor, render

SIZE = (1280, 720)


@given(st.floats(WEAKEST, STRONGEST), st.floats(0, 1279), st.floats(0, 719))
def test_what_is_bent_is_unbent(k: float, x: float, y: float) -> None:
    place = np.array([[x, y]])
    assert np.abs(seen(straight(place, k, SIZE), k, SIZE) - place).max() < 0.01


def test_without_a_lens_nothing_changes() -> None:
    picture = np.arange(48 * 64 * 3, dtype=np.uint8).reshape(48, 64, 3)
    assert unbent(picture, 0.0) is picture


def test_corners_go_there_and_back() -> None:
    corners = ((300.0, 80.0), (900.0, 80.0), (920.0, 630.0), (270.0, 630.0))
    board = BoardGeometry(straight_corners(corners, 0.3, SIZE), lens=0.3)
    assert np.abs(np.subtract(seen_corners(board, SIZE), corners)).max() < 0.01


@pytest.mark.parametrize("lens", [0.35, -0.1])
def test_an_unbent_picture_is_the_straight_cameras(lens: float) -> None:
    bent = render(Scene((0,) * 28, sensor=Sensor(lens=lens), camera=Camera(fill=0.6)))
    flat = render(Scene((0,) * 28, camera=Camera(fill=0.6)))
    inner = np.s_[100:620, 300:980]
    off = unbent(bent.image, lens)[inner].astype(int) - flat.image[inner]
    assert np.abs(off).mean() < 4.0
    assert np.abs(np.subtract(straight_corners(bent.board.corners, lens, SIZE), flat.board.corners)).max() < 2
