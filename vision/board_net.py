"""A small network's idea of where the board is: for blurred, dim or odd boards whose spikes are hard to see.

For each cell of the picture it says whether the board is there and which place of the board it shows; a
homography through all cells gives the corners, even where they lie outside the picture or under a hand. The
result is rough (a few percent); `vision.corners_fit` does the rest. Trained by `vision.training.corners` on
drawn boards only.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.corners_fit import project
from vision.corners_lattice import far_apart
from vision.corners_match import Guess
from vision.geometry import Image

#: What the network sees, pixels, and the side of a cell.
WIDTH, HEIGHT, CELL = 192, 160, 4
#: Fewest cells that make a board, how far (network pixels) a cell may be off and still count, and the least
#: share of them that must agree: of 320 looks at drawn boards one had less than 0.8, a chessboard has 0.66.
FEWEST, NEAR, AGREED = 50, 4.0, 0.7
#: Usual length of the spikes as a share of the board's height.
LENGTH = 0.42
#: The network's word on which way the rows run counts only when it is this sure (log-odds).
SURE = 2.0

Array = NDArray[np.float64]

_MODEL = Path(__file__).parent / "models" / "board.onnx"


@cache
def _network() -> tuple[cv2.dnn.Net, threading.Lock]:
    return cv2.dnn.readNetFromONNX(str(_MODEL)), threading.Lock()


@dataclass(frozen=True)
class SeenBoard:
    """What the network makes of a picture: corners (4 × 2, picture order, pixels), how far the rows run up
    and down rather than across (log-odds), the bar's width, and the share of cells that agree on all that.
    """

    quad: Array
    end_on: float
    bar: float
    agreed: float

    def moved(self, homography: Array) -> SeenBoard:
        """The same board in the picture's pixels."""
        return replace(self, quad=project(homography, self.quad))


def look_at_all(image: Image) -> SeenBoard | None:
    """Where the network sees a board in a picture (H × W × 3, BGR), roughly; None where it sees none."""
    scale = min(WIDTH / image.shape[1], HEIGHT / image.shape[0])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:HEIGHT, :WIDTH]
    left, top = (WIDTH - small.shape[1]) // 2, (HEIGHT - small.shape[0]) // 2
    canvas = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    canvas[top : top + small.shape[0], left : left + small.shape[1]] = small
    seen = seen_in(canvas)
    back = np.array([[1 / scale, 0, (0.5 - left) / scale - 0.5], [0, 1 / scale, (0.5 - top) / scale - 0.5]])
    return None if seen is None else seen.moved(np.vstack([back, [0, 0, 1]]))


def guesses(image: Image) -> list[Guess]:
    """The boards that the network sees as guesses in board order: one, or two where its end is in doubt; and
    as many where it sees the picture otherwise once that is turned by half.
    """
    found: list[Guess] = []
    for seen in (look_at_all(image), _upside_down(image)):
        new = [] if seen is None else _either_way(seen)
        found += [guess for guess in new if all(far_apart(guess.quad, other.quad) for other in found)]
    return found


def _upside_down(image: Image) -> SeenBoard | None:
    """Where the network sees a board in the picture turned by half: a second opinion for a second look."""
    seen = look_at_all(np.ascontiguousarray(image[::-1, ::-1]))
    if seen is None:
        return None
    far_corner = np.array([image.shape[1] - 1.0, image.shape[0] - 1.0])
    return replace(seen, quad=np.roll(far_corner - seen.quad, 2, axis=0))


def _either_way(seen: SeenBoard) -> list[Guess]:
    turns = [0] if seen.end_on < -SURE else [1] if seen.end_on > SURE else [0, 1]
    return [Guess(np.roll(seen.quad, turn, axis=0), seen.bar, LENGTH, 0.0) for turn in turns]


def seen_in(picture: Image) -> SeenBoard | None:
    """The board in a picture of the network's size, or None where it sees none."""
    said = _answers(picture)
    there = said[0] > 0
    if there.sum() < FEWEST:
        return None
    row, column = np.nonzero(there)
    at = np.asarray((np.stack([column, row], axis=1) + 0.5) * CELL - 0.5, np.float64)
    places = np.stack([said[1][there], said[2][there]], axis=1)
    found, inside = cv2.findHomography(places, at, cv2.RANSAC, NEAR)
    if found is None or inside.mean() < AGREED:
        return None
    quad = project(np.asarray(found, np.float64), np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64))
    end_on, bar = float(said[3][there].mean()), float(np.median(said[4][there]))
    return SeenBoard(quad, end_on, max(bar, 0.0), float(inside.mean()))


def _answers(seen: MatLike) -> Array:
    """The network's answers for a picture of its size, 5 × rows × columns."""
    net, lock = _network()
    with lock:
        net.setInput(cv2.dnn.blobFromImage(seen, 1 / 255))
        said: Array = np.asarray(net.forward(), np.float64)[0]
    return said
