"""Whether what is called so sure is so often right, by how sure it is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np


class Bin(NamedTuple):
    """Probabilities from `low` to below `high`: how many, their mean, and the share that was right."""

    low: float
    high: float
    number: int
    mean: float
    right: float


def binned(rows: Iterable[tuple[float, bool]], edges: Sequence[float]) -> Iterator[Bin]:
    """(Probability, right?) by these edges, of which the last is above 1; empty bins are left out."""
    p, right = np.array(list(rows), np.float64).reshape(-1, 2).T
    for low, high in pairwise(edges):
        inside = (p >= low) & (p < high)
        if inside.any():
            mean, share = float(p[inside].mean()), float(right[inside].mean())
            yield Bin(low, min(high, 1.0), int(inside.sum()), mean, share)
