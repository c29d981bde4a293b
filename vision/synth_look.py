"""How a drawn board looks: the words a scene is described with. All lengths are in point widths, colours
BGR.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Colour = tuple[float, float, float]
Grain = Literal["plain", "felt", "wood", "leather", "speckle"]
Tip = Literal["sharp", "round", "blunt", "drop"]
Profile = Literal["flat", "dome", "dish", "rings", "ridged"]
Side = Literal["near", "far", "left", "right"]
Mark = Literal["none", "dot", "star", "letter", "ring"]
Kind = Literal["cup", "clock", "box", "card", "cable", "cube"]


def tone(colour: Colour, gain: float, more: float = 0.0) -> Colour:
    """A colour made lighter or darker: times gain, plus more."""
    b, g, r = (min(255.0, max(0.0, v * gain + more)) for v in colour)
    return b, g, r


@dataclass(frozen=True)
class Surface:
    """A material: its colour, its grain and how strong the grain shows (0 … 1)."""

    colour: Colour
    grain: Grain = "plain"
    strength: float = 0.3


@dataclass(frozen=True)
class Points:
    """The 24 spikes. `length` is a share of the field's height, `base` the foot's width, `outline` a
    line's width.
    """

    first: Colour
    second: Colour
    tip: Tip = "sharp"
    length: float = 0.41
    base: float = 0.94
    outline: float = 0.0
    outline_colour: Colour = (30, 30, 30)
    first_filled: bool = True
    second_filled: bool = True
    inlay: Colour | None = None


@dataclass(frozen=True)
class Checker:
    """One set of checkers. `gloss` 0 … 1, `pearl` how much the colour runs within one, `mark` a sign on
    top.
    """

    colour: Colour
    profile: Profile = "flat"
    rim: Colour | None = None
    gloss: float = 0.25
    pearl: float = 0.0
    mark: Mark = "none"
    mark_colour: Colour = (128, 128, 128)


@dataclass(frozen=True)
class Print:
    """A sign on the field: text, or a badge when the text is empty. `x`, `y` in field units, `size` its
    height.
    """

    text: str
    x: float
    y: float
    size: float
    colour: Colour
    turn: float = 0.0


@dataclass(frozen=True)
class Tray:
    """A tray beside the field: its width, its parts, and whether borne-off checkers stand there on edge."""

    side: Literal["left", "right"] = "right"
    width: float = 1.3
    parts: int = 1
    on_edge: bool = False


@dataclass(frozen=True)
class Style:
    """Everything about the board itself. `height` is the field's, `bar` the bar's width (0: none)."""

    table: Surface = Surface((52, 62, 70), "felt", 0.2)
    frame: Surface = Surface((38, 62, 98), "wood", 0.4)
    ground: Surface = Surface((70, 110, 50), "felt", 0.2)
    points: Points = field(default_factory=lambda: Points((40, 40, 160), (205, 222, 235)))
    light: Checker = Checker((215, 228, 238), "rings")
    dark: Checker = Checker((45, 38, 36), "rings")
    height: float = 11.6
    bar: float = 1.0
    bar_surface: Surface = Surface((38, 62, 98), "wood", 0.4)
    bar_height: float = 0.0
    bar_split: bool = False
    hinges: bool = False
    frame_width: float = 0.7
    frame_height: float = 0.5
    band: Colour | None = None
    trays: tuple[Tray, ...] = (Tray(),)
    prints: tuple[Print, ...] = ()
    border: Colour | None = None
    radius: float = 0.46
    thickness: float = 0.26
    row: int = 5
    mess: float = 0.25
    seed: int = 0


@dataclass(frozen=True)
class Light:
    """Where the light comes from (`angle` degrees round, `slant` 0 overhead … 1 low), how hard, what
    colour.
    """

    angle: float = 225.0
    slant: float = 0.5
    hard: float = 0.5
    shade: float = 0.45
    tint: Colour = (1.0, 1.0, 1.0)
    fall: float = 0.15
    bands: float = 0.0
    glare: float = 0.0


@dataclass(frozen=True)
class Sensor:
    """What the camera's chip and its file format add. Exposure 1 leaves the brightness; `jpeg` 0 leaves it
    out; `panel` is the share of the width that a stream's score panel covers.
    """

    exposure: float = 1.0
    gamma: float = 1.0
    blur: float = 0.5
    motion: float = 0.0
    motion_angle: float = 0.0
    noise: float = 2.0
    jpeg: int = 90
    lens: float = 0.0
    vignette: float = 0.1
    saturation: float = 1.0
    panel: float = 0.0


@dataclass(frozen=True)
class Die:
    """A die: value, place on the field, angle in degrees, colours, edge length, height of what it lies on."""

    value: int
    x: float
    y: float
    angle: float = 20.0
    colour: Colour = (235, 240, 240)
    pips: Colour = (30, 30, 30)
    size: float = 0.42
    z: float = 0.0


@dataclass(frozen=True)
class Hand:
    """An arm with a hand over (x, y) of the field; it comes in from a side; `held` ±1: a checker between
    fingers.
    """

    x: float
    y: float
    side: Side = "near"
    held: int = 0
    skin: Colour = (140, 170, 215)
    sleeve: Colour = (110, 70, 40)
    size: float = 1.0
    lean: float = 0.0


@dataclass(frozen=True)
class Thing:
    """Something that lies about: a cup, a clock, a box, a card, a phone, a doubling cube (text on top), a
    cable.
    """

    kind: Kind
    x: float
    y: float
    size: float = 1.0
    angle: float = 0.0
    colour: Colour = (60, 60, 60)
    text: str = ""
    z: float = 0.0
