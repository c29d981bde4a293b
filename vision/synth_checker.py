"""Checkers of a drawn scene: how one looks from above, where the stacks stand, and painting them in
perspective.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image
from vision.synth_camera import View, fill
from vision.synth_look import Checker, Light, Style
from vision.synth_surface import Rng, column_x, noise

#: Pixels across a drawn checker's upper face.
FACE = 72
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Disc:
    """A checker: centre, height of its lower side, owner (+1 light, -1 dark), chance number, place 0-27."""

    x: float
    y: float
    z: float
    owner: int
    luck: int = 0
    place: int = 27


def profile_height(kind: str, r: Floats) -> Floats:
    """Height of the upper face over the radius 0 … 1, in radii."""
    edge = -0.10 * np.clip((r - 0.88) / 0.12, 0, 1) ** 2
    if kind == "dome":
        return (0.16 * (1 - r * r)).astype(np.float32)
    if kind == "dish":
        dish = edge - 0.07 * (1 + np.cos(np.clip(r / 0.72, 0, 1) * math.pi)) / 2
        return np.asarray(dish, np.float32)
    if kind == "rings":
        rings = edge + 0.03 * np.exp(-(((r - 0.62) / 0.07) ** 2)) - 0.02 * (r < 0.5)
        return np.asarray(rings, np.float32)
    if kind == "ridged":
        return np.asarray(edge + 0.012 * np.cos(r * 40), np.float32)
    return np.asarray(edge, np.float32)


@dataclass(frozen=True)
class Face:
    """A set's upper face: albedo (FACE × FACE × 3), normals, and the disc's soft mask."""

    albedo: Floats
    normal: Floats
    mask: Floats


def mark_mask(kind: str, r: Floats, angle: Floats) -> Floats:
    """Where a sign on the checker is, 0 … 1."""
    if kind == "dot":
        return (r < 0.2).astype(np.float32)
    if kind == "ring":
        return ((r > 0.5) & (r < 0.6)).astype(np.float32)
    if kind == "star":
        return (r < 0.32 + 0.16 * np.cos(5 * angle)).astype(np.float32)
    if kind == "letter":
        return ((np.abs(r * np.cos(angle)) < 0.1) & (r < 0.45) | ((r < 0.45) & (r > 0.36))).astype(np.float32)
    return np.zeros_like(r)


def face_of(look: Checker) -> Face:
    """Draw a set's upper face once; single checkers are shaded and turned later."""
    axis = (np.arange(FACE, dtype=np.float32) + 0.5) / FACE * 2.1 - 1.05
    x, y = np.meshgrid(axis, axis)
    r, angle = np.hypot(x, y), np.arctan2(y, x)
    step = np.float32(1e-2)
    slope = (profile_height(look.profile, r + step) - profile_height(look.profile, r - step)) / (2 * step)
    safe = np.maximum(r, 1e-3)
    normal = np.dstack([-slope * x / safe, -slope * y / safe, np.ones_like(r)])
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    albedo = np.broadcast_to(np.array(look.colour, np.float32), (FACE, FACE, 3)).copy()
    mark = mark_mask(look.mark, r, angle)[:, :, None] * 0.8
    albedo = albedo * (1 - mark) + np.array(look.mark_colour, np.float32) * mark
    if look.rim is not None:
        albedo[r > 0.87] = look.rim
    mask = np.clip((1.0 - r) * FACE / 2.1 + 0.5, 0, 1)
    return Face(albedo.astype(np.float32), normal.astype(np.float32), mask.astype(np.float32))


def light_way(light: Light) -> NDArray[np.float32]:
    """Unit vector from the table to the light (x right, y near, z up)."""
    slant, angle = light.slant * math.radians(70), math.radians(light.angle)
    way = (math.sin(slant) * math.cos(angle), math.sin(slant) * math.sin(angle), math.cos(slant))
    return np.array(way, np.float32)


def shaded(face: Face, look: Checker, disc: Disc, light: Light, eye: NDArray[np.float64]) -> Floats:
    """One checker's face under the light as the eye sees it: FACE × FACE × 3, 0 … 255."""
    rng = np.random.default_rng(disc.luck)
    to_light = light_way(light)
    to_eye = eye - np.array([disc.x, disc.y, disc.z])
    half = to_light + (to_eye / np.linalg.norm(to_eye)).astype(np.float32)
    half = half / np.linalg.norm(half) + rng.normal(0, 0.05, 3).astype(np.float32)
    half /= np.linalg.norm(half)
    diffuse = np.maximum(face.normal @ to_light, 0) / max(float(to_light[2]), 0.2)
    shade = (1 - light.shade) + light.shade * diffuse + rng.normal(0, 0.025)
    if look.pearl > 0:
        shade = shade + look.pearl * 0.3 * noise(rng, FACE, FACE, 0.08, 0.05)
    sharp = 12 + 60 * look.gloss
    bright = 255 * look.gloss * (0.35 + light.glare) * np.maximum(face.normal @ half, 0) ** sharp
    if look.gloss > 0.3:
        lamp = np.array([-to_light[1], to_light[0], 0.8], np.float32) + half
        lamp /= np.linalg.norm(lamp)
        bright += 150 * look.gloss * np.maximum(face.normal @ lamp, 0) ** 160
    return np.asarray(turned(face.albedo, look, disc) * shade[:, :, None] + bright[:, :, None], np.float32)


def turned(albedo: Floats, look: Checker, disc: Disc) -> Floats:
    """The face's colours turned as the checker lies; the light on it must not turn with it."""
    if look.mark in ("none", "dot", "ring"):
        return albedo
    move = cv2.getRotationMatrix2D((FACE / 2, FACE / 2), disc.luck % 360, 1.0)
    moved = cv2.warpAffine(albedo, move, (FACE, FACE), borderMode=cv2.BORDER_REPLICATE)
    out: Floats = np.asarray(moved, np.float32)
    return out


def circle(disc: Disc, z: float, radius: float, steps: int = 28) -> NDArray[np.float64]:
    """The rim of a checker at height z, N × 3."""
    t = np.linspace(0, 2 * math.pi, steps, endpoint=False)
    return np.column_stack([disc.x + radius * np.cos(t), disc.y + radius * np.sin(t), np.full(steps, z)])


def hull(view: View, *rims: NDArray[np.float64]) -> NDArray[np.int32]:
    """Outline of what rims enclose in the picture, cv2 fixed point (shift 3)."""
    points = np.vstack([view.project(rim) for rim in rims]).astype(np.float32)
    return np.round(cv2.convexHull(points) * 8).astype(np.int32)


def darken(canvas: Image, polygon: NDArray[np.int32], share: float, soft: float) -> None:
    """Multiply what is inside a polygon by 1 - share, with soft edges of `soft` pixels."""
    pixels = polygon.reshape(-1, 2) / 8
    low = np.maximum(np.floor(pixels.min(axis=0) - 3 * soft).astype(int), 0)
    high = np.minimum(np.ceil(pixels.max(axis=0) + 3 * soft).astype(int) + 1, canvas.shape[1::-1])
    if (high <= low).any():
        return
    coarse = max(1, int(soft / 2))
    shape = (int(high[1] - low[1]), int(high[0] - low[0]))
    mask = np.zeros((shape[0] // coarse + 1, shape[1] // coarse + 1), np.float32)
    cv2.fillConvexPoly(mask, np.round((pixels - low) * 8 / coarse).astype(np.int32), share, cv2.LINE_AA, 3)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.4, soft / coarse)), np.float32)
    mask = np.asarray(cv2.resize(mask, None, fx=coarse, fy=coarse), np.float32)[: shape[0], : shape[1]]
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * (1 - mask[:, :, None])).astype(np.uint8)


def paint_disc(
    canvas: Image, labels: Image, view: View, style: Style, disc: Disc, face: Face, light: Light
) -> None:
    """Paint one checker: its side, then its upper face; `labels` gets 1 (light) or 2 (dark) on the upper
    face.
    """
    look = style.light if disc.owner > 0 else style.dark
    low, high = circle(disc, disc.z, style.radius), circle(disc, disc.z + style.thickness, style.radius)
    reach = light_way(light)
    pixel = float(np.linalg.norm(view.matrix[:2, 0]) / (view.matrix[2, :] @ (disc.x, disc.y, disc.z, 1.0)))
    thrown = low - np.append(reach[:2], 0) * style.thickness * 0.7 / max(float(reach[2]), 0.25)
    darken(canvas, hull(view, low, thrown), 0.55 * light.hard, max(0.6, 0.12 * pixel * (1.2 - light.hard)))
    side = np.array(look.rim if look.rim is not None and disc.luck % 2 else look.colour) * (
        0.92 - 0.55 * light.shade
    )
    body = hull(view, low, high)
    fill(canvas, body, tuple(side.tolist()))
    cv2.fillConvexPoly(labels, body, (3, disc.place + 1, 0), cv2.LINE_8, 3)
    stamp(canvas, labels, view, style, disc, face, shaded(face, look, disc, light, view.eye))


def stamp(
    canvas: Image, labels: Image, view: View, style: Style, disc: Disc, face: Face, paint: Floats
) -> None:
    """Warp a shaded face into the picture."""
    top, reach = disc.z + style.thickness, style.radius * 1.05
    step = reach * 2 / FACE
    onto = np.array([[step, 0, disc.x - reach], [0, step, disc.y - reach], [0, 0, 1]])
    map_ = view.plane(top) @ onto
    rim = view.project(circle(disc, top, style.radius))
    low = np.maximum(np.floor(rim.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(rim.max(axis=0)).astype(int) + 3, canvas.shape[1::-1])
    if (high <= low).any():
        return
    move = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ map_
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = cv2.warpPerspective(np.dstack([paint, face.mask]), move, size, flags=cv2.INTER_LINEAR)
    share = warped[:, :, 3:4]
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part[:] = np.clip(part * (1 - share) + warped[:, :, :3] * share, 0, 255).astype(np.uint8)
    labels[low[1] : high[1], low[0] : high[0]][share[:, :, 0] > 0.5] = (
        1 if disc.owner > 0 else 2,
        disc.place + 1,
        0,
    )


def stack(rng: Rng, style: Style, count: int, place: int) -> list[Disc]:
    """The checkers of one point: rows of `style.row`, then others on top of them, or all like roof tiles."""
    owner, discs = (1 if count > 0 else -1), []
    x, way = column_x(style, place % 12), 1 if place < 12 else -1
    base = 0.0 if place < 12 else style.height
    loose = max(0.0, 0.5 - style.radius)
    shift = style.mess * rng.normal(0, 0.06 + 0.8 * loose)
    gap = style.radius * (1.02 + 0.25 * style.mess * rng.random())
    pitch = 2 * style.radius * (1.01 + 0.06 * style.mess * rng.random())
    row = style.row + int(rng.random() < 0.3 * style.mess)
    tiled = bool(rng.random() < 0.12 * style.mess) and row < abs(count) <= 2 * row
    seats = tiles(style, row, pitch, abs(count)) if tiled else rows(rng, style, row, pitch, abs(count))
    for along, z in seats:
        loose = style.mess * (0.06 if z == 0 or tiled else 0.22)
        dx, dy = rng.normal(0, loose, 2) * style.radius
        discs.append(
            Disc(x + shift + dx, base + way * (gap + along + dy), z, owner, int(rng.integers(1 << 30)), place)
        )
    return discs


def tiles(style: Style, row: int, pitch: float, count: int) -> list[tuple[float, float]]:
    """Where checkers lie that lean on each other like roof tiles: how far from the first, how high."""
    step = pitch * (row - 1) / (count - 1)
    return [(k * step, 0.3 * style.thickness * (k > 0)) for k in range(count)]


def rows(rng: Rng, style: Style, row: int, pitch: float, count: int) -> list[tuple[float, float]]:
    """Where checkers lie in rows on top of each other: how far from the first, how high.

    An upper row may be pushed along, wider apart, or begin at the far end.
    """
    seats: list[tuple[float, float]] = []
    for level in range(-(-count // row)):
        slide, wider, back = 0.0, 1.0, False
        if level > 0:
            slide = float(rng.choice([0.0, 0.1, 0.5, rng.random()])) * pitch * min(1.0, 2 * style.mess)
            wider = 1 + 0.25 * style.mess * rng.random() * (rng.random() < 0.5)
            back = bool(rng.random() < 0.15 * style.mess)
        for k in range(min(row, count - level * row)):
            along = (row - 1 - k) * pitch - slide if back else slide + k * pitch * wider
            seats.append((along, level * style.thickness))
    return seats


def on_points(seed: int, style: Style, table: tuple[int, ...]) -> list[list[Disc]]:
    """The checkers of the 24 points, a list for each; a point's checkers stay put when others change."""
    return [stack(np.random.default_rng((seed, i)), style, table[i], i) for i in range(24)]


def on_bar(seed: int, style: Style, light: int, dark: int) -> list[Disc]:
    """Checkers on the bar, each side in a half: dark ones in the far half mostly, growing away from the
    middle.
    """
    x, middle, discs = 6 + style.bar / 2, style.height / 2, []
    near = -1 if style.mess > 0.5 and seed % 3 == 0 else 1
    for owner, count, way in ((1, abs(light), near), (-1, abs(dark), -near)):
        rng = np.random.default_rng((seed, 24 + owner))
        start = style.radius * (1.2 + 1.2 * rng.random())
        for k in range(count):
            y = middle + way * (start + (k % 4) * 2.02 * style.radius)
            dx = float(rng.normal(0, 0.1)) * style.mess
            z = style.bar_height + (k // 4) * style.thickness
            place = 24 if owner > 0 else 25
            discs.append(Disc(x + dx, y, z, owner, int(rng.integers(1 << 30)), place))
    return discs


def in_tray(
    seed: int, style: Style, box: tuple[float, float, float, float], owner: int, count: int
) -> list[Disc]:
    """Borne-off checkers lying flat in a tray (x0, y0, x1, y1), up to three high; light ones at its near
    end.
    """
    rng = np.random.default_rng((seed, 30 + owner))
    x, radius, discs = (box[0] + box[2]) / 2, style.radius, []
    for k in range(abs(count)):
        along = radius * 1.1 + (k % 5) * 2.03 * radius
        y = box[3] - along if owner > 0 else box[1] + along
        dx = float(rng.normal(0, 0.05))
        discs.append(
            Disc(x + dx, y, (k // 5) * style.thickness, owner, int(rng.integers(1 << 30)), 26 + (owner < 0))
        )
    return discs
