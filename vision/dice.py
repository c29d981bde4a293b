"""Dice on the table: where they lie, what they show, whether they lean.

A small network looks over the straightened field for anything that looks like a die; a second one reads each
place in a crop from the picture itself, and may still say that there is no die, or that the die leans. Its
first look also says where the die lies in the crop, and the others are cut there.
Nothing depends on colours. What moves or is too small to read comes out with a low probability: a die's says
both that it is one and that it shows this face.

`cocked` is said where it is nearly certain: of two hundred flat dice about one is called so, but of the dice
that lean (by 18-45°, drawn) and are told only 23 %; half of all that lean are read as if they lay flat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import Die
from vision.dice_nets import (
    CROP,
    SEEN_PITCH,
    UNKNOWN,
    Crop,
    Found,
    Kind,
    Look,
    Read,
    find,
    read,
    toned,
)
from vision.dice_pips import fits
from vision.dice_view import Box, DiceView, dice_view
from vision.geometry import HEIGHT, BoardGeometry, Image

#: How far beyond the field a die still counts, in point widths (those in a tray are not thrown), and how far
#: the finder sees.
REACH, BESIDE = 0.4, 1.0
#: Nobody plays with more dice; more places than this are not looked at.
MOST_DICE, MOST_PLACES = 4, 7
#: A place is looked at from this probability of the finder on, and a die is told from this one of both
#: networks on.
LEAST_FOUND, LEAST_DIE = 0.12, 0.5
#: A first look that gives a die less than this ends it.
LEAST_AT_ONCE = 0.05
#: The looks at each place.
LOOKS = (Look(1.7, 0.0), Look(1.85, 0.25), Look(1.55, -0.25))
#: The finder takes dice for larger or smaller than they are by no more than this (natural log).
OTHER_SIZE = 0.4
#: The looks at a crop whose die may fill it or not: their widths, of the crop's. Chosen on drawn dice.
ZOOMS = (1.2, 1.0, 0.8, 0.6)
#: How wide the looks are that follow, when it is known where in the crop the die lies, in sides.
SPANS = (1.5, 1.7, 1.9)
#: Whether it is a die: weights of the finder's and of the reader's log odds and of how pips fit, and
#: what stands against it.
FINDER_WEIGHT, READER_WEIGHT, FIT_WEIGHT, NO_DIE = 0.58, 0.7, 0.79, 1.73
#: The upper face: how far the reader's log odds are trusted, and its word on the side faces, which never show
#: the upper face's value or that of the face below; what a correlation of 1 more of the pips weighs (natural
#: log), and the share that the reader's surest word leaves to other faces.
TRUST, READER_DOUBT = (1.5, 1.0, 6.0), 0.02
#: Width of the crop in which pips are fitted, in die sides.
PIP_SPAN = 1.7
#: A die that leans with more than this probability is cocked.
COCKED = 0.75
#: Numbers of either precision.
Reals = NDArray[np.floating[Any]]
#: Mean difference to the empty board that makes something new, of 255.
NEW = 12.0


def find_dice(
    image: Image,
    board: BoardGeometry,
    ignore: NDArray[np.bool_] | None = None,
    background: Image | None = None,
    within: Box | None = None,
    view: DiceView | None = None,
) -> tuple[Die, ...]:
    """The dice on the field and just beside it, surest first; at most four.

    `ignore` (`HEIGHT` × `board.width`, straightened) is True where nothing is looked for, say under a hand.
    `background` is the straightened board without dice: what does not differ from it is no die. Farther
    than a cell outside of `within` nothing is looked for either, which saves time.
    `view` is what `prepared` made of the picture, if it was asked before.
    """
    view = view or dice_view(image, board, BESIDE)
    places = thrown(view, within)
    if ignore is not None:
        places = [f for f in places if not _hidden(view, board, f, ignore)]
    if background is not None:
        places = [f for f in places if _new(view, board, f, background)]
    rows = [judged(view, found, said) for found, said in told(view, places[:MOST_PLACES])]
    return surest(view, rows, [probability(row.odds) for row in rows])


def thrown(view: DiceView, within: Box | None = None) -> list[Found]:
    """Places that may hold a thrown die, in all of the view or about a part of it; best first."""
    part = None if within is None else view.part(within)
    return [f for f in find(view.seen, LEAST_FOUND, part=part) if _thrown(view, f)]


def prepared(image: Image, board: BoardGeometry) -> DiceView:
    """The view of a picture that `find_dice` looks at, ready."""
    view = dice_view(image, board, BESIDE)
    _ = view.seen
    return view


def get_ready() -> None:
    """Load what dice are found and read with, in the thread that will do so: the first look is then as quick
    as the others.
    """
    blank = np.zeros((CROP, CROP, 3), np.uint8)
    find(np.zeros((8 * CROP, 8 * CROP, 3), np.uint8), 1.0)
    read([Crop(blank, UNKNOWN)])
    fits(blank)


def read_die(crop: Image) -> tuple[int, float]:
    """Upper face of the one die that fills most of a crop, and how probable it is.

    Raises:
        ValueError: the crop is empty.
    """
    if crop.size == 0:
        raise ValueError("a die's crop has no pixels: cut it from inside the picture")
    first = [(zoom, k) for zoom in ZOOMS for k in range(4)]
    x, y, side = _lies(crop, first, read([_square(crop, *each) for each in first]))
    looks = read([_around(crop, (x, y), span * side, k) for span in SPANS for k in range(4)])
    said = merged(looks, [is_die(look) for look in looks])
    faces = faces_of(said.values[1:], said.sides)
    value = int(faces.argmax()) + 1
    return value, float(faces[value - 1])


def _square(crop: Image, zoom: float, quarter_turns: int) -> Crop:
    """A crop's middle, or the crop with its edges drawn out, in the reader's size, turned by quarters."""
    rows, columns = crop.shape[:2]
    half = max(round(rows * zoom / 2), 1), max(round(columns * zoom / 2), 1)
    wide = cv2.copyMakeBorder(crop, half[0], half[0], half[1], half[1], cv2.BORDER_REPLICATE)
    y, x = rows // 2 + half[0], columns // 2 + half[1]
    middle = wide[y - half[0] : y + half[0], x - half[1] : x + half[1]]
    how = cv2.INTER_AREA if min(half) > CROP / 2 else cv2.INTER_LINEAR
    small = cv2.resize(middle, (CROP, CROP), interpolation=how)
    return Crop(np.ascontiguousarray(np.rot90(small, quarter_turns)), UNKNOWN)


def _lies(crop: Image, first: list[tuple[float, int]], looks: list[Read]) -> tuple[float, float, float]:
    """Where looks at a crop (zoom, quarter turns) say that its die lies: middle and side in pixels."""
    rows, columns = crop.shape[:2]
    places = []
    for (zoom, quarter_turns), look in zip(first, looks, strict=True):
        aside = complex(look.place[0], look.place[1]) * 1j**quarter_turns
        places.append((zoom * columns * aside.real, zoom * rows * aside.imag, math.log(zoom) + look.place[2]))
    x, y, size = np.average(places, axis=0, weights=[is_die(look) + 1e-6 for look in looks])
    side = math.exp(size) * math.sqrt(rows * columns)
    return columns / 2 + x, rows / 2 + y, float(np.clip(side, min(rows, columns) / 4, max(rows, columns)))


def _around(crop: Image, middle: tuple[float, float], span: float, quarter_turns: int) -> Crop:
    """A square of a crop about a spot, in the reader's size, turned by quarters."""
    finer = max(math.ceil(span / CROP - 0.5), 1)
    side = CROP * finer
    step = span / side
    x, y = (part - span / 2 + step / 2 - 0.5 for part in middle)
    cut = cv2.warpAffine(
        crop,
        np.array([[step, 0, x], [0, step, y]]),
        (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    small = cut if finer == 1 else cv2.resize(cut, (CROP, CROP), interpolation=cv2.INTER_AREA)
    return Crop(np.ascontiguousarray(np.rot90(small, quarter_turns)), UNKNOWN)


def told(view: DiceView, places: list[Found], looks: tuple[Look, ...] = LOOKS) -> list[tuple[Found, Read]]:
    """Places with what the reader makes of them; most that are no dice fall at the first look."""
    return read_at(view, places, LOOKS[0], looks, "die", LEAST_AT_ONCE)


def read_at(
    view: DiceView, places: list[Found], first: Look, looks: tuple[Look, ...], kind: Kind, least: float = 0.0
) -> list[tuple[Found, Read]]:
    """Places, put right by a first look at them, with what the reader makes of all looks; what the first
    gives less than `least` falls.
    """
    said = looks_at(view, places, (first,), kind)
    likely = [(f, one) for f, (one,) in zip(places, said, strict=True) if is_die(one) >= least]
    kept = [nearer(view, f, one, first.span) for f, one in likely]
    return [(f, merged(all_)) for f, all_ in zip(kept, looks_at(view, kept, looks, kind), strict=True)]


def nearer(view: DiceView, found: Found, said: Read, wide: float = LOOKS[0].span) -> Found:
    """A place, put right by what the reader's first look at it, so many sides wide, says."""
    span = wide * found.side
    right, down, size = (float(part) for part in said.place)
    x, y = view.aside(found.x, found.y, right * span, down * span)
    larger = float(np.clip(size + math.log(wide), -OTHER_SIZE, OTHER_SIZE))
    return Found(x, y, found.side * math.exp(larger), found.p)


def looks_at(
    view: DiceView, places: list[Found], looks: tuple[Look, ...], kind: Kind = "die"
) -> list[list[Read]]:
    """What the reader makes of several looks at each place."""
    crops = [_seen(view, f, look) for f in places for look in looks]
    said, n = read(crops, kind) if crops else [], len(looks)
    return [said[k * n : (k + 1) * n] for k in range(len(places))]


def _seen(view: DiceView, at: Found, look: Look) -> Crop:
    x, y = at.x + look.right * at.side, at.y + look.down * at.side
    return toned(view.crop(x, y, look.span * at.side, look.turn), look.tone)


def merged(looks: list[Read], weights: list[float] | None = None) -> Read:
    """Several looks at one place as one; each counts alike or by its weight.

    Where the die lies is what the first look says.
    """
    columns = list(zip(*looks, strict=True))[:3]
    values, cocked, sides = (np.average(column, axis=0, weights=weights) for column in columns)
    return Read(values, float(cocked), sides, looks[0].place)


def reader_odds(said: Read) -> float:
    """Log odds that there is a die at all, by the reader."""
    return float(np.log(np.exp(said.values[1:] - said.values[0]).sum()))


def is_die(said: Read) -> float:
    """The same as a probability."""
    return probability(reader_odds(said))


def log_odds(p: float) -> float:
    """Natural log of the odds; nothing is quite certain."""
    p = min(p, 0.9999)
    return math.log(p / (1 - p))


def probability(odds: float) -> float:
    """What log odds stand for."""
    return 1 / (1 + math.exp(-odds))


class Judged(NamedTuple):
    """A place, the log odds that it holds a die, the probabilities of the six upper faces if it does, and
    the probability of leaning.
    """

    found: Found
    odds: float
    faces: Reals
    cocked: float


def judged(view: DiceView, found: Found, said: Read) -> Judged:
    """What finder, reader and pips together say of a place."""
    agreed = fits(view.crop(found.x, found.y, PIP_SPAN * found.side).picture)
    odds = FINDER_WEIGHT * log_odds(found.p) + READER_WEIGHT * reader_odds(said) - NO_DIE
    faces = faces_of(said.values[1:], said.sides, agreed)
    return Judged(found, odds + FIT_WEIGHT * float(agreed.max()), faces, said.cocked)


def surest(view: DiceView, rows: list[Judged], p: Sequence[float]) -> tuple[Die, ...]:
    """The places that are dice, with these probabilities; surest first, at most four."""
    sure = sorted(((q, row) for q, row in zip(p, rows, strict=True) if q >= LEAST_DIE), key=lambda x: -x[0])
    return tuple(_die(view, row, q) for q, row in sure[:MOST_DICE])


def _die(view: DiceView, row: Judged, p: float) -> Die:
    value = int(row.faces.argmax()) + 1
    x, y = view.fraction(row.found.x, row.found.y)
    both = round(p * float(row.faces[value - 1]), 4)
    thousandths = tuple(round(1000 * float(f)) for f in row.faces)
    return Die(value, both, round(x, 4), round(y, 4), row.cocked > COCKED, thousandths)


def faces_of(
    values: Reals, sides: Reals, agreed: Reals | float = 0.0, trust: tuple[float, float, float] = TRUST
) -> Reals:
    """Probabilities of the six upper faces (… × 6): the reader's logits of the `values`, held against what
    the `sides` show and how well each face's pips `agreed`, where the crop is straightened.
    """
    aside = np.log1p(-np.clip(sides, 0, 0.99))
    odds = np.log(_shares(trust[0] * values) + READER_DOUBT) + trust[1] * (aside + aside[..., ::-1])
    return np.asarray(_shares(odds + trust[2] * agreed), values.dtype)


def _shares(odds: Reals) -> Reals:
    """Log odds as shares of 1, along the last axis."""
    shares = np.exp(odds - odds.max(-1, keepdims=True))
    return np.asarray(shares / shares.sum(-1, keepdims=True))


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
