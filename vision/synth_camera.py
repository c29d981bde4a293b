"""The camera of a drawn scene: a pinhole that frames the board, and where the board's corners come out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import BoardGeometry

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Looks at the board's middle from `distance` point widths.

    `tilt` degrees from overhead, `azimuth` degrees round the board (0: from the near side), `roll` degrees
    in the
    picture (-90: the board seen from its end), `fill` the share of the picture that the board takes,
    `shift` moves
    it (shares of the picture).
    """

    width: int = 1280
    height: int = 720
    tilt: float = 8.0
    azimuth: float = 0.0
    roll: float = 0.0
    distance: float = 26.0
    fill: float = 0.86
    shift: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class View:
    """A camera set up for one board: `matrix` 3 × 4 maps field coordinates (x, y, z, 1) to pixels."""

    matrix: Floats
    eye: Floats
    lens: float
    size: tuple[int, int]

    def project(self, points: Floats) -> Floats:
        """N × 3 field coordinates → N × 2 pixels, before the lens bends them."""
        flat = np.atleast_2d(points) @ self.matrix[:, :3].T + self.matrix[:, 3]
        out: Floats = flat[:, :2] / flat[:, 2:3]
        return out

    def plane(self, z: float) -> Floats:
        """3 × 3 homography of the plane at height z: (x, y, 1) → pixels."""
        m = self.matrix
        return np.column_stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]])

    def bend(self, pixels: Floats) -> Floats:
        """Straight pixels → pixels as the lens shows them."""
        centre, unit = np.array(self.size) / 2, max(self.size) / 2
        out = (pixels - centre) / unit
        for _ in range(1 if self.lens == 0 else 6):
            r2 = (out**2).sum(axis=1, keepdims=True)
            out = (pixels - centre) / unit / (1 + self.lens * r2)
        bent: Floats = out * unit + centre
        return bent


def look_at(eye: Floats, target: Floats, roll: float) -> Floats:
    """3 × 3 rows: picture right, picture down, forward (x right, y towards the viewer, z up)."""
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.array([1.0, 0, 0]) - forward[0] * forward
    right /= np.linalg.norm(right)
    down = np.array([0, 1.0, 0]) - forward[1] * forward
    down -= (down @ right) * right
    down /= np.linalg.norm(down)
    c, s = math.cos(math.radians(roll)), math.sin(math.radians(roll))
    return np.stack([c * right - s * down, s * right + c * down, forward])


def set_up(camera: Camera, box: tuple[float, float, float, float], lens: float) -> View:
    """Aim a camera at a board whose outline (x0, y0, x1, y1) is given; its focal length makes the board
    fill.
    """
    x0, y0, x1, y1 = box
    target = np.array([(x0 + x1) / 2, (y0 + y1) / 2, 0.0])
    tilt, azimuth = math.radians(camera.tilt), math.radians(camera.azimuth)
    way = (math.sin(tilt) * math.sin(azimuth), math.sin(tilt) * math.cos(azimuth), math.cos(tilt))
    eye = target + camera.distance * np.array(way)
    turn = look_at(eye, target, camera.roll)
    corners = np.array([[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0]]) - eye
    flat = corners @ turn.T
    flat = flat[:, :2] / flat[:, 2:]
    low, high = flat.min(axis=0), flat.max(axis=0)
    focal = camera.fill * min(camera.width / (high[0] - low[0]), camera.height / (high[1] - low[1]))
    middle = (0.5 + np.array(camera.shift)) * (camera.width, camera.height) - focal * (low + high) / 2
    inner = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    matrix = inner @ np.column_stack([turn, -turn @ eye])
    return View(matrix, eye, lens, (camera.width, camera.height))


def board_of(view: View, width: float, height: float, bar: float) -> BoardGeometry:
    """The exact geometry of the field 0 … width × 0 … height as the picture shows it."""
    field = np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]], np.float64)
    own = view.bend(view.project(field))
    across = own[1] - own[0]
    turned: Literal[0, 90] = 90 if abs(across[1]) > abs(across[0]) else 0
    order = (1, 2, 3, 0) if turned else (0, 1, 2, 3)
    far_left, far_right, near_right, near_left = ((float(own[i][0]), float(own[i][1])) for i in order)
    return BoardGeometry((far_left, far_right, near_right, near_left), bar, turned)


Map = NDArray[np.float32]


def lens_maps(view: View) -> tuple[Map, Map]:
    """cv2.remap maps: for each pixel of the bent picture, where it is in the straight one."""
    return _lens_maps(view.lens, *view.size)


@lru_cache(maxsize=1)
def _lens_maps(lens: float, width: int, height: int) -> tuple[Map, Map]:
    centre, unit = (width / 2, height / 2), max(width, height) / 2
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = (x - centre[0]) / unit, (y - centre[1]) / unit
    grow = 1 + lens * (u * u + v * v)
    return (u * grow * unit + centre[0]).astype(np.float32), (v * grow * unit + centre[1]).astype(np.float32)


def outline(view: View, points: Floats) -> NDArray[np.int32]:
    """Projected polygon in cv2's fixed-point pixels (shift 3)."""
    return np.round(view.project(points) * 8).astype(np.int32).reshape(-1, 1, 2)


def fill(canvas: NDArray[np.uint8], polygon: NDArray[np.int32], colour: tuple[float, float, float]) -> None:
    """Paint a convex polygon from `outline` with soft edges."""
    cv2.fillConvexPoly(canvas, polygon, colour, cv2.LINE_AA, 3)
