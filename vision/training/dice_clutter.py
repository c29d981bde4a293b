"""Small things on the table that are no dice: prints, screws, hinges, hands, clocks, coins, cups, cards."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Image
from vision.training.dice_scene import CANVAS
from vision.training.dice_solid import Rng, colour

Spot = tuple[int, int]

#: The lit bars of the digits 0-9 on a clock: top, both upper ones, middle, both lower ones, foot.
SEGMENTS = ("1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111",
            "1111011")  # fmt: skip


def clutter(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Some of everything; returns the middles."""
    traps: list[Spot] = []
    for odd, draw in (
        (0.25, _print), (0.3, _trifles), (0.15, _hinge), (0.1, _clock), (0.12, _coins), (0.05, _cup),
        (0.06, _card), (0.1, _hand),
    ):  # fmt: skip
        if rng.random() < odd:
            traps += draw(rng, picture, pitch)
    return traps


def tone(rng: Rng) -> tuple[float, float, float]:
    """Any colour, as OpenCV draws with it."""
    b, g, r = (float(v) for v in colour(rng))
    return b, g, r


def _spot(rng: Rng) -> Spot:
    x, y = rng.uniform(0, CANVAS, 2)
    return int(x), int(y)


def _print(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Letters or a badge."""
    x, y = _spot(rng)
    text = "".join(chr(c) for c in rng.integers(33, 123, int(rng.integers(1, 9))))
    scale, thick = rng.uniform(0.3, 1.5), int(rng.integers(1, 4))
    if rng.random() < 0.4:
        s = int(pitch * rng.uniform(0.15, 0.5))
        cv2.rectangle(picture, (x - s // 2, y - s), (x + s, y + s // 2), tone(rng), -1)
    cv2.putText(picture, text, (x - 10, y), int(rng.integers(0, 5)), scale, tone(rng), thick, cv2.LINE_AA)
    return [(x + int(12 * scale), y - int(10 * scale))]


def _trifles(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Specks, screws, small squares and rings: pip-like things that are no dice."""
    found = []
    for _ in range(int(rng.integers(1, 6))):
        x, y = _spot(rng)
        s = max(int(pitch * rng.uniform(0.03, 0.3)), 2)
        kind = rng.integers(4)
        if kind == 0:
            cv2.circle(picture, (x, y), s, tone(rng), -1, cv2.LINE_AA)
        elif kind == 1:
            box = cv2.boxPoints(((x, y), (2 * s, s * rng.uniform(1, 3)), rng.uniform(0, 180)))
            cv2.fillPoly(picture, [box.astype(np.int32)], tone(rng), cv2.LINE_AA)
        elif kind == 2:
            cv2.circle(picture, (x, y), s, tone(rng), max(s // 4, 1), cv2.LINE_AA)
        else:
            cv2.ellipse(picture, (x, y), (2 * s, s), rng.uniform(0, 180), 0, 360, tone(rng), -1, cv2.LINE_AA)
        found.append((x, y))
    return found


def _hinge(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A metal plate with screws, slots and a joint."""
    x, y = _spot(rng)
    w, h = int(pitch * rng.uniform(0.12, 0.3)), int(pitch * rng.uniform(0.25, 0.8))
    w, h = (w, h) if rng.random() < 0.5 else (h, w)
    cv2.rectangle(picture, (x - w, y - h), (x + w, y + h), tone(rng), -1)
    cv2.rectangle(picture, (x - w, y - h), (x + w, y + h), tone(rng), int(rng.integers(1, 4)))
    edge, hole, found = tone(rng), tone(rng), [(x, y)]
    columns, rows = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    for i in range(columns):
        for j in range(rows):
            spot = (x - w + (2 * i + 1) * w // columns, y - h + (2 * j + 1) * h // rows)
            cv2.circle(picture, spot, max(int(0.25 * min(w, h)), 2), hole, -1, cv2.LINE_AA)
            cv2.circle(picture, spot, max(int(0.25 * min(w, h)), 2), edge, 1, cv2.LINE_AA)
            found.append(spot)
    if rng.random() < 0.6:
        cv2.line(picture, (x, y - h), (x, y + h), edge, int(rng.integers(1, 6)))
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
            (int(x + 9 * k * np.sin(a)), int(y - 9 * k * np.cos(a))),
            end,
            tone,
            int(0.4 * pitch),
            cv2.LINE_AA,
        )
    return [(int(x), int(y))]


def _clock(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A digital clock's figures on their pale glass, a case around, a button beside."""
    x, y = _spot(rng)
    tall = int(pitch * rng.uniform(0.15, 0.6))
    wide, gap = max(int(0.55 * tall), 3), max(int(0.2 * tall), 1)
    count = int(rng.integers(2, 6))
    end = (x + count * (wide + gap) + gap, y + tall + gap)
    glass, ink = tone(rng), tone(rng)
    cv2.rectangle(picture, (x - 4 * gap, y - 3 * gap), (end[0] + 3 * gap, end[1] + 2 * gap), tone(rng), -1)
    cv2.rectangle(picture, (x - gap, y - gap), end, glass, -1)
    found = []
    for k in range(count):
        left = x + k * (wide + gap)
        _digit(picture, (left, y), (wide, tall), SEGMENTS[int(rng.integers(10))], ink)
        found.append((left + wide // 2, y + tall // 2))
    if rng.random() < 0.5:
        cv2.rectangle(picture, (x, end[1] + gap), (x + wide, end[1] + gap + wide // 2), tone(rng), -1)
    return found


def _digit(picture: Image, spot: Spot, size: Spot, lit: str, ink: tuple[float, ...]) -> None:
    (x, y), (w, h) = spot, size
    m, thick = y + h // 2, max(h // 8, 1)
    a, b, c, d, e, f = (x, y), (x + w, y), (x, m), (x + w, m), (x, y + h), (x + w, y + h)
    for on, (p, q) in zip(lit, ((a, b), (a, c), (b, d), (c, d), (c, e), (d, f), (e, f)), strict=True):
        if on == "1":
            cv2.line(picture, p, q, ink, thick, cv2.LINE_AA)


def _coins(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """Coins or plain counters: discs with a rim and a figure or a dot in their middle."""
    found = []
    metal = tone(rng)
    for _ in range(int(rng.integers(1, 4))):
        (x, y), r = _spot(rng), int(pitch * rng.uniform(0.12, 0.45)) + 2
        pale = tuple(min(1.2 * v + 20, 255) for v in metal)
        cv2.circle(picture, (x, y), r, metal, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), r, pale, max(r // 10, 1), cv2.LINE_AA)
        if rng.random() < 0.5:
            text = str(int(rng.integers(0, 100)))
            cv2.putText(picture, text, (x - r // 2, y + r // 3), 0, r / 25, tone(rng), 1, cv2.LINE_AA)
        else:
            cv2.circle(picture, (x, y), max(int(r * rng.uniform(0.1, 0.5)), 1), tone(rng), -1, cv2.LINE_AA)
        found.append((x, y))
    return found


def _cup(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A dice cup or a glass from above: rim, dark inside, a gleam."""
    (x, y), r = _spot(rng), int(pitch * rng.uniform(0.5, 1.2))
    body, inside = tone(rng), tone(rng)
    lean = int(rng.integers(-r // 3, r // 3 + 1))
    cv2.ellipse(picture, (x + lean, y + lean), (r, int(0.9 * r)), 0, 0, 360, body, -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), r, tuple(0.7 * v for v in body), -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), int(0.85 * r), tuple(0.5 * v for v in inside), -1, cv2.LINE_AA)
    cv2.circle(picture, (x + r // 3, y - r // 3), max(r // 10, 1), (245, 245, 245), -1, cv2.LINE_AA)
    return [(x, y), (x + r // 3, y - r // 3)]


def _card(rng: Rng, picture: Image, pitch: float) -> list[Spot]:
    """A slip of paper, a key pad or a label: lines of writing, or a grid of keys."""
    x, y = _spot(rng)
    w, h = (int(pitch * rng.uniform(0.5, 2.0)) for _ in range(2))
    cv2.rectangle(picture, (x, y), (x + w, y + h), tone(rng), -1)
    ink, rows, columns = tone(rng), int(rng.integers(2, 6)), int(rng.integers(2, 6))
    keys = rng.random() < 0.5
    for i in range(rows):
        for j in range(columns):
            spot = (x + (2 * j + 1) * w // (2 * columns), y + (2 * i + 1) * h // (2 * rows))
            if keys:
                cv2.circle(picture, spot, max(min(w // columns, h // rows) // 4, 1), ink, -1, cv2.LINE_AA)
            else:
                text = chr(int(rng.integers(33, 123)))
                cv2.putText(picture, text, spot, 0, h / rows / 40 + 0.1, ink, 1, cv2.LINE_AA)
    return [(x + w // 2, y + h // 2), (x + w // (2 * columns), y + h // (2 * rows))]
