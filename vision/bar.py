"""The bar's checkers: faces found along it, each with its owner.

The point network's map of faces is looked at along the whole bar. What is too far from the middle is a
hinge or the
foot of a stack beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.observation import Belief, belief
from vision.colours import Groups, alone

Array = NDArray[np.float64]
#: Columns of the face map that are the bar's own.
MIDDLE = slice(2, 8)
#: A row of cells with a face is at least this sure; a checker is at least this share of its usual size.
SURE, LEAST_SIZE = 0.4, 0.45
#: Checkers lie within this share of the bar's length about its middle, or touch others that do.
REACH = 0.6
#: A checker's height in rows of cells where none was seen alone on a point.
USUAL_SIZE = 5.4
#: How far a row's length strays from a whole number of checkers: a share of one, and rows.
STRAY, BLUR = 0.18, 0.4
LEAST, SUREST = 1e-4, 0.998


@dataclass(frozen=True)
class BarChecker:
    """A face on the bar: how sure it is, and how probably it is a light one."""

    p: float
    light: float


def usual_size(counts: Array, lengths: Array, hidden: Array) -> float:
    """A checker's height in rows, from points whose count (N × counts) is sure and whose checkers lie in
    one row.
    """
    best = counts.argmax(axis=1)
    use = (best > 0) & (best < 5) & (counts.max(axis=1) > 0.7) & (hidden < 0.3) & (lengths > 1)
    if not use.any():
        return USUAL_SIZE
    return float(np.clip(np.median(lengths[use] / best[use]), 3.0, 9.0))


def runs(rows: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches of True: (first, behind the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], rows.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def checkers(faces: Array, lab: Array, groups: Groups | None, size: float) -> list[BarChecker]:
    """The checkers on a bar, from its face map (rows × 10) and the cells' colours (rows × 10 × 3)."""
    number = len(faces)
    own, colours = faces[:, MIDDLE], lab[:, MIDDLE]
    profile = own.max(axis=1)
    edge = round(number * (1 - REACH) / 2)
    found = []
    for first, last in runs(profile > SURE):
        length = float(profile[first:last].sum())
        if length < LEAST_SIZE * size or last <= edge or first >= number - edge:
            continue
        many = max(1, round(length / size))
        fit = np.exp(-(((length - many * size) / (STRAY * size * many**0.5 + BLUR)) ** 2) / 2)
        for part in np.array_split(np.arange(first, last), many):
            p = float(own[part].max(axis=1).mean()) * (0.5 + 0.5 * float(fit))
            found.append(BarChecker(min(p, SUREST), owner(own[part], colours[part], part, number, groups)))
    return found


def owner(faces: Array, lab: Array, rows: NDArray[np.intp], number: int, groups: Groups | None) -> float:
    """Probability that a face is of a light checker."""
    sure = faces >= min(0.5, float(faces.max()))
    colour = np.median(lab[sure], axis=0)[None]
    at = np.array([[0.0, rows.mean() / number * 2 - 1]])
    return float(groups.light(colour, at)[0] if groups else alone(colour)[0])


def bar_beliefs(found: list[BarChecker]) -> tuple[Belief, Belief]:
    """How many light and how many dark checkers (negative) the bar holds."""
    shares = [[c.p * c.light for c in found], [c.p * (1 - c.light) for c in found]]
    light, dark = (numbers(s) for s in shares)
    return belief(light, LEAST / 10), belief(((-n, p) for n, p in dark), LEAST / 10)


def numbers(shares: list[float]) -> list[tuple[int, float]]:
    """Distribution of how many of independent things are there."""
    out = np.ones(1)
    for p in shares:
        out = np.convolve(out, [1 - p, p])
    # An empty bar is not quite sure either: a checker of the bar's own colour is easily missed.
    out = np.append(out * SUREST, 0.0) + (1 - SUREST) / (len(out) + 1)
    return [(n, float(p)) for n, p in enumerate(out) if p > LEAST]
