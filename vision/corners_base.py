"""Where the spikes really begin: the base lines, moved in from where neighbouring spikes' edges would meet.

Most boards leave a gap between neighbouring spikes, so the fitted base line lies a little outside the drawn
one. The drawn one is where neighbouring columns, whose spikes alternate in colour, stop differing; where all
have one colour, where they stop differing from the ground between them. Checkers
hide some columns (medians take no notice), and a raised rim can hide the whole line of the row nearest the
camera: then the other row's line counts for more, for the rows are alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners_fit import Spikes, View, project
from vision.corners_tips import Array
from vision.geometry import COLUMNS, HEIGHT, PITCH

#: The drawn base line is looked for from here (field pixels, outside of the fitted one) inwards, up to this
#: share of the spike's length; its colours are learned between these shares, where it is still wide enough.
OUTSIDE = 45
DEEPEST = 0.5
LEARN = (0.5, 0.64)
#: Where columns of one half meet. Spikes that touch at the base open a gap this far in, field pixels.
BETWEEN = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)
TOUCHING = 14
#: Neighbours whose colours differ less than this (L*a*b* units) tell nothing.
FAINT = 12.0
#: Columns, and rows, agree when their base lines differ by no more than this, field pixels.
AGREE = 6.0
#: The most that a base line may be tilted from end to end, field pixels.
MOST_TILT = 14.0
#: Leaning base lines that are tried, and how many times as many neighbours must agree on one.
LEANS, LEANING = (-60.0, -50.0, -40.0, -30.0, 30.0, 40.0, 50.0, 60.0), 1.6
#: How much a row's own base line counts that disagrees with the other's; where the other's usually is.
OWN_SHARE, USUAL_INSET = 0.5, 10.0
#: Rows that disagree by more than this do so for other reasons, field pixels.
STRANGE = 20.0
#: Columns that must tell where a base line is; half of them where it lies farther out than checkers lean over
#: the rim, field pixels.
FEWEST, OVERHANG = 3, 20
#: A line this far inside another may be the inner edge of checkers, field pixels.
CHECKER = 34
#: Share of the colour difference that must set in within a few pixels; how much of that makes a base line.
SHARP, ENOUGH = 0.4, 1.6


def on_base_lines(view: View, spikes: Spikes) -> Spikes:
    """The board with its rows' outer ends moved to where the spikes are seen to begin (photo pixels)."""
    deep = spikes.length * HEIGHT
    rows = [
        (column_colours(view, spikes, near), ground_colours(view, spikes, near)) for near in (False, True)
    ]
    lines = [_base_line(*_neighbours(own), own, deep) for own, _ in rows]
    if lines == [None, None]:
        lines = [_beyond_touching(_base_line(*_beside_ground(*row), row[0], deep)) for row in rows]
    known = [line for line in lines if line is not None]
    if not known:
        return spikes
    least = min(known, key=lambda line: line.middle)
    far, near = (_believed(line, least) for line in lines)
    (a, b), (c, d) = far.ends, near.ends
    field = np.array([[0, a], [spikes.width, b], [spikes.width, HEIGHT - d], [0, HEIGHT - c]])
    inset = (far.middle + near.middle) / 2
    shorter = (deep - inset) / (HEIGHT - 2 * inset)
    return replace(spikes, quad=project(spikes.from_field(), field), length=shorter)


@dataclass(frozen=True)
class BaseLine:
    """How far inside the fitted base line the drawn one is (field pixels), and how much more to the right."""

    middle: float
    tilt: float

    @property
    def ends(self) -> tuple[float, float]:
        """At the left and at the right end of the board."""
        return self.middle - self.tilt / 2, self.middle + self.tilt / 2


def _believed(line: BaseLine | None, least: BaseLine) -> BaseLine:
    """A row's own base line, or little of it where it lies much farther in than the other row's.

    The less room the other line leaves between spikes, the less it is believed; not at all where it lies as
    far in as a checker is wide, for then it is the inner edge of checkers.
    """
    if line is None or line.middle - least.middle > CHECKER - AGREE:
        return BaseLine(least.middle, 0.0)
    if line.middle - least.middle <= AGREE:
        return line
    share = float(np.clip(OWN_SHARE * (1 - least.middle / USUAL_INSET), 0.1, OWN_SHARE))
    return BaseLine(least.middle + share * min(line.middle - least.middle, STRANGE), 0.0)


def column_colours(view: View, spikes: Spikes, near: bool) -> Array:
    """Mean L*a*b* colour across each column's middle, from `OUTSIDE` the base inwards: 12 × depth × 3."""
    return _colours(view, spikes, near, np.arange(0.5, COLUMNS), 0.14)


def ground_colours(view: View, spikes: Spikes, near: bool) -> Array:
    """The same between the columns of each half, where spikes of one colour leave a gap: 10 × depth × 3."""
    return _colours(view, spikes, near, np.array(BETWEEN, np.float64), 0.02)


def _colours(view: View, spikes: Spikes, near: bool, at: Array, half: float) -> Array:
    """Mean colours about places `at` along the row (columns from its left end), `half` to either side."""
    centre = (at + spikes.bar * (at > COLUMNS / 2)) * PITCH
    across = centre[:, None] + np.linspace(-half, half, 5)[None, :] * PITCH
    along = np.arange(-OUTSIDE, round(LEARN[1] * spikes.length * HEIGHT))
    x, y = np.broadcast_arrays(across[:, None, :], along[None, :, None])
    places = np.stack([x.ravel(), (HEIGHT - y if near else y).ravel()], axis=1)
    colours = sample_lab(view, project(view.to_view @ spikes.from_field(), places))
    mean: Array = colours.reshape(*x.shape, 3).mean(axis=2)
    return mean


def sample_lab(view: View, at: Array) -> NDArray[np.float64]:
    """The view's colours at N places (view pixels), N × 3, L*a*b* on an 8-bit scale."""
    height, width = view.picture.shape[:2]
    place = np.round(at).astype(int).clip(0, (width - 1, height - 1))
    seen = view.picture[place[:, 1], place[:, 0]].reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2LAB), np.float64).reshape(-1, 3)


def _neighbours(colours: Array) -> tuple[Array, Array]:
    """How far neighbouring columns' colours are apart (N × depth), and where along the row (columns)."""
    return np.linalg.norm(np.diff(colours, axis=0), axis=2), np.arange(1.0, COLUMNS)


def _beside_ground(colours: Array, ground: Array) -> tuple[Array, Array]:
    """The same of columns and the gaps on their right and on their left."""
    at = np.array(BETWEEN)
    beside = np.concatenate([colours[at - 1] - ground, colours[at] - ground])
    return np.linalg.norm(beside, axis=2), np.concatenate([at, at]).astype(np.float64)


def _beyond_touching(line: BaseLine | None) -> BaseLine | None:
    """The fitted line where the seen one tells no more than that spikes which touch open a gap farther in."""
    return BaseLine(0.0, 0.0) if line is not None and 0 < line.middle < TOUCHING else line


def _base_line(apart: Array, columns: Array, colours: Array, deep: float) -> BaseLine | None:
    """The row's base line, from where on colours at N places are apart; None when they do not tell."""
    full = np.median(apart[:, OUTSIDE + round(LEARN[0] * deep) :], axis=1)
    pairs = np.nonzero(full > FAINT)[0]
    search = apart[pairs, : OUTSIDE + round(DEEPEST * deep)] / full[pairs, None]
    begins = np.array([_first_kept(row > 0.5) for row in search], np.int64)
    search, pairs, begins = search[begins > 3], pairs[begins > 3], begins[begins > 3]
    if len(begins) < FEWEST:
        return None
    rows = np.arange(len(begins))
    sharp = np.clip(search[rows, begins + 3] - search[rows, begins - 4], 0, 1)
    group, tilt = _on_a_line(columns[pairs], begins, np.where(sharp > SHARP, sharp, 0))
    level = float(np.median(begins[group] - tilt * (columns[pairs[group]] / COLUMNS - 0.5)))
    return BaseLine(_sharpened(colours, level, tilt) - OUTSIDE, tilt)


def _on_a_line(columns: Array, begins: NDArray[np.int64], sharp: Array) -> tuple[NDArray[np.bool_], float]:
    """Which neighbours make the base line, and its tilt. It hardly leans, unless far more then agree: spikes
    cut off short say little of where along them the board ends.
    """
    level = _agreeing(begins, sharp)
    found = level, _tilt(columns[level], begins[level])
    most = LEANING * max(float(sharp[level].sum()), ENOUGH)
    for lean in LEANS:
        upright = np.round(begins - lean * (columns / COLUMNS - 0.5)).astype(np.int64)
        group = _agreeing(upright, sharp)
        if sharp[group].sum() > most:
            most, found = float(sharp[group].sum()), (group, lean + _tilt(columns[group], upright[group]))
    return found


def _agreeing(begins: NDArray[np.int64], sharp: Array) -> NDArray[np.bool_]:
    """Which neighbours make the base line: many, sharp, and not the inner edges of checkers."""
    agree = np.abs(begins[:, None] - begins[None, :]) <= AGREE
    votes = agree @ sharp
    fewest = np.where(begins < OUTSIDE - OVERHANG, COLUMNS // 2, FEWEST)
    enough = (agree @ (sharp > 0).astype(int) >= fewest) & (votes >= ENOUGH)
    outermost = begins[enough if enough.any() else votes == votes.max()].min()
    near = (begins >= outermost) & (begins - outermost < CHECKER)
    group: NDArray[np.bool_] = agree[int(np.argmax(np.where(near, votes, -1)))]
    return group


def _tilt(columns: Array, begins: NDArray[np.int64]) -> float:
    """How much farther in the line is at the right end than at the left, where enough columns tell."""
    if len(columns) < 2 * FEWEST or np.ptp(columns) < COLUMNS // 2:
        return 0.0
    one, two = np.triu_indices(len(columns), 1)
    one, two = one[columns[one] != columns[two]], two[columns[one] != columns[two]]
    slopes = (begins[two] - begins[one]) / (columns[two] - columns[one])
    return float(np.clip(COLUMNS * np.median(slopes), -MOST_TILT, MOST_TILT))


def _first_kept(differ: NDArray[np.bool_]) -> int:
    """Where two neighbours begin to differ for six pixels at least; 0 if they always do."""
    lasting = np.convolve(differ, np.ones(6), "valid") >= 6
    return int(np.argmax(lasting)) if lasting.any() else 0


def _sharpened(colours: Array, level: float, tilt: float) -> float:
    """The strongest step in most columns within a few pixels of the line, as a fractional array index."""
    step = np.linalg.norm(colours[:, 4:] - colours[:, :-4], axis=2)
    lean = tilt * ((np.arange(COLUMNS) + 0.5) / COLUMNS - 0.5)
    reach = np.arange(-4, 5)
    place = np.round(level - 2 + lean[:, None] + reach).astype(int).clip(0, step.shape[1] - 1)
    near = step[np.arange(COLUMNS)[:, None], place]
    common = (near / (near + 20)).mean(axis=0)
    weight = np.maximum(common - 0.8 * common.max(), 0)
    return level + float(np.sum(weight * reach) / max(weight.sum(), 1e-9))
