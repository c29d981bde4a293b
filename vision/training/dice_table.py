"""Invented tables for the dice to lie on: fields, points, checkers, prints, hands and other small things."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Image
from vision.training.dice_scene import (
    CANVAS,
    POINT,
    Eye,
    Floats,
    Rng,
    Truth,
    colour,
    draw_die,
    eye,
    smear,
    smooth_noise,
)

Spot = tuple[int, int]


def table(rng: Rng) -> tuple[Floats, list[Spot]]:
    """A canvas without dice, and the middles of things that are none."""
    picture = _cloth(rng)
    traps: list[Spot] = []
    pitch = POINT * rng.uniform(0.8, 1.25)
    if rng.random() < 0.8:
        traps += _points(rng, picture, pitch)
    for odd, draw in (
        (0.25, _bar),
        (0.25, _print),
        (0.3, _trifles),
        (0.15, _hinge),
        (0.75, _checkers),
        (0.12, _hand),
    ):
        if rng.random() < odd:
            traps += draw(rng, picture, pitch)
    return _light_over(rng, picture), traps


def scene(rng: Rng) -> tuple[Floats, list[Truth], list[Spot], float]:
    """A table with 0-3 dice, at times a cube: canvas, what was drawn, traps, blur in die sides."""
    picture, traps = table(rng)
    look = eye(rng, straightened=rng.random() < 0.75)
    size = POINT * rng.uniform(0.3, 0.85)
    truths: list[Truth] = []
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.15, 0.3, 0.35, 0.2]))):
        tip = rng.uniform(0.25, 0.75) if rng.random() < 0.06 else 0.0
        truths += _place(rng, picture, truths, size * rng.uniform(0.96, 1.04), look, tip, False)
    if rng.random() < 0.3:
        truths += _place(rng, picture, truths, POINT * rng.uniform(0.55, 1.3), look, 0.0, True)
    blur = 0.0
    if rng.random() < 0.08:
        blur = rng.uniform(0.05, 0.7)
        picture = smear(rng, picture, blur * size)
    return picture, truths, traps, blur


def _place(
    rng: Rng, picture: Floats, others: list[Truth], side: float, look: Eye, tip: float, cube: bool
) -> list[Truth]:
    for _ in range(8):
        spot = rng.uniform(0.04 * CANVAS, 0.96 * CANVAS, 2)
        if others and rng.random() < 0.35:
            way = rng.uniform(0, 2 * np.pi)
            spot = np.array(others[-1][:2]) + (side + others[-1].side) / 2 * 1.25 * np.array(
                [np.cos(way), np.sin(way)]
            )
        apart = [np.hypot(*(spot - t[:2])) - 0.6 * (side + t.side) for t in others]
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


def _tone(rng: Rng) -> tuple[float, float, float]:
    b, g, r = (float(v) for v in colour(rng))
    return b, g, r


def _points(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A row or two of points whose tips end somewhere on the canvas."""
    tips: list[Spot] = []
    tones = [_tone(rng), _tone(rng)]
    for up in (False, True):
        if rng.random() < 0.3:
            continue
        tip_y = int(rng.uniform(0.2, 0.8) * CANVAS)
        foot_y = CANVAS + 150 if up else -150
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
    tone: tuple[float, ...],
    cut: float,
) -> None:
    w, c = 0.48 * pitch, cut * pitch
    corners = np.array([[x - w, foot_y], [x - c, tip_y], [x + c, tip_y], [x + w, foot_y]], np.int32)
    cv2.fillPoly(picture, [corners], tone, cv2.LINE_AA)
    if cut and rng.random() < 0.7:
        cv2.circle(picture, (int(x), tip_y), int(c), tone, -1, cv2.LINE_AA)
    if rng.random() < 0.15:
        cv2.polylines(picture, [corners], True, _tone(rng), 2, cv2.LINE_AA)


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


def _print(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Letters or a badge."""
    x, y = (int(v) for v in rng.uniform(0, CANVAS, 2))
    text = "".join(chr(c) for c in rng.integers(33, 123, int(rng.integers(1, 9))))
    scale, thick = rng.uniform(0.5, 2.2), int(rng.integers(1, 5))
    if rng.random() < 0.4:
        s = int(pitch * rng.uniform(0.15, 0.5))
        cv2.rectangle(picture, (x - s // 2, y - s), (x + s, y + s // 2), _tone(rng), -1)
    cv2.putText(picture, text, (x - 10, y), int(rng.integers(0, 5)), scale, _tone(rng), thick, cv2.LINE_AA)
    return [(x + int(12 * scale), y - int(10 * scale))]


def _trifles(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Specks, screws, small squares and rings: pip-like things that are no dice."""
    found = []
    for _ in range(int(rng.integers(1, 6))):
        x, y = (int(v) for v in rng.uniform(0, CANVAS, 2))
        s = max(int(pitch * rng.uniform(0.03, 0.3)), 2)
        kind = rng.integers(4)
        if kind == 0:
            cv2.circle(picture, (x, y), s, _tone(rng), -1, cv2.LINE_AA)
        elif kind == 1:
            box = cv2.boxPoints(((x, y), (2 * s, s * rng.uniform(1, 3)), rng.uniform(0, 180)))
            cv2.fillPoly(picture, [box.astype(np.int32)], _tone(rng), cv2.LINE_AA)
        elif kind == 2:
            cv2.circle(picture, (x, y), s, _tone(rng), max(s // 4, 1), cv2.LINE_AA)
        else:
            cv2.ellipse(picture, (x, y), (2 * s, s), rng.uniform(0, 180), 0, 360, _tone(rng), -1, cv2.LINE_AA)
        found.append((x, y))
    return found


def _checkers(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Columns of checkers of one or two colours, with rims, rings, dents, prints and gloss."""
    tones, style = [_tone(rng), _tone(rng)], int(rng.integers(6))
    radius = pitch * rng.uniform(0.38, 0.5)
    found = []
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0, CANVAS, 2)
        tone = tones[int(rng.integers(2))]
        for k in range(int(rng.integers(1, 5))):
            spot = (int(x + rng.normal(0, 2)), int(y + 2.05 * radius * k))
            _checker(rng, picture, spot, int(radius), tone, style)
            found += [spot, (spot[0], spot[1] + int(radius))]
    return found


def _checker(rng: Rng, picture: Image, spot: Spot, r: int, tone: tuple[float, ...], style: int) -> None:
    dark = tuple(0.45 * v for v in tone)
    pale = tuple(min(1.3 * v + 25, 255) for v in tone)
    cv2.circle(picture, (spot[0] + 4, spot[1] + 4), r, tuple(0.6 * v for v in dark), -1, cv2.LINE_AA)
    cv2.circle(picture, spot, r, tone, -1, cv2.LINE_AA)
    cv2.circle(picture, spot, r, dark, 2, cv2.LINE_AA)
    if style in (1, 2):
        for k in range(1, 2 + style * 2):
            cv2.circle(picture, spot, int(r * k / (2 + style * 2)), dark if k % 2 else pale, 2, cv2.LINE_AA)
    if style == 3:
        cv2.circle(picture, spot, int(r * 0.6), dark, -1, cv2.LINE_AA)
    if style == 4:
        mark = chr(int(rng.integers(65, 91)))
        cv2.putText(picture, mark, (spot[0] - r // 3, spot[1] + r // 3), 3, r / 25, pale, 2, cv2.LINE_AA)
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


def _hinge(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A metal plate with screws, slots and a joint."""
    x, y = (int(v) for v in rng.uniform(0, CANVAS, 2))
    w, h = int(pitch * rng.uniform(0.12, 0.3)), int(pitch * rng.uniform(0.25, 0.8))
    w, h = (w, h) if rng.random() < 0.5 else (h, w)
    cv2.rectangle(picture, (x - w, y - h), (x + w, y + h), _tone(rng), -1)
    cv2.rectangle(picture, (x - w, y - h), (x + w, y + h), _tone(rng), int(rng.integers(1, 4)))
    edge, hole, found = _tone(rng), _tone(rng), [(x, y)]
    columns, rows = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    for i in range(columns):
        for j in range(rows):
            spot = (x - w + (2 * i + 1) * w // columns, y - h + (2 * j + 1) * h // rows)
            cv2.circle(picture, spot, max(int(0.25 * min(w, h)), 2), hole, -1, cv2.LINE_AA)
            cv2.circle(picture, spot, max(int(0.25 * min(w, h)), 2), edge, 1, cv2.LINE_AA)
            found.append(spot)
    if rng.random() < 0.6:
        cv2.line(picture, (x, y - h), (x, y + h), edge, int(rng.integers(1, 8)))
    return found


def _hand(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    skin = np.array([rng.uniform(60, 170), 0, 0])
    skin[1] = skin[0] + rng.uniform(20, 45)
    skin[2] = skin[1] + rng.uniform(20, 55)
    x, y = rng.uniform(0.2 * CANVAS, 0.8 * CANVAS, 2)
    way = rng.uniform(0, 2 * np.pi)
    fingers = rng.integers(2, 6)
    for k in range(fingers):
        a = way + (k - fingers / 2) * rng.uniform(0.1, 0.3)
        reach = 3 * pitch
        end = (int(x + reach * np.cos(a)), int(y + reach * np.sin(a)))
        tone = tuple(float(v) for v in np.clip(skin + rng.normal(0, 6, 3), 0, 255))
        cv2.line(
            picture,
            (int(x + 14 * k * np.sin(a)), int(y - 14 * k * np.cos(a))),
            end,
            tone,
            int(0.4 * pitch),
            cv2.LINE_AA,
        )
    return [(int(x), int(y))]


def _light_over(rng: Rng, picture: Image) -> Floats:
    shade = 1 + np.float32(rng.uniform(0, 0.18)) * smooth_noise(rng, 3)
    if rng.random() < 0.2:
        edge = np.zeros((CANVAS, CANVAS), np.float32)
        corners = rng.uniform(-0.5 * CANVAS, 1.5 * CANVAS, (3, 2)).astype(np.int32)
        cv2.fillPoly(edge, [corners], 1.0)
        shade = shade * (1 - rng.uniform(0.1, 0.5) * cv2.blur(edge, (int(rng.integers(3, 40)),) * 2))
    found: Floats = np.clip(picture * shade[..., None], 0, 255).astype(np.float32)
    return found
