"""Reads a straightened board with the point networks: how many checkers, whose, and what cannot be seen.

Count and colour are two questions. The network (ONNX, run by cv2.dnn) counts on each quarter's points and
says where checkers' upper faces are; `vision.colours` then tells the two sets apart on the whole board.
A second network takes further looks at photos.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import KibitzError
from referee.observation import POINTS, UNSEEN, Belief, belief
from vision.bar import BarChecker, bar_beliefs, checkers, own_columns, usual_size
from vision.colours import Sets, face_colour, sets_in
from vision.geometry import BoardGeometry, Image
from vision.joint import doubted
from vision.net_view import (
    CELL,
    CELLS,
    OWN,
    SIDE,
    Sheet,
    bar_stripe,
    board_view,
    quarters,
    shortened,
    shortening,
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


#: More looks at one picture: moved by these shares of a point width (across, along), the bar wider by that.
SHAKES = ((0.0, 0.0, 0.0), (0.09, 0.05, 0.0), (-0.09, 0.05, 0.0), (0.0, -0.08, 0.1), (0.0, 0.0, -0.1))
#: The bar as it is, in a mirror, and upside down.
BAR_LOOKS = ((1, 1), (1, -1), (-1, 1))


class ModelError(KibitzError, FileNotFoundError):
    """A network that should be shipped with Kibitz is not there."""


@dataclass(frozen=True)
class Told:
    """Beliefs of 24 points and the bar (light, dark; UNSEEN without one) if the lighter set is the one to be
    called light, and the probability of that: it is one doubt for all places.
    """

    places: tuple[Belief, ...]
    named: float


@dataclass(frozen=True)
class Seen:
    """What the network says of N points: probabilities of counts (N × 16), of being hidden (N), and for each
    point the colour (CIE Lab) of its checkers' faces, how much of them there is (in cells), and how long
    they reach (rows of cells).
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


def cell_colours(views: Sequence[Sheet]) -> Array:
    """Mean colours (CIE Lab) of the network's cells: N × rows × columns × 3."""
    height, width = views[0].shape[:2]
    small = [cv2.resize(s, (width // CELL, height // CELL), interpolation=cv2.INTER_AREA) for s in views]
    sheet = np.concatenate(small).astype(np.float32) / 255
    lab = cv2.cvtColor(sheet, cv2.COLOR_BGR2LAB)
    return lab.reshape(len(views), height // CELL, width // CELL, 3).astype(np.float64)


def by_point(cells: Array) -> Array:
    """Cells of quarters (4 × rows × columns …) → each point's own (24 × rows × own columns …)."""
    first = [slice(OWN.start + k * CELLS, OWN.stop + k * CELLS) for k in range(SIDE)]
    return np.concatenate([np.stack([quarter[:, own] for own in first]) for quarter in cells])


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
    """The networks, loaded. Not to be used by two threads at once."""

    def __init__(self, folder: Path = MODELS) -> None:
        self.net = loaded(folder / "points.onnx")
        # The bar's views have another shape: a network of its own need not be set up anew for each.
        self.bar_net = loaded(folder / "points.onnx")
        self.folder = folder

    @cached_property
    def second(self) -> cv2.dnn.Net:
        """The network for further looks; films do without."""
        return loaded(self.folder / "points_second.onnx")

    def see(self, views: Sequence[Sheet], mirrored: bool = False, again: bool = False) -> Seen:
        """Count on the quarters' points and take their colours; in a mirror, or with the second network."""
        way = -1 if mirrored else 1
        logits, maps = answers(self.second if again else self.net, [view[:, ::way] for view in views])
        logits, maps = logits[:, :, ::way], maps[:, :, ::way]
        told = np.moveaxis(logits, 1, 2).reshape(POINTS, -1)
        faces, lab = by_point(maps), by_point(cell_colours(views))
        colours = [face_colour(c.reshape(-1, 3), f.ravel()) for c, f in zip(lab, faces, strict=True)]
        return Seen(
            softmax(told[:, :-1]),
            1 / (1 + np.exp(-told[:, -1])),
            np.array([c for c, _ in colours]),
            np.array([a for _, a in colours]),
            faces.max(axis=2).sum(axis=1),
        )

    def read(self, image: Image, board: BoardGeometry, looks: int = 1) -> Told:
        """Read all points and the bar.

        `looks` 1 … 6: how often the picture is looked at. The first look is that of the first network, the
        others of the second, which learned of other boards: as it is, then each time a little moved, every
        other time in a mirror. What they disagree on is in doubt.
        """
        view = board_view(image, board)
        seen = [self.see(shown(view, board))]
        for k, shake in enumerate(SHAKES[: looks - 1]):
            moved = shaken(board, *shake)
            views = shown(board_view(image, moved), moved)
            seen.append(self.see(views, mirrored=k % 2 == 1, again=True))
        all_ = averaged(seen)
        bare = board.bar < NO_BAR or any(all_.hidden[list(pair)].min() > HIDDEN for pair in BESIDE_BAR)
        on_bar = [] if bare else self.on_bar(view, board, all_, mirrored=looks > 1)
        sets = sets_of(all_, board, on_bar)
        points = point_beliefs(all_, sets, board)
        bar = (UNSEEN, UNSEEN) if bare else bar_beliefs(on_bar, sets)
        return Told((*points, *bar), sets.named)

    def on_bar(self, view: Sheet, board: BoardGeometry, seen: Seen, mirrored: bool) -> list[BarChecker]:
        """The bar's checkers, which are as large as the points' are; looked at in mirrors, too, if wanted."""
        size = usual_size(seen.counts, seen.length, seen.hidden) / shortening(board)
        stripe = bar_stripe(view, board)
        # One at a time: a batch of another size would set the network up anew.
        maps = [
            answers(self.bar_net, [stripe[::down, ::right]])[1][0, ::down, ::right]
            for down, right in BAR_LOOKS[: None if mirrored else 1]
        ]
        faces, lab = np.mean(maps, axis=0), cell_colours([stripe])[0]
        own = own_columns(faces.shape[1], board.bar, CELLS)
        return checkers(faces[:, own], lab[:, own], size, several=mirrored)


def shown(view: Sheet, board: BoardGeometry) -> list[Sheet]:
    """The quarters as the network sees them."""
    share = shortening(board)
    return [shortened(quarter, share) for quarter in quarters(view, board)]


def answers(net: cv2.dnn.Net, views: Sequence[Sheet]) -> tuple[Array, Array]:
    """Raw answers of the network: logits (N × counts + 1 × 6) and face probabilities (N × rows × columns).

    Networks of today's recipe tell in a second map which faces no frame stands before; reading by it was not
    better.
    """
    net.setInput(cv2.dnn.blobFromImages([np.ascontiguousarray(v) for v in views], 1 / 255))
    logits, faces = net.forward(["counts", "faces"])
    return np.asarray(logits, np.float64), 1 / (1 + np.exp(-np.asarray(faces[:, 0], np.float64)))


def averaged(looks: Sequence[Seen]) -> Seen:
    """Several looks at the same points as one; checkers are of one size."""
    names = ("counts", "hidden", "lab", "area", "length")
    counts, hidden, lab, area, length = (np.stack([getattr(seen, name) for seen in looks]) for name in names)
    colour = (lab * area[:, :, None]).sum(axis=0) / np.maximum(area.sum(axis=0), 1e-9)[:, None]
    hiding, reach = hidden.mean(axis=0), length.mean(axis=0)
    agreed = np.exp(np.log(counts + LEAST / 100).mean(axis=0))
    agreed /= agreed.sum(axis=1, keepdims=True)
    return Seen(one_size(agreed, reach, hiding), hiding, colour, area.mean(axis=0), reach)


def places(board: BoardGeometry) -> Array:
    """Where the 24 points' checkers lie, x and y in -1 … 1."""
    x = np.array([board.column_x(i % 12) / board.width * 2 - 1 for i in range(POINTS)])
    y = np.where(np.arange(POINTS) < 12, -0.7, 0.7)
    return np.column_stack([x, y])


def sets_of(seen: Seen, board: BoardGeometry, on_bar: Sequence[BarChecker] = ()) -> Sets:
    """The sets of checkers on this board."""
    some = (seen.counts[:, 0] < 0.5) & (seen.area > 1) & (seen.hidden < 0.8)
    number = seen.counts @ np.arange(seen.counts.shape[1])
    sure = [c for c in on_bar if c.p > 0.5]
    lab = np.concatenate([seen.lab[some], *(c.lab[None] for c in sure)])
    at = np.concatenate([places(board)[some], *(c.at[None] for c in sure)])
    return sets_in(lab, at, np.concatenate([number[some], np.ones(len(sure))]))


def point_beliefs(seen: Seen, sets: Sets, board: BoardGeometry) -> list[Belief]:
    """Counts with owners."""
    light = sets.light(seen.lab, places(board))
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


def look_at_points(image: Image, board: BoardGeometry, looks: int = 1) -> Told:
    """Read all 24 points and the bar (light, dark) in a picture. See `PointReader.read`."""
    return reader().read(image, board, looks)


def read_points(image: Image, board: BoardGeometry, looks: int = 1) -> tuple[Belief, ...]:
    """Beliefs of the 24 points and the bar (light, dark) in a picture, each with all that is in doubt."""
    told = look_at_points(image, board, looks)
    return doubted(told.places, told.named)
