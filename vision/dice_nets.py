"""The two small networks behind `vision.dice`: one says where dice lie, one reads a crop of a single die.

Both are trained on invented dice only (`vision.training.dice`), take pictures normalised to mean 0 and
deviation 1, and run on `cv2.dnn`.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

Floats = NDArray[np.float32]

#: The finder answers once per cell of this many pixels; a crop for the reader has this side; training draws
#: this many times finer than the finder sees.
CELL, CROP, FINE = 8, 40, 3
#: Point width in the view the finder is trained on, pixels, and the die side it takes for the usual one.
SEEN_PITCH, USUAL_SIDE = 32, 14.0

_MODELS = Path(__file__).parent / "models"


#: What the finder looks for, by the order of its answers.
Kind = Literal["die", "cube"]
KINDS: tuple[Kind, Kind] = ("die", "cube")


class Found(NamedTuple):
    """A place that may hold a die or a cube: its upper face's middle and side in view pixels, probability."""

    x: float
    y: float
    side: float
    p: float


class Read(NamedTuple):
    """What the reader makes of a crop: probabilities of a die's values 1-6, a cube's 2-64, and of leaning."""

    dice: Floats
    cubes: Floats
    lean: float


@cache
def _net(name: str, _thread: int) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(_MODELS / name))


def _run(name: str, batch: Floats) -> Floats:
    # A network keeps its input: each thread has one of its own.
    net = _net(name, threading.get_ident())
    net.setInput(batch)
    said: Floats = np.asarray(net.forward(), np.float32)
    return said


def _normal(image: Image) -> Floats:
    mean, deviation = cv2.meanStdDev(image)
    middle = float(mean.mean())
    spread = float(np.sqrt((deviation**2 + (mean - middle) ** 2).mean())) + 4
    return np.asarray(cv2.dnn.blobFromImage(image, 1 / spread, mean=(middle,) * 3)[0], np.float32)


def find(view: Image, least: float, kind: Kind = "die") -> list[Found]:
    """Places of a straightened view (`SEEN_PITCH` per point, sides multiples of `CELL`) that look like dice.

    Best first, none closer to a better one than two of them can lie.
    """
    said = _run("dice_find.onnx", _normal(view)[None])[0]
    p = 1 / (1 + np.exp(-said[KINDS.index(kind)]))
    rows, columns = np.nonzero(p > least)
    order = np.argsort(-p[rows, columns])
    found: list[Found] = []
    for i, j in zip(rows[order], columns[order], strict=True):
        dx, dy, size = said[len(KINDS) :, i, j]
        x, y = CELL * (j + 0.5 + float(dx)), CELL * (i + 0.5 + float(dy))
        side = USUAL_SIDE * float(np.exp(np.clip(size, -1.2, 1.2)))
        if all(np.hypot(x - f.x, y - f.y) > 0.75 * (side + f.side) / 2 for f in found):
            found.append(Found(x, y, side, float(p[i, j])))
    return found


def read(crops: list[Image]) -> list[Read]:
    """Read crops (`CROP` × `CROP`), each holding one die about its middle."""
    said = _run("dice_read.onnx", np.stack([_normal(c) for c in crops]))
    odds = np.exp(said[:, :13] - said[:, :13].max(1, keepdims=True))
    p = odds / odds.sum(1, keepdims=True)
    leans = 1 / (1 + np.exp(-said[:, 13]))
    return [Read(v[1:7], v[7:], float(q)) for v, q in zip(p, leans, strict=True)]
