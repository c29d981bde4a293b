"""Parts of whole drawn boards (`vision.synth`) as tables for invented dice, most with that renderer's dice,
whose edges are sharper and whose sides are evenly lit, as a near camera sees them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image
from vision.synth import Die, Drawn, Painter, Scene, Style
from vision.synth_random import random_scene
from vision.training.dice_scene import CANVAS, POINT, Eye, Truth
from vision.training.dice_solid import Rng, colour, pip_colour

#: How far beyond the field a part's middle may lie, in point widths.
BEYOND = 2.5
#: The share of boards with dice (the others may have a hand over them), and of their parts that show a die.
WITH_DICE, NEAR_DICE = 0.7, 0.65


class Part(NamedTuple):
    """A straightened square of a board, how the camera leans there, and the dice on it."""

    picture: Image
    eye: Eye
    truths: list[Truth]


def parts(rng: Rng, count: int) -> list[Part]:
    """Squares of one board without a cube."""
    scene = _bare(rng)
    painter = Painter(scene)
    painter.paint()
    painter.dice()
    painter.hand()
    drawn, found = painter.finish(), list[Part]()
    height, width = drawn.image.shape[:2]
    for _ in range(4 * count):
        middle = _middle(rng, scene)
        u, v = painter.view.project(np.array([*middle, 0.0]))[0]
        if 0 <= u < width and 0 <= v < height and len(found) < count:
            found.append(_part(painter, drawn, middle, POINT * rng.uniform(0.85, 1.2)))
    return found


def _middle(rng: Rng, scene: Scene) -> NDArray[np.float64]:
    """Where a part is cut, in point widths."""
    if scene.dice and rng.random() < NEAR_DICE:
        die = scene.dice[int(rng.integers(len(scene.dice)))]
        return np.array([die.x, die.y]) + rng.uniform(-1.2, 1.2, 2)
    end = (12 + scene.style.bar + BEYOND, scene.style.height + BEYOND)
    return np.asarray(rng.uniform((-BEYOND, -BEYOND), end))


def _bare(rng: Rng) -> Scene:
    """A scene without a cube, seen by a good camera: the weather comes later."""
    scene = random_scene(rng)
    sensor = replace(scene.sensor, blur=0.3, motion=0.0, noise=0.5, jpeg=0, lens=0.0, panel=0.0)
    things = tuple(t for t in scene.things if t.kind != "cube")
    camera = replace(scene.camera, width=1280, height=960)
    with_dice = rng.random() < WITH_DICE
    dice = _dice(rng, scene.style) if with_dice else ()
    hand = None if with_dice else scene.hand
    return replace(scene, dice=dice, hand=hand, things=things, sensor=sensor, camera=camera)


def _dice(rng: Rng, style: Style) -> tuple[Die, ...]:
    """Some dice anywhere on the field and close beside it, none close to another."""
    found: list[Die] = []
    for _ in range(int(rng.integers(4, 10))):
        x, y = rng.uniform((-1, -1), (13 + style.bar, style.height + 1))
        size = float(rng.uniform(0.3, 0.75))
        if all(math.hypot(x - o.x, y - o.y) > 1.6 * max(size, o.size) for o in found):
            body = colour(rng)
            (b, g, r), (d, e, f) = body.tolist(), pip_colour(rng, body).tolist()
            z, turn = style.thickness if rng.random() < 0.1 else 0.0, float(rng.uniform(0, 360))
            value = int(rng.integers(1, 7))
            found.append(Die(value, float(x), float(y), turn, (b, g, r), (d, e, f), size, z))
    return tuple(found)


def _part(painter: Painter, drawn: Drawn, middle: NDArray[np.float64], scale: float) -> Part:
    half = CANVAS / 2 / scale
    place = np.array([[1 / scale, 0, middle[0] - half], [0, 1 / scale, middle[1] - half], [0, 0, 1]])
    outward, eye = painter.view.plane(0.0) @ place, painter.view.eye
    part = cv2.warpPerspective(
        drawn.image,
        outward,
        (CANVAS, CANVAS),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    lean = (middle - eye[:2]) / eye[2]
    truths = [_truth(painter, die, np.linalg.inv(outward), scale) for die in painter.scene.dice]
    near = [t for t in truths if max(abs(t.x - CANVAS / 2), abs(t.y - CANVAS / 2)) < CANVAS / 2 + t.side]
    return Part(np.asarray(part, np.uint8), Eye((float(lean[0]), float(lean[1])), 1.0), near)


def _truth(painter: Painter, die: Die, inward: NDArray[np.float64], scale: float) -> Truth:
    """A die of the board as it lies in a part; which values its sides show is not told."""
    high = die.z + die.size
    spot = painter.view.project(np.array([die.x, die.y, high])).reshape(1, 1, 2).astype(np.float64)
    x, y = cv2.perspectiveTransform(spot, inward)[0, 0]
    nearer = painter.view.eye[2] / (painter.view.eye[2] - high)
    return Truth(float(x), float(y), float(die.size * scale * nearer), die.value, "die")
