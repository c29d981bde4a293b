"""Invented tables for the dice to lie on: fields, points and checkers; what else lies about is clutter."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.geometry import Image
from vision.training.dice_clutter import Spot, clutter, tone
from vision.training.dice_scene import CANVAS, POINT, Eye, Truth, draw_die, eye, smear, smooth_noise
from vision.training.dice_solid import Floats, Rng, colour

#: The usual share of dice that lean on something.
LEANING = 0.16


class Scene(NamedTuple):
    """A drawn canvas, the dice on it, middles of things that are none, the motion blur in die sides, the die
    side, and the lean of upright things in the straightened view (None: a picture not straightened).
    """

    picture: Floats
    truths: list[Truth]
    traps: list[Spot]
    blur: float
    side: float
    lean: tuple[float, float] | None


def table(rng: Rng) -> tuple[Image, list[Spot]]:
    """An invented table without dice, and the middles of things that are none."""
    picture = _cloth(rng)
    traps: list[Spot] = []
    pitch = POINT * rng.uniform(0.8, 1.25)
    if rng.random() < 0.8:
        traps += _points(rng, picture, pitch)
    for odd, draw in ((0.25, _bar), (0.75, _checkers)):
        if rng.random() < odd:
            traps += draw(rng, picture, pitch)
    return picture, traps


def scene(rng: Rng, board: tuple[Image, Eye] | None = None, leaning: float = LEANING) -> Scene:
    """A table with 0-4 dice, of which this share leans, at times cubes; the table is a part of a drawn board
    or invented here.
    """
    if board is None:
        look = eye(rng, straightened=rng.random() < 0.75)
        under, traps = table(rng)
    else:
        (under, look), traps = board, []
    traps += clutter(rng, under, POINT)
    picture = _light_over(rng, under, 1.0 if board is None else 0.3)
    size = POINT * rng.uniform(0.3, 0.85)
    truths: list[Truth] = []
    for _ in range(int(rng.choice(5, p=[0.12, 0.24, 0.34, 0.2, 0.1]))):
        side = size * rng.uniform(0.96, 1.04) if rng.random() < 0.8 else POINT * rng.uniform(0.3, 0.85)
        truths += _place(rng, picture, truths, side, look, _tip(rng, leaning), False)
    for _ in range(int(rng.choice(3, p=[0.45, 0.4, 0.15]))):
        truths += _place(rng, picture, truths, POINT * rng.uniform(0.5, 1.7), look, 0.0, True)
    blur = 0.0
    if rng.random() < 0.08:
        blur = rng.uniform(0.05, 0.7)
        picture = smear(rng, picture, blur * size)
    return Scene(picture, truths, traps, blur, size, look.lean if look.squeeze == 1 else None)


def _tip(rng: Rng, leaning: float) -> float:
    """How far a die is tipped: mostly not, some lie a little aslant, some lean on something."""
    kind = rng.random()
    return rng.uniform(0.32, 0.78) if kind < leaning else abs(rng.normal(0, 0.06)) if kind < 0.5 else 0.0


def _place(
    rng: Rng, picture: Floats, others: list[Truth], side: float, look: Eye, tip: float, cube: bool
) -> list[Truth]:
    for _ in range(8):
        spot = rng.uniform(0.04 * CANVAS, 0.96 * CANVAS, 2)
        if others and rng.random() < 0.35:
            way = rng.uniform(0, 2 * np.pi)
            spot = np.array(others[-1][:2]) + (side + others[-1].side) / 2 * rng.uniform(1.0, 1.4) * np.array(
                [np.cos(way), np.sin(way)]
            )
        apart = [np.hypot(*(spot - t[:2])) - 0.5 * (side + t.side) for t in others]
        if not apart or min(apart) > 0:
            return [draw_die(rng, picture, (float(spot[0]), float(spot[1])), side, look, tip, cube)]
    return []


def _cloth(rng: Rng) -> Image:
    base = np.zeros((CANVAS, CANVAS, 3), np.float32) + colour(rng)
    grain = smooth_noise(rng, int(rng.integers(20, 140)))
    if rng.random() < 0.3:
        grain = np.repeat(grain[:, :12], CANVAS // 12, axis=1)
    strength = float(rng.choice([0, rng.uniform(0, 12)]))
    return np.asarray(np.clip(base + strength * grain[..., None], 0, 255), np.uint8)


def _points(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A row or two of points whose tips end somewhere on the canvas."""
    tips: list[Spot] = []
    tones = [tone(rng), tone(rng)]
    for up in (False, True):
        if rng.random() < 0.3:
            continue
        tip_y = int(rng.uniform(0.2, 0.8) * CANVAS)
        foot_y = CANVAS + 100 if up else -100
        first, cut = rng.uniform(-pitch, 0), rng.choice([0.0, 0.0, rng.uniform(0.03, 0.14)])
        for k in range(int(CANVAS / pitch) + 2):
            x = first + (k + 0.5) * pitch
            if rng.random() < 0.95:
                _point(rng, picture, x, tip_y, foot_y, pitch, tones[k % 2], float(cut))
                tips.append((int(x), tip_y))
    return tips


def _point(
    rng: Rng,
    picture: Image,
    x: float,
    tip_y: int,
    foot_y: int,
    pitch: float,
    fill: tuple[float, ...],
    cut: float,
) -> None:
    w, c = 0.48 * pitch, cut * pitch
    corners = np.array([[x - w, foot_y], [x - c, tip_y], [x + c, tip_y], [x + w, foot_y]], np.int32)
    cv2.fillPoly(picture, [corners], fill, cv2.LINE_AA)
    if cut and rng.random() < 0.7:
        cv2.circle(picture, (int(x), tip_y), int(c), fill, -1, cv2.LINE_AA)
    if rng.random() < 0.15:
        cv2.polylines(picture, [corners], True, tone(rng), 2, cv2.LINE_AA)


def _bar(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A bar or a frame's edge."""
    x, w = int(rng.uniform(0, CANVAS)), int(pitch * rng.uniform(0.2, 1.0))
    part = (
        np.s_[:, max(x - w // 2, 0) : x + w // 2]
        if rng.random() < 0.6
        else np.s_[max(x - w // 2, 0) : x + w // 2, :]
    )
    picture[part] = colour(rng)
    return [(x, x)]


def _checkers(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Columns of checkers of one or two colours, with rims, rings, dents, prints and gloss."""
    tones, style = [tone(rng) for _ in range(2)], int(rng.integers(6))
    radius = pitch * rng.uniform(0.38, 0.5)
    found = []
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0, CANVAS, 2)
        body = tones[int(rng.integers(2))]
        for k in range(int(rng.integers(1, 5))):
            spot = (int(x + rng.normal(0, 2)), int(y + 2.05 * radius * k))
            _checker(rng, picture, spot, int(radius), body, style)
            found += [spot, (spot[0], spot[1] + int(radius))]
    return found


def _checker(rng: Rng, picture: Image, spot: Spot, r: int, body: tuple[float, ...], style: int) -> None:
    dark = tuple(0.45 * v for v in body)
    pale = tuple(min(1.3 * v + 25, 255) for v in body)
    cv2.circle(
        picture, (spot[0] + r // 8, spot[1] + r // 8), r, tuple(0.6 * v for v in dark), -1, cv2.LINE_AA
    )
    cv2.circle(picture, spot, r, body, -1, cv2.LINE_AA)
    cv2.circle(picture, spot, r, dark, 2, cv2.LINE_AA)
    if style in (1, 2):
        for k in range(1, 2 + style * 2):
            cv2.circle(picture, spot, int(r * k / (2 + style * 2)), dark if k % 2 else pale, 2, cv2.LINE_AA)
    if style == 3:
        cv2.circle(picture, spot, int(r * 0.6), dark, -1, cv2.LINE_AA)
    if style == 4:
        mark = chr(int(rng.integers(65, 91)))
        cv2.putText(picture, mark, (spot[0] - r // 3, spot[1] + r // 3), 3, r / 25, pale, 1, cv2.LINE_AA)
    if rng.random() < 0.5:
        _roundness(rng, picture, spot, r)
    if rng.random() < 0.4:
        gleam = (int(spot[0] + rng.normal(0, r / 3)), int(spot[1] + rng.normal(0, r / 3)))
        cv2.circle(picture, gleam, max(int(r * rng.uniform(0.08, 0.4)), 2), (250, 250, 250), -1, cv2.LINE_AA)


def _roundness(rng: Rng, picture: Image, spot: Spot, r: int) -> None:
    """Light falling off over a checker, as on glossy or bulging ones."""
    x0, y0 = max(spot[0] - r, 0), max(spot[1] - r, 0)
    part = picture[y0 : max(spot[1] + r, 0), x0 : max(spot[0] + r, 0)]
    y, x = np.mgrid[0 : part.shape[0], 0 : part.shape[1]].astype(np.float32)
    u, v = (x + x0 - spot[0]) / r, (y + y0 - spot[1]) / r
    inside = (u * u + v * v < 1).astype(np.float32)
    a = rng.uniform(0, 2 * np.pi)
    slope = rng.uniform(0, 0.5) * (u * np.cos(a) + v * np.sin(a)) + rng.uniform(-0.4, 0.4) * (u * u + v * v)
    glare = rng.uniform(0, 110) * np.exp(
        -(((u - 0.4 * np.cos(a)) / 0.5) ** 2 + ((v - 0.4 * np.sin(a)) / 0.4) ** 2)
    )
    lit = part * (1 + slope * inside)[..., None] + (glare * inside)[..., None]
    part[:] = np.clip(lit, 0, 255).astype(np.uint8)


def _light_over(rng: Rng, picture: Image, much: float) -> Floats:
    shade = 1 + np.float32(much * rng.uniform(0, 0.18)) * smooth_noise(rng, 3)
    if rng.random() < 0.2 * much:
        edge = np.zeros((CANVAS, CANVAS), np.float32)
        corners = rng.uniform(-0.5 * CANVAS, 1.5 * CANVAS, (3, 2)).astype(np.int32)
        cv2.fillPoly(edge, [corners], 1.0)
        shade = shade * (1 - rng.uniform(0.1, 0.5) * cv2.blur(edge, (int(rng.integers(3, 40)),) * 2))
    found: Floats = np.clip(picture * shade[..., None], 0, 255).astype(np.float32)
    return found
