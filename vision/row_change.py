"""Whether rows of the board still look as they did when they were seen empty.

The strongest cue of all for a dark checker on a dark point, if it would change the row enough.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.strips import ACROSS, ALONG, Array

#: A row that is remembered empty: change of look, in units of what an unchanged row changes by (noise,
#: blur), at which nothing is said; what each unit more or less says (natural log); and the most that may be
#: said. That a row looks as before says all that only where a checker would change it by so many units.
SAME_LOOK = 2.7
CLEAR_CHANGE = 10.8
PER_UNIT = 1.5
MOST_SAID = 5.0
#: Cells to either side of a point's axis in which a checker on it must show.
AXIS = 2


def change(
    rows: Array, empty: Array, known: NDArray[np.bool_], noise: float, least: Array | float = np.inf
) -> Array:
    """Log-odds that rows (… × f) changed since they were seen empty; 0 where they never were.

    `least` (…): by how much a checker would change them. A dark one on a dark point hardly does: that the row
    looks as before then says little.
    """
    said = np.clip((difference(rows, empty) / noise - SAME_LOOK) * PER_UNIT, -MOST_SAID, MOST_SAID)
    share = np.minimum(least / (CLEAR_CHANGE * noise), 1.0)
    odds: Array = np.where(known, np.where(said < 0, said * share, said), 0.0)
    return odds


def least_change(empty: Array, covered: Array) -> Array:
    """24 × DEPTH: by how much a checker would change empty rows at least."""
    return np.asarray(np.min([difference(empty, looks) for looks in covered], axis=0), np.float32)


def difference(rows: Array, empty: Array) -> Array:
    """Root mean square change along the point's axis; what a neighbour puts over its edge is left out."""
    around = (2 * ALONG + 1) * (2 * ACROSS + 1)
    shape = (*rows.shape[:-1], 2 * ALONG + 1, 2 * ACROSS + 1, rows.shape[-1] // around)
    middle = (rows - empty).reshape(shape)[..., ACROSS - AXIS : ACROSS + AXIS + 1, :]
    size: Array = np.sqrt((middle**2).mean((-3, -2, -1)))
    return size
