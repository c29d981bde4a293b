"""All checkers of a board are one size: how long a row of them is tells their number once that size is known.

The network judges each point by itself; here all points of a board are heard together. A row of n checkers is
n sizes long; from six on (at times before) the others lie on top and the row grows no longer.
"""

from __future__ import annotations

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
#: Checkers lie on top of others after so many in a row, that often; a single row is more usual up to five.
ROWS, SHARES, STACKED = (5, 6, 4, 3), (0.6, 0.2, 0.12, 0.08), 0.08


def rows_of(counts: int) -> Array:
    """counts × K × 2: for each count the lengths (in checkers) it may have, with their shares."""
    out = np.zeros((counts, len(ROWS) + 1, 2))
    for n in range(1, counts):
        stacked = np.array([(row, share) for row, share in zip(ROWS, SHARES, strict=True)])
        stacked[:, 1] *= (stacked[:, 0] < n) * (STACKED if n <= 5 else 0.85)
        out[n, :-1] = stacked
        out[n, -1] = n, max(1 - stacked[:, 1].sum(), 0.02)
    return out


def fits(lengths: Array, size: float, rows: Array) -> Array:
    """N × counts: how likely each length is for each count, when checkers have this size."""
    middle = rows[None, :, :, 0] * size
    wide = STRAY * size * np.sqrt(np.maximum(rows[None, :, :, 0], 1)) / 1.5 + BLUR
    near = np.exp(-(((lengths[:, None, None] - middle) / wide) ** 2) / 2)
    out = (near * rows[None, :, :, 1]).sum(axis=2) + ODD
    out[:, 0] = np.exp(-((lengths / NOTHING) ** 2) / 2) + ODD
    return np.asarray(out)


def one_size(counts: Array, lengths: Array, hidden: Array) -> Array:
    """Probabilities of counts (N × counts) once more, given all rows' lengths (N, in rows of cells).

    Rows that are hidden (N, probability) say nothing and are left alone.
    """
    use = (counts[:, 0] < 0.5) & (hidden < 0.3) & (lengths > 1)
    if use.sum() < 2:
        return counts
    rows = rows_of(counts.shape[1])
    tables = np.stack([fits(lengths[use], size, rows) for size in SIZES])
    agreed = np.log((tables * counts[use]).sum(axis=2)).sum(axis=1)
    share = np.exp(agreed - agreed.max())
    heard = np.einsum("s,snc->nc", share / share.sum(), tables) * counts[use]
    out = counts.copy()
    out[use] = heard / heard.sum(axis=1, keepdims=True)
    return out
