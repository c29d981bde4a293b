"""Invented pictures of dice, cubes and what lies around them, to train and to test the dice reader on.

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

Floats = NDArray[np.float32]
Rng = np.random.Generator

#: Side of the drawn canvas and the usual point width on it, in pixels.
CANVAS = 288
POINT = 96.0

#: Pip centres of the six faces in units of the pip spacing.
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


class Truth(NamedTuple):
    """A drawn die: centre of its upper face and side length in canvas pixels; `kind` die, cocked or cube."""

    x: float
    y: float
    side: float
    value: int
    kind: str


class Eye(NamedTuple):
    """How the camera looks: shift of the picture per height, and a squeeze for views not straightened."""

    lean: tuple[float, float]
    squeeze: float


def colour(rng: Rng) -> Floats:
    """Any colour, with black, white and ivory more often than chance would have them."""
    plain = ((12, 12, 12), (240, 240, 240), (205, 228, 238), (30, 30, 34))
    if rng.random() < 0.45:
        base = np.array(plain[rng.integers(len(plain))], np.float32)
        return np.clip(base + rng.normal(0, 8, 3), 0, 255).astype(np.float32)
    hsv = np.array([[[rng.integers(180), rng.integers(60, 256), rng.integers(40, 256)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def luma(bgr: Floats) -> float:
    """Brightness as the eye weighs it, 0-255."""
    return float(bgr @ np.array([0.114, 0.587, 0.299], np.float32))


def pip_colour(rng: Rng, body: Floats) -> Floats:
    """A colour that can be told from the body's: mostly white or black, at times a bright one."""
    if rng.random() < 0.8:
        tone = rng.uniform(215, 255) if luma(body) < 130 else rng.uniform(0, 45)
        return np.full(3, tone, np.float32)
    for _ in range(20):
        found = colour(rng)
        apart = abs(luma(found) - luma(body)) + 0.35 * float(np.abs(found - body).max())
        if apart > 85:
            return found
    return np.full(3, 255.0 if luma(body) < 130 else 0.0, np.float32)


def smooth_noise(rng: Rng, cells: int, size: int = CANVAS) -> Floats:
    """Soft noise around 0 with deviation about 1, `cells` lumps across."""
    coarse = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


class _Die:
    """One solid: its shape, its paint, and where the rays of a picture meet it."""

    def __init__(self, rng: Rng, cube: bool) -> None:
        self.edge = rng.uniform(0.04, 0.4)
        self.ball = rng.choice([3.0, rng.uniform(1.36, 1.7)])
        self.spacing = rng.uniform(0.4, 0.58)
        self.pip = rng.uniform(0.13, 0.23)
        self.body = colour(rng)
        self.body2 = np.clip(self.body + rng.normal(0, 30, 3), 0, 255).astype(np.float32)
        self.ink = pip_colour(rng, self.body)
        self.marble = rng.choice([0.0, rng.uniform(0, 1)])
        self.ring = rng.random() < 0.05
        self.inset = rng.choice([0.0, rng.uniform(0, 0.7)])
        self.clear = 0.0 if cube else float(rng.choice([0.0, 0.0, rng.uniform(0.15, 0.6)]))
        self.faces = _faces(rng)
        self.labels = _numerals(rng) if cube else None

    def distance(self, p: Floats) -> Floats:
        """Signed distance of N × 3 places to the surface (half side 1)."""
        x, y, z = np.abs(p.T) - np.float32(1 - self.edge)
        outside = np.sqrt(np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2 + np.maximum(z, 0) ** 2)
        box = outside + np.minimum(np.maximum(np.maximum(x, y), z), 0) - np.float32(self.edge)
        ball = np.sqrt(np.einsum("ij,ij->i", p, p)) - np.float32(self.ball)
        found: Floats = np.maximum(box, ball)
        return found

    def normal(self, p: Floats) -> Floats:
        """Outward normals at surface places."""
        q = np.maximum(np.abs(p) - np.float32(1 - self.edge), 0) * np.sign(p)
        flat = np.where(np.abs(p) == np.abs(p).max(1, keepdims=True), np.sign(p), 0)
        length = np.sqrt((q * q).sum(1, keepdims=True))
        box = np.where(length > 1e-4, q / np.maximum(length, 1e-4), flat)
        far = np.sqrt((p * p).sum(1, keepdims=True))
        found: Floats = np.where(far > self.ball - 0.02, p / far, box).astype(np.float32)
        return found

    def ink_at(self, p: Floats) -> tuple[Floats, Floats]:
        """How much of each place is inked (0-1), and its shade by the dent's slope."""
        axis = np.abs(p).argmax(1)
        plus = p[np.arange(len(p)), axis] > 0
        ink = np.zeros(len(p), np.float32)
        slope = np.zeros(len(p), np.float32)
        for a in range(3):
            for sign in (0, 1):
                here = np.flatnonzero((axis == a) & (plus == bool(sign)))
                if len(here):
                    u, v = (p[here, k] for k in range(3) if k != a)
                    ink[here], slope[here] = self._face(2 * a + sign, u, v)
        return ink, slope

    def _face(self, face: int, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        value, turned = self.faces[face]
        if self.labels is not None:
            return _stamp(self.labels[value - 1], u, v, turned), np.zeros_like(u)
        nearest = np.full(len(u), 9.0, np.float32)
        slope = np.zeros(len(u), np.float32)
        big = self.pip * (1.35 if value == 1 and self.pip < 0.18 else 1.0)
        for i, j in PIPS[value]:
            a, b = (j, i) if turned else (i, j)
            if turned and value in (2, 3):
                a, b = -i, j
            du, dv = u - a * self.spacing, v - b * self.spacing
            d = np.sqrt(du * du + dv * dv)
            slope = np.where(d < nearest, (du + dv) / big, slope)
            nearest = np.minimum(nearest, d)
        ink = np.clip((big - nearest) / 0.05 + 0.5, 0, 1)
        if self.ring:
            ink = ink * np.clip((nearest - 0.55 * big) / 0.05 + 0.5, 0, 1)
        return ink, np.clip(slope, -1, 1)


def _faces(rng: Rng) -> list[tuple[int, bool]]:
    """Value and quarter turn of the faces -x, +x, -y, +y, -z, +z; opposite ones add to seven."""
    pairs = rng.permutation([1, 2, 3])
    found: list[tuple[int, bool]] = []
    for low in pairs:
        pair = [int(low), 7 - int(low)]
        rng.shuffle(pair)
        found += [(v, bool(rng.random() < 0.5)) for v in pair]
    return found


def _numerals(rng: Rng) -> list[Floats]:
    """The six faces of a doubling cube, 64 × 64, 1 where inked."""
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    thick, slant = int(rng.integers(3, 14)), rng.normal(0, 0.08)
    tall, wide, size = rng.uniform(0.8, 1.1), rng.uniform(0.75, 1.1), rng.uniform(0.45, 0.62)
    found: list[Floats] = []
    for text in ("2", "4", "8", "16", "32", "64"):
        ink = np.zeros((160, 160), np.uint8)
        scale = 2.2 if len(text) > 1 else 3.4
        (w, h), _ = cv2.getTextSize(text, font, scale, thick)
        cv2.putText(ink, text, ((160 - w) // 2, (160 + h) // 2), font, scale, 255, thick, cv2.LINE_AA)
        grow = 64 * size / (w * wide if len(text) > 1 else h)
        step = np.array([[grow * wide, slant], [0, grow * tall]])
        place = np.column_stack([step, 32 - step @ np.array([80, 80])])
        found.append(np.asarray(cv2.warpAffine(ink, place, (64, 64)), np.float32) / np.float32(255))
    return found


def _stamp(label: Floats, u: Floats, v: Floats, turned: bool) -> Floats:
    u, v = (v, -u) if turned else (u, v)
    x = ((u + 1) * 31.5).reshape(1, -1).astype(np.float32)
    y = ((v + 1) * 31.5).reshape(1, -1).astype(np.float32)
    return np.asarray(cv2.remap(label, x, y, cv2.INTER_LINEAR), np.float32).ravel()


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


def _march(die: _Die, start: Floats, way: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Indexes of the rays that meet the die, and the places where they do."""
    near = (-(start @ way)).astype(np.float32)
    feet = start + near[:, None] * way
    live = np.flatnonzero(np.einsum("ij,ij->i", feet, feet) < min(3.0, die.ball**2))
    p = feet[live] - np.float32(1.75) * way
    for _ in range(16):
        p = p + die.distance(p)[:, None] * way
    hit = die.distance(p) < 0.03
    return live[hit], p[hit]


def draw_die(
    rng: Rng, picture: Floats, centre: tuple[float, float], side: float, eye: Eye, tip: float, cube: bool
) -> Truth:
    """Paint one die into a float canvas, with its shadow, in place."""
    die = _Die(rng, cube)
    scale = side / 2
    half = int(side * (1.2 + 1.2 * np.hypot(*eye.lean))) + 2
    turn = _turn(rng.uniform(0, 2 * np.pi), tip, rng.uniform(0, 2 * np.pi))
    start, way = _rays(half, scale, eye)
    live, p = _march(die, start @ turn, way @ turn)
    light = _light(rng)
    _shadow(rng, picture, centre, side, light)
    paint = _paint(rng, die, p, way @ turn, light @ turn)
    patch = np.zeros((4 * half * half, 4), np.float32)
    patch[live, :3], patch[live, 3] = paint[:, :3], paint[:, 3]
    _blend(picture, centre, patch.reshape(2 * half, 2 * half, 4))
    up = turn.T @ np.array([0, 0, 1], np.float32)
    axis = int(np.abs(up).argmax())
    value = die.faces[2 * axis + int(up[axis] > 0)][0]
    shift = np.array(eye.lean, np.float32) * scale * eye.squeeze
    kind = "cube" if cube else "cocked" if tip > 0.2 else "die"
    return Truth(centre[0] + float(shift[0]), centre[1] + float(shift[1]), side, value, kind)


def _light(rng: Rng) -> Floats:
    found = np.array([rng.normal(), rng.normal(), rng.uniform(0.8, 2.5)], np.float32)
    return found / np.float32(np.linalg.norm(found))


def _paint(rng: Rng, die: _Die, p: Floats, way: Floats, light: Floats) -> Floats:
    """Colour and opacity (0-1) of surface places."""
    normal = die.normal(p)
    ink, slope = die.ink_at(p)
    marble = np.clip(0.5 + 0.5 * np.sin(p @ rng.normal(0, 2.5, 3).astype(np.float32)), 0, 1) * die.marble
    body = die.body * (1 - marble[:, None]) + die.body2 * marble[:, None]
    if die.clear:
        far, _ = die.ink_at(_exit(p, way))
        body = body + (die.ink - body) * (far * rng.uniform(0.2, 0.7))[:, None]
    lit = rng.uniform(0.45, 0.8)
    shade = lit + (1 - lit) * 1.3 * np.maximum(normal @ light, 0)
    half = light - way
    half = half / np.linalg.norm(half)
    gloss = rng.uniform(0, 160) * np.maximum(normal @ half, 0) ** rng.uniform(8, 60)
    dent = 1 + die.inset * slope * rng.choice([-0.5, 0.5])
    painted = body * (1 - ink[:, None]) + die.ink * (ink * dent)[:, None]
    bgr = painted * shade[:, None] + gloss[:, None]
    opaque = np.maximum(1 - np.float32(die.clear), ink)
    return np.concatenate([np.clip(bgr, 0, 255), opaque[:, None]], 1).astype(np.float32)


def _exit(p: Floats, way: Floats) -> Floats:
    """Where rays leave a clear die again."""
    inside = way / np.float32(np.linalg.norm(way))
    safe = np.where(np.abs(inside) < 1e-3, np.float32(1e-3), inside)
    gone = ((np.sign(safe) - p) / safe).min(1)
    found: Floats = p + gone[:, None] * inside
    return found


def _shadow(rng: Rng, picture: Floats, centre: tuple[float, float], side: float, light: Floats) -> None:
    mask = np.zeros(picture.shape[:2], np.float32)
    reach = -side * light[:2] / max(float(light[2]), 0.3) * rng.uniform(0.1, 0.6)
    for k in np.linspace(0, 1, 4):
        spot = (int(centre[0] + k * reach[0]), int(centre[1] + k * reach[1]))
        cv2.circle(mask, spot, int(side * 0.55), 1.0, -1)
    soft = cv2.blur(mask, (int(side * rng.uniform(0.1, 0.5)) | 1,) * 2)
    picture *= 1 - np.float32(rng.uniform(0, 0.6)) * soft[..., None]


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
    """A camera up to 50° from overhead; an unstraightened one stays within 38°."""
    tilt = np.radians(abs(rng.normal(0, 18 if not straightened else 24)))
    tilt = min(float(tilt), np.radians(50 if straightened else 38))
    way = rng.uniform(0, 2 * np.pi)
    lean = (float(np.tan(tilt) * np.cos(way)), float(np.tan(tilt) * np.sin(way)))
    return Eye(lean, 1.0 if straightened else float(np.cos(tilt)))


def weather(rng: Rng, picture: Floats) -> Image:
    """What lens, sensor and file do to a picture at some lower resolution: blur, noise, cast, JPEG."""
    size = int(CANVAS * rng.choice([rng.uniform(0.3, 0.5), rng.uniform(0.4, 1.0)]))
    small = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.2, 1.1))
    cast = rng.normal(1, 0.08, 3) * rng.choice([1, rng.uniform(0.35, 1.1)])
    light = 255 * np.clip(small * cast / 255, 0, 1) ** rng.uniform(0.75, 1.35)
    grainy = light + rng.normal(0, rng.uniform(0, 7), light.shape)
    image = filed(rng, np.clip(grainy, 0, 255).astype(np.uint8)) if rng.random() < 0.7 else grainy
    back = cv2.resize(np.clip(image, 0, 255).astype(np.uint8), (CANVAS, CANVAS))
    return np.asarray(back, np.uint8)


def filed(rng: Rng, image: Image) -> Image:
    """A picture out of a JPEG file of some quality."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))]
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
