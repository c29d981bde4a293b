"""The solids that are drawn: dice and doubling cubes, their shape, their paint and what each face shows."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rng = np.random.Generator

#: Pip centres of the six faces in units of the pip spacing.
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)


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
    """A colour that can be told from the body's: mostly white or black, at times a bright one, or one that
    differs little (red on black, white on pearl).
    """
    kind = rng.random()
    if kind < 0.72:
        tone = rng.uniform(215, 255) if luma(body) < 130 else rng.uniform(0, 45)
        return np.full(3, tone, np.float32)
    least, most = (85.0, 999.0) if kind < 0.94 else (45.0, 90.0)
    for _ in range(20):
        found = colour(rng)
        apart = abs(luma(found) - luma(body)) + 0.35 * float(np.abs(found - body).max())
        if least < apart < most:
            return found
    return np.full(3, 255.0 if luma(body) < 130 else 0.0, np.float32)


def faces(rng: Rng) -> list[tuple[int, bool]]:
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
    font = int(rng.choice(FONTS))
    thick, slant = int(rng.integers(3, 18)), rng.normal(0, 0.08)
    tall, wide, size = rng.uniform(0.8, 1.1), rng.uniform(0.75, 1.1), rng.uniform(0.4, 0.7)
    ring = rng.uniform(0.7, 0.95) if rng.random() < 0.15 else 0.0
    found: list[Floats] = []
    for text in ("2", "4", "8", "16", "32", "64"):
        ink = np.zeros((160, 160), np.uint8)
        scale = 2.2 if len(text) > 1 else 3.4
        (w, h), _ = cv2.getTextSize(text, font, scale, thick)
        cv2.putText(ink, text, ((160 - w) // 2, (160 + h) // 2), font, scale, 255, thick, cv2.LINE_AA)
        grow = max(w * wide / (64 * size), h / (64 * min(size, 0.6)), 1.0)
        step = np.array([[grow / wide, slant], [0, grow / tall]])
        place = np.column_stack([step, 80 - step @ np.array([32, 32])])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        label = np.asarray(cv2.warpAffine(cv2.blur(ink, (2, 2)), place, (64, 64), flags=how), np.uint8)
        if ring:
            half = int(31 * ring)
            cv2.rectangle(label, (32 - half, 32 - half), (32 + half, 32 + half), 255, 2)
        found.append(label.astype(np.float32) / np.float32(255))
    return found


def _stamp(label: Floats, u: Floats, v: Floats, turned: bool) -> Floats:
    u, v = (v, -u) if turned else (u, v)
    x = ((u + 1) * 31.5).reshape(1, -1).astype(np.float32)
    y = ((v + 1) * 31.5).reshape(1, -1).astype(np.float32)
    return np.asarray(cv2.remap(label, x, y, cv2.INTER_LINEAR), np.float32).ravel()


class Solid:
    """One solid: its shape, its paint, and where the rays of a picture meet it."""

    def __init__(self, rng: Rng, cube: bool) -> None:
        self.edge = rng.uniform(0.04, 0.4)
        self.ball = rng.choice([3.0, rng.uniform(1.3, 1.7)])
        self.spacing, self.pip = _pips(rng)
        self.long = rng.uniform(0.9, 1.1)
        self.body = colour(rng)
        if cube and rng.random() < 0.5:
            self.body = np.clip(rng.uniform(150, 250) + rng.normal(0, 10, 3), 0, 255).astype(np.float32)
        self.body2 = np.clip(self.body + rng.normal(0, 40, 3), 0, 255).astype(np.float32)
        self.ink = pip_colour(rng, self.body)
        self.marble = rng.choice([0.0, rng.uniform(0, 1)])
        self.swirl = rng.normal(0, 1, (2, 3)).astype(np.float32) * np.float32(rng.uniform(1, 5))
        self.wear = rng.choice([0.0, 0.0, rng.uniform(-0.5, 0.6)])
        self.ring = rng.random() < 0.05
        self.inset = rng.choice([0.0, rng.uniform(0, 0.7)])
        self.clear = 0.0 if cube else float(rng.choice([0.0, 0.0, rng.uniform(0.15, 0.6)]))
        self.faces = faces(rng)
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

    def paint(self, p: Floats) -> Floats:
        """The body's colour at places: plain, clouded or swirled, its edges worn or frosted."""
        wave = p @ self.swirl[0] + 2 * np.sin(p @ self.swirl[1])
        cloud = np.clip(0.5 + 0.5 * np.sin(wave), 0, 1) * self.marble
        found = self.body * (1 - cloud[:, None]) + self.body2 * cloud[:, None]
        if self.wear:
            second = np.sort(np.abs(p), axis=1)[:, 1]
            found = found * (1 + self.wear * np.clip((second - 0.75) / 0.2, 0, 1))[:, None]
        return np.asarray(found, np.float32)

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
            a, b = self._turned(value, turned, i, j)
            du, dv = u - a * self.spacing, v - b * self.spacing
            d = np.sqrt(du * du + dv * dv)
            slope = np.where(d < nearest, (du + dv) / big, slope)
            nearest = np.minimum(nearest, d)
        ink = np.clip((big - nearest) / 0.05 + 0.5, 0, 1)
        if self.ring:
            ink = ink * np.clip((nearest - 0.55 * big) / 0.05 + 0.5, 0, 1)
        return ink, np.clip(slope, -1, 1)

    def _turned(self, value: int, turned: bool, i: int, j: int) -> tuple[float, float]:
        if value == 6:
            return (self.long * j, i) if turned else (i, self.long * j)
        if turned and value in (2, 3):
            return -i, j
        return (j, i) if turned else (i, j)


def _pips(rng: Rng) -> tuple[float, float]:
    """Spacing and radius of the pips in half sides: usual ones, big inlaid ones, small ones."""
    kind = rng.random()
    if kind < 0.15:
        return rng.uniform(0.52, 0.6), rng.uniform(0.22, 0.28)
    if kind < 0.25:
        return rng.uniform(0.35, 0.58), rng.uniform(0.09, 0.13)
    return rng.uniform(0.4, 0.58), rng.uniform(0.13, 0.23)
