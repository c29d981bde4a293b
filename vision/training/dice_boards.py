"""Parts of whole drawn boards (`vision.synth`) as tables for invented dice."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.geometry import Image
from vision.synth import Painter, Scene
from vision.synth_random import random_scene
from vision.training.dice_scene import CANVAS, POINT, Eye
from vision.training.dice_solid import Rng

#: How far beyond the field a part's middle may lie, in point widths.
BEYOND = 2.5


def parts(rng: Rng, count: int) -> list[tuple[Image, Eye]]:
    """Straightened squares of one board without dice or cube, each with how the camera leans there."""
    scene = _bare(rng)
    painter = Painter(scene)
    painter.paint()
    painter.hand()
    picture, eye = painter.finish().image, painter.view.eye
    width, height = 12 + scene.style.bar, scene.style.height
    found: list[tuple[Image, Eye]] = []
    for _ in range(4 * count):
        middle = rng.uniform((-BEYOND, -BEYOND), (width + BEYOND, height + BEYOND))
        u, v = painter.view.project(np.array([middle[0], middle[1], 0.0]))[0]
        if 0 <= u < picture.shape[1] and 0 <= v < picture.shape[0] and len(found) < count:
            lean = (middle - eye[:2]) / eye[2]
            part = _part(picture, painter.view.plane(0.0), middle, POINT * rng.uniform(0.85, 1.2))
            found.append((part, Eye((float(lean[0]), float(lean[1])), 1.0)))
    return found


def _bare(rng: Rng) -> Scene:
    """A scene without dice, seen by a good camera: the weather comes later."""
    scene = random_scene(rng)
    sensor = replace(scene.sensor, blur=0.3, motion=0.0, noise=0.5, jpeg=0, lens=0.0, panel=0.0)
    things = tuple(t for t in scene.things if t.kind != "cube")
    camera = replace(scene.camera, width=960, height=720)
    return replace(scene, dice=(), things=things, sensor=sensor, camera=camera)


def _part(picture: Image, plane: np.ndarray, middle: np.ndarray, scale: float) -> Image:
    half = CANVAS / 2 / scale
    place = np.array([[1 / scale, 0, middle[0] - half], [0, 1 / scale, middle[1] - half], [0, 0, 1]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    part = cv2.warpPerspective(
        picture, plane @ place, (CANVAS, CANVAS), flags=how, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(part, np.uint8)
