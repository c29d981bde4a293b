"""Flat things of a drawn scene: grained textures, the field with its spikes, prints, and shadows on it."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image
from vision.synth_camera import View
from vision.synth_look import Colour, Points, Print, Style, Surface

#: Texture pixels per point width.
FINE = 48
Rng = np.random.Generator
Gray = NDArray[np.float32]
#: (scale along x, scale along y, share) of the noises that make up a grain.
GRAINS = {
    "plain": ((0.02, 0.02, 0.3), (0.3, 0.3, 0.1)),
    "felt": ((0.9, 0.9, 0.5), (0.3, 0.3, 0.4), (0.02, 0.02, 0.2)),
    "wood": ((0.01, 0.5, 1.0), (0.03, 0.12, 0.8), (0.3, 0.9, 0.3)),
    "leather": ((0.35, 0.35, 0.6), (0.15, 0.15, 0.3), (0.02, 0.02, 0.3)),
    "speckle": ((0.6, 0.6, 1.3), (0.25, 0.25, 0.5)),
}


def noise(rng: Rng, height: int, width: int, along: float, across: float) -> Gray:
    """Smooth noise of unit spread: `along`, `across` are cells per pixel in x and y."""
    size = (max(2, int(height * across) + 2), max(2, int(width * along) + 2))
    cells = rng.standard_normal(size, np.float32)
    grown = cv2.resize(cells, (width, height), interpolation=cv2.INTER_LINEAR)
    out: Gray = np.asarray(grown, np.float32)
    return out


def textured(rng: Rng, surface: Surface, height: int, width: int) -> Image:
    """A sheet of a material, height × width × 3."""
    total = np.zeros((height, width), np.float32)
    for along, across, share in GRAINS[surface.grain]:
        total += share * noise(rng, height, width, along, across)
    level = cv2.convertScaleAbs(total, alpha=32 * surface.strength, beta=128)
    gain = 1 + (np.arange(256)[:, None] - 128) * (0.16 / 32)
    table = np.clip(gain * np.array(surface.colour), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(cv2.merge([level] * 3), table[None]), np.uint8)


def spike(points: Points, x: float, height: float, far: bool) -> NDArray[np.float64]:
    """Outline of one spike whose foot's middle is at x, in field coordinates (N × 2)."""
    half, long = points.base / 2, points.length * height
    if points.tip == "round":
        turn = np.linspace(0, math.pi, 9)
        tip = 0.30 * half
        shape = [
            (-half, 0.0),
            *[(-tip * math.cos(t), long - tip + tip * math.sin(t)) for t in turn],
            (half, 0.0),
        ]
    elif points.tip == "blunt":
        shape = [(-half, 0.0), (-half * 0.3, long), (half * 0.3, long), (half, 0.0)]
    elif points.tip == "drop":
        turn = np.linspace(0, math.pi, 11)
        shape = [*[(-half * math.cos(t), half * (1.02 - math.sin(t))) for t in turn], (0.0, long)]
    else:
        shape = [(-half, 0.0), (0.0, long), (half, 0.0)]
    return np.array([(x + dx, y if far else height - y) for dx, y in shape])


def fixed(points: NDArray[np.float64], scale: float = FINE) -> NDArray[np.int32]:
    """Field coordinates → cv2 fixed-point texture pixels (shift 3)."""
    return np.round(points * scale * 8).astype(np.int32).reshape(-1, 1, 2)


def draw_spike(sheet: Image, points: Points, which: int, x: float, height: float, far: bool) -> None:
    """One spike, filled or as a line, with an inlay when the board has them."""
    colour = points.first if which == 0 else points.second
    shape = fixed(spike(points, x, height, far))
    if points.first_filled if which == 0 else points.second_filled:
        cv2.fillPoly(sheet, [shape], colour, cv2.LINE_AA, 3)
    if points.outline > 0:
        thick = max(1, round(points.outline * FINE))
        cv2.polylines(sheet, [shape], True, points.outline_colour, thick, cv2.LINE_AA, 3)
    if points.inlay is not None:
        corners = spike(points, x, height, far)
        middle = corners.mean(axis=0)
        cv2.fillPoly(sheet, [fixed(middle + (corners - middle) * 0.45)], points.inlay, cv2.LINE_AA, 3)


def column_x(style: Style, column: int) -> float:
    """Middle of a column 0-11 in field coordinates."""
    return column + 0.5 + (style.bar if column >= 6 else 0.0)


def draw_print(sheet: Image, sign: Print) -> None:
    """A text or a badge on the field, turned as it says."""
    tall = max(8, round(sign.size * FINE))
    text = sign.text or "*"
    scale = tall / 22
    (wide, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, max(1, tall // 12))
    mask = np.zeros((tall * 2, max(wide + 8, tall * 2)), np.uint8)
    middle = (mask.shape[1] // 2, tall)
    if sign.text:
        at = (4, tall + tall // 2)
        cv2.putText(mask, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, 255, max(1, tall // 12), cv2.LINE_AA)
    else:
        cv2.circle(mask, middle, tall - 3, 255, max(1, tall // 8), cv2.LINE_AA)
        star = [(math.sin(k * 2.513) * tall * 0.6, -math.cos(k * 2.513) * tall * 0.6) for k in range(5)]
        cv2.fillPoly(mask, [np.array(star, np.int32) + np.array(middle, np.int32)], 255, cv2.LINE_AA)
    move = cv2.getRotationMatrix2D(middle, sign.turn, 1.0)
    move[:, 2] = move[:, 2] + np.array([sign.x, sign.y]) * FINE - middle
    laid = cv2.warpAffine(mask, move, (sheet.shape[1], sheet.shape[0]))
    x, y, w, h = cv2.boundingRect(laid)
    share = laid[y : y + h, x : x + w].astype(np.float32)[:, :, None] / 255
    part = sheet[y : y + h, x : x + w]
    part[:] = (part * (1 - share) + np.array(sign.colour, np.float32) * share).astype(np.uint8)


def field_sheet(rng: Rng, style: Style) -> Image:
    """The whole field seen from above, `FINE` pixels a point width: ground, spikes, prints, wear."""
    height, width = round(style.height * FINE), round((12 + style.bar) * FINE)
    sheet = textured(rng, style.ground, height, width)
    grain = mean_share(sheet, style.ground)
    for column in range(12):
        for far in (True, False):
            draw_spike(sheet, style.points, (column + far) % 2, column_x(style, column), style.height, far)
    for sign in style.prints:
        draw_print(sheet, sign)
    if style.border is not None:
        cv2.rectangle(sheet, (0, 0), (width - 1, height - 1), style.border, FINE // 10)
    worn = 0.35 + 0.65 * grain * (1 + 0.03 * noise(rng, height, width, 0.01, 0.01))
    aged = cv2.multiply(sheet, cv2.merge([worn] * 3), dtype=cv2.CV_8U)
    return np.asarray(aged, np.uint8)


def mean_share(sheet: Image, surface: Surface) -> Gray:
    """How bright each pixel of a material's sheet is, as a share of its plain colour."""
    grey = np.asarray(cv2.transform(sheet.astype(np.float32), np.full((1, 3), 1 / 3)), np.float32)
    return grey / np.float32(max(sum(surface.colour) / 3, 1))


def lay(canvas: Image, view: View, sheet: Image, box: tuple[float, float, float, float], z: float) -> None:
    """Lay a sheet on the plane at height z over the rectangle (x0, y0, x1, y1) of field coordinates."""
    x0, y0, x1, y1 = box
    rows, columns = sheet.shape[:2]
    scale = np.array([[(x1 - x0) / columns, 0, x0], [0, (y1 - y0) / rows, y0], [0, 0, 1]])
    map_ = view.plane(z) @ scale
    edge = np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])
    polygon = view.project(edge)
    left, top = np.maximum(np.floor(polygon.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.minimum(
        np.ceil(polygon.max(axis=0)).astype(int) + 2, (canvas.shape[1], canvas.shape[0])
    )
    if right <= left or bottom <= top:
        return
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64)
    size = (int(right - left), int(bottom - top))
    warped = cv2.warpPerspective(
        sheet, shift @ map_, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.round((polygon - (left, top)) * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
    cv2.copyTo(warped, mask, canvas[top:bottom, left:right])


def shadow_sheet(
    shape: tuple[int, int], discs: Iterable[tuple[float, float, float, float]], reach: Colour
) -> Gray:
    """Light that reaches the field (1 all, 0 none), at a quarter of `FINE`.

    `discs` are (x, y, radius, height of the lower side); `reach` is (shift in x, in y per height, softness).
    """
    scale = FINE / 4
    light = np.ones((max(1, shape[0] // 4), max(1, shape[1] // 4)), np.float32)
    for x, y, radius, top in discs:
        at = (round((x + reach[0] * top) * scale * 8), round((y + reach[1] * top) * scale * 8))
        cv2.circle(light, at, round(radius * scale * 8), 0.0, -1, cv2.LINE_AA, 3)
        foot = (round(x * scale * 8), round(y * scale * 8))
        cv2.line(
            light,
            tuple(v // 8 for v in foot),
            tuple(v // 8 for v in at),
            0.0,
            max(1, round(radius * 2 * scale)),
        )
    soft = max(0.3, reach[2] * scale)
    out: Gray = np.asarray(cv2.GaussianBlur(light, (0, 0), soft), np.float32)
    return out
