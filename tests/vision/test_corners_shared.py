"""Corners on the shared boards: measured, never tuned to single pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.corners import find_board
from vision.geometry import Image


def miss(image: Image, truth: list[list[float]]) -> float:
    """Largest corner error as a share of the diagonal; 1 where nothing is found."""
    found = find_board(image)
    if found is None:
        return 1.0
    want = np.array(truth)
    diagonal = max(np.linalg.norm(want[2] - want[0]), np.linalg.norm(want[3] - want[1]))
    return float(np.linalg.norm(np.array(found.geometry.corners) - want, axis=1).max() / diagonal)


def pictures(folder: Path, truth: str, step: int) -> Iterator[float]:
    lines = (folder / truth).read_text().splitlines()[::step]
    for told in map(json.loads, lines):
        yield miss(np.asarray(cv2.imread(str(folder / told["image"])), np.uint8), told["corners_px"])


@pytest.mark.shared
@pytest.mark.parametrize("game", ["game_a", "game_b"])
def test_games_first_frame_within_half_a_hundredth(shared: Path, game: str) -> None:
    folder = shared / "boards" / game
    _, frame = cv2.VideoCapture(str(folder / "game.mp4")).read()
    assert (
        miss(np.asarray(frame, np.uint8), json.loads((folder / "truth.json").read_text())["corners"]) < 0.005
    )


@pytest.mark.shared
@pytest.mark.slow
def test_stills(shared: Path) -> None:
    errors = list(pictures(shared / "boards" / "stills", "truth.jsonl", 3))
    assert max(errors) <= 0.02


@pytest.mark.shared
@pytest.mark.slow
def test_photos(shared: Path) -> None:
    errors = list(pictures(shared / "boards" / "photos", "labels.jsonl", 3))
    assert np.mean(np.array(errors) <= 0.02) >= 0.9
