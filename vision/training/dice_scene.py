"""Invented pictures of dice and cubes, to train and to test the dice reader on.

Everything is drawn in the straightened view: the table is seen without perspective, a die's upper face is a
true square and its side faces lean away from the camera. `numpy` and `cv2` only; every choice comes from the
generator that is passed in.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image
from vision.training.dice_solid import Floats, Rng, Solid

#: Side of the drawn canvas and the usual point width on it, in pixels.
CANVAS = 192
POINT = 64.0
#: A die tipped by less than the first (radians) counts as flat, by more than the second as cocked.
FLAT, COCKED = 0.12, 0.3
#: A side face whose normal comes nearer to the camera's way than the second (cosine) shows; below the first
#: it does not.
HIDDEN, SHOWN = 0.1, 0.3


class Truth(NamedTuple):
    """A drawn die: centre of its upper face and side length in canvas pixels; `kind` die, tipped, cocked or
    cube (a tipped one lies only a little aslant); `shown`: for each value whether a side face shows it (1),
    does not (0), or only just (-1).
    """

    x: float
    y: float
    side: float
    value: int
    kind: str
    shown: tuple[int, ...] = (-1,) * 6


class Eye(NamedTuple):
    """How the camera looks: shift of the picture per height, and a squeeze for views not straightened."""

    lean: tuple[float, float]
    squeeze: float


def smooth_noise(rng: Rng, cells: int, size: int = CANVAS) -> Floats:
    """Soft noise around 0 with deviation about 1, `cells` lumps across."""
    coarse = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _turn(yaw: float, tip: float, towards: float) -> Floats:
    """Rotation of a die: `yaw` on the table, then tipped by `tip` towards a direction (radians)."""
    about_z = cv2.Rodrigues(np.array([0.0, 0.0, yaw]))[0]
    tipped = cv2.Rodrigues(tip * np.array([np.cos(towards), np.sin(towards), 0.0]))[0]
    return (tipped @ about_z).astype(np.float32)


def _rays(half: int, scale: float, eye: Eye) -> tuple[Floats, Floats]:
    """Where each pixel of a patch looks from, and the common direction; z is up, the unit half a side."""
    y, x = np.mgrid[-half:half, -half:half].astype(np.float32) / np.float32(scale)
    lean = np.array(eye.lean, np.float32)
    size = float(np.hypot(*lean))
    if eye.squeeze < 1 and size > 1e-6:
        a, b = lean / size
        along = (x * a + y * b) * (1 / eye.squeeze - 1)
        x, y = x + along * a, y + along * b
    way = np.array([lean[0], lean[1], -1.0], np.float32)
    start = np.stack([x.ravel(), y.ravel(), np.zeros(x.size, np.float32)], 1) - 4 * way
    return start, way / np.linalg.norm(way)


def _march(die: Solid, start: Floats, way: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Indexes of the rays that meet the die, and the places where they do."""
    near = (-(start @ way)).astype(np.float32)
    feet = start + near[:, None] * way
    live = np.flatnonzero(np.einsum("ij,ij->i", feet, feet) < min(3.0, die.ball**2))
    p = feet[live] - np.float32(1.75) * way
    for _ in range(14):
        p = p + die.distance(p)[:, None] * way
    hit = die.distance(p) < 0.03
    return live[hit], p[hit]


def draw_die(
    rng: Rng, picture: Floats, centre: tuple[float, float], side: float, eye: Eye, tip: float, cube: bool
) -> Truth:
    """Paint one die into a float canvas, with its shadow, in place."""
    die = Solid(rng, cube)
    scale = side / 2
    half = int(side * (1.0 + 1.2 * np.hypot(*eye.lean))) + 2
    turn = _turn(rng.uniform(0, 2 * np.pi), tip, rng.uniform(0, 2 * np.pi))
    start, way = _rays(half, scale, eye)
    live, p = _march(die, start @ turn, way @ turn)
    light = _light(rng)
    _shadow(rng, picture, centre, side, light)
    paint = _paint(rng, die, p, way @ turn, light @ turn)
    patch = np.zeros((4 * half * half, 4), np.float32)
    patch[live, :3], patch[live, 3] = paint[:, :3], paint[:, 3]
    _blend(picture, centre, patch.reshape(2 * half, 2 * half, 4))
    value, shown = _seen(die, turn, way)
    shift = np.array(eye.lean, np.float32) * scale * eye.squeeze
    kind = "cube" if cube else "cocked" if tip > COCKED else "tipped" if tip > FLAT else "die"
    return Truth(centre[0] + float(shift[0]), centre[1] + float(shift[1]), side, value, kind, shown)


def _seen(die: Solid, turn: Floats, way: Floats) -> tuple[int, tuple[int, ...]]:
    """The value of the upper face, and which values the sides show."""
    up = turn.T @ np.array([0, 0, 1], np.float32)
    axis = int(np.abs(up).argmax())
    top = 2 * axis + int(up[axis] > 0)
    towards = -(way @ turn)
    shown = [0] * 6
    for face, (value, _) in enumerate(die.faces):
        facing = float(towards[face // 2]) * (1 if face % 2 else -1)
        if face != top:
            shown[value - 1] = 1 if facing > SHOWN else 0 if facing < HIDDEN else -1
    return die.faces[top][0], tuple(shown)


def _light(rng: Rng) -> Floats:
    found = np.array([rng.normal(), rng.normal(), rng.uniform(0.5, 2.5)], np.float32)
    return found / np.float32(np.linalg.norm(found))


def _paint(rng: Rng, die: Solid, p: Floats, way: Floats, light: Floats) -> Floats:
    """Colour and opacity (0-1) of surface places."""
    normal = die.normal(p)
    ink, slope = die.ink_at(p)
    body = die.paint(p)
    if die.clear:
        far, _ = die.ink_at(_exit(p, way))
        body = body + (die.ink - body) * (far * rng.uniform(0.2, 0.7))[:, None]
    lit = rng.uniform(0.35, 0.8)
    shade = lit + (1 - lit) * 1.3 * np.maximum(normal @ light, 0)
    dent = 1 + die.inset * slope * rng.choice([-0.5, 0.5])
    painted = body * (1 - ink[:, None]) + die.ink * (ink * dent)[:, None]
    bgr = painted * shade[:, None] + _gloss(rng, normal, way, light)[:, None]
    opaque = np.maximum(1 - np.float32(die.clear), ink)
    return np.concatenate([np.clip(bgr, 0, 255), opaque[:, None]], 1).astype(np.float32)


def _gloss(rng: Rng, normal: Floats, way: Floats, light: Floats) -> Floats:
    """A lamp's gleam, at times a window or a bright room mirrored in the faces."""
    half = light - way
    half = half / np.linalg.norm(half)
    found = rng.uniform(0, 160) * np.maximum(normal @ half, 0) ** rng.uniform(8, 60)
    if rng.random() < 0.18:
        mirrored = way - 2 * (normal @ way)[:, None] * normal
        window = _light(rng)
        broad = rng.uniform(0.6, 0.97)
        found = found + rng.uniform(20, 190) * np.clip((mirrored @ window - broad) / 0.1, 0, 1)
    return np.asarray(found, np.float32)


def _exit(p: Floats, way: Floats) -> Floats:
    """Where rays leave a clear die again."""
    inside = way / np.float32(np.linalg.norm(way))
    safe = np.where(np.abs(inside) < 1e-3, np.float32(1e-3), inside)
    gone = ((np.sign(safe) - p) / safe).min(1)
    found: Floats = p + gone[:, None] * inside
    return found


def _shadow(rng: Rng, picture: Floats, centre: tuple[float, float], side: float, light: Floats) -> None:
    reach = -side * light[:2] / max(float(light[2]), 0.3) * rng.uniform(0.1, 0.6)
    far = int(side * 1.3 + np.abs(reach).max()) + 2
    x0, y0 = max(int(centre[0]) - far, 0), max(int(centre[1]) - far, 0)
    part = picture[y0 : max(int(centre[1]) + far, 0), x0 : max(int(centre[0]) + far, 0)]
    if part.size == 0:
        return
    mask = np.zeros(part.shape[:2], np.float32)
    for k in np.linspace(0, 1, 4):
        spot = (int(centre[0] + k * reach[0] - x0), int(centre[1] + k * reach[1] - y0))
        cv2.circle(mask, spot, int(side * 0.55), 1.0, -1)
    soft = cv2.blur(mask, (int(side * rng.uniform(0.1, 0.5)) | 1,) * 2, borderType=cv2.BORDER_CONSTANT)
    part *= 1 - np.float32(rng.uniform(0, 0.6)) * soft[..., None]


def _blend(picture: Floats, centre: tuple[float, float], patch: Floats) -> None:
    half = patch.shape[0] // 2
    x, y = round(centre[0]) - half, round(centre[1]) - half
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + 2 * half, picture.shape[1]), min(y + 2 * half, picture.shape[0])
    if x0 < x1 and y0 < y1:
        cut = patch[y0 - y : y1 - y, x0 - x : x1 - x]
        under = picture[y0:y1, x0:x1]
        under += (cut[..., :3] - under) * cut[..., 3:]


def eye(rng: Rng, straightened: bool = True) -> Eye:
    """A camera up to 55° from overhead; an unstraightened one stays within 38°."""
    tilt = np.radians(abs(rng.normal(0, 18 if not straightened else 27)))
    tilt = min(float(tilt), np.radians(55 if straightened else 38))
    way = rng.uniform(0, 2 * np.pi)
    lean = (float(np.tan(tilt) * np.cos(way)), float(np.tan(tilt) * np.sin(way)))
    return Eye(lean, 1.0 if straightened else float(np.cos(tilt)))


def weather(rng: Rng, picture: Floats, side: float) -> Image:
    """What lens, sensor and file do to a picture whose dice have this side: resolution, blur, noise, cast,
    JPEG.
    """
    wanted = rng.uniform(9, 14) if rng.random() < 0.15 else rng.uniform(13, 45)
    size = int(CANVAS * np.clip(wanted / side, 0.22, 1.0))
    small = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
    die = side * size / CANVAS
    blur = rng.uniform(0.2, 0.8) if rng.random() < 0.88 else rng.uniform(0.05, 0.09) * die
    small = cv2.GaussianBlur(small, (0, 0), max(blur, 0.2))
    cast = rng.normal(1, 0.08, 3) * rng.choice([1, rng.uniform(0.5, 1.1)])
    if rng.random() < 0.15:
        cast = cast * np.array([rng.uniform(0.4, 0.8), rng.uniform(0.8, 0.95), 1.0])
    light = 255 * np.clip(small * cast / 255, 0, 1) ** rng.uniform(0.75, 1.35)
    grainy = light + _grain(rng, size)
    image = np.clip(grainy, 0, 255).astype(np.uint8)
    image = filed(rng, image) if rng.random() < 0.7 else image
    return np.asarray(cv2.resize(image, (CANVAS, CANVAS)), np.uint8)


def _grain(rng: Rng, size: int) -> Floats:
    """A sensor's noise; at times coarse, or the same in all colours."""
    strength = rng.uniform(0, 6) if rng.random() < 0.9 else rng.uniform(5, 15)
    noise = rng.normal(0, strength, (size, size, 3 if rng.random() < 0.5 else 1)).astype(np.float32)
    if rng.random() < 0.3:
        noise = np.asarray(1.6 * cv2.blur(noise, (2, 2)).reshape(size, size, -1), np.float32)
    return noise


def filed(rng: Rng, image: Image) -> Image:
    """A picture out of a JPEG file of some quality."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 96))]
    data = cv2.imencode(".jpg", image, quality)[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def smear(rng: Rng, picture: Floats, length: float) -> Floats:
    """Motion blur of the given length in canvas pixels."""
    size = max(int(length) | 1, 3)
    kernel = np.zeros((size, size), np.float32)
    way = rng.uniform(0, np.pi)
    a, b, c = round(np.cos(way) * size / 2), round(np.sin(way) * size / 2), size // 2
    cv2.line(kernel, (c - a, c - b), (c + a, c + b), 1.0, 1)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
