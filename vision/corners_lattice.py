"""From single tips to whole boards: which tips could be which points, and how many others then fit."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners_tips import Array, Tips
from vision.geometry import COLUMNS

#: Bar widths tried, in point widths; the fit finds the rest.
BARS = (0.0, 0.35, 0.7, 1.05, 1.4)
#: Most facing pairs of tips that are tried as two columns of the board.
MOST_PAIRS = 26


@dataclass(frozen=True)
class Guess:
    """A board from four tips. `quad`: its corners, 4 × 2 pixels, clockwise from far left in board order.

    `bar` in point widths, `length` of the spikes as a share of the height, `fit` how many tips agree (0-24).
    """

    quad: Array
    bar: float
    length: float
    fit: float


def guesses(tips: Tips, size: tuple[int, int], most: int) -> list[Guess]:
    """The best boards that the tips suggest, at most `most`, best first. `size`: picture width, height."""
    found: list[Guess] = []
    for axis in _axes(tips):
        leaning = tips.toward @ axis
        up, down = tips.pick(leaning < -0.8), tips.pick(leaning > 0.8)
        if len(up) >= 3 and len(down) >= 3:
            found += _along(up, down, size, most)
    return sorted(found, key=lambda guess: -guess.fit)[:most]


def _axes(tips: Tips) -> list[Array]:
    """The one or two main directions of the spikes (far to near): modes of the doubled angle."""
    if not len(tips):
        return []
    double = 2 * np.arctan2(tips.toward[:, 1], tips.toward[:, 0])
    votes = np.exp(6 * (np.cos(double[:, None] - double[None, :]) - 1)) @ tips.weight
    best = double[int(np.argmax(votes))]
    other = np.where(np.cos(double - best) < 0.3, votes, 0)
    chosen = [best] + ([double[int(np.argmax(other))]] if other.max() > 0.4 * votes.max() else [])
    axes = [np.array([np.cos(angle / 2), np.sin(angle / 2)]) for angle in chosen]
    return [axis if axis[1] >= 0.3 or (axis[1] > -0.3 and axis[0] > 0) else -axis for axis in axes]


def _along(up: Tips, down: Tips, size: tuple[int, int], most: int) -> list[Guess]:
    """Guesses for one direction. `up`: the far row's tips (bases far away); `down`: the near row's."""
    pairs = _facing(up, down)
    if len(pairs) < 2:
        return []
    sideways = _sideways(up, down)
    far = up.at + up.toward * _spike_length(up, pairs[:, 0])
    near = down.at + down.toward * _spike_length(down, pairs[:, 1])
    one, two = _ordered(far, pairs, sideways)
    corners = np.stack(
        [far[pairs[one, 0]], far[pairs[two, 0]], near[pairs[two, 1]], near[pairs[one, 1]]], axis=1
    )
    unit = _from_unit_square(corners)
    apexes = np.stack(
        [up.at[pairs[one, 0]], up.at[pairs[two, 0]], down.at[pairs[two, 1]], down.at[pairs[one, 1]]], 1
    )
    depth = _depth(unit, apexes)
    span = np.linalg.norm(corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3], axis=1) / 2
    pitch = _pitch((up.at[pairs[:, 0]] + down.at[pairs[:, 1]]) / 2 @ sideways)
    which, first, last, bar = _assignments(span / pitch)
    maps = (_nearness(up.at, size, pitch), _nearness(down.at, size, pitch))
    fit = _agreement(unit[which], depth[which], first, last, bar, maps)
    return _distinct(unit[which], depth[which], first, last, bar, fit, most)


def _sideways(up: Tips, down: Tips) -> Array:
    """Unit vector along the rows, to the right as seen from the near side."""
    axis = down.toward.mean(axis=0) - up.toward.mean(axis=0)
    axis /= np.linalg.norm(axis)
    return np.array([axis[1], -axis[0]])


def _facing(up: Tips, down: Tips) -> NDArray[np.int64]:
    """Index pairs (far tip, near tip) that point at each other, likeliest first."""
    length = float(np.percentile(np.concatenate([up.reach, down.reach]), 75))
    step = down.at[None, :] - up.at[:, None]
    sideways = np.abs(step[..., 0] * up.toward[:, None, 1] - step[..., 1] * up.toward[:, None, 0])
    ahead = -np.sum(step * up.toward[:, None], axis=2)
    reach = np.minimum(up.reach[:, None], down.reach[None, :])
    good = (ahead > -0.1 * length) & (ahead < length) & (sideways < 0.08 * length + 0.15 * np.abs(ahead))
    rank = np.where(good, reach / (1 + (sideways / (0.1 * length)) ** 2), 0)
    best = np.argsort(-rank, axis=None)[: min(int(good.sum()), MOST_PAIRS)]
    return np.stack(np.unravel_index(best, rank.shape), axis=1)


def _pitch(places: Array) -> float:
    """The usual distance between neighbouring columns of N that stand at `places` along the rows, pixels."""
    ordered = np.sort(places)
    gaps = np.diff(ordered)
    wide = gaps[gaps > 0.35 * np.percentile(gaps, 80)]
    return float(np.median(wide)) if len(wide) else 20.0


def _spike_length(row: Tips, used: NDArray[np.int64]) -> float:
    """Length of the row's spikes: most are partly hidden, so a high percentile of their reach."""
    return float(np.percentile(row.reach[used], 75))


def _ordered(
    far: Array, pairs: NDArray[np.int64], sideways: Array
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of facing pairs, the left one first."""
    place = far[pairs[:, 0]] @ sideways
    one, two = np.nonzero(place[:, None] + 4 < place[None, :])
    return one, two


def _from_unit_square(corners: Array) -> Array:
    """N homographies (N × 3 × 3) that take the unit square to N quadrangles (N × 4 × 2)."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = np.moveaxis(corners, (1, 2), (0, 1))
    sx, sy = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
    dx1, dx2, dy1, dy2 = x1 - x2, x3 - x2, y1 - y2, y3 - y2
    area = dx1 * dy2 - dx2 * dy1
    area = np.where(np.abs(area) < 1e-6, 1e-6, area)
    g, h = (sx * dy2 - dx2 * sy) / area, (dx1 * sy - sx * dy1) / area
    rows = [
        x1 - x0 + g * x1,
        x3 - x0 + h * x3,
        x0,
        y1 - y0 + g * y1,
        y3 - y0 + h * y3,
        y0,
        g,
        h,
        np.ones_like(g),
    ]
    return np.stack(rows, axis=1).reshape(-1, 3, 3)


def _depth(unit: Array, apexes: Array) -> Array:
    """How long the spikes are as a share of the board's height: N × 2, far row and near row."""
    square = _project(np.linalg.inv(unit).astype(np.float64), apexes)
    return np.stack([square[:, :2, 1].mean(axis=1), 1 - square[:, 2:, 1].mean(axis=1)], axis=1).clip(
        0.25, 0.5
    )


def _project(homography: Array, points: Array) -> Array:
    """N × M × 2 points through N homographies."""
    moved = np.einsum("nij,nmj->nmi", homography[:, :, :2], points) + homography[:, None, :, 2]
    projected: Array = moved[..., :2] / np.where(np.abs(moved[..., 2:]) < 1e-9, 1e-9, moved[..., 2:])
    return projected


def _assignments(spans: Array) -> tuple[NDArray[np.int64], Array, Array, Array]:
    """Which columns two facing pairs `spans` pitches apart can be: index, first and last column's x, bar."""
    rows = []
    for bar in BARS:
        x = _columns(np.array([bar]))[0]
        first, last = np.nonzero(np.triu(np.ones((COLUMNS, COLUMNS), bool), 2))
        ratio = spans[:, None] / (x[last] - x[first])[None, :]
        which, chosen = np.nonzero((ratio > 0.62) & (ratio < 1.6))
        rows.append((which, x[first[chosen]], x[last[chosen]], np.full(len(which), bar)))
    which, left, right, bars = (np.concatenate(column) for column in zip(*rows, strict=True))
    return which, left, right, bars


def _columns(bar: Array) -> Array:
    """Centres of the 12 columns, in point widths from the left edge, for N bar widths: N × 12."""
    k = np.arange(COLUMNS)
    centres: Array = k + 0.5 + bar[:, None] * (k >= 6)
    return centres


def _nearness(tips: Array, size: tuple[int, int], pitch: float) -> NDArray[np.float32]:
    """A picture that is 1 at the tips and falls to nothing a third of a pitch away."""
    blank = np.full((size[1], size[0]), 255, np.uint8)
    at = np.round(tips).astype(int)
    inside = (at >= 0).all(axis=1) & (at < size).all(axis=1)
    blank[at[inside, 1], at[inside, 0]] = 0
    distance = cv2.distanceTransform(blank, cv2.DIST_L2, 3)
    near: NDArray[np.float32] = np.exp(-0.5 * (distance / (0.14 * pitch)) ** 2)
    return near


def _agreement(
    unit: Array,
    depth: Array,
    first: Array,
    last: Array,
    bar: Array,
    maps: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> Array:
    """How many of the 24 expected tips are there, less those found where the board must have ended."""
    x = np.concatenate([_columns(bar), np.full((len(bar), 1), -0.5), 12.5 + bar[:, None]], axis=1)
    across = (x - first[:, None]) / (last - first)[:, None]
    total = np.zeros(len(bar))
    for row, near in enumerate(maps):
        y = np.repeat(
            depth[:, row : row + 1] if row == 0 else 1 - depth[:, row : row + 1], x.shape[1], axis=1
        )
        at = _project(unit, np.stack([across, y], axis=2).astype(np.float64))
        seen = _lookup(near, at)
        total += seen[:, :COLUMNS].sum(axis=1) - seen[:, COLUMNS:].sum(axis=1)
    return total


def _lookup(near: NDArray[np.float32], at: Array) -> NDArray[np.float32]:
    """The picture's values at positions N × M × 2; 0 outside."""
    height, width = near.shape
    inside = (at[..., 0] >= 0) & (at[..., 0] < width - 0.5) & (at[..., 1] >= 0) & (at[..., 1] < height - 0.5)
    place = np.where(inside[..., None], at, 0).round().astype(np.intp)
    return np.where(inside, near[place[..., 1], place[..., 0]], 0)


def _distinct(
    unit: Array, depth: Array, first: Array, last: Array, bar: Array, fit: Array, most: int
) -> list[Guess]:
    """The best guesses that differ from each other by more than a third of a point width."""
    kept: list[Guess] = []
    for k in np.argsort(-fit)[: 40 * most]:
        x = (np.array([0.0, 12 + bar[k]]) - first[k]) / (last[k] - first[k])
        square = np.array([[x[0], 0], [x[1], 0], [x[1], 1], [x[0], 1]])
        quad = _project(unit[k : k + 1], square[None])[0]
        if len(kept) < most and all(_far_apart(quad, other.quad) for other in kept):
            kept.append(Guess(quad, float(bar[k]), float(depth[k].mean()), float(fit[k])))
    return kept


def _far_apart(quad: Array, other: Array) -> bool:
    width = np.linalg.norm(other[1] - other[0])
    return bool(np.abs(quad - other).max() > width / 36)
