"""`kibitz read` is sure of what is plain to see, and only of that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2

from kibitz.read import Reading, confidence, read_one
from vision.synth import Drawn, Hand, Light, Scene, render

START = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 0, 0, 0, 0)
PLAIN = Scene(START, light=Light(slant=0.3, hard=0.3), seed=4)


def reading(drawn: Drawn, folder: Path) -> Reading:
    cv2.imwrite(str(folder / "board.png"), drawn.image)
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in drawn.board.corners)
    return read_one(folder / "board.png", corners, None)


def test_a_plain_start_is_read_with_confidence(tmp_path: Path) -> None:
    read = reading(render(PLAIN), tmp_path)
    assert tuple(b.best for b in (*read.seen.points, *read.seen.bar)) == START[:26]
    assert confidence(read) >= 0.9


def test_what_a_hand_hides_leaves_no_confidence(tmp_path: Path) -> None:
    read = reading(render(replace(PLAIN, hand=Hand(6.0, 2.0, "near"))), tmp_path)
    assert read.seen.unseen
    assert confidence(read) == 0
