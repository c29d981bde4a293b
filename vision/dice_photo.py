"""Dice in a photo, for which there is more time than for a film's pictures.

Each place is put right twice and looked at in several tones. What is said of all places is held together: no
two dice are in one place, and all are of one size: what is as large as a sure die is one the more probably,
what is larger or smaller is hardly one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from referee.observation import Die
from vision.dice import (
    LOOKS,
    MOST_PLACES,
    Judged,
    judged,
    looks_at,
    merged,
    nearer,
    prepared,
    probability,
    surest,
    thrown,
    told,
)
from vision.dice_nets import SEEN_PITCH, TONES
from vision.geometry import BoardGeometry, Image

Floats = NDArray[np.float64]

#: The looks at a place.
PHOTO_LOOKS = tuple(look._replace(tone=tone) for tone in TONES for look in LOOKS)
#: Natural logs of sides in point widths: those that dice may all have, how probable each of these is (mean,
#: deviation), how far a found side is off it, and that of other things that look like dice (mean, deviation).
SIZES = np.log(np.linspace(0.2, 0.75, 56))
USUAL, OFF, OTHERS = (np.log(0.39), 0.22), 0.08, (-0.56, 0.34)
#: This share of the dice is of another size than the others: the deviation of those.
ODD, ODD_OFF = 0.1, 0.3


def read_dice(image: Image, board: BoardGeometry) -> tuple[Die, ...]:
    """The dice of a photo on the field and just beside it, surest first; at most four."""
    view = prepared(image, board)
    first = told(view, thrown(view)[:MOST_PLACES], LOOKS[:1])
    places = [nearer(view, found, said) for found, said in first]
    looks = looks_at(view, places, PHOTO_LOOKS)
    rows = apart([judged(view, f, merged(all_)) for f, all_ in zip(places, looks, strict=True)])
    alone = np.array([probability(row.odds) for row in rows])
    sides = np.log([row.found.side / SEEN_PITCH for row in rows])
    return surest(view, rows, [float(p) for p in of_one_size(alone, sides)])


def apart(rows: list[Judged]) -> list[Judged]:
    """The likeliest places, none nearer to a likelier one than two dice can lie: a die's side face is at
    times found, too.
    """
    kept: list[Judged] = []
    for row in sorted(rows, key=lambda row: -row.odds):
        x, y, side, _ = row.found
        if all(np.hypot(x - k.found.x, y - k.found.y) > (side + k.found.side) / 2 for k in kept):
            kept.append(row)
    return kept


def of_one_size(alone: Floats, sides: Floats) -> Floats:
    """Probabilities that places hold a die, each judged `alone` before, now that all dice have one size.

    `sides`: natural logs of the places' sides in point widths. Whichever size the dice may have, the places
    are judged apart from each other; what is told is the mean over all sizes.
    """
    if not len(alone):
        return alone
    p, side = alone[:, None], sides[:, None]
    like_dice = (1 - ODD) * _normal(side, SIZES, OFF) + ODD * _normal(side, USUAL[0], ODD_OFF)
    die, other = p * like_dice, (1 - p) * _normal(side, *OTHERS)
    likely = _normal(SIZES, *USUAL) * (die + other).prod(0)
    return np.asarray((die / (die + other)) @ (likely / likely.sum()), np.float64)


def _normal(x: Floats, mean: Floats | float, deviation: float) -> Floats:
    """The bell curve, but for its constant factor."""
    return np.asarray(np.exp(-(((x - mean) / deviation) ** 2) / 2) / deviation, np.float64)
