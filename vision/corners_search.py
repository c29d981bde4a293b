"""Boards near a suggested one: a board one column off, or a little too high, agrees with many edges too, and
no small correction leads from it to the right one. Such steps are tried, and led on from where they lead up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.corners_fit import COARSE, Spikes, View, look, project, settle
from vision.corners_lattice import far_apart, plausible
from vision.corners_score import score
from vision.geometry import HEIGHT, PITCH, Image
from vision.side_by_side import side_by_side

#: What a wrong rim adds at the far or near side, field pixels.
RIM = 0.06 * HEIGHT
#: Steps of the left, right, far and near edge, field pixels; all stay inside of a straightened view.
STEPS = (
    (-PITCH, -PITCH, 0.0, 0.0), (PITCH, PITCH, 0.0, 0.0),
    (-PITCH, 0.0, 0.0, 0.0), (PITCH, 0.0, 0.0, 0.0), (0.0, -PITCH, 0.0, 0.0), (0.0, PITCH, 0.0, 0.0),
    (0.0, 0.0, -RIM, 0.0), (0.0, 0.0, RIM, 0.0), (0.0, 0.0, 0.0, -RIM), (0.0, 0.0, 0.0, RIM),
    (0.0, 0.0, -RIM, RIM), (0.0, 0.0, RIM, -RIM),
)  # fmt: skip
#: Bars are about as wide as a checker (at most one and a half times were seen).
WIDEST_BAR = 1.8
#: How often boards are led on from, and from how many each time.
ROUNDS, BEAM = 3, 2


@dataclass(frozen=True)
class Candidate:
    """A board moved onto the edges around it (photo pixels), and its score."""

    spikes: Spikes
    score: float


def all_settled(image: Image, boards: Sequence[Spikes], halves: tuple[int, ...]) -> list[Candidate]:
    """The boards moved onto the edges within `halves`."""

    def settled(spikes: Spikes) -> Candidate:
        return _settled_in(look(image, spikes), spikes, halves)

    return side_by_side(settled, boards)


def searched(image: Image, rough: Sequence[Candidate]) -> list[Candidate]:
    """The candidates and those that steps lead to."""
    pool, done = list(rough), list[Candidate]()
    for _ in range(ROUNDS):
        starts = best_of(pool, BEAM, done)
        done += starts
        pool += [one for start in starts for one in _around(image, start.spikes)]
    return pool


def best_of(found: Sequence[Candidate], most: int, known: Sequence[Candidate] = ()) -> list[Candidate]:
    """The best of them that differ from each other and from the known ones, at most `most`."""
    kept: list[Candidate] = []
    for one in sorted(found, key=lambda one: -one.score):
        others = (*known, *kept)
        if len(kept) < most and all(far_apart(one.spikes.quad, other.spikes.quad) for other in others):
            kept.append(one)
    return kept


def _around(image: Image, spikes: Spikes) -> Iterator[Candidate]:
    """Where a step leads to from a board; not to one that only its bar makes so wide."""
    view = look(image, spikes)
    for step in STEPS:
        moved = _stepped(spikes, *step)
        found = _settled_in(view, moved, COARSE) if plausible(moved.quad) else None
        if found is not None and found.spikes.bar < WIDEST_BAR:
            yield found


def _settled_in(view: View, spikes: Spikes, halves: tuple[int, ...]) -> Candidate:
    found = settle(view, spikes, halves)
    return Candidate(found, score(view, found))


def _stepped(spikes: Spikes, left: float, right: float, far: float, near: float) -> Spikes:
    """The board with its edges moved (field pixels, to the right and to the near side)."""
    x, y = (left, spikes.width + right), (far, HEIGHT + near)
    field = np.array([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]])
    return replace(spikes, quad=project(spikes.from_field(), field))
