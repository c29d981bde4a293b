"""Things drawn to be taken for dice: lettered boxes, words, logos, studs, dotted discs, shadows, rims.

They have a die's size and a die's outline or marks, but never a die's face: `clutter` draws what merely lies
about, these are what fools a reader.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Image
from vision.training.dice_clutter import Spot, tone
from vision.training.dice_scene import CANVAS
from vision.training.dice_solid import FONTS, Floats, Rng


def decoys(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Some of them; returns the middles."""
    traps: list[Spot] = []
    for odd, draw in (
        (0.14, _boxes), (0.1, _words), (0.08, _logo), (0.08, _studs), (0.15, _discs), (0.1, _shadows),
        (0.1, _pile),
    ):  # fmt: skip
        if rng.random() < odd:
            traps += draw(rng, picture, pitch)
    return traps


def _spot(rng: Rng) -> Spot:
    x, y = rng.uniform(0.05 * CANVAS, 0.95 * CANVAS, 2)
    return int(x), int(y)


def _corners(spot: Spot, size: tuple[float, float], degrees: float) -> Floats:
    return np.asarray(cv2.boxPoints((spot, size, degrees)), np.float32)


def _block(rng: Rng, picture: Image, spot: Spot, size: tuple[float, float], degrees: float) -> None:
    """An upright block: its shadow, one or two of its sides, its top, at times with a rim."""
    body = tone(rng)
    top = _corners(spot, size, degrees)
    foot = top + np.float32(rng.normal(0, 0.3, 2) * size[0])
    _shade(rng, picture, foot + np.float32(rng.normal(0, 0.15, 2) * size[0]), size[0])
    side = rng.uniform(0.35, 1.0)
    hull = cv2.convexHull(np.vstack([top, foot])).astype(np.int32)
    cv2.fillPoly(picture, [hull], tuple(side * v for v in body), cv2.LINE_AA)
    cv2.fillPoly(picture, [top.astype(np.int32)], body, cv2.LINE_AA)
    if rng.random() < 0.35:
        cv2.polylines(picture, [top.astype(np.int32)], True, tone(rng), int(rng.integers(1, 3)), cv2.LINE_AA)


def _shade(rng: Rng, picture: Image, corners: Floats, size: float) -> None:
    """A soft shadow of this outline."""
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(mask, [corners.astype(np.int32)], 1.0)
    soft = cv2.blur(mask, (int(size * rng.uniform(0.05, 0.5)) | 1,) * 2)
    picture[:] = (picture * (1 - rng.uniform(0.15, 0.65) * soft[..., None])).astype(np.uint8)


def _boxes(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Boxes, keys and tokens of a die's size with a letter, a figure or a word on top."""
    found = []
    for _ in range(int(rng.integers(1, 4))):
        spot, wide = _spot(rng), pitch * rng.uniform(0.3, 1.1)
        degrees = rng.uniform(0, 90)
        _block(rng, picture, spot, (wide, wide * rng.uniform(0.8, 1.25)), degrees)
        _written(rng, picture, spot, wide, degrees)
        found.append(spot)
    return found


def _words(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A few letters or figures, large, on the table itself."""
    spot = _spot(rng)
    _written(rng, picture, spot, pitch * rng.uniform(0.4, 2.2), rng.uniform(0, 360))
    return [spot]


def _written(rng: Rng, picture: Image, spot: Spot, wide: float, degrees: float) -> None:
    """One to four letters or figures, turned, about a spot."""
    text = "".join(chr(c) for c in rng.integers(48, 91, int(rng.integers(1, 5))))
    font, thick = int(rng.choice(FONTS)), int(rng.integers(2, 9))
    (w, h), _ = cv2.getTextSize(text, font, 2.0, thick)
    ink = np.zeros((h + 20, w + 20), np.uint8)
    cv2.putText(ink, text, (10, h + 10), font, 2.0, 255, thick, cv2.LINE_AA)
    scale = rng.uniform(0.45, 0.9) * wide / max(w, h)
    place = np.array(cv2.getRotationMatrix2D((w / 2 + 10, h / 2 + 10), degrees, scale), np.float64)
    place[:, 2] += (spot[0] - w / 2 - 10, spot[1] - h / 2 - 10)
    label = cv2.warpAffine(cv2.blur(ink, (3, 3)), place, picture.shape[1::-1])[..., None] / np.float32(255)
    picture[:] = (picture * (1 - label) + np.array(tone(rng), np.float32) * label).astype(np.uint8)


def _logo(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A badge: a disc, a star or a square, with a smaller one on it, and dots or rays around its middle."""
    (x, y), r = _spot(rng), pitch * rng.uniform(0.15, 0.6)
    for size in (r, r * rng.uniform(0.4, 0.8)):
        corners = int(rng.choice([3, 4, 5, 6, 8, 10, 40]))
        a = np.linspace(0, 2 * np.pi, corners, endpoint=False) + rng.uniform(0, 6)
        reach = np.where(np.arange(corners) % 2, rng.uniform(0.5, 1.0), 1.0) * size
        outline = np.stack([x + reach * np.cos(a), y + reach * np.sin(a)], 1).astype(np.int32)
        cv2.fillPoly(picture, [outline], tone(rng), cv2.LINE_AA)
    ink, rays, dots = tone(rng), rng.random() < 0.4, int(rng.integers(5, 10))
    for k in range(dots):
        way = np.array([np.cos(k / dots * 2 * np.pi), np.sin(k / dots * 2 * np.pi)])
        far = (np.array([x, y]) + 0.8 * r * way).astype(int).tolist()
        if rays:
            cv2.line(picture, (x, y), far, ink, max(int(0.06 * r), 1), cv2.LINE_AA)
        else:
            cv2.circle(picture, far, max(int(0.1 * r), 1), ink, -1, cv2.LINE_AA)
    return [(x, y)]


def _studs(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A block with holes or studs where no die has its pips: a ring of seven to nine, or a grid of nine and
    more.
    """
    spot, wide, degrees = _spot(rng), pitch * rng.uniform(0.3, 0.9), rng.uniform(0, 90)
    _block(rng, picture, spot, (wide, wide), degrees)
    if rng.random() < 0.5:
        a = np.linspace(0, 2 * np.pi, int(rng.integers(7, 10)), endpoint=False)
        marks = 0.3 * np.stack([np.cos(a), np.sin(a)], 1)
    else:
        across, along = np.linspace(-0.33, 0.33, int(rng.integers(3, 5))), np.linspace(-0.33, 0.33, 3)
        marks = np.array([(u, v) for u in across for v in along])
    ink, c, s = tone(rng), np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    for u, v in wide * marks:
        middle = (int(spot[0] + c * u - s * v), int(spot[1] + s * u + c * v))
        cv2.circle(picture, middle, max(int(wide * rng.uniform(0.05, 0.08)), 1), ink, -1, cv2.LINE_AA)
    return [spot]


def _discs(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Checkers and counters with a dot in their middle, blotches or grooves: round where a die is square."""
    body, ink, kind = tone(rng), tone(rng), int(rng.integers(3))
    dot, found = rng.uniform(0.06, 0.3), []
    for _ in range(int(rng.integers(1, 4))):
        (x, y), r = _spot(rng), int(pitch * rng.uniform(0.2, 0.5)) + 2
        _shade(rng, picture, _corners((x, y), (1.7 * r, 1.7 * r), 45), r)
        cv2.circle(picture, (x, y), r, body, -1, cv2.LINE_AA)
        if kind == 0:
            cv2.circle(picture, (x, y), max(round(dot * r), 1), ink, -1, cv2.LINE_AA)
        elif kind == 1:
            _blotches(rng, picture, (x, y), r)
        else:
            for size in np.arange(0.9, 0.1, -rng.uniform(0.12, 0.4)):
                cv2.circle(picture, (x, y), int(size * r), ink, 1, cv2.LINE_AA)
        found.append((x, y))
    return found


def _blotches(rng: Rng, picture: Image, spot: Spot, r: int) -> None:
    """Soft spots, darker or brighter, as of marble or wear."""
    for _ in range(int(rng.integers(2, 8))):
        x, y = (np.array(spot) + rng.uniform(-0.6, 0.6, 2) * r).astype(int).tolist()
        mask = np.zeros(picture.shape[:2], np.float32)
        cv2.circle(mask, (x, y), max(int(r * rng.uniform(0.1, 0.3)), 1), 1.0, -1)
        soft = cv2.blur(mask, (int(0.3 * r) | 1,) * 2)[..., None]
        picture[:] = np.clip(picture * (1 + rng.uniform(-0.6, 0.4) * soft), 0, 255).astype(np.uint8)


def _shadows(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Two shadows that cross, of something that is not in the picture."""
    found = []
    for _ in range(int(rng.integers(1, 3))):
        spot, wide, degrees = _spot(rng), pitch * rng.uniform(0.3, 0.9), rng.uniform(0, 90)
        corners = _corners(spot, (wide, wide * rng.uniform(0.7, 1.4)), degrees)
        for _ in range(2):
            _shade(rng, picture, corners + np.float32(rng.normal(0, 0.3, 2) * wide), wide)
        found.append(spot)
    return found


def _pile(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Checkers that lie half over each other, with bright and dark rims: arcs, wedges and gleams."""
    (x, y), r = _spot(rng), int(pitch * rng.uniform(0.35, 0.5))
    body, found = tone(rng), []
    for _ in range(int(rng.integers(2, 5))):
        _shade(rng, picture, _corners((x + r // 6, y + r // 6), (1.6 * r, 1.6 * r), 45), r)
        cv2.circle(picture, (x, y), r, body, -1, cv2.LINE_AA)
        way, wide = rng.uniform(0, 360), rng.uniform(30, 330)
        for gain in rng.uniform(0.3, 1.8, 2):
            rim = tuple(min(gain * v + 10, 255) for v in body)
            size = (int(r * rng.uniform(0.6, 1.0)),) * 2
            cv2.ellipse(picture, (x, y), size, way, 0, wide, rim, int(rng.integers(1, 4)), cv2.LINE_AA)
        found.append((int(x + r * np.cos(way)), int(y + r * np.sin(way))))
        x, y = (int(v + rng.normal(0, 0.6 * r)) for v in (x, y))
    return found
