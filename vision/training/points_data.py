"""Strips with their truth for the point network, from scenes by chance."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import BoardGeometry, straighten
from vision.net_view import CELL, MARGIN, STRIP_HEIGHT, STRIP_WIDTH, cut_strips, halved
from vision.synth import DARK_FACE, HAND, LIGHT_FACE, THING, Drawn, Scene, render
from vision.synth_random import hard_scene, random_scene
from vision.synth_surface import Rng

Bytes = NDArray[np.uint8]
#: A strip counts as hidden from this share on, and as open below the other.
HIDDEN, OPEN = 0.25, 0.06


@dataclass(frozen=True)
class Strips:
    """N strips: pictures, counts 0-15, hidden (0 no, 1 yes, 2 hard to say), map of the own checkers'
    faces.
    """

    pictures: Bytes
    counts: Bytes
    hidden: Bytes
    faces: Bytes


def scene_of(rng: Rng, hard: bool = False) -> Scene:
    """A scene for training: smaller than life, for the network sees little of the detail."""
    scene = hard_scene(rng) if hard else random_scene(rng)
    scale = rng.uniform(0.45, 0.85)
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
    return replace_board(board, (a, b, c, d), bar)


def replace_board(
    board: BoardGeometry, corners: tuple[tuple[float, float], ...], bar: float
) -> BoardGeometry:
    """The same board with other corners."""
    a, b, c, d = corners
    return BoardGeometry((a, b, c, d), bar, board.rotate_cw_deg)


def label_view(sheet: Bytes, board: BoardGeometry, outside: int) -> Bytes:
    """Labels straightened like the picture, without mixing them; `outside` fills what the picture lacks."""
    shift = np.array([[1, 0, MARGIN], [0, 1, MARGIN], [0, 0, 1]], np.float64)
    half = np.diag([0.5, 0.5, 1.0])
    size = ((board.width + 2 * MARGIN) // 2, (520 + 2 * MARGIN) // 2)
    move = half @ shift @ board.homography()
    view = cv2.warpPerspective(
        sheet, move, size, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=float(outside)
    )
    return np.asarray(view, np.uint8)


def cells(mask: NDArray[np.bool_]) -> Bytes:
    """Share of each cell that a mask covers, 0 … 255."""
    size = (mask.shape[1] // CELL, mask.shape[0] // CELL)
    return np.asarray(cv2.resize(mask.astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA), np.uint8)


def hidden_share(labels: Bytes, places: Bytes, bare: Bytes, point: int) -> float:
    """How much of a point is covered: of its checkers, or of the point itself."""
    own = bare == point + 1
    over = (labels == HAND) | (labels == THING)
    lost = float((own & (places != point + 1) & over).sum() / own.sum()) if own.any() else 0.0
    middle = slice(STRIP_WIDTH // 4, 3 * STRIP_WIDTH // 4)
    return max(lost, float(over[17:130, middle].mean()))


def strips_of(drawn: Drawn, table: tuple[int, ...], rng: Rng) -> Strips:
    """One shaken look at a drawn scene: the strips of its points, empty ones thinned out."""
    board = shaken(rng, drawn.board)
    small = halved(straighten(drawn.image, board, MARGIN))
    labels, places, bare = (
        label_view(sheet, board, outside)
        for sheet, outside in ((drawn.labels, HAND), (drawn.places, 0), (drawn.bare, 0))
    )
    pictures, truths = (
        cut_strips(small, board),
        zip(*(cut_strips(s, board) for s in (labels, places, bare)), strict=True),
    )
    rows = []
    for point, (picture, truth) in enumerate(zip(pictures, truths, strict=True)):
        if picture.shape[:2] != (STRIP_HEIGHT, STRIP_WIDTH) or (table[point] == 0 and rng.random() > 0.4):
            continue
        share = hidden_share(truth[0], truth[1], truth[2], point)
        own = (truth[1] == point + 1) & ((truth[0] == LIGHT_FACE) | (truth[0] == DARK_FACE))
        hidden = 1 if share > HIDDEN else 0 if share < OPEN else 2
        rows.append((picture, abs(table[point]), hidden, cells(own)))
    return packed(rows)


def packed(rows: list[tuple[Bytes, int, int, Bytes]]) -> Strips:
    """Rows as arrays."""
    return Strips(
        np.array([r[0] for r in rows], np.uint8).reshape(-1, STRIP_HEIGHT, STRIP_WIDTH, 3),
        np.array([r[1] for r in rows], np.uint8),
        np.array([r[2] for r in rows], np.uint8),
        np.array([r[3] for r in rows], np.uint8).reshape(-1, STRIP_HEIGHT // CELL, STRIP_WIDTH // CELL),
    )


def looks(seed: int, number: int, each: int = 2, hard: bool = False) -> Strips:
    """Strips of `number` scenes, `each` shaken views of everyone. A seed gives the same data."""
    strips = []
    for k in range(number):
        rng = np.random.default_rng((seed, k))
        scene = scene_of(rng, hard)
        drawn = render(scene)
        for _ in range(each):
            strips.append(strips_of(drawn, scene.table, rng))
    return joined(strips)


def joined(parts: list[Strips]) -> Strips:
    """Many as one."""
    names = ("pictures", "counts", "hidden", "faces")
    return Strips(*(np.concatenate([getattr(p, n) for p in parts]) for n in names))
