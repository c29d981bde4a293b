"""Where the spikes really begin: the base lines, moved in from where neighbouring spikes' edges would meet.

Most boards leave a gap between neighbouring spikes, so the fitted base line lies a little outside the drawn
one. The drawn one is where neighbouring columns, whose spikes alternate in colour, stop differing. Checkers hide some
columns (medians take no notice), and a raised rim can hide the whole line of the row nearest the camera:
then the other row's line is believed, for the rows are alike.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners_fit import Spikes, View, project
from vision.corners_tips import Array
from vision.geometry import COLUMNS, HEIGHT, PITCH

#: The drawn base line is looked for this far outside and inside of the fitted one, field pixels.
SEARCH = (-20, 40)
#: Where along the spikes their colours are learned, field pixels from the fitted base line.
LEARN = (52, 84)
#: A first checker on the point would hide this stretch.
CLEAR = (36, 48)
#: Rows whose two spike colours differ less than this (L*a*b* units) tell nothing.
FAINT = 12.0
#: Rows agree when their base lines differ by no more than this, field pixels.
AGREE = 5.0


def on_base_lines(view: View, spikes: Spikes) -> Spikes:
    """The board with its rows' outer ends moved to where the spikes are seen to begin (photo pixels)."""
    insets = [_inset(column_colours(view, spikes, near)) for near in (False, True)]
    known = [inset for inset in insets if inset is not None]
    if not known:
        return spikes
    least = min(known)
    far, near = (least if inset is None or inset - least > AGREE else inset for inset in insets)
    field = np.array([[0, far], [spikes.width, far], [spikes.width, HEIGHT - near], [0, HEIGHT - near]])
    shorter = spikes.length * HEIGHT - (far + near) / 2
    return replace(spikes, quad=project(spikes.from_field(), field), length=shorter / (HEIGHT - far - near))


def column_colours(view: View, spikes: Spikes, near: bool) -> Array:
    """Mean L*a*b* colour across each column's middle, from the base inwards: 12 × (SEARCH to LEARN) × 3."""
    k = np.arange(COLUMNS)
    centre = (k + 0.5 + spikes.bar * (k >= COLUMNS // 2)) * PITCH
    across = centre[:, None] + np.linspace(-0.25, 0.25, 7)[None, :] * PITCH
    along = np.arange(SEARCH[0], LEARN[1])
    x, y = np.broadcast_arrays(across[:, None, :], along[None, :, None])
    at = np.stack([x.ravel(), (HEIGHT - y if near else y).ravel()], axis=1)
    colours = sample_lab(view, project(view.to_view @ spikes.from_field(), at))
    mean: Array = colours.reshape(*x.shape, 3).mean(axis=2)
    return mean


def sample_lab(view: View, at: Array) -> NDArray[np.float64]:
    """The view's colours at N places (view pixels), N × 3, L*a*b* on an 8-bit scale."""
    height, width = view.picture.shape[:2]
    place = np.round(at).astype(int).clip(0, (width - 1, height - 1))
    seen = view.picture[place[:, 1], place[:, 0]].reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB), np.float64).reshape(-1, 3)


def _inset(colours: Array) -> float | None:
    """How far inside the fitted base line the drawn one is, field pixels; None when the row does not tell."""
    apart = np.linalg.norm(np.diff(colours, axis=0), axis=2)
    full, first = (
        np.median(apart[:, low - SEARCH[0] : high - SEARCH[0]], axis=1) for low, high in (LEARN, CLEAR)
    )
    bare = (full > FAINT) & (np.abs(first / np.maximum(full, 1) - 1) < 0.3)
    if bare.sum() < 2:
        return None
    differ = np.median(apart[bare] / full[bare, None], axis=0)[: SEARCH[1] - SEARCH[0]]
    outside = np.nonzero(differ < 0.5)[0]
    return _sharpened(colours, int(outside.max()) + 1) + SEARCH[0] if len(outside) else None


def _sharpened(colours: Array, start: int) -> float:
    """The strongest step in most columns within a few pixels of `start`, as a fractional array index."""
    step = np.linalg.norm(colours[:, 4:] - colours[:, :-4], axis=2)
    common = (step / (step + 20)).mean(axis=0)
    low = max(start - 2 - 4, 0)
    around = common[low : start - 2 + 5]
    if len(around) < 3:
        return float(start)
    weight = np.maximum(around - 0.8 * around.max(), 0)
    return float(np.sum(weight * np.arange(len(around))) / weight.sum()) + low + 2
