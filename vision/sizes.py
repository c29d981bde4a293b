"""All checkers of a board are one size: how long a row of them is tells their number once that size is known.

The network judges each point by itself; here all points of a board are heard together. A row of n checkers is
n sizes long; from six on (at times before) the others lie on top and the row grows no longer.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: Sizes that are tried, in rows of the network's face map.
SIZES = np.arange(3.6, 10.8, 0.18)
#: How far a row's length strays: a share of the size, and rows.
STRAY, BLUR = 0.16, 0.42
#: An empty point's face map is hardly longer than this (rows).
NOTHING = 1.8
#: A length that fits nothing is this likely: hands, dice and glare cut rows short.
ODD = 0.03
#: The network has seen the row's length, too: so much of what it says is news. Chosen on drawn boards.
NEWS = 0.6
#: Checkers lie on top of others after so many in a row, that often; a single row is more usual up to five.
ROWS, SHARES, STACKED = (5, 6, 4, 3), (0.6, 0.2, 0.12, 0.08), 0.08


@cache
def shares(counts: int) -> Array:
    """Rows × counts: how often so many checkers (columns) lie in a row of 1, 2 … checkers."""
    out = np.zeros((counts - 1, counts))
    for n in range(1, counts):
        for row, share in zip(ROWS, SHARES, strict=True):
            if row < n:
                out[row - 1, n] = share * (STACKED if n <= 5 else 0.85)
        out[n - 1, n] = max(1 - out[:, n].sum(), 0.02)
    return out


def fits(lengths: Array, sizes: Array, counts: int) -> Array:
    """S × N × counts: how likely each length is for each count, when checkers have these sizes."""
    rows = np.arange(1, counts)
    middle = rows * sizes[:, None]
    wide = STRAY * sizes[:, None] * np.sqrt(rows) / 1.5 + BLUR
    near = np.exp(-(((lengths[:, None] - middle[:, None]) / wide[:, None]) ** 2) / 2)
    out = near @ shares(counts) + ODD
    out[:, :, 0] = np.exp(-((lengths / NOTHING) ** 2) / 2) + ODD
    return np.asarray(out)


def one_size(counts: Array, lengths: Array, hidden: Array) -> Array:
    """Probabilities of counts (N × counts) once more, given all rows' lengths (N, in rows of cells).

    Rows that are hidden (N, probability) say nothing and are left alone.
    """
    use = (counts[:, 0] < 0.5) & (hidden < 0.3) & (lengths > 1)
    if use.sum() < 2:
        return counts
    tables = fits(lengths[use], SIZES, counts.shape[1]) ** NEWS
    agreed = np.log((tables * counts[use]).sum(axis=2)).sum(axis=1)
    share = np.exp(agreed - agreed.max())
    heard = np.einsum("s,snc->nc", share / share.sum(), tables) * counts[use]
    out = counts.copy()
    out[use] = heard / heard.sum(axis=1, keepdims=True)
    return out
