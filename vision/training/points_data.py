"""Quarters of boards with their truth for the point network, from scenes by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import BoardGeometry
from vision.net_view import (
    BESIDE,
    CELL,
    FINE,
    MARGIN,
    SIDE,
    bar_halves,
    board_view,
    quarters,
    straight,
)
from vision.synth import DARK_FACE, HAND, LIGHT_FACE, THING, Drawn, Scene, Style, render
from vision.synth_look import Profile
from vision.synth_random import apart, hard_scene, near, pick, put, random_scene, span
from vision.synth_surface import Rng

Bytes = NDArray[np.uint8]
#: Scenes by chance, those misread most, those in flat light, such as are never trained on, or high stacks.
Kind = Literal["any", "hard", "flat", "strange", "stacks"]
#: Faces that throw little shade on themselves; how often 1, 2, 3, 5 checkers lie on a spike of their colour.
PLAIN: tuple[Profile, ...] = ("flat", "dome", "dish", "rings")
FLAT_ROWS = (0.7, 0.15, 0.05, 0.1)
#: How often so many checkers make a high stack: five and six as often beside each other as elsewhere.
HIGH, HIGHS = tuple(range(4, 14)), (15, 30, 18, 12, 9, 6, 4, 3, 2, 1)
#: A point counts as hidden from this share on, and as open below the other.
HIDDEN, OPEN = 0.25, 0.06
#: Of checkers that the frame covers so far nobody can tell anything.
COVERED = 0.75
#: Views of one scene: its four quarters, and one of the bar in which only faces count.
VIEWS = 5
#: Instead of a count: this point says nothing.
NOTHING = 255
#: Rows of a quarter in which a point lies.
LONG = slice(MARGIN, MARGIN + round(5.5 * FINE))


@dataclass(frozen=True)
class View:
    """A picture (176 × 176 × 3), counts 0-15 of its six points, hidden (0 no, 1 yes, 2 hard to say), and the
    maps of checkers' faces (44 × 44 × 2): with what the frame covers of them, and without.
    """

    picture: Bytes
    counts: tuple[int, ...]
    hidden: tuple[int, ...]
    faces: Bytes


def strange(rng: Rng, scene: Scene) -> Scene:
    """The scene as no scene for training is: worse light, a worse camera, a flatter look at it."""
    dark = rng.random() < 0.5
    sensor = replace(
        scene.sensor,
        exposure=rng.uniform(0.3, 0.45) if dark else rng.uniform(1.1, 1.4),
        blur=rng.uniform(1.0, 2.6),
        noise=rng.uniform(3, 12),
        jpeg=int(rng.integers(15, 40)),
    )
    light = replace(scene.light, glare=rng.uniform(0.3, 1.2), fall=rng.uniform(0.3, 0.5))
    return replace(scene, sensor=sensor, light=light, camera=replace(scene.camera, tilt=rng.uniform(25, 46)))


def flat(rng: Rng, scene: Scene) -> Scene:
    """The scene in light that hardly throws shadows: one side's checkers lie on spikes of their own colour,
    so much over- or underexposed that almost nothing of their edges is left; the other's are stacked.
    """
    side = 1 if rng.random() < 0.7 else -1
    look = on_own_colour(rng, scene.style, side)
    table = put(rng, scene.table, side, tuple(int(n) for n in rng.choice((1, 2, 3, 5), 8, p=FLAT_ROWS)))
    if rng.random() < 0.6:
        high, low = int(rng.integers(5, 12)), int(rng.integers(3, 7))
        table, look = put(rng, table, -side, (high, 5, low)), replace(look, mess=span(rng, 0.5, 1.0))
    hard, shade, slant = span(rng, 0, 0.2), span(rng, 0.02, 0.3), span(rng, 0, 0.6)
    light = replace(scene.light, hard=hard, shade=shade, slant=slant, bands=0.0, glare=0.0)
    exposure = span(rng, 0.95, 1.45) if side > 0 else span(rng, 0.45, 1.0)
    blur, noise = span(rng, 0.2, 1.2), span(rng, 0.5, 4)
    sensor = replace(scene.sensor, exposure=exposure, blur=blur, motion=0.0, noise=noise)
    return replace(scene, table=table, style=look, light=light, sensor=sensor)


def stacked(rng: Rng, scene: Scene) -> Scene:
    """The scene with nearly all of its checkers in high stacks, however they lie on top of each other."""
    table = scene.table
    for side in (1, -1):
        sizes = [pick(rng, HIGH, HIGHS) for _ in range(int(rng.integers(2, 5)))]
        table = put(rng, table, side, (*sizes, int(rng.integers(1, 4))))
    return replace(scene, table=table)


def on_own_colour(rng: Rng, look: Style, side: int) -> Style:
    """A board with plain checkers of one side (1 light, -1 dark) and every other spike in their colour."""
    own = replace(look.light if side > 0 else look.dark, mark="none", rim=None, pearl=0.0)
    own = replace(own, profile=pick(rng, PLAIN, (4, 2, 1, 1)), gloss=span(rng, 0, 0.3))
    same = own.colour if rng.random() < 0.4 else near(rng, own.colour)
    points = replace(look.points, tip=pick(rng, ("sharp", "drop", "blunt"), (6, 1, 1)), second=same)
    if apart(points.first, same) <= 25:
        points = replace(points, first=(200 - same[0], 200 - same[1], 200 - same[2]))
    points = replace(points, second_filled=True, base=span(rng, 0.85, 1.0), inlay=None, outline=0.0)
    look = replace(look, points=points, thickness=span(rng, 0.05, 0.32), mess=span(rng, 0.0, 1.0))
    return replace(look, light=own) if side > 0 else replace(look, dark=own)


def scene_of(rng: Rng, kind: Kind = "any") -> Scene:
    """A scene for training: smaller than life, for the network sees little of the detail."""
    scene = hard_scene(rng) if kind == "hard" else random_scene(rng)
    change = {"strange": strange, "flat": flat, "stacks": stacked}.get(kind)
    scene = change(rng, scene) if change else scene
    scale = rng.uniform(0.42, 0.9)
    camera = scene.camera
    width, height = round(camera.width * scale), round(camera.height * scale)
    return replace(scene, camera=replace(camera, width=width, height=height))


def shaken(rng: Rng, board: BoardGeometry) -> BoardGeometry:
    """A board whose corners and bar are a little off, as a finder gives them."""
    points = np.array(board.corners)
    pitch = np.linalg.norm(points[0] - points[1]) / (12 + board.bar)
    points = points + rng.normal(0, rng.uniform(0.0, 0.13) * pitch, (4, 2)) + rng.normal(0, 0.04 * pitch, 2)
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    bar = board.bar if board.bar == 0 else max(0.15, board.bar + float(rng.normal(0, 0.09)))
    return BoardGeometry((a, b, c, d), bar, board.rotate_cw_deg)


def cells(faces: Bytes, rails: Bytes) -> Bytes:
    """Share of each cell that faces cover, 0 … 255: all of them, and those that no frame stands before."""
    size = (faces.shape[1] // CELL, faces.shape[0] // CELL)
    both = np.dstack([faces, faces * (1 - rails)]) * np.uint8(255)
    return np.asarray(cv2.resize(both, size, interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(frozen=True)
class Cut:
    """A quarter's labels, places, places before anything lay over them, the frame that stands before it."""

    labels: Bytes
    places: Bytes
    bare: Bytes
    rails: Bytes


def told_of(cut: Cut, point: int, count: int) -> tuple[int, int]:
    """What a point teaches: its count and whether it is hidden; nothing where the frame covers all."""
    own = cut.bare == point + 1
    if own.any() and (own & (cut.rails > 0)).sum() > COVERED * own.sum():
        return NOTHING, 2
    return count, hidden_kind(hidden_share(cut, own, point))


def hidden_share(cut: Cut, own: NDArray[np.bool_], point: int) -> float:
    """How much of a point (its own columns of a quarter) is covered: of its checkers, or of itself."""
    over = (cut.labels == HAND) | (cut.labels == THING)
    lost = float((own & (cut.places != point + 1) & over).sum() / own.sum()) if own.any() else 0.0
    column = BESIDE + point % SIDE * FINE
    return max(lost, float(over[LONG, column : column + FINE].mean()))


def hidden_kind(share: float) -> int:
    """No, yes, or hard to say."""
    return 1 if share > HIDDEN else 0 if share < OPEN else 2


def views_of(drawn: Drawn, table: tuple[int, ...], rng: Rng) -> Iterator[View]:
    """One shaken look at a drawn scene."""
    board = shaken(rng, drawn.board)
    picture = board_view(drawn.image, board)
    labels, places, bare, rails = (
        straight(sheet, board, cv2.INTER_NEAREST, outside)
        for sheet, outside in ((drawn.labels, HAND), (drawn.places, 0), (drawn.bare, 0), (drawn.rails, 0))
    )
    faces = ((labels == LIGHT_FACE) | (labels == DARK_FACE)).astype(np.uint8)
    sheets = (picture, faces, labels, places, bare, rails)
    for k, (seen, map_, *cut) in enumerate(zip(*(quarters(sheet, board) for sheet in sheets), strict=True)):
        points = range(k * SIDE, (k + 1) * SIDE)
        told = [told_of(Cut(*cut), p, abs(table[p])) for p in points]
        yield View(seen, tuple(n for n, _ in told), tuple(h for _, h in told), cells(map_, cut[3]))
    half = int(rng.integers(2))
    seen, map_, before = (bar_halves(sheet, board)[half] for sheet in (picture, faces, rails))
    yield View(seen, (NOTHING,) * SIDE, (2,) * SIDE, cells(map_, before))


def looks(seed: int, number: int, kind: Kind = "any") -> Iterator[View]:
    """Views of `number` scenes, `VIEWS` of each. A seed gives the same data."""
    for k in range(number):
        rng = np.random.default_rng((seed, k))
        scene = scene_of(rng, kind)
        yield from views_of(render(scene), scene.table, rng)
