"""From single tips to whole boards: which tips could be which points, and how many others then fit."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners_match import Guess, polished
from vision.corners_tips import Array, Tips
from vision.geometry import COLUMNS

#: Bar widths tried, in point widths; the fit finds the rest.
BARS = (0.0, 0.35, 0.7, 1.05, 1.4)
#: Most facing pairs of tips that are tried as two columns of the board.
MOST_PAIRS = 26


#: Rough guesses that are kept to be improved.
ROUGH = 12
#: A guess that so many of the 24 tips agree with needs no other tried.
CONVINCING = 16.0
#: Opposite sides of a board differ by no more than this factor, and none is shorter than this, pixels.
MOST_TAPER, SMALLEST = 3.0, 60.0
#: How much longer or shorter spikes are tried to become from one end of a row to the other.
TAPERS = (-0.5, 0.5)

Map = NDArray[np.float32]
Index = NDArray[np.int64]


def guesses(tips: Tips, size: tuple[int, int], most: int) -> list[Guess]:
    """The best boards that the tips suggest, at most `most`, best first. `size`: picture width, height."""
    found: list[Guess] = []
    better: list[Guess] = []
    for axis in _axes(tips):
        leaning = tips.toward @ axis
        up, down = tips.pick(leaning < -0.8), tips.pick(leaning > 0.8)
        if len(up) >= 3 and len(down) >= 3:
            rough = _along(up, down, size)
            found += rough
            better += [polished(up, down, guess) for guess in rough]
    first = _distinct(found, most // 2)
    return first + _distinct(better, most - len(first), first)


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


def _along(up: Tips, down: Tips, size: tuple[int, int]) -> list[Guess]:
    """Guesses for one direction. `up`: the far row's tips (bases far away); `down`: the near row's."""
    pairs = _facing(up, down)
    if not len(pairs):
        return []
    sideways, pitch = _sideways(up, down), _pitch(up, down)
    maps = (_nearness(up, size, pitch), _nearness(down, size, pitch))
    lines = _column_lines(up, down, pairs)
    found = _from_columns(lines, sideways, pitch, maps)
    if not found or found[0].fit < CONVINCING:
        for taper in TAPERS:
            found += _from_columns(_tapered(lines, sideways, taper), sideways, pitch, maps)
    return found


def _from_columns(lines: Array, sideways: Array, pitch: float, maps: tuple[Map, Map]) -> list[Guess]:
    """Guesses that put two of the column lines (N × 4 × 2) at two of the board's columns."""
    one, two = _ordered(lines.mean(axis=1) @ sideways)
    corners = np.stack([lines[one, 0], lines[two, 0], lines[two, 3], lines[one, 3]], axis=1)
    unit = _from_unit_square(corners)
    depth = _depth(unit, np.stack([lines[one, 1], lines[two, 1], lines[two, 2], lines[one, 2]], axis=1))
    span = np.linalg.norm(corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3], axis=1) / 2
    which, first, last, bar = _assignments(span / pitch)
    fit = _agreement(unit, depth, which, first, last, bar, maps)
    return _best(unit[which], depth[which], first, last, bar, fit)


def _tapered(lines: Array, sideways: Array, taper: float) -> Array:
    """Column lines with spikes growing along the row: the far end of a board seen from its end is smaller."""
    place = lines.mean(axis=1) @ sideways
    share = (place - place.min()) / max(float(np.ptp(place)), 1.0) - 0.5
    scale = (1 + taper * share)[:, None]
    far, near = (
        lines[:, 1] + scale * (lines[:, 0] - lines[:, 1]),
        lines[:, 2] + scale * (lines[:, 3] - lines[:, 2]),
    )
    return np.stack([far, lines[:, 1], lines[:, 2], near], axis=1)


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
    good = (ahead > -0.5 * length) & (ahead < length) & (sideways < 0.08 * length + 0.15 * np.abs(ahead))
    rank = np.where(good, reach / (1 + (sideways / (0.1 * length)) ** 2), 0)
    best = np.argsort(-rank, axis=None)[: min(int(good.sum()), MOST_PAIRS)]
    return np.stack(np.unravel_index(best, rank.shape), axis=1)


def _pitch(up: Tips, down: Tips) -> float:
    """The usual distance between neighbouring tips of a row, pixels."""
    gaps = []
    for row in (up, down):
        step = row.at[None, :] - row.at[:, None]
        along = np.abs(step[..., 0] * row.toward[:, None, 1] - step[..., 1] * row.toward[:, None, 0])
        across = np.abs(np.sum(step * row.toward[:, None], axis=2))
        beside = np.where((across < 0.5 * along) & (along > 0.06 * np.median(row.reach)), along, np.inf)
        gaps.append(beside.min(axis=1))
    nearest = np.concatenate(gaps)
    nearest = nearest[np.isfinite(nearest)]
    return float(np.median(nearest)) if len(nearest) else 20.0


def _column_lines(up: Tips, down: Tips, pairs: NDArray[np.int64]) -> Array:
    """Columns as N × 4 × 2: far base, far tip, near tip, near base.

    First the facing pairs, then columns of which only one tip was found: its partner is put where it belongs.
    """
    one, two = pairs.T
    far, near = _spike_length(up, one), _spike_length(down, two)
    gap = float(np.median(np.linalg.norm(down.at[two] - up.at[one], axis=1)))
    seen = _lines(up.at[one], up.toward[one], down.at[two], down.toward[two], far, near)
    up, down = up.pick(_alone(up, one)), down.pick(_alone(down, two))
    only_far = _lines(up.at, up.toward, up.at - gap * up.toward, -up.toward, far, near)
    only_near = _lines(down.at - gap * down.toward, -down.toward, down.at, down.toward, far, near)
    return np.concatenate([seen, only_far, only_near])[:MOST_PAIRS]


def _lines(up: Array, far_way: Array, down: Array, near_way: Array, far: float, near: float) -> Array:
    return np.stack([up + far * far_way, up, down, down + near * near_way], axis=1)


def _alone(row: Tips, used: NDArray[np.int64]) -> NDArray[np.int64]:
    """The long-armed tips of the row that are in no pair, longest first."""
    free = np.setdiff1d(np.nonzero(row.weight > 0.3 * np.median(row.reach[used]))[0], used)
    return free[np.argsort(-row.weight[free])][: MOST_PAIRS // 3]


def _spike_length(row: Tips, used: NDArray[np.int64]) -> float:
    """Length of the row's spikes: most are partly hidden, so a high percentile of their reach."""
    return float(np.percentile(row.reach[used], 75))


def _ordered(places: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of columns, the left one first."""
    one, two = np.nonzero(places[:, None] + 4 < places[None, :])
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
    square = _project(_inverse(unit), apexes)
    return np.stack([square[:, :2, 1].mean(axis=1), 1 - square[:, 2:, 1].mean(axis=1)], axis=1).clip(
        0.25, 0.75
    )


def _inverse(homography: Array) -> Array:
    """N inverses up to scale, which is all a homography needs; degenerate ones do no harm."""
    a, b, c = np.moveaxis(homography, 2, 0)
    return np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)


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


def _nearness(row: Tips, size: tuple[int, int], pitch: float) -> Map:
    """A picture that is 1 at the tips and falls to nothing a third of a pitch away (half, along spikes)."""
    blank = np.full((size[1], size[0]), 255, np.uint8)
    for at, toward in zip(row.at, row.toward, strict=True):
        ends = np.round([at - 0.2 * pitch * toward, at + 0.2 * pitch * toward]).astype(int)
        cv2.line(blank, ends[0].tolist(), ends[1].tolist(), 0)
    distance = cv2.distanceTransform(blank, cv2.DIST_L2, 3)
    near: Map = np.exp(-0.5 * (distance / (0.14 * pitch)) ** 2)
    return near


def _agreement(
    unit: Array, depth: Array, which: Index, first: Array, last: Array, bar: Array, maps: tuple[Map, Map]
) -> Map:
    """How many of the 24 expected tips are there, less those found where the board must have ended.

    `which` says for each of M assignments which of the N homographies and depths it goes with.
    """
    x = np.concatenate([_columns(bar), np.full((len(bar), 1), -0.5), 12.5 + bar[:, None]], axis=1)
    across = ((x - first[:, None]) / (last - first)[:, None]).astype(np.float32)
    total = np.zeros(len(bar), np.float32)
    for near, y in zip(maps, (depth[:, 0], 1 - depth[:, 1]), strict=True):
        step, start = unit[:, :, 0], unit[:, :, 1] * y[:, None] + unit[:, :, 2]
        along = [
            step[which, axis, None].astype(np.float32) * across + start[which, axis, None].astype(np.float32)
            for axis in range(3)
        ]
        scale = np.where(np.abs(along[2]) < 1e-6, 1e-6, along[2]).astype(np.float32)
        seen = _lookup(near, along[0] / scale, along[1] / scale)
        total += seen[:, :COLUMNS].sum(axis=1) - seen[:, COLUMNS:].sum(axis=1)
    return total


def _lookup(near: Map, x: Map, y: Map) -> Map:
    """The picture's values at places N × M; 0 outside."""
    height, width = near.shape
    inside = (x >= 0) & (x < width - 1) & (y >= 0) & (y < height - 1)
    column, row = np.where(inside, x + 0.5, 0).astype(np.intp), np.where(inside, y + 0.5, 0).astype(np.intp)
    found: Map = np.where(inside, near[row, column], 0)
    return found


def _best(unit: Array, depth: Array, first: Array, last: Array, bar: Array, fit: Map) -> list[Guess]:
    """The best assignments as boards."""
    found = []
    for k in np.argsort(-fit)[: 10 * ROUGH]:
        x = (np.array([0.0, COLUMNS + bar[k]]) - first[k]) / (last[k] - first[k])
        square = np.array([[x[0], 0], [x[1], 0], [x[1], 1], [x[0], 1]])
        quad = _project(unit[k : k + 1], square[None])[0]
        found.append(Guess(quad, float(bar[k]), float(depth[k].mean()), float(fit[k])))
    return _distinct(found, ROUGH)


def _distinct(found: list[Guess], most: int, known: Sequence[Guess] = ()) -> list[Guess]:
    """The best plausible guesses more than a third of a point width from each other and from those known."""
    kept: list[Guess] = []
    for guess in sorted(found, key=lambda guess: -guess.fit):
        if len(kept) == most:
            break
        if plausible(guess.quad) and all(far_apart(guess.quad, other.quad) for other in (*known, *kept)):
            kept.append(guess)
    return kept


def plausible(quad: Array) -> bool:
    """Whether a board seen from not too flat an angle could look so: convex, opposite sides alike."""
    side = np.roll(quad, -1, axis=0) - quad
    after = np.roll(side, -1, axis=0)
    turn = side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0]
    length = np.linalg.norm(side, axis=1)
    longer, shorter = np.maximum(length[:2], length[2:]), np.minimum(length[:2], length[2:])
    alike = bool((longer < MOST_TAPER * shorter).all())
    return alike and bool(turn.min() > 0 and length.min() > SMALLEST)


def far_apart(quad: Array, other: Array, columns: float = 1 / 3) -> bool:
    """Whether boards differ by more than a third of a point width, or by so many."""
    width = np.linalg.norm(other[1] - other[0])
    return bool(np.abs(quad - other).max() > columns * width / COLUMNS)
