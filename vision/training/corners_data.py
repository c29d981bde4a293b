"""Small drawn pictures of whole boards for `vision.training.corners`."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import Camera, Scene, Style, render
from vision.synth_random import TIPS, maybe, pick, random_scene, span

#: Size of the drawn pictures and of those that views are made of, width and height.
DRAWN, KEPT = (320, 240), (256, 192)
#: Scenes in a shard.
SHARD = 100

Rng = np.random.Generator


@dataclass(frozen=True)
class Boards:
    """N drawn boards: `pictures` N × H × W × 3, `quads` N × 4 × 2 pixels in board order, `bars` N."""

    pictures: NDArray[np.uint8]
    quads: NDArray[np.float32]
    bars: NDArray[np.float32]


def boards(first: int, count: int) -> Boards:
    """Scenes numbered from `first` on, drawn small."""
    made = [_drawn(number) for number in range(first, first + count)]
    return Boards(*(np.stack(part) for part in zip(*made, strict=True)))


def shards(folder: Path, numbers: list[int], workers: int) -> list[Path]:
    """Draw the shards that are not in the folder yet, in `workers` processes."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(_shard, [folder] * len(numbers), numbers))


def _shard(folder: Path, number: int) -> Path:
    cv2.setNumThreads(1)
    path = folder / f"{number:04d}.npz"
    if not path.exists():
        made = boards(number * SHARD, SHARD)
        partial = path.with_suffix(".part.npz")
        np.savez(partial, pictures=made.pictures, quads=made.quads, bars=made.bars)
        partial.rename(path)
    return path


def loaded(paths: list[Path]) -> Boards:
    """Shards as one, their pictures in the size that views are made of."""
    parts = []
    for path in paths:
        with np.load(path) as data:
            small = [cv2.resize(p, KEPT, interpolation=cv2.INTER_AREA) for p in data["pictures"]]
            quads = (data["quads"] + 0.5) * np.float32(KEPT[0] / DRAWN[0]) - 0.5
            parts.append(Boards(np.stack(small).astype(np.uint8), quads.astype(np.float32), data["bars"]))
    return Boards(*(np.concatenate([getattr(p, n) for p in parts]) for n in ("pictures", "quads", "bars")))


def _drawn(number: int) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]:
    rng = np.random.default_rng((4711, number))
    found = render(_small(_odder(random_scene(rng), rng)))
    height, width = found.image.shape[:2]
    left, top = (DRAWN[0] - width) // 2, (DRAWN[1] - height) // 2
    canvas = np.zeros((DRAWN[1], DRAWN[0], 3), np.uint8)
    canvas[top : top + height, left : left + width] = found.image
    corners = np.array(found.board.corners, np.float32) + np.array([left, top], np.float32)
    quad = np.roll(corners, 1, axis=0) if found.board.rotate_cw_deg else corners
    return canvas, quad.astype(np.float32), np.array(found.board.bar, np.float32)


def _odder(scene: Scene, rng: Rng) -> Scene:
    """More of the boards that are hard to find: odd spikes, no bar, a low or a near camera."""
    return replace(scene, style=_odder_style(scene.style, rng), camera=_odder_camera(scene.camera, rng))


def _odder_style(style: Style, rng: Rng) -> Style:
    if maybe(rng, 0.35):
        style = replace(style, points=replace(style.points, tip=pick(rng, TIPS)))
    return replace(style, bar=0.0) if maybe(rng, 0.1) else style


def _odder_camera(camera: Camera, rng: Rng) -> Camera:
    if maybe(rng, 0.25):
        camera = replace(camera, tilt=span(rng, 25, 48))
    return replace(camera, fill=span(rng, 1.0, 1.2)) if maybe(rng, 0.15) else camera


def _small(scene: Scene) -> Scene:
    """The scene for a camera with few pixels: blur and noise shrink with it. The lens comes later."""
    shrink = min(DRAWN[0] / scene.camera.width, DRAWN[1] / scene.camera.height)
    size = (round(scene.camera.width * shrink), round(scene.camera.height * shrink))
    sensor = replace(
        scene.sensor,
        blur=max(0.3, scene.sensor.blur * shrink),
        motion=scene.sensor.motion * shrink,
        lens=0.0,
    )
    return replace(scene, camera=replace(scene.camera, width=size[0], height=size[1]), sensor=sensor)
