"""The doubling cube: what it shows and on whose side it lies."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from vision.dice import log_odds, looks_at, merged, probability, reader_odds
from vision.dice_nets import Found, Look, Read, find
from vision.dice_view import DiceView, dice_view
from vision.geometry import BoardGeometry, Image

#: How far beyond the field a cube is looked for, in point widths: across the frame, the tray and some table.
BESIDE = 3.5
#: How wide the looks at each place are, in sides, and how far they are turned, in radians.
SPANS_TURNS = tuple((span, turn) for span in (1.15, 1.4) for turn in (-0.2, 0.0, 0.2))
#: Where such looks go, in sides, beside those at the middle: the finder may be off by so much. Chosen on
#: drawn cubes: of those whose places were off by 8 % of a side 71.9 % are read so, and 70.1 % without; log
#: loss of the others 0.735, and 0.767 without.
AROUND = ((0.08, 0.046), (0.0, -0.092), (-0.08, 0.046), (-0.08, -0.046), (0.0, 0.092), (0.08, -0.046))
LOOKS = (
    *(Look(*each) for each in SPANS_TURNS),
    *(Look(*each, *aside) for each, aside in zip(SPANS_TURNS, AROUND, strict=True)),
)
#: A place is looked at from this probability of the finder on, so many of them at most; a cube is told from
#: this one of both networks on.
LEAST_FOUND, MOST_PLACES, LEAST_CUBE = 0.15, 6, 0.5
#: Weights of the finder's and of the reader's log odds, what stands against a cube, and how far the reader's
#: log odds of the values are trusted: as `vision.training.dice_fit` gives them.
FINDER_WEIGHT, READER_WEIGHT, NO_CUBE, READER_TRUST = 0.87, 0.34, 0.23, 1.2
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
    seen = told(view, find(view.seen, LEAST_FOUND, "cube")[:MOST_PLACES])
    judged = [(is_cube(place, said), place, said) for place, said in seen]
    best = max(judged, key=lambda row: row[0], default=None)
    if best is None or best[0] < LEAST_CUBE:
        return None
    _, place, said = best
    values = np.exp(READER_TRUST * (said.values[1:] - said.values[1:].max()))
    face = int(values.argmax())
    x, y = view.fraction(place.x, place.y)
    return Cube(2 << face, round(float(values[face] / values.sum()), 4), _side(y), round(x, 4), round(y, 4))


def told(view: DiceView, places: list[Found]) -> list[tuple[Found, Read]]:
    """Places with what the reader makes of them."""
    return [
        (f, merged(looks)) for f, looks in zip(places, looks_at(view, places, LOOKS, "cube"), strict=True)
    ]


def is_cube(found: Found, said: Read) -> float:
    """Probability that there is a cube."""
    return probability(FINDER_WEIGHT * log_odds(found.p) + READER_WEIGHT * reader_odds(said) - NO_CUBE)


def _side(y: float) -> Literal["far", "middle", "near"]:
    if abs(y - 0.5) < OWNED:
        return "middle"
    return "far" if y < 0.5 else "near"
