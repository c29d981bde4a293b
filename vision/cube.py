"""The doubling cube: what it shows and on whose side it lies."""

from __future__ import annotations

import math
from typing import Literal

import msgspec
import numpy as np

from vision.dice_nets import Floats, Found, find, read
from vision.dice_view import DiceView, dice_view
from vision.geometry import BoardGeometry, Image

#: How far beyond the field a cube is looked for, in point widths: across the frame, the tray and some table.
BESIDE = 3.5
#: Width of a reader's crop in cube sides, and the turns in which each is read.
SPAN, TURNS = 1.7, (0.0, 0.8, 2.4)
#: A place is looked at from this probability of the finder on; a cube is told from this one of both together.
LEAST_FOUND, LEAST_CUBE = 0.2, 0.5
#: Beyond this part of the height, from the middle, a cube is one player's.
OWNED = 0.2


class Cube(msgspec.Struct, frozen=True):
    """A doubling cube: 2-64, how sure, on whose side, and where in fractions of the field (or beside it)."""

    value: int
    p: float
    where: Literal["far", "middle", "near"]
    x: float
    y: float


def read_cube(image: Image, board: BoardGeometry) -> Cube | None:
    """The doubling cube on or beside the board; None when none is to be seen."""
    view = dice_view(image, board, BESIDE)
    places = find(view.seen(), LEAST_FOUND, "cube")[:6]
    told = [(_told(view, place), place) for place in places]
    best = max(((math.sqrt(f.p * float(v.sum())), v, f) for v, f in told), key=lambda x: x[0], default=None)
    if best is None or best[0] < LEAST_CUBE:
        return None
    _, values, place = best
    face = int(values.argmax())
    x, y = view.fraction(place.x, place.y)
    return Cube(2 << face, round(float(values[face]), 4), _side(y), round(x, 4), round(y, 4))


def _told(view: DiceView, place: Found) -> Floats:
    looks = read([view.crop(place.x, place.y, SPAN * place.side, turn) for turn in TURNS])
    return np.asarray(np.mean([r.cubes for r in looks], axis=0), np.float32)


def _side(y: float) -> Literal["far", "middle", "near"]:
    if abs(y - 0.5) < OWNED:
        return "middle"
    return "far" if y < 0.5 else "near"
