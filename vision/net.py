"""Reads a straightened board with the point network: how many checkers, whose, and what cannot be seen.

Count and colour are two questions. The network (ONNX, run by cv2.dnn) counts on each point's strip and
says where
the checkers' upper faces are; `vision.colours` then tells the two sets apart on the whole board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import KibitzError
from referee.observation import POINTS, UNSEEN, Belief, belief
from vision.bar import bar_beliefs, checkers, usual_size
from vision.colours import Groups, alone, grouped
from vision.geometry import BoardGeometry, Image
from vision.net_view import (
    BAR_HEIGHT,
    CELL,
    STRIP_HEIGHT,
    Sheet,
    cut_bar,
    cut_strips,
    shortened,
    shortening,
    small_view,
)
from vision.sizes import one_size

Array = NDArray[np.float64]
MODELS = Path(__file__).parent / "models"
#: Alternatives below this probability are not listed.
LEAST = 1e-4
#: A point whose hidden probability is above this is not read.
HIDDEN = 0.5
#: Boards with a narrower bar have none.
NO_BAR = 0.2
#: The points on both sides of the bar, far and near: where both are hidden, the bar is.
BESIDE_BAR = ((5, 6), (17, 18))
Bar = tuple[Belief, Belief]


#: More looks at one picture: moved by these shares of a point width (across, along), the bar wider by that.
SHAKES = ((0.0, 0.0, 0.0), (0.09, 0.05, 0.0), (-0.09, 0.05, 0.0), (0.0, -0.08, 0.1), (0.0, 0.0, -0.1))


class ModelError(KibitzError, FileNotFoundError):
    """A network that should be shipped with Kibitz is not there."""


@dataclass(frozen=True)
class Seen:
    """What the network says of N strips: probabilities of counts (N × 16), of being hidden (N), and for
    each strip
    the colour (CIE Lab) of its checkers' faces and how much of them there is (in cells).
    """

    counts: Array
    hidden: Array
    lab: Array
    area: Array
    length: Array


def softmax(logits: Array) -> Array:
    """Along the last axis."""
    lifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(lifted / lifted.sum(axis=-1, keepdims=True), np.float64)


def cell_colours(strips: Sequence[Sheet]) -> Array:
    """Mean colours (CIE Lab) of the network's cells: N × rows × columns × 3."""
    height, width = strips[0].shape[:2]
    small = [cv2.resize(s, (width // CELL, height // CELL), interpolation=cv2.INTER_AREA) for s in strips]
    sheet = np.concatenate(small).astype(np.float32) / 255
    lab = cv2.cvtColor(sheet, cv2.COLOR_BGR2LAB)
    return lab.reshape(len(strips), height // CELL, width // CELL, 3).astype(np.float64)


def face_colour(lab: Array, faces: Array) -> tuple[Array, float]:
    """The colour of the cells that are faces (cells × 3, cells), and how many they are.

    Taken from the cells below middle lightness, where glare is least, but not from the very darkest.
    """
    sure = faces > min(0.5, 0.7 * float(faces.max()))
    if not sure.any():
        return np.zeros(3), 0.0
    own = lab[sure]
    order = np.argsort(own[:, 0])
    low, high = len(own) // 5, max(len(own) // 2, 1)
    return own[order[low : max(high, low + 1)]].mean(axis=0), float(faces[sure].sum())


def loaded(path: Path) -> cv2.dnn.Net:
    """A network from a file.

    Raises:
        ModelError: there is no such file.
    """
    if not path.is_file():
        raise ModelError(f"{path} is missing; install Kibitz again, or make it with: make train")
    return cv2.dnn.readNetFromONNX(str(path))


def shaken(board: BoardGeometry, across: float, along: float, wider: float) -> BoardGeometry:
    """A board moved by shares of a point width; its bar wider, if it has one."""
    corners = np.array(board.corners)
    right, down = corners[1] - corners[0], corners[3] - corners[0]
    if board.rotate_cw_deg:
        right, down = -down, right
    moved = corners + across * right / (12 + board.bar) + along * down / 12
    a, b, c, d = ((float(x), float(y)) for x, y in moved)
    bar = max(NO_BAR, board.bar + wider) if board.bar >= NO_BAR else board.bar
    return BoardGeometry((a, b, c, d), bar, board.rotate_cw_deg)


class PointReader:
    """The network, loaded. Not to be used by two threads at once."""

    def __init__(self, folder: Path = MODELS) -> None:
        self.net = loaded(folder / "points.onnx")

    def look(self, strips: Sequence[Sheet]) -> tuple[Array, Array]:
        """Raw answers of the network: logits (N × counts + 1) and face probabilities (N × rows × 10)."""
        self.net.setInput(cv2.dnn.blobFromImages([np.ascontiguousarray(s) for s in strips], 1 / 255))
        logits, faces = self.net.forward(["counts", "faces"])
        return np.asarray(logits, np.float64), 1 / (1 + np.exp(-np.asarray(faces[:, 0], np.float64)))

    def see(self, strips: Sequence[Sheet]) -> Seen:
        """Count the strips and take their colours."""
        logits, faces = self.look(strips)
        lab = cell_colours(strips)
        colours = [
            face_colour(c[:, 2:8].reshape(-1, 3), f[:, 2:8].ravel()) for c, f in zip(lab, faces, strict=True)
        ]
        return Seen(
            softmax(logits[:, :-1]),
            1 / (1 + np.exp(-logits[:, -1])),
            np.array([c for c, _ in colours]),
            np.array([a for _, a in colours]),
            faces[:, :, 2:8].max(axis=2).sum(axis=1),
        )

    def read(self, image: Image, board: BoardGeometry, looks: int = 1) -> tuple[Belief, ...]:
        """Beliefs of the 24 points, then of the bar's light and dark checkers (UNSEEN without a bar).

        `looks` 1 … 5: how often the picture is looked at, each time a little moved; more make a photo
        whose corners
        are not quite right surer.
        """
        small = small_view(image, board)
        strips = shortened(cut_strips(small, board), board)
        for shake in SHAKES[1:looks]:
            moved = shaken(board, *shake)
            strips += shortened(cut_strips(small_view(image, moved), moved), board)
        seen = averaged(self.see(strips), POINTS)
        groups = sets_of(seen, board)
        points = point_beliefs(seen, groups, board)
        if board.bar < NO_BAR or any(seen.hidden[list(pair)].min() > HIDDEN for pair in BESIDE_BAR):
            return (*points, UNSEEN, UNSEEN)
        size = usual_size(seen.counts, seen.length, seen.hidden) / shortening(board)
        return (*points, *self.read_bar(small, board, size, groups))

    def read_bar(self, small: Sheet, board: BoardGeometry, size: float, groups: Groups | None) -> Bar:
        """Beliefs of the bar's light and dark checkers, each of which is `size` rows of cells high."""
        strip = cut_bar(small, board)
        half = BAR_HEIGHT // 2 // CELL
        _, maps = self.look([strip[:STRIP_HEIGHT], strip[-STRIP_HEIGHT:][::-1]])
        faces = np.concatenate([maps[0][:half], maps[1][:half][::-1]])
        return bar_beliefs(checkers(faces, cell_colours([strip])[0], groups, size))


def averaged(seen: Seen, number: int) -> Seen:
    """Several looks at the same strips, one after the other in `seen`, as one; checkers are of one size."""
    counts, hidden, lab, area, length = (
        part.reshape(-1, number, *part.shape[1:])
        for part in (seen.counts, seen.hidden, seen.lab, seen.area, seen.length)
    )
    colour = (lab * area[:, :, None]).sum(axis=0) / np.maximum(area.sum(axis=0), 1e-9)[:, None]
    hiding, reach = hidden.mean(axis=0), length.mean(axis=0)
    return Seen(one_size(counts.mean(axis=0), reach, hiding), hiding, colour, area.mean(axis=0), reach)


def places(board: BoardGeometry) -> Array:
    """Where the 24 points' checkers lie, x and y in -1 … 1."""
    x = np.array([board.column_x(i % 12) / board.width * 2 - 1 for i in range(POINTS)])
    y = np.where(np.arange(POINTS) < 12, -0.7, 0.7)
    return np.column_stack([x, y])


def sets_of(seen: Seen, board: BoardGeometry) -> Groups | None:
    """The two sets of checkers on this board."""
    some = (seen.counts[:, 0] < 0.5) & (seen.area > 1) & (seen.hidden < 0.8)
    number = seen.counts @ np.arange(seen.counts.shape[1])
    return grouped(seen.lab[some], places(board)[some], number[some])


def point_beliefs(seen: Seen, groups: Groups | None, board: BoardGeometry) -> list[Belief]:
    """Counts with owners."""
    light = groups.light(seen.lab, places(board)) if groups else alone(seen.lab)
    out = []
    for counts, hidden, own in zip(seen.counts, seen.hidden, light, strict=True):
        if hidden > HIDDEN:
            out.append(UNSEEN)
            continue
        pairs = [(0, float(counts[0]))]
        for n in range(1, len(counts)):
            pairs += [(n, float(counts[n] * own)), (-n, float(counts[n] * (1 - own)))]
        out.append(belief(((n, w) for n, w in pairs if w > LEAST), LEAST / 10))
    return out


@lru_cache(maxsize=1)
def reader() -> PointReader:
    """The shipped networks, loaded once."""
    return PointReader()


def read_points(image: Image, board: BoardGeometry, looks: int = 1) -> tuple[Belief, ...]:
    """Read all 24 points and the bar (light, dark) in a picture. See `PointReader.read`."""
    return reader().read(image, board, looks)
