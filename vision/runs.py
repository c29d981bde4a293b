"""From what covers the rows of a strip to how many checkers lie there."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from referee.observation import Belief, belief
from vision.learned import DARK, LIGHT, NONE, Disc
from vision.strips import Array

Rows = NDArray[np.int_]

#: Rows of one checker are not independent looks: together they weigh as this many.
LOOKS_PER_CHECKER = 3.0
#: Checkers are put down with slack: pitch stretched and run shifted by these.
STRETCH = (0.96, 1.0, 1.05, 1.1)
SHIFT = (-1.0, 0.0, 1.0, 2.0)
#: From this many on, further checkers may lie on top, unseen: how likely each one more is, by sight alone.
FULL = 5
STACKED = 0.4
#: A second layer before the point is full.
EARLY = 0.004
MOST = 15
#: A strip with more rows than this that look like nothing known is not read (a hand, a sleeve, a cup).
STRANGE_ROWS = 0.3
#: What lies on the bar, which was never seen covered, changes so many more rows than it is long: those at its
#: edges look like nothing known. On eight drawn boards one checker took 3 to 4.5 more, four of them 5.
EDGES = 4


def point_belief(rows: Array, disc: Disc) -> Belief:
    """Rows (depth × 3 probabilities) of one point → belief in its signed count."""
    visible = max(int((len(rows) - disc.first) / disc.pitch), 1)
    logs = np.log(np.maximum(rows, 1e-3)) * (LOOKS_PER_CHECKER / disc.pitch)
    depth = min(len(rows), round(disc.first + (visible + 0.6) * disc.pitch))
    sums = np.concatenate([np.zeros((1, 3)), np.cumsum(logs[:depth], axis=0)])
    starts, inner, outer, slack = _ends(disc, depth, visible)
    rest = sums[depth, NONE] - sums[outer, NONE]
    scores = {0: float(sums[depth, NONE])}
    for owner, sign in ((LIGHT, 1), (DARK, -1)):
        runs = (sums[inner, owner] - sums[starts, owner] + rest - slack).max(1)
        scores.update((sign * n, float(score)) for n, score in enumerate(runs, 1))
    return _stacked(scores, min(disc.row, FULL))


@lru_cache(maxsize=16)
def _ends(disc: Disc, depth: int, visible: int) -> tuple[Rows, Rows, Rows, Array]:
    """Where runs of 1 … `visible` touching checkers begin and end, each in all the ways they may lie: rows of
    the first covered cell, of the last and of the first empty one (those at the ends are left out); and what
    a run that lies aside loses.
    """
    starts, inner, outer, slack = [], [], [], []
    for n in range(1, visible + 1):
        for stretch, shift in product(STRETCH, SHIFT):
            start = min(max(round(disc.first + shift), 0), depth)
            end = min(max(round(disc.first + shift + n * disc.pitch * stretch), start), depth)
            starts.append(start)
            inner.append(max(end - 1, start))
            outer.append(min(end + 1, depth))
            slack.append(0.5 * abs(shift) / 2)
    shape = (visible, len(STRETCH) * len(SHIFT))
    a, b, c = (np.reshape(rows, shape) for rows in (starts, inner, outer))
    return a, b, c, np.reshape(slack, shape)


def _stacked(scores: dict[int, float], row: int) -> Belief:
    """What the rows of checkers say, and that others may lie on top of a whole row."""
    top = max(scores.values())
    weights: dict[int, float] = {}
    for n, score in scores.items():
        weight = float(np.exp(score - top))
        weights[n] = weights.get(n, 0.0) + weight
        step, share = (1 if n > 0 else -1), STACKED if abs(n) >= row else EARLY
        for more in range(1, MOST - abs(n) + 1 if n else 0):
            total = n + step * more
            weights[total] = weights.get(total, 0.0) + weight * share**more
    return belief((n, w) for n, w in weights.items() if w > 1e-5)


def bar_beliefs(rows: Array, disc: Disc) -> tuple[Belief, Belief]:
    """Rows of the bar (n × 3) → beliefs in light's and dark's checkers there (signed)."""
    owner = np.where(rows.max(1) > 0.5, rows.argmax(1), NONE)
    found = [[0.0], [0.0]]
    told = np.zeros(len(rows), bool)
    for a, b in _stretches(owner):
        if owner[a] != NONE and b - a >= 0.5 * disc.pitch:
            found[int(owner[a]) - 1].append((b - a) / disc.pitch)
            told[a:b] = True
    doubtful = _doubtful(rows, told, disc)
    return _bar_count(found[0], doubtful, 1), _bar_count(found[1], doubtful, -1)


def _stretches(values: Rows) -> list[tuple[int, int]]:
    """Where a row of values changes: (first, behind the last) of equal ones."""
    return list(pairwise(np.flatnonzero(np.diff(values, prepend=-1, append=-1)).tolist()))


def _doubtful(rows: Array, told: NDArray[np.bool_], disc: Disc) -> list[tuple[float, float]]:
    """Stretches on which something lies of which no row tells well whose it is: its length in checkers, and
    the share of light.
    """
    covered = (rows[:, NONE] < 0.5).astype(int)
    odds = np.log(np.maximum(rows[:, LIGHT], 1e-2) / np.maximum(rows[:, DARK], 1e-2))
    found = []
    for a, b in _stretches(covered):
        length = (b - a - EDGES) / disc.pitch
        if covered[a] and not told[a:b].any() and length > 0.5:
            said = odds[a:b].sum() * LOOKS_PER_CHECKER / disc.pitch
            found.append((length, float(1 / (1 + np.exp(-said)))))
    return found


def _bar_count(runs: list[float], doubtful: list[tuple[float, float]], sign: int) -> Belief:
    """Each run of rows holds about its length in checkers; doubt grows with the distance to a whole number,
    and with that whose they are.
    """
    weights = {0: 1.0}
    for length in runs:
        if length:
            weights = _sum_of(weights, _near(length))
    for length, light in doubtful:
        near, mine = _near(length), light if sign > 0 else 1 - light
        whole = sum(near.values())
        weights = _sum_of(weights, {0: 1 - mine, **{n: mine * p / whole for n, p in near.items()}})
    return belief((sign * n, w) for n, w in weights.items() if w > 1e-6)


def _near(length: float) -> dict[int, float]:
    return {n: float(np.exp(-(((length - n) / 0.22) ** 2) / 2)) for n in range(1, 6)}


def _sum_of(a: dict[int, float], b: dict[int, float]) -> dict[int, float]:
    total: dict[int, float] = {}
    for n, p in a.items():
        for m, q in b.items():
            total[n + m] = total.get(n + m, 0.0) + p * q
    return total


def hidden(points: Array) -> bool:
    """True when a point's rows look like nothing that was learned."""
    return bool((points.max(1) < 0.45).mean() > STRANGE_ROWS)
