"""A small network's idea of where the board is: for blurred, dim or odd boards whose spikes are hard to see.

For each cell of the picture it says whether the board is there and which place of the board it shows; a
homography through all cells gives the corners, even where they lie outside the picture or under a hand. The
result is rough (a few percent); `vision.corners_fit` does the rest. Trained by `vision.training.corners` on
drawn boards only.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.corners_fit import project
from vision.corners_match import Guess
from vision.geometry import Image

#: What the network sees, pixels, and the side of a cell.
WIDTH, HEIGHT, CELL = 192, 160, 4
#: Room left around the board in a second look, as a share of the network's picture.
LOOK_MARGIN = 0.12
#: Fewest cells that make a board, and how far (network pixels) a cell may be off and still count.
FEWEST, NEAR = 50, 4.0
#: Bar widths guessed, point widths: the network does not tell them.
BARS = (0.1, 0.6, 1.1)
#: Usual length of the spikes as a share of the board's height.
LENGTH = 0.42
#: The network's word on which way the rows run counts only when it is this sure (log-odds).
SURE = 2.0

Array = NDArray[np.float64]

_MODEL = Path(__file__).parent / "models" / "board.onnx"


@cache
def _network() -> tuple[cv2.dnn.Net, threading.Lock]:
    return cv2.dnn.readNetFromONNX(str(_MODEL)), threading.Lock()


def guesses(image: Image) -> list[Guess]:
    """Where the network sees a board (picture H × W × 3, BGR), roughly; none where it sees no board."""
    scale = min(WIDTH / image.shape[1], HEIGHT / image.shape[0])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:HEIGHT, :WIDTH]
    left, top = (WIDTH - small.shape[1]) // 2, (HEIGHT - small.shape[0]) // 2
    seen = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    seen[top : top + small.shape[0], left : left + small.shape[1]] = small
    said = _answers(seen)
    quad = _corners(said)
    if quad is None:
        return []
    end_on = float(said[3][said[0] > 0].mean())
    turns = [0] if end_on < -SURE else [1] if end_on > SURE else [0, 1]
    corners = (quad - [left, top]) / scale
    return [Guess(np.roll(corners, turn, axis=0), bar, LENGTH, 0.0) for turn in turns for bar in BARS]


def _corners(said: Array) -> Array | None:
    """Corners in picture order (4 × 2 network pixels) from the network's answers."""
    there = said[0] > 0
    if there.sum() < FEWEST:
        return None
    row, column = np.nonzero(there)
    at = (np.stack([column, row], axis=1) + 0.5) * CELL - 0.5
    place = np.stack([said[1][there], said[2][there]], axis=1)
    found, _ = cv2.findHomography(place, at, cv2.RANSAC, NEAR)
    if found is None:
        return None
    return project(np.asarray(found, np.float64), np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64))


def _answers(seen: MatLike) -> Array:
    """The network's answers for a picture of its size, 5 × rows × columns."""
    net, lock = _network()
    with lock:
        net.setInput(cv2.dnn.blobFromImage(seen, 1 / 255))
        said: Array = np.asarray(net.forward(), np.float64)[0]
    return said
