"""Dice on the table: where they lie, what they show, whether they lean.

A small network looks over the straightened field for anything that looks like a die; a second one reads each
place in a crop from the picture itself, turned several ways, and may still say that there is no die. Nothing
depends on colours. What moves or is too small to read comes out with a low probability.

Leaning dice are not told reliably yet: `cocked` is said of few, and some are read as if they lay flat.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import Die
from vision.dice_nets import CROP, SEEN_PITCH, Found, Read, find, read
from vision.dice_pips import fits
from vision.dice_view import DiceView, dice_view
from vision.geometry import HEIGHT, BoardGeometry, Image

#: How far beyond the field a die still counts, in point widths (those in a tray are not thrown), and how far
#: the finder sees.
REACH, BESIDE = 0.4, 1.0
#: Nobody plays with more dice; more places than this are not looked at.
MOST_DICE, MOST_PLACES = 4, 7
#: A place is looked at from this probability of the finder on; a die is told from these on: of both together
#: that it is one, and of its best value. What shows no value at all (a smear, a checker's gloss) waits.
LEAST_FOUND, LEAST_DIE = 0.15, 0.5
#: A first look that gives a die less than this ends it.
LEAST_AT_ONCE = 0.1
#: The looks at each place: width of the reader's crop in die sides, and its turn in radians.
LOOKS = ((1.7, 0.0), (2.0, 0.8), (1.7, 1.6), (2.0, 2.4))
#: The pips' say: width of the crop in die sides, what a correlation of 1 more weighs (natural log), the
#: share that the network's surest word leaves to other faces. Chosen on drawn scenes (seed 1234).
PIP_SPAN, PIP_WEIGHT, NETWORK_DOUBT = 1.7, 14.0, 0.02
#: Whether it is a die: a logistic regression on the same scenes, of what the networks say and how pips fit.
SEEMS_WEIGHT, FIT_WEIGHT, NO_DIE = 0.62, 6.58, 5.38
#: Mean difference to the empty board that makes something new, of 255.
NEW = 12.0


def find_dice(
    image: Image,
    board: BoardGeometry,
    ignore: NDArray[np.bool_] | None = None,
    background: Image | None = None,
) -> tuple[Die, ...]:
    """The dice on the field and just beside it, surest first; at most four.

    `ignore` (`HEIGHT` × `board.width`, straightened) is True where nothing is looked for, say under a hand.
    `background` is the straightened board without dice: what does not differ from it is no die.
    """
    view = dice_view(image, board, BESIDE)
    places = [f for f in find(view.seen(), LEAST_FOUND) if _thrown(view, f)]
    if ignore is not None:
        places = [f for f in places if not _hidden(view, board, f, ignore)]
    if background is not None:
        places = [f for f in places if _new(view, board, f, background)]
    told = [(f, r) for f, r in _told(view, places[:MOST_PLACES]) if _seems(f, r) >= LEAST_DIE]
    sure = sorted((_judged(view, found, said) for found, said in told), key=lambda row: -row[0])
    return tuple(die for p, die in sure if p >= LEAST_DIE)[:MOST_DICE]


def read_die(crop: Image) -> tuple[int, float]:
    """Upper face of the one die that fills most of a crop, and how probable it is.

    Raises:
        ValueError: the crop is empty.
    """
    if crop.size == 0:
        raise ValueError("a die's crop has no pixels: cut it from inside the picture")
    looks = read([_square(crop, zoom, k) for zoom in (1.0, 0.8) for k in range(4)])
    values = np.mean([r.dice for r in looks], axis=0)
    value = int(values.argmax()) + 1
    return value, float(values[value - 1] / values.sum())


def _square(crop: Image, zoom: float, quarter_turns: int) -> Image:
    """The middle of a crop in the reader's size, turned by quarters."""
    h, w = (max(round(side * zoom), 1) for side in crop.shape[:2])
    y, x = (crop.shape[0] - h) // 2, (crop.shape[1] - w) // 2
    how = cv2.INTER_AREA if min(h, w) > CROP else cv2.INTER_LINEAR
    small = cv2.resize(crop[y : y + h, x : x + w], (CROP, CROP), interpolation=how)
    return np.ascontiguousarray(np.rot90(small, quarter_turns))


def _told(view: DiceView, places: list[Found]) -> list[tuple[Found, Read]]:
    """The places with what the reader makes of them; most that are no dice fall at the first look."""
    first = _looks(view, places, LOOKS[:1])
    kept = [(f, looks) for f, looks in zip(places, first, strict=True) if looks[0].dice.sum() > LEAST_AT_ONCE]
    others = _looks(view, [f for f, _ in kept], LOOKS[1:])
    return [(f, _merged(one + more)) for (f, one), more in zip(kept, others, strict=True)]


def _looks(view: DiceView, places: list[Found], looks: tuple[tuple[float, float], ...]) -> list[list[Read]]:
    crops = [view.crop(f.x, f.y, span * f.side, turn) for f in places for span, turn in looks]
    said = read(crops) if crops else []
    n = len(looks)
    return [said[k * n : (k + 1) * n] for k in range(len(places))]


def _merged(looks: list[Read]) -> Read:
    dice, cubes, lean = (np.mean(column, axis=0) for column in zip(*looks, strict=True))
    return Read(dice, cubes, float(lean))


def _seems(found: Found, said: Read) -> float:
    """Whether there is a die at all, by finder and reader."""
    return math.sqrt(found.p * float(said.dice.sum()))


def _judged(view: DiceView, found: Found, said: Read) -> tuple[float, Die]:
    """Probability that a place holds a die, and the die: networks and pips together."""
    agreed = fits(view.crop(found.x, found.y, PIP_SPAN * found.side))
    seems = min(_seems(found, said), 0.9999)
    odds = SEEMS_WEIGHT * math.log(seems / (1 - seems)) + FIT_WEIGHT * float(agreed.max()) - NO_DIE
    p = 1 / (1 + math.exp(-odds))
    faces = _with_pips(said, agreed)
    value = int(faces.argmax()) + 1
    x, y = view.fraction(found.x, found.y)
    share = round(float(faces[value - 1]), 4)
    return p, Die(value, share, round(x, 4), round(y, 4), bool(said.lean > 0.5))


def _with_pips(said: Read, agreed: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities of the six faces by the network and by how their pips fit, together."""
    network = said.dice / max(float(said.dice.sum()), 1e-6)
    odds = np.log(network + NETWORK_DOUBT) + PIP_WEIGHT * agreed
    shares = np.exp(odds - odds.max())
    both: NDArray[np.float64] = (shares / shares.sum()).astype(np.float64)
    return both


def _thrown(view: DiceView, found: Found) -> bool:
    x, y = found.x - view.edge, found.y - view.edge
    slack = REACH * SEEN_PITCH
    return -slack <= x <= view.field[0] + slack and -slack <= y <= view.field[1] + slack


def _pixel(view: DiceView, board: BoardGeometry, found: Found) -> tuple[int, int]:
    """Where a place is in the board's own straightened view."""
    x, y = view.fraction(found.x, found.y)
    return round(x * board.width), round(y * HEIGHT)


def _hidden(view: DiceView, board: BoardGeometry, found: Found, ignore: NDArray[np.bool_]) -> bool:
    x, y = _pixel(view, board, found)
    inside = 0 <= x < ignore.shape[1] and 0 <= y < ignore.shape[0]
    return inside and bool(ignore[y, x])


def _new(view: DiceView, board: BoardGeometry, found: Found, background: Image) -> bool:
    """Whether a place differs from the empty board; outside it everything does."""
    x, y = _pixel(view, board, found)
    half = max(round(0.5 * found.side * board.width / view.field[0]), 3)
    if not (half <= x < board.width - half and half <= y < HEIGHT - half):
        return True
    part = np.s_[y - half : y + half, x - half : x + half]
    now = _patch(view.picture, board, x - half, y - half, 2 * half)
    return float(cv2.absdiff(now, background[part]).mean()) > NEW


def _patch(image: Image, board: BoardGeometry, x: int, y: int, side: int) -> Image:
    shift = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1.0]])
    return np.asarray(cv2.warpPerspective(image, shift @ board.homography(), (side, side)), np.uint8)
