"""Small drawn pictures of whole boards for `vision.training.corners`, and the many views made of each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_net import CELL, HEIGHT, WIDTH
from vision.synth import Scene, render
from vision.synth_random import random_scene

#: Size of the drawn pictures, width and height.
DRAWN = (320, 240)
#: How far beyond the board its coordinates are still taught, in board lengths.
BEYOND = 0.1

Rng = np.random.Generator
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Boards:
    """N drawn boards: `pictures` N × 240 × 320 × 3, `quads` N × 4 × 2 in board order (pixels), `bars` N."""

    pictures: NDArray[np.uint8]
    quads: NDArray[np.float32]
    bars: NDArray[np.float32]


def boards(first: int, count: int) -> Boards:
    """Scenes numbered from `first` on, drawn small."""
    made = [_drawn(number) for number in range(first, first + count)]
    return Boards(*(np.stack(part) for part in zip(*made, strict=True)))


def joined(parts: list[Boards]) -> Boards:
    """Several lots as one."""
    return Boards(
        *(np.concatenate([getattr(p, name) for p in parts]) for name in ("pictures", "quads", "bars"))
    )


def _drawn(number: int) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]:
    found = render(_small(random_scene(np.random.default_rng((4711, number)))))
    height, width = found.image.shape[:2]
    left, top = (DRAWN[0] - width) // 2, (DRAWN[1] - height) // 2
    canvas = np.zeros((DRAWN[1], DRAWN[0], 3), np.uint8)
    canvas[top : top + height, left : left + width] = found.image
    corners = np.array(found.board.corners, np.float32) + np.array([left, top], np.float32)
    quad = np.roll(corners, 1, axis=0) if found.board.rotate_cw_deg else corners
    return canvas, quad.astype(np.float32), np.array(found.board.bar, np.float32)


def _small(scene: Scene) -> Scene:
    """The scene for a camera with few pixels: blur and noise shrink with it."""
    shrink = min(DRAWN[0] / scene.camera.width, DRAWN[1] / scene.camera.height)
    size = (round(scene.camera.width * shrink), round(scene.camera.height * shrink))
    sensor = replace(
        scene.sensor, blur=max(0.3, scene.sensor.blur * shrink), motion=scene.sensor.motion * shrink
    )
    return replace(scene, camera=replace(scene.camera, width=size[0], height=size[1]), sensor=sensor)


def view(picture: NDArray[np.uint8], quad: Array, rng: Rng) -> tuple[NDArray[np.uint8], Array]:
    """Another look at a drawn board: turned, mirrored, nearer or farther, cut off, in other colours."""
    warp = _wander(rng) @ _centred(rng)
    border = [cv2.BORDER_REPLICATE, cv2.BORDER_REFLECT, cv2.BORDER_CONSTANT][int(rng.integers(3))]
    fill = rng.integers(0, 256, 3).tolist()
    look = cv2.warpPerspective(
        picture, warp, (WIDTH, HEIGHT), flags=cv2.INTER_AREA, borderMode=border, borderValue=fill
    )
    moved = cv2.perspectiveTransform(quad.reshape(-1, 1, 2).astype(np.float64), warp).reshape(4, 2)
    return _recoloured(np.asarray(look, np.uint8), rng), np.asarray(moved, np.float64)


def _centred(rng: Rng) -> Array:
    """Drawn picture → the network's, turned by quarters and mirrored at times; the middle stays."""
    quarter = int(rng.choice(4, p=(0.7, 0.1, 0.1, 0.1)))
    mirror = np.diag([rng.choice((-1.0, 1.0)), rng.choice((-1.0, 1.0)), 1.0])
    turn = np.deg2rad(90 * quarter + rng.normal(0, 6))
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    fit = WIDTH / DRAWN[0] if quarter % 2 == 0 else HEIGHT / DRAWN[0]
    grow = fit * np.exp(rng.normal(0, 0.16))
    before = np.array([[1, 0, -DRAWN[0] / 2], [0, 1, -DRAWN[1] / 2], [0, 0, 1]])
    after: Array = np.diag([grow, grow, 1.0]) @ spin @ mirror @ before
    return after


def _wander(rng: Rng) -> Array:
    """A shift and a slight tilt."""
    tilt = rng.normal(0, 0.0006, 2)
    shift = rng.normal(0, 0.05, 2) * (WIDTH, HEIGHT) + (WIDTH / 2, HEIGHT / 2)
    stretch = np.exp(rng.normal(0, 0.06))
    place = np.array([[stretch, 0, shift[0]], [0, 1 / stretch, shift[1]], [0, 0, 1]])
    wandered: Array = place @ np.array([[1, 0, 0], [0, 1, 0], [tilt[0], tilt[1], 1]])
    return wandered


def _recoloured(look: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """Other light: gains, grey at times, channels exchanged at times."""
    if rng.random() < 0.3:
        look = np.ascontiguousarray(look[..., rng.permutation(3)])
    if rng.random() < 0.1:
        look = np.repeat(cv2.cvtColor(look, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)
    gain = np.exp(rng.normal(0, 0.2) + rng.normal(0, 0.08, 3))
    changed: NDArray[np.uint8] = np.clip(look * gain + rng.normal(0, 6), 0, 255).astype(np.uint8)
    return changed


def in_picture_order(quad: Array) -> tuple[Array, bool]:
    """A board's corners clockwise from the picture's top left, and whether it is seen from its end."""
    if np.cross(quad[1] - quad[0], quad[2] - quad[1]) < 0:
        quad = quad[[1, 0, 3, 2]]
    right = quad[1] + quad[2] - quad[0] - quad[3]
    end_on = bool(abs(right[1]) > abs(right[0]))
    if (right[1] > 0) if end_on else (right[0] < 0):
        quad = np.roll(quad, 2, axis=0)
    return (np.roll(quad, -1, axis=0) if end_on else quad), end_on


def answer(quad: Array, bar: float) -> NDArray[np.float32]:
    """What the network must say, 6 × rows × columns: board, taught, across, down, end-on, bar."""
    corners, end_on = in_picture_order(quad)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_square = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    y, x = np.mgrid[0:HEIGHT:CELL, 0:WIDTH:CELL] + (CELL - 1) / 2
    at = cv2.perspectiveTransform(np.stack([x.ravel(), y.ravel()], 1).reshape(-1, 1, 2), to_square)
    place = np.asarray(at, np.float64).reshape(*x.shape, 2)
    outside = np.abs(place - 0.5).max(axis=2)
    told = [outside < 0.5, outside < 0.5 + BEYOND, place[..., 0], place[..., 1]]
    told += [np.full(x.shape, end_on), np.full(x.shape, bar)]
    return np.stack(told).astype(np.float32).clip(-1, 2)
