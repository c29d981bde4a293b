"""What reaches over the board from outside: hands, sleeves, cups."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.strips import ACROSS, CELL, DEPTH, RIM, STRIPS, Array, Cells, colour_size, difference_of

#: Colour distance (Lab) to the clean view at which a cell may belong to a hand.
FOREIGN = 9.0
#: Smaller patches (cells) are shadows and noise; hands reach this far (cells) into the field.
LEAST_AREA = 40
LEAST_REACH = 3
#: A point is hidden when this share of its strip is covered.
HIDDEN_SHARE = 0.12


def reaching_in(view: Cells, clean: Array) -> NDArray[np.bool_]:
    """Mask (cells) of what differs from the clean view and comes in over the board's edge."""
    distance = colour_size(difference_of(view.values, clean))
    foreign = cv2.morphologyEx(
        (distance > FOREIGN).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)
    )
    count, labels, stats, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
    mask = np.zeros(foreign.shape, bool)
    for k in range(1, count):
        if stats[k, cv2.CC_STAT_AREA] >= LEAST_AREA and _enters(labels == k):
            mask |= labels == k
    return mask


def _enters(part: NDArray[np.bool_]) -> bool:
    """True for a patch that touches the picture's rim and reaches into the field."""
    rim = part[0].any() or part[-1].any() or part[:, 0].any() or part[:, -1].any()
    deep = RIM + LEAST_REACH
    return bool(rim and part[deep:-deep, deep:-deep].any())


def hidden_points(mask: NDArray[np.bool_], view: Cells) -> frozenset[int]:
    """Points (0-23) whose strip is covered by the mask."""
    hidden = set()
    for strip in range(STRIPS):
        x = RIM + round(view.board.column_x(strip % 12) / CELL - 0.5)
        columns = mask[:, x - ACROSS : x + ACROSS + 1]
        rows = columns[RIM : RIM + DEPTH] if strip < 12 else columns[::-1][RIM : RIM + DEPTH]
        if rows.mean() > HIDDEN_SHARE:
            hidden.add(strip)
    return frozenset(hidden)
