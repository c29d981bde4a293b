"""Draws boards: a described scene → the picture a camera would give, with the exact geometry and labels.

Nothing here comes from a real picture. The same scene always gives the same picture.

>>> from vision.synth import Scene, render
>>> drawn = render(Scene(table=(2,) + (0,) * 27))
>>> drawn.image.shape
(720, 1280, 3)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import BoardGeometry, Image
from vision.synth_camera import Camera, View, board_of, fill, lens_maps, outline, set_up
from vision.synth_checker import Disc, Face, face_of, in_tray, light_way, on_bar, on_points, paint_disc
from vision.synth_look import Die, Hand, Light, Sensor, Style, Thing, Tray, tone
from vision.synth_sensor import Room, develop, room_of
from vision.synth_surface import FINE, Rng, field_sheet, lay, shadow_sheet, textured
from vision.synth_thing import draw_die, draw_hand, draw_thing, ground_shadow

__all__ = [
    "Camera",
    "Die",
    "Drawn",
    "Hand",
    "Light",
    "Painter",
    "Scene",
    "Sensor",
    "Style",
    "Thing",
    "Tray",
    "render",
]
PLACES = 28
Box = tuple[float, float, float, float]
#: What a pixel of `Drawn.labels` shows: the upper face of a checker, its side, a die, a hand, another thing.
LIGHT_FACE, DARK_FACE, CHECKER_SIDE, DIE, HAND, THING = 1, 2, 3, 4, 5, 6


@dataclass(frozen=True)
class Scene:
    """All that a picture shows. `table`: 28 signed counts as in referee.observation (24 points, bars,
    trays).
    """

    table: tuple[int, ...]
    dice: tuple[Die, ...] = ()
    hand: Hand | None = None
    style: Style = field(default_factory=Style)
    camera: Camera = field(default_factory=Camera)
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    things: tuple[Thing, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if len(self.table) != PLACES:
            raise ValueError(f"a scene's table has {PLACES} counts, not {len(self.table)}")


@dataclass(frozen=True)
class Drawn:
    """A picture with its truth: exact geometry, and for each pixel what it shows (see the label names).

    `places`: for each pixel of a checker its table place + 1, else 0; `bare` the same before dice, hands and
    other things were laid over it. `rails`: 1 where the frame stands before the field.
    """

    image: Image
    board: BoardGeometry
    labels: NDArray[np.uint8]
    places: NDArray[np.uint8]
    bare: NDArray[np.uint8]
    rails: NDArray[np.uint8]


def outer_box(style: Style) -> Box:
    """The board's outline with frame and trays, field coordinates."""
    left = sum(t.width + style.frame_width / 2 for t in style.trays if t.side == "left") + style.frame_width
    right = sum(t.width + style.frame_width / 2 for t in style.trays if t.side == "right") + style.frame_width
    return (-left, -style.frame_width, 12 + style.bar + right, style.height + style.frame_width)


def tray_box(style: Style, tray: Tray) -> Box:
    """The inside of a tray, field coordinates."""
    gap, width = style.frame_width / 2, 12 + style.bar
    x0 = -gap - tray.width if tray.side == "left" else width + gap
    return (x0, 0.0, x0 + tray.width, style.height)


def square(box: Box, z: float) -> NDArray[np.float64]:
    """The corners of a level rectangle, 4 × 3."""
    x0, y0, x1, y1 = box
    return np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])


class Painter:
    """Paints one scene back to front. Holds the canvas while it is worked on, nothing else changes."""

    def __init__(self, scene: Scene) -> None:
        style, camera = scene.style, scene.camera
        self.scene, self.style, self.light = scene, style, scene.light
        self.view: View = set_up(camera, outer_box(style), scene.sensor.lens)
        self.canvas: Image = np.zeros((camera.height, camera.width, 3), np.uint8)
        self.labels: Image = np.zeros((camera.height, camera.width, 3), np.uint8)
        self.rng: Rng = np.random.default_rng((style.seed, 1))
        self.room: Room | None = None
        self.faces: dict[int, Face] = {1: face_of(style.light), -1: face_of(style.dark)}

    def paint(self) -> None:
        """Everything but dice and hand, which a film draws anew for every frame."""
        seed, table = self.scene.seed, self.scene.table
        points = on_points(seed, self.style, table)
        bar = on_bar(seed, self.style, table[24], table[25])
        self.table()
        self.case()
        self.field([d for point in points for d in point])
        for tray in self.style.trays:
            self.tray(tray)
        halves = ([i for i in range(24) if i % 12 < 6], [i for i in range(24) if i % 12 >= 6])
        near = self.view.eye[0] > 6 + self.style.bar / 2
        first, second = halves if near else halves[::-1]
        self.discs([d for i in first for d in points[i]])
        self.bar()
        self.discs([d for i in second for d in points[i]])
        self.near_rails()
        self.discs(bar)
        self.bare: Image = self.labels.copy()
        for thing in self.scene.things:
            draw_thing(self.canvas, self.labels, self.view, thing, self.light)

    def table(self) -> None:
        """The table top, a plane below the board."""
        sheet = textured(self.rng, self.style.table, 300, 420)
        x0, y0, x1, y1 = outer_box(self.style)
        spread = 30.0
        self.canvas[:] = self.style.table.colour
        lay(self.canvas, self.view, sheet, (x0 - spread, y0 - spread, x1 + spread, y1 + spread), -0.3)

    def case(self) -> None:
        """The frame's outside and top."""
        style, box = self.style, outer_box(self.style)
        top, foot = style.frame_height, -0.3
        ground_shadow(self.canvas, self.view, square(box, foot), top - foot, self.light)
        low, high = square(box, foot), square(box, top)
        for k in range(4):
            side = np.array([low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]])
            fill(self.canvas, outline(self.view, side), tone(style.frame.colour, 0.45 + 0.12 * k))
        sheet = textured(self.rng, style.frame, 240, 260)
        lay(self.canvas, self.view, sheet, box, top)
        if style.band is not None:
            half = style.frame_width / 2
            inner = (-half, -half, 12 + style.bar + half, style.height + half)
            fill(self.canvas, outline(self.view, square(inner, top)), style.band)

    def opening(self, box: Box, sheet: Image) -> None:
        """A sunk floor: its walls and the floor, as far as they show through the frame's opening."""
        top = self.style.frame_height
        part = self.canvas.copy()
        high, low = square(box, top), square(box, 0.0)
        for k in range(4):
            wall = np.array([low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]])
            fill(part, outline(self.view, wall), tone(self.style.frame.colour, (0.5, 0.62, 0.72, 0.6)[k]))
        lay(part, self.view, sheet, box, 0.0)
        mask = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, outline(self.view, high), 255, cv2.LINE_8, 3)
        cv2.copyTo(part, mask, self.canvas)

    def field(self, discs: list[Disc]) -> None:
        """The field with the shadows of checkers and walls on it."""
        sheet = field_sheet(self.rng, self.style)
        self.opening((0.0, 0.0, 12 + self.style.bar, self.style.height), self.shadowed(sheet, discs))

    def shadowed(self, sheet: Image, discs: list[Disc]) -> Image:
        """A floor with shadows thrown on it."""
        way, light = light_way(self.light), self.light
        reach = (
            -float(way[0] / max(way[2], 0.25)),
            -float(way[1] / max(way[2], 0.25)),
            0.16 * (1.15 - light.hard),
        )
        thick = self.style.thickness
        spots = [(d.x, d.y, self.style.radius, d.z + thick) for d in discs]
        lit = shadow_sheet(sheet.shape[:2], spots, reach)
        lit *= self.wall_shade(lit.shape, reach)
        deep = 0.08 + 0.62 * light.hard
        wide = cv2.resize(1 - deep * (1 - lit), sheet.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        out: Image = (sheet * wide[:, :, None]).astype(np.uint8)
        return out

    def wall_shade(self, shape: tuple[int, ...], reach: tuple[float, float, float]) -> NDArray[np.float32]:
        """Light that the frame's walls leave on the floor, 0 … 1, at a quarter of `FINE`."""
        lit = np.ones(shape, np.float32)
        dx, dy = (round(r * self.style.frame_height * FINE / 4) for r in reach[:2])
        self.bar_shade(lit, reach)
        if dx > 0:
            lit[:, :dx] = 0
        elif dx < 0:
            lit[:, dx:] = 0
        if dy > 0:
            lit[:dy] = 0
        elif dy < 0:
            lit[dy:] = 0
        soft = cv2.GaussianBlur(lit, (0, 0), max(0.4, reach[2] * FINE / 4))
        return np.asarray(soft, np.float32)

    def bar_shade(self, lit: NDArray[np.float32], reach: tuple[float, float, float]) -> None:
        """The shadow of a raised bar, painted into the floor's light."""
        style, scale = self.style, FINE / 4
        if style.bar > 0 and style.bar_height > 0.02:
            shift = reach[0] * style.bar_height
            x0, x1 = 6 + min(0.0, shift), 6 + style.bar + max(0.0, shift)
            lit[:, round(x0 * scale) : round(x1 * scale)] = 0

    def discs(self, discs: list[Disc]) -> None:
        """Checkers, lower ones first, then those farther from the eye."""
        eye = self.view.eye
        order = sorted(discs, key=lambda d: (d.z, -((d.x - eye[0]) ** 2 + (d.y - eye[1]) ** 2)))
        for disc in order:
            face = self.faces[disc.owner]
            paint_disc(self.canvas, self.labels, self.view, self.style, disc, face, self.light)

    def slab(self, box: Box, top: float, colour: tuple[float, float, float]) -> None:
        """A level bar standing on the floor."""
        low, high = square(box, 0.0), square(box, top)
        for k in range(4):
            side = np.array([low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]])
            fill(self.canvas, outline(self.view, side), tone(colour, 0.5 + 0.1 * k))
        fill(self.canvas, outline(self.view, high), colour)

    def bar(self) -> None:
        """The bar between the halves: flat or a ridge, in one piece or two, with hinges."""
        style = self.style
        if style.bar <= 0:
            return
        box = (6.0, 0.0, 6 + style.bar, style.height)
        if style.bar_height > 0.02:
            self.slab(box, style.bar_height, style.bar_surface.colour)
        lay(self.canvas, self.view, textured(self.rng, style.bar_surface, 260, 24), box, style.bar_height)
        middle = 6 + style.bar / 2
        if style.bar_split:
            gap = (middle - 0.03, 0.0, middle + 0.03, style.height)
            fill(self.canvas, outline(self.view, square(gap, style.bar_height)), (15, 15, 15))
        for share in (0.15, 0.85) if style.hinges else ():
            y, half = share * style.height, min(0.4, style.bar * 0.4)
            plate = square((middle - half, y - 0.55, middle + half, y + 0.55), style.bar_height + 0.01)
            fill(self.canvas, outline(self.view, plate), (150, 165, 170))
            pin = square(
                (middle - half * 0.2, y - 0.5, middle + half * 0.2, y + 0.5), style.bar_height + 0.02
            )
            fill(self.canvas, outline(self.view, pin), (90, 100, 110))

    def tray(self, tray: Tray) -> None:
        """A tray's floor with the checkers that were borne off."""
        box = tray_box(self.style, tray)
        sheet = textured(
            self.rng, self.style.ground, round(self.style.height * FINE / 2), round(tray.width * FINE / 2)
        )
        self.opening(box, sheet)
        if tray is not self.style.trays[0]:
            return
        for owner, count in ((1, abs(self.scene.table[26])), (-1, abs(self.scene.table[27]))):
            if tray.on_edge:
                self.edge_row(box, owner, count)
            else:
                self.discs(in_tray(self.scene.seed, self.style, box, owner, count))

    def edge_row(self, box: Box, owner: int, count: int) -> None:
        """Borne-off checkers standing on edge, a row of thin slabs."""
        look = self.style.light if owner > 0 else self.style.dark
        x, half, thick = (
            (box[0] + box[2]) / 2,
            min(self.style.radius, (box[2] - box[0]) / 2),
            self.style.thickness,
        )
        for k in range(count):
            along = 0.2 + k * thick * 1.04
            y = self.style.height - along - thick if owner > 0 else along
            self.slab(
                (x - half, y, x + half, y + thick * 0.94), 2 * half, tone(look.colour, 0.85 + 0.12 * (k % 2))
            )

    def near_rails(self) -> None:
        """Parts of the frame that stand between the eye and the field are painted once more, over the
        checkers.
        """
        eye, style = self.view.eye, self.style
        width, height = 12 + style.bar, style.height
        x0, y0, x1, y1 = outer_box(style)
        hiding = []
        if eye[1] > height:
            hiding.append((x0, height, x1, y1))
        if eye[1] < 0:
            hiding.append((x0, y0, x1, 0.0))
        if eye[0] < 0:
            hiding.append((-style.frame_width / 2, y0, 0.0, y1))
        if eye[0] > width:
            hiding.append((width, y0, width + style.frame_width / 2, y1))
        for box in hiding:
            sheet = textured(self.rng, style.frame, 60, 200)
            lay(self.canvas, self.view, sheet, box, style.frame_height)
            mask = np.zeros(self.labels.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, outline(self.view, square(box, style.frame_height)), 1, cv2.LINE_8, 3)
            self.labels[mask > 0, 2] = 1

    def dice(self) -> None:
        """The dice, far ones first."""
        for die in sorted(self.scene.dice, key=lambda d: d.y):
            draw_die(self.canvas, self.labels, self.view, die, self.light)

    def hand(self) -> None:
        """The arm, with what its fingers hold."""
        hand = self.scene.hand
        if hand is None:
            return

        def held(x: float, y: float, z: float) -> None:
            disc = Disc(x, y, z, hand.held, 7)
            paint_disc(
                self.canvas, self.labels, self.view, self.style, disc, self.faces[hand.held], self.light
            )

        size = (12 + self.style.bar, self.style.height)
        draw_hand(self.canvas, self.labels, self.view, hand, size, self.light, held if hand.held else None)

    def again(self, dice: tuple[Die, ...], hand: Hand | None, frame: int) -> Image:
        """The painted table once more with other dice and another hand: one frame of a film."""
        kept = self.canvas, self.labels, self.scene
        self.canvas, self.labels = self.canvas.copy(), self.labels.copy()
        self.scene = replace(self.scene, dice=dice, hand=hand)
        self.dice()
        self.hand()
        image = develop(self.canvas, self.view, self.lit_room(), self.scene.sensor, (self.scene.seed, frame))
        self.canvas, self.labels, self.scene = kept
        return image

    def lit_room(self) -> Room:
        """The room's light on every pixel, worked out once."""
        if self.room is None:
            height, width = self.canvas.shape[:2]
            self.room = room_of(self.scene.seed, self.light, self.scene.sensor, height, width)
        return self.room

    def finish(self) -> Drawn:
        """Through the lens and the sensor."""
        scene, style = self.scene, self.style
        image = develop(self.canvas, self.view, self.lit_room(), scene.sensor, (scene.seed, 0))
        board = board_of(self.view, 12 + style.bar, style.height, style.bar)
        labels, bare = bent_labels(self.labels, self.view), bent_labels(self.bare, self.view)
        if scene.sensor.panel > 0:
            labels[:, round(labels.shape[1] * (1 - scene.sensor.panel)) :] = (THING, 0, 0)
        return Drawn(image, board, labels[:, :, 0], labels[:, :, 1], bare[:, :, 1], bare[:, :, 2])


def bent_labels(labels: NDArray[np.uint8], view: View) -> NDArray[np.uint8]:
    """Labels as the lens shows them."""
    if view.lens == 0:
        return labels.copy()
    return np.asarray(cv2.remap(labels, *lens_maps(view), cv2.INTER_NEAREST), np.uint8)


def render(scene: Scene) -> Drawn:
    """Draw a scene: the picture, the board's exact geometry, and a label for every pixel."""
    painter = Painter(scene)
    painter.paint()
    painter.dice()
    painter.hand()
    return painter.finish()
