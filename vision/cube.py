"""The doubling cube: what it shows and on whose side it lies."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from vision.dice import log_odds, probability, read_at, reader_odds
from vision.dice_nets import Floats, Found, Look, Read, find
from vision.dice_view import DiceView, dice_view
from vision.geometry import BoardGeometry, Image

#: How far beyond the field a cube is looked for, in point widths: across the frame, the tray and some table.
BESIDE = 3.5
#: The first look at a place, which tells where the cube lies.
FIRST = Look(1.4, 0.0)
#: The looks at each place, put right by the first, from near and far: the finder takes some kinds of cubes
#: for smaller than they are and may be off. On drawn cubes the log loss of the values is 0.03 on whole boards
#: and 0.56 in the training's kind of scenes (without the first look 0.05 and 0.61).
LOOKS = tuple(Look(span, turn) for span in (0.95, 1.4, 2.0) for turn in (-0.2, 0.0, 0.2))
#: A place is looked at from this probability of the finder on, so many of them at most; a cube is told from
#: this one of both networks on. Of 29 cubes that were found on 80 drawn boards 27 are told, all rightly, and
#: 11 things are taken for cubes.
LEAST_FOUND, MOST_PLACES, LEAST_CUBE = 0.15, 6, 0.4
#: Weights of the finder's and of the reader's log odds, what stands against a cube, and how far the reader's
#: log odds of the values are trusted: fitted on places in scenes and on boards together.
FINDER_WEIGHT, READER_WEIGHT, NO_CUBE, READER_TRUST = 0.67, 0.28, 1.25, 1.2
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
    """The doubling cube on or beside the board; None when none is to be seen. Of several places that look
    like one it is the likeliest to be one whose number can be read.
    """
    view = dice_view(image, board, BESIDE)
    seen = told(view, find(view.seen, LEAST_FOUND, "cube")[:MOST_PLACES])
    judged = [(is_cube(place, said), place, _values(said)) for place, said in seen]
    cubes = [row for row in judged if row[0] >= LEAST_CUBE]
    best = max(cubes, key=lambda row: row[0] * row[2].max(), default=None)
    if best is None:
        return None
    _, place, values = best
    face = int(values.argmax())
    x, y = view.fraction(place.x, place.y)
    return Cube(2 << face, round(float(values[face]), 4), _side(y), round(x, 4), round(y, 4))


def _values(said: Read) -> Floats:
    """Probabilities of the six values of what is a cube."""
    odds = np.exp(READER_TRUST * (said.values[1:] - said.values[1:].max()))
    return np.asarray(odds / odds.sum(), np.float32)


def told(view: DiceView, places: list[Found]) -> list[tuple[Found, Read]]:
    """Places, put right by a first look at them, with what the reader makes of them."""
    return read_at(view, places, FIRST, LOOKS, "cube")


def is_cube(found: Found, said: Read) -> float:
    """Probability that there is a cube."""
    return probability(FINDER_WEIGHT * log_odds(found.p) + READER_WEIGHT * reader_odds(said) - NO_CUBE)


def _side(y: float) -> Literal["far", "middle", "near"]:
    if abs(y - 0.5) < OWNED:
        return "middle"
    return "far" if y < 0.5 else "near"
