"""How surely a fitted board is one: spikes are seen, the ground is even, neither goes on beyond the ends.

Boards one column off agree with nearly all edges; what tells them is that one of their columns lies on the
bar or the frame, or that a spike stands where the board must have ended.
"""

from __future__ import annotations

import numpy as np

from vision.corners_base import sample_lab
from vision.corners_fit import STATIONS, Spikes, View, profiles, project, samples
from vision.corners_tips import Array
from vision.geometry import COLUMNS, HEIGHT, PITCH

#: Half-width of the surroundings that an edge must stand out of, pixels of the view.
AROUND = 9
#: A bar narrower than this has no room for a spike, point widths.
NARROW_BAR = 0.6


def score(view: View, spikes: Spikes) -> float:
    """0-1: the share of the spike edges seen where they must be, less what speaks against (photo pixels)."""
    inside = spikes.moved_by(view.to_view)
    outer = _beyond(spikes)
    columns = np.concatenate([_centres(spikes), outer])
    seen = _seen(view, inside, columns)
    ground = _same_ground(view, inside, columns)
    missing = (1 - seen[:COLUMNS]) * (1 - ground[:COLUMNS])
    too_much = seen[COLUMNS:] * ground[COLUMNS:]
    return float(np.clip(seen[:COLUMNS].mean() - 0.1 * missing.sum() - 0.2 * too_much.sum(), 0, 1))


def _centres(spikes: Spikes) -> Array:
    k = np.arange(COLUMNS)
    centres: Array = k + 0.5 + spikes.bar * (k >= COLUMNS // 2)
    return centres


def _beyond(spikes: Spikes) -> Array:
    """Centres of columns that must not be: left and right of the board, and in a bar with room for one."""
    beyond = [-0.5, COLUMNS + spikes.bar + 0.5]
    return np.array(beyond + ([COLUMNS / 2 + spikes.bar / 2] if spikes.bar > NARROW_BAR else []))


def _seen(view: View, spikes: Spikes, columns: Array) -> Array:
    """For each column how clearly its spikes' four edges stand out, 0-1. `spikes` in view pixels."""
    places = samples(spikes, columns)
    strip = profiles(view, project(spikes.from_field(), places.at), places.rising, AROUND)
    strip = strip / (strip + 2 * view.noise)
    line = np.median(strip.reshape(-1, len(STATIONS), 2 * AROUND + 1), axis=1)
    contrast = line[:, AROUND - 1 : AROUND + 2].max(axis=1) / np.maximum(line.mean(axis=1), 1e-3)
    edge = np.clip((contrast - 1.1) / 0.8, 0, 1).reshape(4, len(columns))
    shown: Array = edge.mean(axis=0)
    return shown


def _same_ground(view: View, spikes: Spikes, columns: Array) -> Array:
    """For each column how well the ground beside its tips has the board's colour, 0-1 (view pixels)."""
    side, deep = np.linspace(0.26, 0.4, 4), np.linspace(0.8 * spikes.length, 1 - 0.8 * spikes.length, 15)
    c, offset, y = np.meshgrid(columns, np.concatenate([-side, side]), deep, indexing="ij")
    at = project(spikes.from_field(), np.stack([(c + offset).ravel() * PITCH, y.ravel() * HEIGHT], axis=1))
    colour = sample_lab(view, at).reshape(len(columns), -1, 3)
    own = np.median(colour, axis=1)
    field = np.median(own[:COLUMNS], axis=0)
    far = np.linalg.norm(own - field, axis=1)
    usual = max(8.0, 2.5 * float(np.median(far[:COLUMNS])))
    alike: Array = 1 / (1 + (far / (2 * usual)) ** 4)
    return alike
