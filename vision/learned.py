"""Reads a board after having seen it once in a known position: this board's colours, this light, these
checkers.

From the known position every row of every strip (see `vision.strips`) is known to be covered by a light
checker, a dark one, or none. A linear discriminant finds the directions that tell them apart, and kernel
densities in that small space give probabilities. Rows once seen empty are also remembered as they looked: the
strongest cue of all for a dark checker on a dark point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.row_change import change, difference, least_change
from vision.strips import (
    ALONG,
    DEPTH,
    FIELD_ROWS,
    STRIPS,
    Array,
    Cells,
    all_rows,
    bar_strip,
    brightened,
    difference_of,
    point_strip,
    row_features,
    usual,
)

NONE, LIGHT, DARK = 0, 1, 2
#: What may be covered or not teaches nothing.
UNKNOWN = -1
#: Sideways shifts (cells) that are learned too: checkers are not put down exactly.
SHIFTS = (-1, 0, 1)
#: Checkers that all lie in a row, and how many may lie in one where others are on top of them. Where five lie
#: in a row in the start, piles of four explain the rows' ends 0.73 to 0.88 times as well (six drawn boards),
#: where the fifth lies on top 1.03 to 1.46 times (nine).
LINE = 15
PILED = (6, 5, 4, 3)
DEPTH_BANDS = 4
BAR_GROUP = 100
DIMENSIONS = 16
BANDWIDTH = 1.3
#: Share of the mean variance added to every direction: few samples must not make noise look meaningful.
RIDGE = 0.005
#: Samples kept of each class, and how many of them decide.
MOST_SAMPLES, NEAREST = 700, 5
#: A row farther than this from all that was learned decides nothing: every class gets that density.
STRANGE = 5.5
OUTLIER = np.exp(-0.5 * STRANGE**2 / BANDWIDTH**2)
#: Even a picture without noise has shadows that come and go.
LEAST_NOISE = 0.9
#: A checker on the bar changes so many times as many rows as it covers: its shadow and its edges too.
BESIDE = 1.5

Labels = NDArray[np.int8]
Signed = Sequence[int]


@dataclass(frozen=True, slots=True)
class Disc:
    """How checkers lie on the points of one row of the board: first one's outer edge and pitch, in cells; and
    how many lie in a row before others are put on top of them.
    """

    first: float
    pitch: float
    row: int = LINE


@dataclass(frozen=True)
class LearnedBoard:
    """What was learned of one board. Arrays: projection (features × d), samples (n × d), their classes
    (n).
    """

    mean: Array
    projection: Array
    samples: Array
    classes: Labels
    discs: tuple[Disc, Disc]
    #: 24 × DEPTH × features and 24 × DEPTH: remembered empty looks, and which rows have one
    empty: Array
    known_empty: NDArray[np.bool_]
    bar_empty: Array
    reference: Array
    #: 2 × DEPTH × features: how rows look that light and dark checkers cover
    covered: Array

    @cached_property
    def least_change(self) -> Array:
        """24 × DEPTH: by how much a checker would change an empty row at least. Most boards that are learned
        only judge points that they were not taught, and are never asked.
        """
        return least_change(self.empty, self.covered)


def cover(table: Signed, discs: tuple[Disc, Disc]) -> Labels:
    """24 × DEPTH: what covers each row when the points hold `table` (signed counts). Where a pile may be one
    checker longer than usual that is unknown.
    """
    labels = np.zeros((STRIPS, DEPTH), np.int8)
    for strip in range(STRIPS):
        disc, count = discs[strip // 12], abs(table[strip])
        start, end, longer = (
            round(min(max(disc.first + n * disc.pitch, 0), DEPTH)) for n in (0, *_in_a_row(count, disc.row))
        )
        if count:
            labels[strip, end:longer] = UNKNOWN
            labels[strip, start:end] = LIGHT if table[strip] > 0 else DARK
    return labels


def _in_a_row(count: int, row: int) -> tuple[int, int]:
    """How many of a point's checkers lie in a row at least and at most."""
    return min(count, row), min(count, row + 1)


def _groups(labels: Labels) -> Labels:
    """Classes for the discriminant: owners by quarter of the board (light falls unevenly), empty rows by
    look.
    """
    strip = np.arange(STRIPS)[:, None]
    band = np.minimum(np.arange(DEPTH) * DEPTH_BANDS // DEPTH, DEPTH_BANDS - 1)[None, :]
    kind = (strip // 12) * 2 + (strip % 2)
    covered = 4 * DEPTH_BANDS + labels * 4 + strip // 6
    return np.where(labels > 0, covered, kind * DEPTH_BANDS + band).astype(np.int8)


def discriminant(rows: Array, groups: Labels, dimensions: int = DIMENSIONS) -> tuple[Array, Array]:
    """Mean and projection (features × dimensions) that whiten the scatter within groups and spread their
    means.
    """
    mean = rows.mean(0)
    centred = rows - mean
    of_group = (groups == np.unique(groups)[:, None]).astype(np.float32)
    sizes = of_group.sum(1, keepdims=True)
    means = (of_group @ centred) / sizes
    # the scatter of all without that of the groups' means
    scatter = (centred.T @ centred - (means * sizes).T @ means) / len(rows)
    scatter += np.eye(len(scatter), dtype=np.float32) * (RIDGE * np.trace(scatter) / len(scatter))
    whiten = np.linalg.inv(np.linalg.cholesky(scatter.astype(np.float64))).T
    _, _, directions = np.linalg.svd((means.astype(np.float64) @ whiten), full_matrices=False)
    projection = whiten @ directions[:dimensions].T
    return mean.astype(np.float32), projection.astype(np.float32)


def density(points: Array, samples: Array) -> Array:
    """Mean Gaussian kernel of `points` (n × d) against `samples` (m × d): the nearest few decide."""
    if not len(samples):
        return np.zeros(len(points), np.float32)
    squares = points @ (-2 * samples.T)
    squares += (samples**2).sum(1)
    near = _least(squares, min(NEAREST, len(samples))) + (points**2).sum(1)[:, None]
    result: Array = np.exp(-0.5 * np.maximum(near, 0) / BANDWIDTH**2).mean(1)
    return result


def _least(values: Array, many: int) -> Array:
    """The least few of each row, whose places are overwritten: for so few quicker than to part the rows."""
    rows, found = np.arange(len(values)), np.empty((len(values), many), np.float32)
    for k in range(many):
        at = values.argmin(1)
        found[:, k] = values[rows, at]
        values[rows, at] = np.inf
    return found


def row_probabilities(board: LearnedBoard, points: Array, changed: Array) -> Array:
    """Rows (n × d) → n × 3 probabilities of none, light, dark.

    `changed` (n): log-odds that the row no longer looks as it did when it was empty, 0 where that is not
    known.
    """
    found = np.stack(
        [density(points, board.samples[board.classes == c]) for c in (NONE, LIGHT, DARK)], axis=1
    )
    found += OUTLIER
    found[:, NONE] *= np.exp(-changed)
    result: Array = found / found.sum(1, keepdims=True)
    return result


def _covered(rows: Array, labels: Labels) -> Array:
    """2 × DEPTH × features: how rows (strips × DEPTH × f) look that light and dark checkers cover, at every
    depth; where none does, as they look elsewhere; where there are none at all, infinitely far from any look.
    """
    looks = np.full((2, *rows.shape[1:]), np.inf, np.float32)
    for owner, own in ((LIGHT, labels == LIGHT), (DARK, labels == DARK)):
        if own.any():
            some, at = own.any(axis=0), own[..., None]
            means = (rows * at).sum(axis=0) / np.maximum(at.sum(axis=0), 1)
            looks[owner - 1] = np.where(some[:, None], means, rows[own].mean(axis=0))
    return looks


def noise_of(board: LearnedBoard, view: Cells) -> float:
    """What an unchanged row changes by: the lower half of all rows once seen empty has not changed."""
    step = 2 * ALONG + 1
    count = DEPTH // step
    rows = np.stack([point_strip(view, s)[: count * step] for s in range(STRIPS)])
    apart = np.s_[:, : count * step : step]
    sizes = difference(rows.reshape(STRIPS, count, -1), board.empty[apart])[board.known_empty[apart]]
    return max(float(np.quantile(sizes, 0.35)), LEAST_NOISE)


def project(board: LearnedBoard, rows: Array) -> Array:
    """Features (… × f) → the learned space (… × d)."""
    return np.asarray((rows - board.mean) @ board.projection, np.float32)


def matched_light(board: LearnedBoard, view: Cells) -> Cells:
    """The view with its overall light brought to that of the reference: most of a board does not change."""
    step = difference_of(board.reference, view.values)
    return Cells(brightened(view.values, *usual(step)), view.board)


@dataclass(frozen=True, slots=True)
class Shown:
    """Still views of one position, cut up to be learned from: `shifted` (views and shifts × 24 × DEPTH ×
    features) and of each view the bar's (FIELD_ROWS × features); the means of the views' own rows and cells.
    """

    shifted: Array
    bars: tuple[Array, ...]
    rows: Array
    cells: Array


def shown(views: Sequence[Cells]) -> Shown:
    """Cut views up."""
    shifted = np.stack([all_rows(view, shift) for view in views for shift in SHIFTS])
    bars = tuple(row_features(bar_strip(view)) for view in views)
    own = shifted[SHIFTS.index(0) :: len(SHIFTS)].mean(0)
    return Shown(shifted, bars, own, np.asarray(np.mean([v.values for v in views], axis=0), np.float32))


def learn(views: Sequence[Cells], table: Signed, discs: tuple[Disc, Disc]) -> LearnedBoard:
    """Learn from still views of one known position (28 or 24 signed counts)."""
    return learn_from(shown(views), table, discs, range(STRIPS))


def learn_from(seen: Shown, table: Signed, discs: tuple[Disc, Disc], strips: Sequence[int]) -> LearnedBoard:
    """The same, looking at `strips` only."""
    labels, taught = cover(table, discs), list(strips)
    bare = _bare_bar(seen.bars, table, discs[0].pitch)
    parts = seen.shifted[:, taught].reshape(-1, seen.shifted.shape[-1])
    rows = np.concatenate([parts, *[bare] * len(seen.bars)])
    beside, times = np.zeros(len(rows) - len(parts), np.int8), len(seen.shifted)
    classes = np.concatenate([np.tile(labels[taught].reshape(-1), times), beside])
    groups = np.concatenate([np.tile(_groups(labels)[taught].reshape(-1), times), beside + BAR_GROUP])
    told = classes != UNKNOWN
    rows, classes, groups = rows[told], classes[told], groups[told]
    mean, projection = discriminant(rows, groups)
    kept = _spread(classes)
    samples = ((rows[kept] - mean) @ projection).astype(np.float32)
    known = _surely(labels == NONE)
    known[[s for s in range(STRIPS) if s not in taught]] = False
    covered = _covered(seen.rows[taught], labels[taught])
    return LearnedBoard(
        mean, projection, samples, classes[kept], discs, seen.rows, known, bare, seen.cells, covered
    )


def _bare_bar(bars: Sequence[Array], table: Signed, pitch: float) -> Array:
    """FIELD_ROWS × features of the bar without checkers: where the table (28 counts) puts some on it, the
    rows most unlike the others are taken for them, and look like the others.
    """
    bar = np.asarray(np.mean(bars, axis=0), np.float32)
    men = sum(map(abs, table[STRIPS : STRIPS + 2]))
    if not men:
        return bar
    usual = np.median(bar, axis=0)
    odd = np.argsort(-difference(bar, usual))[: round(men * pitch * BESIDE)]
    bar[odd] = usual
    return bar


def _spread(classes: Labels) -> NDArray[np.int64]:
    """Indexes of at most MOST_SAMPLES of each class, evenly spread."""
    parts = []
    for c in (NONE, LIGHT, DARK):
        where = np.flatnonzero(classes == c)
        parts.append(where[np.linspace(0, len(where) - 1, min(len(where), MOST_SAMPLES)).astype(int)])
    return np.concatenate(parts)


def _surely(empty: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows that are empty with two empty rows on either side: shadows and slack do not count as an empty
    look.
    """
    padded = np.pad(empty, ((0, 0), (2, 2)), mode="edge")
    parts = [padded[:, k : k + empty.shape[1]] for k in range(5)]
    result: NDArray[np.bool_] = np.all(parts, axis=0)
    return result


def remember(board: LearnedBoard, view: Cells, table: Signed) -> LearnedBoard:
    """Remember how newly emptied rows look, from a view whose position is known for sure."""
    fresh = _surely(cover(table, board.discs) == NONE) & ~board.known_empty
    if not fresh.any():
        return board
    looks = all_rows(matched_light(board, view))
    empty = np.where(fresh[..., None], looks, board.empty).astype(np.float32)
    return replace(board, empty=empty, known_empty=board.known_empty | fresh)


def strip_probabilities(board: LearnedBoard, view: Cells, strips: Sequence[int] = range(STRIPS)) -> Array:
    """len(strips) × DEPTH × 3: what covers each row of these points."""
    if not strips:
        return np.zeros((0, DEPTH, 3), np.float32)
    view, these = matched_light(board, view), list(strips)
    rows = np.stack([row_features(point_strip(view, s)) for s in these])
    known = board.known_empty[these]
    changed = np.zeros(known.shape, np.float32)
    if known.any():
        changed = change(rows, board.empty[these], known, noise_of(board, view), board.least_change[these])
    placed = project(board, rows.reshape(len(these) * DEPTH, -1))
    return row_probabilities(board, placed, changed.reshape(-1)).reshape(len(these), DEPTH, 3)


def bar_probabilities(board: LearnedBoard, view: Cells) -> Array:
    """FIELD_ROWS × 3: what covers each row of the bar."""
    view = matched_light(board, view)
    rows = row_features(bar_strip(view))
    changed = change(rows, board.bar_empty, np.ones(len(rows), bool), noise_of(board, view))
    found = row_probabilities(board, project(board, rows), changed)
    assert found.shape[0] == FIELD_ROWS
    return found


def best_discs(views: Sequence[Cells], table: Signed) -> tuple[Disc, Disc]:
    """Find where the checkers lie on the points, and whether in a row or in piles: the first edge and pitch
    that part covered from empty rows best.
    """
    ends = _ends(np.mean([all_rows(v) for v in views], axis=0))
    found = [_row_discs(ends, table, row) for row in (LINE, *_piled(table))]
    (_, far), (_, near) = max(found, key=lambda sides: sum(clear for clear, _ in sides))
    return far, near


def _piled(table: Signed) -> list[int]:
    """How many may lie in a row where several points of a table hold more: one alone tells too little."""
    return [row for row in PILED if sum(abs(n) > row for n in table[:STRIPS]) > 1]


def _ends(rows: Array) -> Array:
    """How much each row (24 × DEPTH) looks like the first empty one, 24 × DEPTH: how far from the one two
    before the last covered it is; 0 at the ends of the strip.
    """
    apart = np.zeros(rows.shape[:2], np.float32)
    apart[:, 2 : DEPTH - 3] = np.linalg.norm(rows[:, : DEPTH - 5] - rows[:, 3 : DEPTH - 2], axis=2)
    return apart


def _row_discs(ends: Array, table: Signed, row: int) -> list[tuple[float, Disc]]:
    """For both sides how clear the ends of the rows are at best, and with which discs."""
    sides = range(0, STRIPS, STRIPS // 2)
    return [_best_disc(ends[s : s + STRIPS // 2], table[s : s + STRIPS // 2], row) for s in sides]


def _best_disc(ends: Array, table: Signed, row: int) -> tuple[float, Disc]:
    choices = [Disc(first / 2, pitch / 4, row) for first in range(-2, 5) for pitch in range(24, 57)]
    held = np.flatnonzero(table)
    counts = np.minimum(np.abs(np.array(table)[held]), row)
    first, pitch = np.array([(disc.first, disc.pitch) for disc in choices]).T
    at = np.round(first[:, None] + counts * pitch[:, None]).astype(int)
    clear = np.where(at < DEPTH, ends[held, np.minimum(at, DEPTH - 1)], 0.0).sum(axis=1)
    best = int(np.argmax(clear))
    return float(clear[best]), choices[best]
