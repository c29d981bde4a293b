"""Snapping a near guess to the board's own drawing: 24 spikes at equal pitch in two facing rows.

The picture is straightened with the guess; along the 48 slanted edges of the spikes the strongest edge
nearby is looked for, and the correction of the guess (a homography, the bar's width, the spikes' length)
that explains most of what was found is solved for; then again with a narrower search. In this model a spike
is one point width wide at its base, so that neighbours meet on the base line; most boards draw them
narrower, and `vision.corners_base` then moves the line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.corners_tips import Array
from vision.geometry import COLUMNS, HEIGHT, PITCH, Image

#: Room around the straightened field, pixels of the view.
MARGIN = 50
#: Where along a spike (0 base, 1 tip) edges are looked for.
STATIONS = np.linspace(0.12, 0.92, 14)
#: Half-widths of the search across the edges, view pixels, round by round; a straightened view for each set.
COARSE = (15, 12, 9)
FINE = (6, 5, 4)

Map = NDArray[np.float32]


@dataclass(frozen=True)
class Spikes:
    """A board: corners `quad` (4 × 2 pixels, board order), `bar` in point widths, spikes' `length`."""

    quad: Array
    bar: float
    length: float

    @property
    def width(self) -> float:
        """Width of the straightened field, pixels."""
        return (COLUMNS + self.bar) * PITCH

    @property
    def lean(self) -> float:
        """How far a spike's edge runs sideways for each pixel along the spike, in the straightened view."""
        return (PITCH / 2) / (self.length * HEIGHT)

    def from_field(self) -> Array:
        """Homography from field pixels (straightened, no margin) to the picture."""
        field = np.array([[0, 0], [self.width, 0], [self.width, HEIGHT], [0, HEIGHT]], np.float32)
        return np.asarray(cv2.getPerspectiveTransform(field, self.quad.astype(np.float32)), np.float64)

    def moved_by(self, homography: Array) -> Spikes:
        """The same board in another picture."""
        return replace(self, quad=project(homography, self.quad))


def project(homography: Array, points: Array) -> Array:
    """N × 2 points through a homography."""
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), homography)
    return np.asarray(moved, np.float64).reshape(-1, 2)


@dataclass(frozen=True)
class View:
    """A straightened `picture` (H × W × 3) and the strength of edges of the two leanings (H × W).

    `to_view` takes the photo's pixels to the view's; `noise` is the edge strength of nothing in particular.
    """

    picture: Image
    falling: Map
    rising: Map
    noise: float
    to_view: Array


@dataclass(frozen=True)
class Samples:
    """K places on the spikes' edges. `at` K × 2 field pixels, `rising` K: which way the edge leans.

    `right`: right of the bar; `station`: share of the spike's length from the base; `near`: in the near row.
    """

    at: Array
    rising: NDArray[np.bool_]
    right: NDArray[np.bool_]
    station: Array
    near: NDArray[np.bool_]


def samples(spikes: Spikes, columns: Array | None = None) -> Samples:
    """The places to look at for all 12 columns, or for spikes centred at `columns` (point widths)."""
    k = np.arange(COLUMNS)
    centre = k + 0.5 + spikes.bar * (k >= COLUMNS // 2) if columns is None else columns
    near, side, c, s = (
        axis.ravel() for axis in np.meshgrid([False, True], [-1, 1], centre, STATIONS, indexing="ij")
    )
    x = (c + side * 0.5 * (1 - s)) * PITCH
    y = s * spikes.length * HEIGHT
    at = np.stack([x, np.where(near, HEIGHT - y, y)], axis=1)
    return Samples(at, (side > 0) != near, c > COLUMNS / 2 + spikes.bar / 2, s, near)


def look(image: Image, spikes: Spikes) -> View:
    """The picture straightened with the guess, and its edges."""
    shift = np.array([[1, 0, MARGIN], [0, 1, MARGIN], [0, 0, 1]], np.float64)
    to_view = shift @ np.linalg.inv(spikes.from_field())
    size = (round(spikes.width) + 2 * MARGIN, HEIGHT + 2 * MARGIN)
    picture = np.asarray(cv2.warpPerspective(image, to_view, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    smooth = cv2.GaussianBlur(picture, (5, 5), 0)
    wide, tall = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    rising = strength(cv2.addWeighted(wide, 1, tall, spikes.lean, 0))
    falling = strength(cv2.addWeighted(wide, 1, tall, -spikes.lean, 0))
    return View(picture, falling, rising, float(np.median(rising[::4, ::4])) + 4.0, to_view)


def strength(gradient: MatLike) -> Map:
    """Length of the colour gradient, H × W from H × W × 3."""
    squares = cv2.transform(cv2.multiply(gradient, gradient), np.ones((1, 3), np.float32))
    return np.asarray(cv2.sqrt(squares), np.float32)


def profiles(view: View, at: Array, rising: NDArray[np.bool_], half: int) -> Map:
    """Edge strength along the row through each place (K × 2, view pixels), K × (2 · half + 1)."""
    height, width = view.rising.shape
    x = np.round(at[:, 0]).astype(int)[:, None] + np.arange(-half, half + 1)[None, :]
    y = np.round(at[:, 1]).astype(int)[:, None]
    x, y = x.clip(0, width - 1), y.clip(0, height - 1)
    strip: Map = np.where(rising[:, None], view.rising[y, x], view.falling[y, x])
    return strip


def fit(image: Image, spikes: Spikes, rounds: tuple[tuple[int, ...], ...] = (COARSE, FINE)) -> Spikes:
    """The board near the guess that agrees best with the picture's edges."""
    for halves in rounds:
        spikes = settle(look(image, spikes), spikes, halves)
    return spikes


def settle(view: View, spikes: Spikes, halves: tuple[int, ...]) -> Spikes:
    """The board moved onto the edges of a view straightened with it, searching within each of `halves`."""
    inside = spikes.moved_by(view.to_view)
    for half in halves:
        inside = _step(view, inside, half)
    return inside.moved_by(np.linalg.inv(view.to_view).astype(np.float64))


def _step(view: View, spikes: Spikes, half: int) -> Spikes:
    """One round of looking and moving. `spikes` are in view pixels."""
    places = samples(spikes)
    at = project(spikes.from_field(), places.at)
    offset, weight = nearest_edges(view, at, places.rising, half)
    return _moved(spikes, robust(equations(spikes, places), offset, weight, half / 2.5))


def nearest_edges(view: View, at: Array, rising: NDArray[np.bool_], half: int) -> tuple[Array, Array]:
    """For each place how far to the right its edge lies (pixels) and how much that counts (0-1)."""
    strip = profiles(view, at, rising, half)
    reach = np.arange(-half, half + 1)
    best = np.argmax(strip * np.exp(-0.5 * (reach / (0.7 * half)) ** 2), axis=1)
    rows = np.arange(len(strip))
    peak = strip[rows, best]
    left, right = strip[rows, (best - 1).clip(0)], strip[rows, (best + 1).clip(0, 2 * half)]
    bend = np.maximum(2 * peak - left - right, 1e-6)
    offset = best - half + (0.5 * (right - left) / bend).clip(-0.5, 0.5)
    offset += np.round(at[:, 0]) - at[:, 0]
    return offset, peak / (peak + 3 * view.noise)


def equations(spikes: Spikes, places: Samples) -> Array:
    """How far each of K places' edges goes to the right with each of ten numbers (K × 10): eight of a small
    homography about the middle, the bar's and the spikes' change, pixels.
    """
    centre = np.array([spikes.width / 2, HEIGHT / 2])
    u = (places.at - centre) / HEIGHT
    slope = np.where(places.rising, spikes.lean, -spikes.lean)
    one, zero = np.ones(len(u)), np.zeros(len(u))
    sideways = [one, u[:, 0], u[:, 1], zero, zero, zero, u[:, 0] ** 2, u[:, 0] * u[:, 1]]
    along = [zero, zero, zero, one, u[:, 0], u[:, 1], u[:, 0] * u[:, 1], u[:, 1] ** 2]
    return np.stack(
        [a + slope * b for a, b in zip(sideways, along, strict=True)]
        + [places.right * 1.0, slope * np.where(places.near, -places.station, places.station)],
        axis=1,
    )


def robust(matrix: Array, wanted: Array, weight: Array, scale: float) -> Array:
    """Least squares that lets go of what does not fit (Tukey's weights, narrowing to `scale`). Further
    columns than those of `equations` are held back little.
    """
    further = [1e-2] * (matrix.shape[1] - 8)
    stiff = np.diag([1e-3] * 6 + [0.5, 0.5] + further) * len(wanted) / 100
    now = weight
    solution: Array = np.zeros(matrix.shape[1])
    for width in (3 * scale, 2 * scale, 1.5 * scale, scale, scale):
        normal = matrix.T @ (matrix * now[:, None]) + stiff
        solution = np.linalg.solve(normal, matrix.T @ (now * wanted)).astype(np.float64)
        miss = np.abs(matrix @ solution - wanted) / max(width, 1.2)
        now = weight * np.where(miss < 1, (1 - miss**2) ** 2, 0)
    return solution


def _moved(spikes: Spikes, change: Array) -> Spikes:
    """The board after the correction of `_solve`."""
    bar = max(spikes.bar + float(change[8]) / PITCH, 0.0)
    length = float(np.clip(spikes.length + change[9] / HEIGHT, 0.25, 0.75))
    wider = replace(spikes, bar=bar, length=length)
    corner = np.array([[0, 0], [wider.width, 0], [wider.width, HEIGHT], [0, HEIGHT]])
    u = (corner - [spikes.width / 2, HEIGHT / 2]) / HEIGHT
    bend = u @ change[6:8]
    shift = np.stack(
        [change[0] + u @ change[1:3] + u[:, 0] * bend, change[3] + u @ change[4:6] + u[:, 1] * bend], 1
    )
    return replace(wider, quad=project(spikes.from_field(), corner + shift))
