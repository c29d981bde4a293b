"""How far the lens bends, told from the board itself: its spikes are straight and at equal pitch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.corners_fit import FINE, Spikes, equations, fit, look, nearest_edges, project, robust, samples
from vision.geometry import Image
from vision.lens import STRONGEST, WEAKEST, seen, straight, unbent

#: Half-widths of the search for the spikes' edges, view pixels, round by round.
HALVES = (14, 14, 14, 10, 6, 5)
#: A first glance that tells of less than this tells of none.
HARDLY = 0.03
#: Lenses are solved for in this unit.
UNIT = 0.05


def through(image: Image, spikes: Spikes) -> tuple[Spikes, float]:
    """The lens that the spikes' edges tell of, near a board of the picture as it is, and the board of the
    picture as that lens unbends it; 0 and the same board where there is hardly a lens.
    """
    if abs(_left(image, spikes, HALVES[0])) < HARDLY:
        return spikes, 0.0
    size, lens = (image.shape[1], image.shape[0]), 0.0
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
    # where a lens of strength `UNIT` would still move places of the picture
    still = straight(project(to_picture, at), -UNIT, (flat.shape[1], flat.shape[0]))
    bent = project(view.to_view, still) - at
    slope = np.where(places.rising, inside.lean, -inside.lean)
    matrix = np.column_stack([equations(inside, places), bent[:, 0] + slope * bent[:, 1]])
    return UNIT * float(robust(matrix, offset, weight, half / 2.5)[-1])
