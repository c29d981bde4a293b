"""Scenes by chance: every kind of board, light and camera that a reader must cope with.

>>> import numpy as np
>>> len(random_scene(np.random.default_rng(1)).table)
28
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np

from vision.synth import Camera, Die, Hand, Light, Scene, Sensor, Style, Thing, Tray
from vision.synth_look import (
    Checker,
    Colour,
    Grain,
    Kind,
    Mark,
    Points,
    Print,
    Profile,
    Side,
    Surface,
    Tip,
    tone,
)
from vision.synth_surface import Rng

T = TypeVar("T")
GRAINS: tuple[Grain, ...] = ("plain", "felt", "wood", "leather", "speckle")
PROFILES: tuple[Profile, ...] = ("flat", "dome", "dish", "rings", "ridged")
MARKS: tuple[Mark, ...] = ("none", "dot", "star", "letter", "ring")
SIDES: tuple[Side, ...] = ("near", "far", "left", "right")
TIPS: tuple[Tip, ...] = ("sharp", "round", "blunt", "drop")
KINDS: tuple[Kind, ...] = ("cup", "clock", "box", "card", "cable")
WORDS = ("CLUB", "GAMMON", "No 1", "www.board.example", "XV", "MASTER", "play", "1978", "A", "TAVLA", "nardy")


def pick(rng: Rng, choices: tuple[T, ...], weights: tuple[float, ...] | None = None) -> T:
    """One of several, by weight."""
    share = None if weights is None else np.array(weights) / sum(weights)
    return choices[int(rng.choice(len(choices), p=share))]


def maybe(rng: Rng, p: float) -> bool:
    """True with probability p."""
    return bool(rng.random() < p)


def span(rng: Rng, low: float, high: float) -> float:
    """A number between."""
    return float(rng.uniform(low, high))


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Hue in degrees, saturation and value 0 … 1 → BGR."""
    pixel = np.array([[[hue % 360, saturation, value]]], np.float32)
    b, g, r = (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255).tolist()
    return b, g, r


def lightness(colour: Colour) -> float:
    """L* 0 … 100 of a BGR colour."""
    pixel = np.array([[colour]], np.float32) / 255
    return float(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0, 0])


def apart(a: Colour, b: Colour) -> float:
    """Distance of two colours in Lab."""
    pixels = np.array([[a, b]], np.float32) / 255
    lab = cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB)[0]
    return float(np.linalg.norm(lab[0] - lab[1]))


def any_colour(rng: Rng) -> Colour:
    """A colour as boards have them: white, ivory, black, grey, brown, or something bright or dull."""
    kind = pick(rng, ("white", "ivory", "black", "grey", "brown", "vivid", "dull"), (3, 2, 3, 1, 2, 4, 4))
    if kind == "white":
        return hsv(span(rng, 0, 360), span(rng, 0, 0.06), span(rng, 0.8, 0.98))
    if kind == "ivory":
        return hsv(span(rng, 30, 55), span(rng, 0.08, 0.35), span(rng, 0.75, 0.97))
    if kind == "black":
        return hsv(span(rng, 0, 360), span(rng, 0, 0.4), span(rng, 0.05, 0.2))
    if kind == "grey":
        return hsv(span(rng, 0, 360), span(rng, 0, 0.1), span(rng, 0.2, 0.8))
    if kind == "brown":
        return hsv(span(rng, 10, 40), span(rng, 0.35, 0.75), span(rng, 0.15, 0.65))
    if kind == "vivid":
        return hsv(span(rng, 0, 360), span(rng, 0.6, 1), span(rng, 0.45, 0.95))
    return hsv(span(rng, 0, 360), span(rng, 0.15, 0.6), span(rng, 0.15, 0.85))


def bright_colour(rng: Rng) -> Colour:
    """White, ivory, cream, sand or light grey: what the brighter half of most boards is made of."""
    kind = pick(rng, ("white", "ivory", "cream", "sand", "grey"), (4, 3, 2, 1, 1))
    if kind == "white":
        return hsv(span(rng, 0, 360), span(rng, 0, 0.07), span(rng, 0.84, 1.0))
    if kind == "ivory":
        return hsv(span(rng, 30, 55), span(rng, 0.08, 0.28), span(rng, 0.82, 1.0))
    if kind == "cream":
        return hsv(span(rng, 35, 65), span(rng, 0.25, 0.5), span(rng, 0.8, 1.0))
    if kind == "sand":
        return hsv(span(rng, 20, 45), span(rng, 0.3, 0.6), span(rng, 0.6, 0.9))
    return hsv(span(rng, 0, 360), span(rng, 0, 0.12), span(rng, 0.6, 0.82))


def deep_colour(rng: Rng) -> Colour:
    """Black, brown, or a strong red, blue, green, purple: the other half."""
    kind = pick(rng, ("black", "brown", "red", "blue", "green", "purple"), (5, 3, 4, 2, 2, 1))
    if kind == "black":
        return hsv(span(rng, 0, 360), span(rng, 0, 0.3), span(rng, 0.06, 0.24))
    if kind == "brown":
        return hsv(span(rng, 8, 35), span(rng, 0.4, 0.8), span(rng, 0.15, 0.5))
    hue = {"red": span(rng, -14, 12), "blue": span(rng, 200, 250), "green": span(rng, 90, 170)}
    return hsv(hue.get(kind, span(rng, 260, 330)), span(rng, 0.5, 1.0), span(rng, 0.25, 0.85))


def surface(rng: Rng, colour: Colour | None = None) -> Surface:
    """A material by chance."""
    return Surface(colour or any_colour(rng), pick(rng, GRAINS, (2, 3, 3, 2, 1)), span(rng, 0.05, 0.8))


def checker(rng: Rng, colour: Colour) -> Checker:
    """A set of checkers of a colour."""
    profile = pick(rng, PROFILES, (3, 2, 2, 3, 1))
    rim = None
    if maybe(rng, 0.2):
        gain = pick(rng, (0.55, 0.75, 1.25))
        rim = any_colour(rng) if maybe(rng, 0.5) else tone(colour, gain, 10)
    mark = pick(rng, MARKS, (12, 1, 1, 1, 1))
    gloss = pick(rng, (span(rng, 0, 0.2), span(rng, 0.2, 0.6), span(rng, 0.6, 1.0)), (4, 3, 2))
    pearl = span(rng, 0.2, 1.0) if maybe(rng, 0.2) else 0.0
    return Checker(colour, profile, rim, gloss, pearl, mark, any_colour(rng))


def checkers(rng: Rng) -> tuple[Checker, Checker]:
    """The two sets, light first: told apart, at times only just."""
    least = pick(rng, (40.0, 22.0), (9, 1))
    usual = maybe(rng, 0.55)
    while True:
        one, two = (bright_colour(rng), deep_colour(rng)) if usual else (any_colour(rng), any_colour(rng))
        if apart(one, two) > least and abs(lightness(one) - lightness(two)) > 8:
            break
    light, dark = (one, two) if lightness(one) > lightness(two) else (two, one)
    first = checker(rng, light)
    second = replace(first, colour=dark) if maybe(rng, 0.7) else checker(rng, dark)
    return first, replace(second, rim=None if maybe(rng, 0.3) else second.rim)


def near(rng: Rng, colour: Colour) -> Colour:
    """Almost a colour: another material of the same paint."""
    b, g, r = (v * span(rng, 0.94, 1.06) for v in colour)
    return tone((b, g, r), span(rng, 0.85, 1.12))


def points(rng: Rng, ground: Colour, light: Checker, dark: Checker) -> Points:
    """The spikes; now and then in the very colours of the checkers or almost that of the ground."""
    usual = maybe(rng, 0.55)
    one, two = (bright_colour(rng), deep_colour(rng)) if usual else (any_colour(rng), any_colour(rng))
    first = pick(rng, (one, near(rng, light.colour), near(rng, dark.colour)), (6, 1, 1))
    second = pick(rng, (two, near(rng, light.colour), near(rng, dark.colour)), (5, 2, 2))
    if maybe(rng, 0.5):
        first, second = second, first
    if apart(first, ground) < 12:
        first = tone(ground, 0.6) if lightness(ground) > 50 else tone(tone(ground, 1.4), 1.0, 30)
    lined = maybe(rng, 0.25)
    return Points(
        first,
        second,
        tip=pick(rng, TIPS, (6, 2, 1, 2)),
        length=span(rng, 0.34, 0.45),
        base=pick(rng, (span(rng, 0.62, 0.9), span(rng, 0.9, 1.0)), (2, 3)),
        outline=span(rng, 0.02, 0.07) if lined else 0.0,
        outline_colour=any_colour(rng),
        second_filled=not (lined and maybe(rng, 0.5)),
        inlay=any_colour(rng) if maybe(rng, 0.1) else None,
    )


def prints(rng: Rng, width: float, height: float, ground: Colour) -> tuple[Print, ...]:
    """Signs on the field, mostly between the rows."""
    out = []
    for _ in range(int(rng.integers(1, 5))):
        colour = any_colour(rng)
        if maybe(rng, 0.3):
            gain = 0.75 if lightness(ground) > 40 else 1.4
            colour = tone(ground, gain)
        text = pick(rng, WORDS) if maybe(rng, 0.6) else ""
        y = height * span(rng, 0.42, 0.58) if maybe(rng, 0.75) else height * span(rng, 0.05, 0.95)
        turn = pick(rng, (0.0, 180.0, 90.0, span(rng, 0, 360)))
        out.append(Print(text, width * span(rng, 0.08, 0.92), y, span(rng, 0.25, 0.9), colour, turn))
    return tuple(out)


def trays(rng: Rng) -> tuple[Tray, ...]:
    """None, one, or both."""
    kind = pick(rng, ("none", "right", "left", "both"), (3, 3, 1, 3))
    width, parts, on_edge = span(rng, 0.9, 1.8), pick(rng, (1, 2, 3)), maybe(rng, 0.5)
    right, left = Tray("right", width, parts, on_edge), Tray("left", width, parts, on_edge)
    return {"none": (), "right": (right,), "left": (left,), "both": (right, left)}[kind]


def style(rng: Rng) -> Style:
    """A board by chance."""
    light, dark = checkers(rng)
    ground = surface(rng)
    radius = pick(rng, (span(rng, 0.36, 0.43), span(rng, 0.43, 0.485)), (1, 2))
    bar = pick(rng, (0.0, span(rng, 0.25, 0.7), span(rng, 0.7, 1.4)), (2, 3, 6))
    height = (12 + bar) / span(rng, 0.96, 1.48)
    frame = surface(rng)
    frame_height = pick(rng, (span(rng, 0.0, 0.1), span(rng, 0.1, 0.5), span(rng, 0.5, 1.2)), (1, 3, 3))
    row = pick(rng, (5, 6, 4, 3), (16, 2, 1, 1))
    room = int(0.5 * height / (2.05 * radius))
    return Style(
        table=surface(rng),
        frame=frame,
        ground=ground,
        points=points(rng, ground.colour, light, dark),
        light=light,
        dark=dark,
        height=height,
        bar=bar,
        bar_surface=pick(rng, (frame, ground, surface(rng)), (3, 1, 1)),
        bar_height=pick(rng, (0.0, frame_height, span(rng, 0, 0.6)), (2, 2, 1)),
        bar_split=maybe(rng, 0.4),
        hinges=maybe(rng, 0.3),
        frame_width=span(rng, 0.15, 1.2),
        frame_height=frame_height,
        band=any_colour(rng) if maybe(rng, 0.15) else None,
        trays=trays(rng) if maybe(rng, 0.7) else (),
        prints=prints(rng, 12 + bar, height, ground.colour) if maybe(rng, 0.35) else (),
        border=any_colour(rng) if maybe(rng, 0.15) else None,
        radius=radius,
        thickness=pick(rng, (span(rng, 0.05, 0.15), span(rng, 0.15, 0.4)), (1, 3)),
        row=max(2, min(row, room)),
        mess=pick(rng, (span(rng, 0.0, 0.4), span(rng, 0.4, 1.0)), (2, 3)),
        seed=int(rng.integers(1 << 30)),
    )


def places(rng: Rng, count: int, heap: float) -> list[int]:
    """How many checkers stand on each of 24 points, `count` in all; `heap` > 1 makes high stacks."""
    out = [0] * 24
    left = count
    while left > 0:
        size = min(left, 1 + int(rng.exponential(heap)))
        out[int(rng.integers(24))] += size
        left -= size
    return out


def table(rng: Rng) -> tuple[int, ...]:
    """28 signed counts: positions of all kinds, from empty boards to one stack of fifteen."""
    kind = pick(rng, ("play", "heaps", "few", "one side", "empty"), (14, 7, 2, 1, 1))
    if kind == "empty":
        return (0,) * 28
    total = pick(rng, (15, 12), (4, 1))
    heap = {"heaps": 6.0, "few": 0.7}.get(kind, span(rng, 0.8, 2.4))
    out = [0] * 28
    sides = (1, -1) if kind != "one side" else (pick(rng, (1, -1)),)
    for sign in sides:
        off = int(rng.integers(total)) if kind == "few" or maybe(rng, 0.15) else 0
        bar = min(total - off, pick(rng, (0, 1, 2, 3, 4), (12, 5, 4, 2, 2)))
        for i, n in enumerate(places(rng, total - off - bar, heap)):
            free = [j for j in range(24) if out[j] * sign >= 0]
            spot = i if out[i] * sign >= 0 else free[int(rng.integers(len(free)))]
            out[spot] = sign * min(15, abs(out[spot]) + n)
        out[24 if sign > 0 else 25] = sign * bar
        out[26 if sign > 0 else 27] = sign * off
    return tuple(out)


def dice(rng: Rng, look: Style) -> tuple[Die, ...]:
    """None to four dice, mostly on the field, at times on checkers or beside the board."""
    number = pick(rng, (0, 1, 2, 3, 4), (2, 1, 6, 2, 1))
    colour, pips, size = any_colour(rng), any_colour(rng), span(rng, 0.28, 0.52)
    while apart(colour, pips) < 45:
        pips = any_colour(rng)
    width, out = 12 + look.bar, []
    for _ in range(number):
        y = look.height * (span(rng, 0.4, 0.6) if maybe(rng, 0.6) else span(rng, 0.04, 0.96))
        z = look.thickness if maybe(rng, 0.1) else 0.0
        x = span(rng, 0.4, width - 0.4)
        out.append(Die(int(rng.integers(1, 7)), x, y, span(rng, 0, 360), colour, pips, size, z))
    return tuple(out)


def hand(rng: Rng, look: Style) -> Hand | None:
    """An arm over the board, in some scenes."""
    if not maybe(rng, 0.3):
        return None
    skin = hsv(span(rng, 8, 28), span(rng, 0.25, 0.6), span(rng, 0.3, 0.95))
    side, y = pick(rng, SIDES, (4, 4, 1, 1)), span(rng, -0.5, look.height + 0.5)
    if side in ("near", "far") and maybe(rng, 0.4):
        # Fingers that only just reach over the edge look much like a checker there.
        depth = span(rng, 0.0, 1.8)
        y = depth if side == "far" else look.height - depth
    return Hand(
        span(rng, 0, 12 + look.bar),
        y,
        side,
        pick(rng, (0, 1, -1)),
        skin,
        skin if maybe(rng, 0.3) else any_colour(rng),
        span(rng, 0.7, 1.15),
        span(rng, -4, 4),
    )


def things(rng: Rng, look: Style) -> tuple[Thing, ...]:
    """What lies on the table around the board, and a doubling cube."""
    out, width, height = [], 12 + look.bar, look.height
    for _ in range(int(rng.integers(0, 6))):
        left = maybe(rng, 0.5)
        beside = maybe(rng, 0.7)
        x = (
            (span(rng, -7, -3.4) if left else width + span(rng, 3.4, 7))
            if beside
            else span(rng, -2, width + 2)
        )
        y = span(rng, 0, height) if beside else (span(rng, -6, -2.2) if left else height + span(rng, 2.2, 6))
        text = str(int(rng.integers(0, 100))) if maybe(rng, 0.5) else ""
        kind = pick(rng, KINDS)
        out.append(Thing(kind, x, y, span(rng, 0.5, 1.3), span(rng, 0, 360), any_colour(rng), text, -0.3))
    if maybe(rng, 0.5):
        x = pick(
            rng,
            (6 + look.bar / 2, -look.frame_width / 2, width + look.frame_width / 2, span(rng, -3, width + 3)),
        )
        y = height * pick(rng, (0.5, 0.04, 0.96, span(rng, 0.3, 0.7)))
        side, z = span(rng, 0.7, 1.4), look.frame_height if not 0 < x < width else look.bar_height
        colour = hsv(
            span(rng, 0, 360),
            span(rng, 0, 0.2),
            pick(rng, (span(rng, 0.75, 1), span(rng, 0.05, 0.5)), (3, 1)),
        )
        value = pick(rng, ("2", "4", "8", "16", "32", "64"))
        out.append(
            Thing("cube", x, y, side, pick(rng, (0.0, 90.0, 180.0, span(rng, 0, 360))), colour, value, z)
        )
    return tuple(out)


def light(rng: Rng) -> Light:
    """Lamps and windows."""
    warm = pick(
        rng, ((1.0, 1.0, 1.0), (0.72, 0.92, 1.08), (1.12, 1.0, 0.88), (0.85, 1.05, 1.0)), (4, 3, 1, 1)
    )
    return Light(
        angle=span(rng, 0, 360),
        slant=span(rng, 0.05, 0.85),
        hard=pick(rng, (span(rng, 0.02, 0.3), span(rng, 0.05, 1.0)), (2, 3)),
        shade=span(rng, 0.2, 0.7),
        tint=(warm[0] * span(rng, 0.95, 1.05), warm[1], warm[2] * span(rng, 0.95, 1.05)),
        fall=span(rng, 0, 0.35),
        bands=span(rng, 0.1, 0.5) if maybe(rng, 0.2) else 0.0,
        glare=span(rng, 0.2, 1.2) if maybe(rng, 0.25) else 0.0,
    )


def sensor(rng: Rng) -> Sensor:
    """Good cameras and bad ones."""
    dim = maybe(rng, 0.15)
    return Sensor(
        exposure=span(rng, 0.4, 0.7)
        if dim
        else span(rng, 0.75, 1.2)
        if maybe(rng, 0.92)
        else span(rng, 1.2, 1.4),
        gamma=span(rng, 0.75, 1.2),
        blur=pick(rng, (span(rng, 0.2, 0.8), span(rng, 0.8, 2.0)), (3, 1)),
        motion=span(rng, 2, 7) if maybe(rng, 0.06) else 0.0,
        motion_angle=span(rng, 0, 180),
        noise=span(rng, 3, 12) if dim or maybe(rng, 0.15) else span(rng, 0.5, 4),
        jpeg=int(rng.integers(35, 97)),
        lens=pick(rng, (0.0, span(rng, -0.03, 0.12)), (3, 1)),
        vignette=span(rng, 0, 0.35),
        saturation=pick(rng, (1.0, span(rng, 0.5, 1.35)), (1, 1)),
        panel=span(rng, 0.08, 0.25) if maybe(rng, 0.05) else 0.0,
    )


def camera(rng: Rng) -> Camera:
    """Where the camera is: from overhead to 45°, straight, turned, or from the board's end."""
    width, height = pick(rng, ((1280, 720), (960, 720), (800, 600), (640, 480), (720, 960)), (4, 3, 2, 2, 1))
    end = maybe(rng, 0.1)
    return Camera(
        width,
        height,
        tilt=pick(rng, (span(rng, 0, 12), span(rng, 12, 28), span(rng, 28, 45)), (4, 3, 1)),
        azimuth=(-90.0 if end else 0.0) + float(rng.normal(0, 60 if maybe(rng, 0.2) else 12)),
        roll=(-90.0 if end else 0.0) + float(rng.normal(0, 4)),
        distance=span(rng, 16, 40),
        fill=pick(rng, (span(rng, 0.6, 0.85), span(rng, 0.85, 1.0), span(rng, 1.0, 1.08)), (2, 3, 1)),
        shift=(float(rng.normal(0, 0.03)), float(rng.normal(0, 0.03))),
    )


def random_scene(rng: Rng) -> Scene:
    """A scene by chance; the generator alone decides, so a seed gives the same scene."""
    look = style(rng)
    return Scene(
        table=table(rng),
        dice=dice(rng, look),
        hand=hand(rng, look),
        style=look,
        camera=camera(rng),
        light=light(rng),
        sensor=sensor(rng),
        things=things(rng, look),
        seed=int(rng.integers(1 << 30)),
    )


def hard_scene(rng: Rng) -> Scene:
    """As `random_scene`, but of the kinds misread most: blots on spikes of their own colour, wide boards,
    high stacks, a near rim that covers half a checker.
    """
    scene = random_scene(rng)
    look, camera, counts = scene.style, scene.camera, scene.table
    side = pick(rng, (1, -1))
    if maybe(rng, 0.7):
        same = near(rng, look.light.colour if side > 0 else look.dark.colour)
        spikes = replace(look.points, tip=pick(rng, TIPS, (8, 1, 1, 2)), second=same, second_filled=True)
        look = replace(look, points=spikes)
        counts = put(rng, counts, side, tuple(int(n) for n in rng.choice((1, 2, 3), 9, p=(0.75, 0.15, 0.1))))
    if maybe(rng, 0.45):
        counts = put(
            rng, counts, pick(rng, (side, -side)), (int(rng.integers(6, 14)), int(rng.integers(1, 9)))
        )
    if maybe(rng, 0.5):
        look = replace(look, height=(12 + look.bar) / span(rng, 1.15, 1.5))
    if maybe(rng, 0.4):
        look = replace(look, frame_height=span(rng, 0.25, 0.9))
        camera = replace(camera, tilt=span(rng, 12, 36), azimuth=float(rng.normal(0, 12)), roll=0.0)
    return replace(scene, table=counts, style=look, camera=camera)


def put(rng: Rng, counts: tuple[int, ...], side: int, stacks: tuple[int, ...]) -> tuple[int, ...]:
    """A table with one side's checkers taken from the points and stacks of these sizes put there."""
    out = [0 if n * side > 0 else n for n in counts[:24]]
    free = rng.permutation([i for i, n in enumerate(out) if n == 0])
    for i, n in zip(free.tolist(), stacks, strict=False):
        out[i] = side * n
    return (*out, *counts[24:])
