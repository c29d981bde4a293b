"""How far the lens bends, told from the board itself: its places seen by the network, then its spikes."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.corners_fit import FINE, Spikes, equations, fit, look, nearest_edges, project, robust, samples
from vision.corners_tips import Array
from vision.geometry import Image
from vision.lens import STRONGEST, WEAKEST, Size, seen, straight, unbent

#: Lenses tried on the network's cells.
TRIED = np.linspace(WEAKEST, STRONGEST, 14)
#: A lens must explain the cells this much better than none does (share of the squared misses left).
BETTER = 0.8
#: Half-widths of the search for the spikes' edges, view pixels, round by round.
HALVES = (14, 14, 10, 6, 5)
#: Lenses are solved for in this unit.
UNIT = 0.05


def rough_lens(places: Array, at: Array, size: Size) -> float:
    """The lens through which places on the board (N × 2, 0-1) are best seen `at` pixels (N × 2); 0 where a
    straight picture explains them nearly as well. `size`: the picture's width and height.
    """
    misses = [_miss(places, straight(at, float(k), size)) for k in TRIED]
    best = int(np.argmin(misses))
    return float(TRIED[best]) if misses[best] < BETTER * _miss(places, at) else 0.0


def _miss(places: Array, at: Array) -> float:
    """What is left of the best homography's misses: their trimmed mean square."""
    found, _ = cv2.findHomography(places, at, 0)
    if found is None:
        return np.inf
    off = np.sum((project(np.asarray(found, np.float64), places) - at) ** 2, axis=1)
    return float(np.sort(off)[: int(0.8 * len(off))].mean())


def through(image: Image, spikes: Spikes, lens: float) -> tuple[Spikes, float]:
    """A board in the picture unbent by `lens`, and that lens, both put right by the spikes' edges. The board
    is then one of the picture as the better lens unbends it.
    """
    size = (image.shape[1], image.shape[0])
    for half in HALVES:
        flat = unbent(image, lens)
        better = float(np.clip(lens + _left(flat, spikes, half), WEAKEST, STRONGEST))
        moved = replace(spikes, quad=straight(seen(spikes.quad, lens, size), better, size))
        spikes, lens = fit(unbent(image, better), moved, (FINE,)), better
    return spikes, lens


def _left(flat: Image, spikes: Spikes, half: int) -> float:
    """How far a picture taken for straight is still bent, by the spikes' edges (within `half`)."""
    view = look(flat, spikes)
    inside = spikes.moved_by(view.to_view)
    places = samples(inside)
    at, to_picture = (
        project(inside.from_field(), places.at),
        np.asarray(np.linalg.inv(view.to_view), np.float64),
    )
    offset, weight = nearest_edges(view, at, places.rising, half)
    bent = project(view.to_view, _bent(project(to_picture, at), flat)) - at
    slope = np.where(places.rising, inside.lean, -inside.lean)
    matrix = np.column_stack([equations(inside, places), bent[:, 0] + slope * bent[:, 1]])
    return UNIT * float(robust(matrix, offset, weight, half / 2.5)[-1])


def _bent(places: Array, picture: Image) -> Array:
    """Where a lens of strength `UNIT` would still move places of the picture (N × 2)."""
    middle, half = np.array([picture.shape[1] - 1, picture.shape[0] - 1]) / 2, max(picture.shape[:2]) / 2
    off = (places - middle) / half
    moved: Array = places - UNIT * off * (off**2).sum(axis=1, keepdims=True) * half
    return moved
