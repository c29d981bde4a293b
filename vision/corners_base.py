"""Where the spikes really begin: the base lines, moved in from where neighbouring spikes' edges would meet.

Most boards leave a gap between neighbouring spikes, so the fitted base line lies a little outside the drawn
one. The drawn one is where neighbouring columns, whose spikes alternate in colour, stop differing. Checkers
hide some columns (medians take no notice), and a raised rim can hide the whole line of the row nearest the
camera: then the other row's line counts for more, for the rows are alike.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners_fit import Spikes, View, project
from vision.corners_tips import Array
from vision.geometry import COLUMNS, HEIGHT, PITCH

#: The drawn base line is looked for from here (field pixels, outside of the fitted one) inwards, up to this
#: share of the spike's length; its colours are learned between these shares, where it is still wide enough.
OUTSIDE = 20
DEEPEST = 0.5
LEARN = (0.5, 0.64)
#: Neighbours whose colours differ less than this (L*a*b* units) tell nothing.
FAINT = 12.0
#: Columns, and rows, agree when their base lines differ by no more than this, field pixels.
AGREE = 5.0
#: How far a row's own base line counts that disagrees with the other row's.
OWN_SHARE = 0.3
#: Columns that must tell where a base line is.
FEWEST = 3
#: A line this far inside another may be the inner edge of checkers, field pixels.
CHECKER = 34
#: Share of the colour difference that must set in within a few pixels; how much of that makes a base line.
SHARP, ENOUGH = 0.4, 1.6


def on_base_lines(view: View, spikes: Spikes) -> Spikes:
    """The board with its rows' outer ends moved to where the spikes are seen to begin (photo pixels)."""
    deep = spikes.length * HEIGHT
    insets = [_inset(column_colours(view, spikes, near), deep) for near in (False, True)]
    known = [inset for inset in insets if inset is not None]
    if not known:
        return spikes
    least = min(known)
    far, near = (_believed(inset, least) for inset in insets)
    field = np.array([[0, far], [spikes.width, far], [spikes.width, HEIGHT - near], [0, HEIGHT - near]])
    shorter = spikes.length * HEIGHT - (far + near) / 2
    return replace(spikes, quad=project(spikes.from_field(), field), length=shorter / (HEIGHT - far - near))


def _believed(inset: float | None, least: float) -> float:
    """A row's own base line, drawn towards the other row's where it lies much farther in."""
    if inset is None:
        return least
    return inset if inset - least <= AGREE else least + OWN_SHARE * (inset - least)


def column_colours(view: View, spikes: Spikes, near: bool) -> Array:
    """Mean L*a*b* colour across each column's middle, from `OUTSIDE` the base inwards: 12 × depth × 3."""
    k = np.arange(COLUMNS)
    centre = (k + 0.5 + spikes.bar * (k >= COLUMNS // 2)) * PITCH
    across = centre[:, None] + np.linspace(-0.14, 0.14, 5)[None, :] * PITCH
    along = np.arange(-OUTSIDE, round(LEARN[1] * spikes.length * HEIGHT))
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


def _inset(colours: Array, deep: float) -> float | None:
    """How far inside the fitted base line the drawn one is, field pixels; None when the row does not tell."""
    apart = np.linalg.norm(np.diff(colours, axis=0), axis=2)
    full = np.median(apart[:, OUTSIDE + round(LEARN[0] * deep) :], axis=1)
    search = apart[full > FAINT, : OUTSIDE + round(DEEPEST * deep)] / full[full > FAINT, None]
    begins = np.array([_first_kept(row > 0.5) for row in search], np.int64)
    search, begins = search[begins > 3], begins[begins > 3]
    if len(begins) < FEWEST:
        return None
    rows = np.arange(len(begins))
    sharp = np.clip(search[rows, begins + 3] - search[rows, begins - 4], 0, 1)
    agree = np.abs(begins[:, None] - begins[None, :]) <= AGREE
    votes = agree @ np.where(sharp > SHARP, sharp, 0)
    enough = (agree @ (sharp > SHARP).astype(int) >= FEWEST) & (votes >= ENOUGH)
    outermost = begins[enough if enough.any() else votes == votes.max()].min()
    best = int(np.argmax(np.where(begins - outermost < CHECKER, votes, -1)))
    return _sharpened(colours, round(float(np.median(begins[agree[best]])))) - OUTSIDE


def _first_kept(differ: NDArray[np.bool_]) -> int:
    """Where two neighbours begin to differ for six pixels at least; 0 if they always do."""
    lasting = np.convolve(differ, np.ones(6), "valid") >= 6
    return int(np.argmax(lasting)) if lasting.any() else 0


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
