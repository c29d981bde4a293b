"""Dice, hands and what else lies about in a drawn scene."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image
from vision.synth_camera import View, fill, outline
from vision.synth_checker import darken, light_way
from vision.synth_look import Colour, Die, Hand, Light, Thing, tone

Array = NDArray[np.float64]
#: Pips of a face on its own square, -1 … 1.
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-0.5, -0.5), (0.5, 0.5)),
    3: ((-0.5, -0.5), (0, 0), (0.5, 0.5)),
    4: ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)),
    5: ((-0.5, -0.5), (0.5, -0.5), (0, 0), (-0.5, 0.5), (0.5, 0.5)),
    6: ((-0.5, -0.55), (0.5, -0.55), (-0.5, 0), (0.5, 0), (-0.5, 0.55), (0.5, 0.55)),
}
#: Faces beside each upper face, going round; opposite ones add to seven.
ROUND = {1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5), 4: (1, 5, 6, 2), 5: (1, 3, 6, 4), 6: (2, 4, 5, 3)}
DIE, HAND, THING = 4, 5, 6


def box_faces(view: View, centre: Array, half: Array, angle: float) -> list[tuple[Array, Array, Array, int]]:
    """Faces of an upright box that the eye sees, far to near: (middle, half edge u, half edge v, 0 top or
    side 1-4).
    """
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    ex, ey, ez = np.array([c, s, 0]) * half[0], np.array([-s, c, 0]) * half[1], np.array([0, 0, half[2]])
    ways = [(ey, ex, ez, 1), (ex, -ey, ez, 2), (-ey, -ex, ez, 3), (-ex, ey, ez, 4), (ez, ex, ey, 0)]
    return [(centre + n, u, v, k) for n, u, v, k in ways if (view.eye - centre - n) @ n > 0]


def square(middle: Array, u: Array, v: Array) -> Array:
    """The corners of a face, 4 × 3."""
    return np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v])


def ground_shadow(canvas: Image, view: View, foot: Array, tall: float, light: Light) -> None:
    """The shadow that an upright thing with this foot (N × 3) throws."""
    way = light_way(light)
    thrown = foot - np.append(way[:2], 0) * tall / max(float(way[2]), 0.25)
    both = view.project(np.vstack([foot, thrown])).astype(np.float32)
    polygon = np.round(cv2.convexHull(both) * 8).astype(np.int32)
    pixel = float(np.ptp(both[: len(foot)], axis=0).max())
    darken(canvas, polygon, 0.2 + 0.35 * light.hard, max(0.6, 0.1 * pixel * (1.3 - light.hard)))


def draw_die(canvas: Image, labels: Image, view: View, die: Die, light: Light) -> None:
    """A die with rounded edges and the pips of every face that is seen."""
    half = die.size / 2
    centre = np.array([die.x, die.y, die.z + half])
    faces = box_faces(view, centre, np.full(3, half), die.angle)
    top = next(f for f in faces if f[3] == 0)
    foot = square(top[0] - np.array([0, 0, 2 * half]), top[1], top[2])
    ground_shadow(canvas, view, foot, die.size, light)
    corners = view.project(np.vstack([square(m, u * 0.86, v * 0.86) for m, u, v, _ in faces])).astype(
        np.float32
    )
    body = np.round(cv2.convexHull(corners)).astype(np.int32)
    pixel = float(np.linalg.norm(view.project(top[0] + top[1]) - view.project(top[0])))
    round_ = max(1, round(pixel * 0.28))
    for target, colour in ((canvas, tone(die.colour, 0.7)), (labels, (DIE, 0.0, 0.0))):
        cv2.fillConvexPoly(target, body, colour, cv2.LINE_8 if target is labels else cv2.LINE_AA)
        cv2.polylines(target, [body], True, colour, round_, cv2.LINE_8 if target is labels else cv2.LINE_AA)
    for middle, u, v, which in faces:
        value = die.value if which == 0 else ROUND[die.value][which - 1]
        draw_die_face(canvas, view, die, (middle, u, v), value, which == 0)


def draw_die_face(
    canvas: Image, view: View, die: Die, face: tuple[Array, Array, Array], value: int, top: bool
) -> None:
    """One face of a die."""
    middle, u, v = face
    gain = 1.0 if top else 0.78
    fill(canvas, outline(view, square(middle, u * 0.86, v * 0.86)), tone(die.colour, gain))
    turn = np.linspace(0, 2 * math.pi, 12, endpoint=False)
    for px, py in PIPS[value]:
        pip = middle + np.outer(px + 0.19 * np.cos(turn), u) + np.outer(py + 0.19 * np.sin(turn), v)
        fill(canvas, outline(view, pip), tone(die.pips, gain))


def draw_box(canvas: Image, view: View, thing: Thing, half: Array, light: Light) -> None:
    """An upright box with a sign on top."""
    centre = np.array([thing.x, thing.y, thing.z + half[2]])
    faces = box_faces(view, centre, half, thing.angle)
    top = next(f for f in faces if f[3] == 0)
    ground_shadow(
        canvas, view, square(top[0] - np.array([0, 0, 2 * half[2]]), top[1], top[2]), 2 * half[2], light
    )
    for middle, u, v, which in faces:
        fill(canvas, outline(view, square(middle, u, v)), tone(thing.colour, 1.0 if which == 0 else 0.65))
    if thing.text:
        draw_label(canvas, view, top, thing)


def draw_label(canvas: Image, view: View, top: tuple[Array, Array, Array, int], thing: Thing) -> None:
    """Text on the top of a box."""
    middle, u, v, _ = top
    sheet = np.zeros((64, 64), np.uint8)
    scale = 1.7 if len(thing.text) < 2 else 2.6 / len(thing.text)
    (wide, tall), _ = cv2.getTextSize(thing.text, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
    cv2.putText(
        sheet,
        thing.text,
        ((64 - wide) // 2, (64 + tall) // 2),
        cv2.FONT_HERSHEY_DUPLEX,
        scale,
        255,
        2,
        cv2.LINE_AA,
    )
    corners = view.project(square(middle, u, v)).astype(np.float32)
    map_ = cv2.getPerspectiveTransform(np.array([[0, 0], [64, 0], [64, 64], [0, 64]], np.float32), corners)
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, canvas.shape[1::-1])
    if (high <= low).any():
        return
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    share = cv2.warpPerspective(sheet, shift @ map_, size).astype(np.float32)[:, :, None] / 255
    ink = 20.0 if sum(thing.colour) > 330 else 230.0
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * (1 - share) + ink * share).astype(np.uint8)


def draw_cup(canvas: Image, view: View, thing: Thing, light: Light) -> None:
    """A dice cup or a glass, upright."""
    turn = np.linspace(0, 2 * math.pi, 32, endpoint=False)
    foot = np.column_stack([np.cos(turn) * 0.7, np.sin(turn) * 0.7, np.zeros(32)]) * thing.size
    brim = np.column_stack([np.cos(turn) * 0.8, np.sin(turn) * 0.8, np.full(32, 1.9)]) * thing.size
    at = np.array([thing.x, thing.y, thing.z])
    ground_shadow(canvas, view, foot + at, 1.9 * thing.size, light)
    both = view.project(np.vstack([foot, brim]) + at).astype(np.float32)
    fill(canvas, np.round(cv2.convexHull(both) * 8).astype(np.int32), tone(thing.colour, 0.8))
    fill(canvas, outline(view, brim + at), tone(thing.colour, 1.15))
    fill(canvas, outline(view, brim * (0.88, 0.88, 1) + at), tone(thing.colour, 0.4))


def draw_cable(canvas: Image, view: View, thing: Thing) -> None:
    """A wire lying on the table."""
    t = np.linspace(-1, 1, 40)
    c, s = math.cos(math.radians(thing.angle)), math.sin(math.radians(thing.angle))
    x, y = 3 * t, 0.8 * np.sin(4 * t + thing.size * 9)
    line = np.column_stack([thing.x + c * x - s * y, thing.y + s * x + c * y, np.zeros(40)])
    cv2.polylines(
        canvas, [np.round(view.project(line)).astype(np.int32)], False, thing.colour, 4, cv2.LINE_AA
    )


def draw_thing(canvas: Image, labels: Image, view: View, thing: Thing, light: Light) -> None:
    """Whatever it is; what it covers is labelled."""
    sizes = {
        "clock": (1.7, 1.0, 0.5),
        "box": (1.2, 0.9, 0.6),
        "card": (1.1, 0.8, 0.01),
        "cube": (0.45, 0.45, 0.45),
    }
    before = canvas.copy()
    if thing.kind == "cup":
        draw_cup(canvas, view, thing, light)
    elif thing.kind == "cable":
        draw_cable(canvas, view, thing)
    else:
        half = np.array(sizes.get(thing.kind, (0.7, 0.7, 0.5))) * thing.size
        draw_box(canvas, view, thing, half, light)
    labels[cv2.cvtColor(cv2.absdiff(canvas, before), cv2.COLOR_BGR2GRAY) > 8] = (THING, 0, 0)


def tube(canvas: Image, mask: Image, path: Array, widths: Array, colour: Colour) -> None:
    """A limb: discs along a path of pixels, shaded round."""
    one = np.zeros(canvas.shape[:2], np.uint8)
    for a, b, wa, wb in zip(path[:-1], path[1:], widths[:-1], widths[1:], strict=True):
        for share in np.linspace(0, 1, max(2, int(np.linalg.norm(b - a) / max(1.0, wa * 0.3)))):
            at = a + (b - a) * share
            cv2.circle(
                one, (round(at[0] * 8), round(at[1] * 8)), round((wa + (wb - wa) * share) * 8), 255, -1, 8, 3
            )
    x, y, w, h = cv2.boundingRect(one)
    if w == 0 or h == 0:
        return
    part = one[y : y + h, x : x + w]
    depth = cv2.distanceTransform(cv2.copyMakeBorder(part, 1, 1, 1, 1, cv2.BORDER_REPLICATE), cv2.DIST_L2, 3)
    gain = (0.62 + 0.42 * np.sqrt(np.clip(depth[1:-1, 1:-1] / max(1.0, float(widths.max())), 0, 1)))[
        :, :, None
    ]
    share = (cv2.GaussianBlur(part, (3, 3), 0).astype(np.float32) / 255)[:, :, None]
    target = canvas[y : y + h, x : x + w]
    target[:] = np.clip(target * (1 - share) + np.array(colour, np.float32) * gain * share, 0, 255).astype(
        np.uint8
    )
    mask[y : y + h, x : x + w][part > 0] = (HAND, 0, 0)


def shoulder(hand: Hand, width: float, height: float) -> Array:
    """Where the arm comes from, far outside the board, field coordinates."""
    far = 16.0
    spots = {
        "near": (hand.x * 0.5 + width * 0.25 + hand.lean, height + far),
        "far": (hand.x * 0.5 + width * 0.25 + hand.lean, -far),
        "left": (-far, hand.y + hand.lean),
        "right": (width + far, hand.y + hand.lean),
    }
    return np.array([*spots[hand.side], 3.0])


def draw_hand(
    canvas: Image,
    labels: Image,
    view: View,
    hand: Hand,
    field: tuple[float, float],
    light: Light,
    held: Callable[[float, float, float], None] | None = None,
) -> None:
    """An arm in a sleeve, a forearm, a palm and fingers that meet over (x, y); `held` paints what they
    hold.
    """
    tip = np.array([hand.x, hand.y, 0.9])
    start = shoulder(hand, *field)
    way = (start - tip) / np.linalg.norm(start - tip)
    across = np.array([-way[1], way[0], 0.0])
    size = hand.size

    def pixels(points: Array) -> Array:
        return view.project(points)

    unit = float(np.linalg.norm(pixels(tip + across) - pixels(tip)))
    palm, wrist, elbow = tip + way * 1.7 * size, tip + way * 3.0 * size, tip + way * 6.0 * size
    thrown = np.append(light_way(light)[:2] * 1.6, 0.9)
    shade = np.vstack(
        [p - thrown + across * w for p, w in ((tip, 0.4), (wrist, 0.6), (start, 1.0)) for w in (w, -w)]
    )
    darken(canvas, outline(view, shade[[0, 2, 4, 5, 3, 1]]), 0.15 + 0.25 * light.hard, 0.35 * unit)
    if held is not None:
        held(float(tip[0]), float(tip[1]), 0.7)
    arm = pixels(np.array([wrist, elbow, start]))
    tube(canvas, labels, arm[:2], np.array([0.55, 0.75]) * unit * size, hand.skin)
    tube(canvas, labels, arm[1:], np.array([0.95, 1.25]) * unit * size, hand.sleeve)
    tube(canvas, labels, pixels(np.array([palm, wrist])), np.array([0.75, 0.6]) * unit * size, hand.skin)
    for k, spread in enumerate((-0.55, -0.2, 0.2, 0.6)):
        knuckle = palm + across * spread * 1.3 * size - way * 0.3 * size
        bent = tip + way * (0.75 + 0.1 * k) * size + across * spread * 1.5 * size
        end = tip + way * 0.12 * k * size + across * spread * 0.55 * size
        path = pixels(np.array([knuckle, bent, end]))
        tube(
            canvas, labels, path, np.array([0.27, 0.24, 0.2]) * unit * size, tone(hand.skin, 1.04 - 0.05 * k)
        )
