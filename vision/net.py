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
from vision.colours import Groups, alone, grouped
from vision.geometry import BoardGeometry, Image
from vision.net_view import Sheet, cut_bar, cut_strips, small_view

Array = NDArray[np.float64]
MODELS = Path(__file__).parent / "models"
#: Alternatives below this probability are not listed.
LEAST = 1e-4
#: A point whose hidden probability is above this is not read.
HIDDEN = 0.5
#: Boards with a narrower bar have none.
NO_BAR = 0.2
#: How far the light share of the bar's faces strays from the true one.
BAR_STRAY = 0.14


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


def softmax(logits: Array) -> Array:
    """Along the last axis."""
    lifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(lifted / lifted.sum(axis=-1, keepdims=True), np.float64)


def cell_colours(strips: Sequence[Sheet]) -> Array:
    """Mean colours (CIE Lab) of the network's cells: N × rows × columns × 3."""
    height, width = strips[0].shape[:2]
    small = [cv2.resize(s, (width // 4, height // 4), interpolation=cv2.INTER_AREA) for s in strips]
    sheet = np.concatenate(small).astype(np.float32) / 255
    lab = cv2.cvtColor(sheet, cv2.COLOR_BGR2LAB)
    return lab.reshape(len(strips), height // 4, width // 4, 3).astype(np.float64)


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
    """The two networks, loaded. Not to be used by two threads at once."""

    def __init__(self, folder: Path = MODELS) -> None:
        self.points, self.bar = (loaded(folder / name) for name in ("points.onnx", "bar.onnx"))

    def look(self, strips: Sequence[Sheet], net: cv2.dnn.Net) -> tuple[Array, Array]:
        """Raw answers of a network: logits (N × counts + 1) and face probabilities (N × rows × 10)."""
        net.setInput(cv2.dnn.blobFromImages([np.ascontiguousarray(s) for s in strips], 1 / 255))
        logits, faces = net.forward(["counts", "faces"])
        return np.asarray(logits, np.float64), 1 / (1 + np.exp(-np.asarray(faces[:, 0], np.float64)))

    def see(self, strips: Sequence[Sheet]) -> Seen:
        """Count the strips and take their colours."""
        logits, faces = self.look(strips, self.points)
        lab = cell_colours(strips)
        colours = [
            face_colour(c[:, 2:8].reshape(-1, 3), f[:, 2:8].ravel()) for c, f in zip(lab, faces, strict=True)
        ]
        return Seen(
            softmax(logits[:, :-1]),
            1 / (1 + np.exp(-logits[:, -1])),
            np.array([c for c, _ in colours]),
            np.array([a for _, a in colours]),
        )

    def read(self, image: Image, board: BoardGeometry, looks: int = 1) -> tuple[Belief, ...]:
        """Beliefs of the 24 points, then of the bar's light and dark checkers (UNSEEN without a bar).

        `looks` 1 … 5: how often the picture is looked at, each time a little moved; more make a photo
        whose corners
        are not quite right surer.
        """
        small = small_view(image, board)
        strips = cut_strips(small, board)
        for shake in SHAKES[1:looks]:
            moved = shaken(board, *shake)
            strips += cut_strips(small_view(image, moved), moved)
        seen = averaged(self.see(strips), POINTS)
        groups = sets_of(seen, board)
        points = point_beliefs(seen, groups, board)
        return (*points, *self.read_bar(small, board, groups))

    def read_bar(self, small: Sheet, board: BoardGeometry, groups: Groups | None) -> tuple[Belief, Belief]:
        """Beliefs of the bar's light and dark checkers."""
        if board.bar < NO_BAR:
            return UNSEEN, UNSEEN
        strip = cut_bar(small, board)
        logits, faces = self.look([strip], self.bar)
        counts = softmax(logits[0, :-1])
        lab = cell_colours([strip])[0]
        sure = faces[0] > 0.5
        light = groups.light(lab[sure], bar_places(sure)) if groups else alone(lab[sure])
        share = float(np.average(light, weights=faces[0][sure])) if sure.any() else 0.5
        return bar_belief(counts, share), bar_belief(counts, 1 - share, -1)


def averaged(seen: Seen, number: int) -> Seen:
    """Several looks at the same strips, one after the other in `seen`, as one."""
    counts, hidden, lab, area = (
        part.reshape(-1, number, *part.shape[1:]) for part in (seen.counts, seen.hidden, seen.lab, seen.area)
    )
    colour = (lab * area[:, :, None]).sum(axis=0) / np.maximum(area.sum(axis=0), 1e-9)[:, None]
    return Seen(counts.mean(axis=0), hidden.mean(axis=0), colour, area.mean(axis=0))


def bar_places(sure: NDArray[np.bool_]) -> Array:
    """Places (x, y in -1 … 1) of the bar's cells that are faces."""
    rows = np.nonzero(sure)[0] / sure.shape[0] * 2 - 1
    return np.column_stack([np.zeros(len(rows)), rows])


def bar_belief(counts: Array, share: float, sign: int = 1) -> Belief:
    """How many of a side stand on the bar, when `share` of the faces there are its own."""
    weights = {0: float(counts[0])}
    for total in range(1, len(counts)):
        fit = np.exp(-(((np.arange(total + 1) / total - share) / BAR_STRAY) ** 2) / 2) + 1e-6
        for own, part in enumerate(fit / fit.sum() * counts[total]):
            weights[own] = weights.get(own, 0.0) + float(part)
    return belief(((sign * n, w) for n, w in weights.items() if w > LEAST), LEAST / 10)


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
