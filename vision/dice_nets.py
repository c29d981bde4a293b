"""The small networks behind `vision.dice` and `vision.cube`: one says where dice and cubes lie, two read a
crop of a single one.

All are trained on invented dice only (`vision.training.dice`), take pictures normalised to mean 0 and
deviation 1, and run on `cv2.dnn`. A crop is turned so that upright things lean up in it; how far they lean
there (shift of the picture per height) is the readers' fourth layer.
"""

from __future__ import annotations

import math
import threading
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

Floats = NDArray[np.float32]

#: The finder answers once per cell of this many pixels; a crop for the reader has this side.
CELL, CROP = 8, 40
#: The lean of a crop from a picture whose camera is not known.
UNKNOWN = -1.0
#: The finder's answer for a cell depends on so many cells around it.
AROUND = 5
#: Point width in the view the finder is trained on, pixels, and the die side it takes for the usual one.
SEEN_PITCH, USUAL_SIDE = 32, 14.0

#: Where the networks lie.
MODELS = Path(__file__).parent / "models"


#: What the finder looks for, by the order of its answers.
Kind = Literal["die", "cube"]
KINDS: tuple[Kind, Kind] = ("die", "cube")


#: The networks' files.
FINDER, READERS = "dice_find.onnx", {"die": "dice_read.onnx", "cube": "cube_read.onnx"}


class Found(NamedTuple):
    """A place that may hold a die or a cube: its upper face's middle and side in view pixels, probability."""

    x: float
    y: float
    side: float
    p: float


class Part(NamedTuple):
    """A part of a view, in cells: its first and last row and column, and those behind them."""

    top: int
    bottom: int
    left: int
    right: int


#: How a crop is shown to a reader: as it is, or as the grey made of blue, green and red in these parts.
Tone = Literal["own", "grey", "blue", "green", "red"]
PARTS: dict[Tone, tuple[float, float, float]] = {
    "grey": (0.114, 0.587, 0.299),
    "blue": (1.0, 0.0, 0.0),
    "green": (0.0, 1.0, 0.0),
    "red": (0.0, 0.0, 1.0),
}
TONES: tuple[Tone, ...] = ("own", *PARTS)


class Look(NamedTuple):
    """How a place is cut for a reader: the crop's width, a turn in radians, the middle's shift, in sides; and
    in which tone it is shown.
    """

    span: float
    turn: float
    right: float = 0.0
    down: float = 0.0
    tone: Tone = "own"


class Crop(NamedTuple):
    """A reader's picture (`CROP` × `CROP`) and how far upright things lean up in it, or `UNKNOWN`."""

    picture: Image
    lean: float


class Read(NamedTuple):
    """What a reader makes of crops: logits of nothing and of the values 1-6 (a cube's: 2-64), the
    probability of leaning, and those of each value showing on a side. `place`: how far its upper
    face's middle lies right of and below the crop's, and the natural log of its side, in crop widths.
    """

    values: Floats
    cocked: float
    sides: Floats
    place: Floats


@cache
def _net(name: str, _thread: int) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(MODELS / name))


def _run(name: str, batch: Floats) -> Floats:
    # A network keeps its input: each thread has one of its own.
    net = _net(name, threading.get_ident())
    net.setInput(batch)
    said: Floats = np.asarray(net.forward(), np.float32)
    return said


def _normal(image: Image, part: tuple[slice, slice] = (slice(None), slice(None))) -> Floats:
    """A part of a picture (3 × rows × columns) by the whole picture's brightness and contrast."""
    mean, deviation = cv2.meanStdDev(image)
    middle = float(mean.mean())
    spread = float(np.sqrt((deviation**2 + (mean - middle) ** 2).mean())) + 4
    return np.asarray(cv2.dnn.blobFromImage(image[part], 1 / spread, mean=(middle,) * 3)[0], np.float32)


def find(view: Image, least: float, kind: Kind = "die", part: Part | None = None) -> list[Found]:
    """Places of a straightened view (`SEEN_PITCH` per point, sides multiples of `CELL`), or of a part of it,
    that look like dice.

    Best first, none closer to a better one than two of them can lie.
    """
    if part is None:
        return places(_run(FINDER, _normal(view)[None])[0], least, kind)
    top, left = max(part.top - AROUND, 0), max(part.left - AROUND, 0)
    rows = slice(top * CELL, (part.bottom + AROUND) * CELL)
    columns = slice(left * CELL, (part.right + AROUND) * CELL)
    said = _run(FINDER, _normal(view, (rows, columns))[None])[0]
    inner = said[:, part.top - top : part.bottom - top, part.left - left : part.right - left]
    x, y = CELL * part.left, CELL * part.top
    return [Found(f.x + x, f.y + y, f.side, f.p) for f in places(inner, least, kind)]


def places(said: Floats, least: float, kind: Kind) -> list[Found]:
    """The places in the finder's answer (5 × rows × columns) that are this probable."""
    p = 1 / (1 + np.exp(-said[KINDS.index(kind)]))
    rows, columns = np.nonzero(p > least)
    order = np.argsort(-p[rows, columns])
    found: list[Found] = []
    for i, j in zip(rows[order], columns[order], strict=True):
        dx, dy, size = said[len(KINDS) :, i, j]
        x, y = CELL * (j + 0.5 + float(dx)), CELL * (i + 0.5 + float(dy))
        side = USUAL_SIDE * float(np.exp(np.clip(size, -1.2, 1.4)))
        if all(np.hypot(x - f.x, y - f.y) > 0.75 * (side + f.side) / 2 for f in found):
            found.append(Found(x, y, side, float(p[i, j])))
    return found


def upright(across: float, along: float) -> float:
    """Turn of a crop (radians) in which things lean up that lean right by `across` and down by `along`."""
    return math.atan2(across, -along)


def read(crops: list[Crop], kind: Kind = "die") -> list[Read]:
    """Read crops, each holding one die (or cube) about its middle."""
    said = _run(READERS[kind], np.stack([_layers(c) for c in crops]))
    return [Read(row[:7], float(_share(row[7])), _share(row[8:14]), row[14:]) for row in said]


def toned(crop: Crop, tone: Tone) -> Crop:
    """A crop in another tone: of odd colours the readers make less than of brightness, and pips as bright as
    their die stand out in one of the three colours.
    """
    if tone == "own":
        return crop
    grey = cv2.transform(crop.picture, np.array([PARTS[tone]] * 3))
    return Crop(np.asarray(grey, np.uint8), crop.lean)


def _layers(crop: Crop) -> Floats:
    lean = np.full((1, CROP, CROP), crop.lean, np.float32)
    return np.concatenate([_normal(crop.picture), lean])


def _share(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)
