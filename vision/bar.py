"""The bar's checkers: faces found along it, each with its colour.

The point network's map of faces is looked at along the whole bar. What is too far from the middle is a hinge
or the foot of a stack beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.observation import Belief, belief
from vision.colours import Sets, face_colour

Array = NDArray[np.float64]
#: Checkers beside the bar reach this close to it (share of a point width).
APART = 0.03
#: A row of cells with a face is at least this sure; where none about is, this leaves doubt; a checker is at
#: least this share of its usual size. On the bars of 403 drawn boards sure but wrong 4 (16 without doubt).
SURE, WEAK, LEAST_SIZE = 0.5, 0.07, 0.3
#: Checkers lie within this share of the bar's length about its middle, or touch others that do.
REACH = 0.6
#: A checker's height in rows of cells where none was seen alone on a point.
USUAL_SIZE = 5.6
#: How far a row's length strays from a whole number of checkers: a share of one, and rows.
STRAY, BLUR = 0.16, 0.3
#: Most checkers in one row, how likely a length is that fits no number, and what is not worth telling.
MANY, ODD, LITTLE = 8, 3e-4, 0.01
LEAST, SUREST = 1e-4, 0.998
#: A face that several looks find more likely there than not is there nearly always: its odds to this power
#: (after one look it is not). Log loss of a count on the bars of 129 drawn boards 0.131, was 0.151; of 114 in
#: flat light 0.337, was 0.354; of 24 others, found by themselves, 0.048, was 0.065.
CLEAR = 2.0


@dataclass(frozen=True)
class BarChecker:
    """A face on the bar: how sure it is, its colour (CIE Lab), and where it lies (x, y in -1 … 1)."""

    p: float
    lab: Array
    at: Array


def usual_size(counts: Array, lengths: Array, hidden: Array) -> float:
    """A checker's height in rows, from points whose count (N × counts) is sure and whose checkers lie in
    one row.
    """
    best = counts.argmax(axis=1)
    use = (best > 0) & (best < 5) & (counts.max(axis=1) > 0.7) & (hidden < 0.3) & (lengths > 1)
    if not use.any():
        return USUAL_SIZE
    return float(np.clip(np.median(lengths[use] / best[use]), 3.5, 10.5))


def runs(rows: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches of True: (first, behind the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], rows.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def own_columns(width: int, bar: float, pitch: int) -> slice:
    """The bar's own columns of a face map `width` wide, `pitch` columns a point."""
    half = int(np.clip(round((bar / 2 + APART) * pitch), 1, pitch // 2))
    return slice(width // 2 - half, width // 2 + half)


def at_least(length: float, size: float) -> Array:
    """Probability of at least 1, 2 … `MANY` checkers in a row of this length, when they are of this size."""
    number = np.arange(1, MANY + 1)
    # What lies between them and what their round ends lack about make up for each other.
    off = length - number * size
    fit = np.exp(-((off / (STRAY * size * number**0.5 + BLUR)) ** 2) / 2) + ODD
    return np.asarray(np.cumsum(fit[::-1])[::-1] / fit.sum())


def profile_of(faces: Array) -> Array:
    """How sure each row (of rows × columns) has a face that is more than one column wide."""
    return np.asarray(np.sort(faces, axis=1)[:, -2])


def faces_along(profile: Array) -> list[tuple[int, int]]:
    """Stretches of the bar with a face, and those where there may be one: (first, behind the last)."""
    weak = [(a, b) for a, b in runs(profile > WEAK) if profile[a:b].max() <= SURE]
    return sorted(runs(profile > SURE) + weak)


def surer(p: float) -> float:
    """How sure a face is of which several looks say this on the average."""
    return p if p <= 0.5 else p**CLEAR / (p**CLEAR + (1 - p) ** CLEAR)


def checkers(faces: Array, lab: Array, size: float, several: bool = False) -> list[BarChecker]:
    """The checkers on a bar, from its face map (rows × own columns; the mean of `several` looks, or of one)
    and the cells' colours (… × 3).
    """
    number, profile = len(faces), profile_of(faces)
    edge = round(number * (1 - REACH) / 2)
    found = []
    for first, last in faces_along(profile):
        own = profile[first:last]
        # A weak face is as long as a clear one.
        length = float(own.sum()) if own.max() > SURE else float(own.sum() / own.max())
        if length < LEAST_SIZE * size or last <= edge or first >= number - edge:
            continue
        chances = at_least(length, size)
        many = min(max(1, int((chances > 0.5).sum())), last - first)
        parts = np.array_split(np.arange(first, last), many)
        for k, chance in enumerate(chances[chances > LITTLE]):
            part = parts[min(k, many - 1)]
            said = float(profile[part].max()) * float(chance)
            p = min(surer(said) if several else said, SUREST)
            colour, _ = face_colour(lab[part].reshape(-1, 3), faces[part].ravel())
            found.append(BarChecker(p, colour, np.array([0.0, part.mean() / number * 2 - 1])))
    return found


def bar_beliefs(found: list[BarChecker], sets: Sets) -> tuple[Belief, Belief]:
    """How many light and how many dark checkers (negative) the bar holds."""
    lab, at = np.array([c.lab for c in found]).reshape(-1, 3), np.array([c.at for c in found]).reshape(-1, 2)
    owners = sets.light(lab, at)
    light = numbers([c.p * float(own) for c, own in zip(found, owners, strict=True)])
    dark = numbers([c.p * (1 - float(own)) for c, own in zip(found, owners, strict=True)])
    return belief(light, LEAST / 10), belief(((-n, p) for n, p in dark), LEAST / 10)


def numbers(shares: list[float]) -> list[tuple[int, float]]:
    """Distribution of how many of independent things are there."""
    out = np.ones(1)
    for p in shares:
        out = np.convolve(out, [1 - p, p])
    # An empty bar is not quite sure either: a checker of the bar's own colour is easily missed.
    out = np.append(out * SUREST, 0.0) + (1 - SUREST) / (len(out) + 1)
    return [(n, float(p)) for n, p in enumerate(out) if p > LEAST]
