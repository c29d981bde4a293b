"""Doubt about checkers that hide on spikes of nearly their own colour.

A spike is of one colour from foot to tip. Where its foot differs from its body, and the other empty spikes
of its
colour do not, something lies there that the network took for the spike.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.net_view import BEYOND, Sheet

Array = NDArray[np.float64]
#: Rows and columns of a strip (pixels from the field's edge): one checker's middle, and the spike's body.
FOOT, BODY = (slice(BEYOND + 6, BEYOND + 15), slice(16, 24)), (slice(BEYOND + 29, BEYOND + 41), slice(18, 22))
#: Lightness counts less, for light falls off along a spike.
WEIGHTS = np.array([0.6, 1.0, 1.0])
#: Differences (CIE Lab) from which doubt begins and at which it is full.
BEGINS, FULL = 4.0, 8.0
#: What is usual for spikes of one colour: this quantile, for many of them may hold a checker unseen.
USUAL = 0.3
#: Full doubt: this probability goes to one checker.
DOUBT = 0.45


def contrasts(strips: Sequence[Sheet]) -> Array:
    """How much each spike's foot differs from its body."""
    out = np.empty(len(strips))
    for k, strip in enumerate(strips):
        parts = [np.ascontiguousarray(strip[area]).astype(np.float32) / 255 for area in (FOOT, BODY)]
        foot, body = (np.median(cv2.cvtColor(p, cv2.COLOR_BGR2LAB).reshape(-1, 3), axis=0) for p in parts)
        out[k] = np.linalg.norm((foot - body) * WEIGHTS)
    return out


def doubted(counts: Array, contrast: Array, hidden: Array) -> Array:
    """Counts (24 × counts) once more: points called empty whose foot (24) stands out get some doubt."""
    out = counts.copy()
    point = np.arange(len(counts))
    empty = (counts[:, 0] > 0.5) & (hidden < 0.3)
    for spike in (0, 1):
        own = empty & ((point % 12 + (point < 12)) % 2 == spike)
        if not own.any():
            continue
        above = contrast[own] - np.quantile(contrast[own], USUAL)
        share = DOUBT * np.clip((above - BEGINS) / (FULL - BEGINS), 0, 1)
        out[own] *= (1 - share)[:, None]
        out[own, 1] += share
    return out
