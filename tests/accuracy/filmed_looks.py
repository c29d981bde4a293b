"""What the filmed matches look like: boards made by hand, and boards, players and cameras by chance."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from referee.layout import LAYOUTS, Layout
from vision.film import PLAYERS, Player
from vision.synth import Camera, Light, Sensor, Style
from vision.synth_look import Checker, Colour, Points, Surface
from vision.synth_random import any_colour, apart, hsv, light, lightness, span, style
from vision.synth_surface import Rng

SIZE = (960, 540)

#: Boards of the kinds that people play on: colours, bars, shapes of points, checkers.
BOARDS = (
    Style(trays=()),
    Style(
        ground=Surface((60, 90, 150), "wood", 0.3), points=Points((40, 60, 90), (120, 170, 210)),
        light=Checker((200, 220, 235), "flat"), dark=Checker((40, 40, 150), "flat"), bar=0.8, trays=(),
    ),
    Style(
        ground=Surface((120, 60, 30), "felt", 0.2), points=Points((200, 200, 200), (160, 110, 50), "round"),
        light=Checker((225, 225, 225), "flat"), dark=Checker((60, 30, 20), "rings"), bar=1.2, trays=(),
    ),
    Style(
        ground=Surface((45, 45, 45), "felt", 0.2), points=Points((60, 60, 170), (190, 200, 210)),
        light=Checker((215, 228, 238), "rings"), dark=Checker((120, 60, 30), "flat"), height=12.4, trays=(),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Room:
    """Where a match is filmed: board, camera, light, who plays, how slowly, and which way round."""

    style: Style
    camera: Camera
    players: tuple[Player, Player] = PLAYERS
    layout: Layout = LAYOUTS[0]
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    tempo: float = 1.0
    #: share of turns in which a hand comes over the board and goes away again
    dithers: float = 0.0


def room_of(seed: int) -> Room:
    """A board made by hand."""
    chance = np.random.default_rng(seed)
    camera = Camera(
        *SIZE, tilt=float(chance.uniform(2, 22)), azimuth=float(chance.normal(0, 5)),
        distance=float(chance.uniform(20, 32)), fill=float(chance.uniform(0.72, 0.86)),
    )  # fmt: skip
    return Room(replace(BOARDS[seed % len(BOARDS)], seed=seed), camera)


def wild_room_of(seed: int) -> Room:
    """All by chance: board and light from `vision.synth_random`, arms, dice that lie anywhere, a slow or a
    quick hand that dithers, the board any way round.
    """
    chance = np.random.default_rng((seed, 7))
    camera = Camera(
        *SIZE, tilt=span(chance, 0, 30), azimuth=float(chance.normal(0, 8)), roll=float(chance.normal(0, 3)),
        distance=span(chance, 18, 36), fill=span(chance, 0.72, 0.95),
    )  # fmt: skip
    board = style(chance)
    ground = board.ground.colour
    sensor = Sensor(
        exposure=span(chance, 0.75, 1.15), gamma=span(chance, 0.85, 1.15), blur=span(chance, 0.3, 1.1),
        noise=span(chance, 1, 5), jpeg=int(chance.integers(60, 96)), vignette=span(chance, 0, 0.3),
    )  # fmt: skip
    players, layout = (player(chance, ground), player(chance, ground)), LAYOUTS[seed % len(LAYOUTS)]
    return Room(
        board, camera, players, layout, light(chance), sensor,
        span(chance, 0.9, 1.5), span(chance, 0, 0.4),
    )  # fmt: skip


def player(chance: Rng, ground: Colour) -> Player:
    """Somebody with some dice, which people can read on a ground of this colour."""
    skin = hsv(span(chance, 8, 28), span(chance, 0.25, 0.6), span(chance, 0.35, 0.95))
    die = pips = ground
    while apart(die, ground) < 30 or abs(lightness(die) - lightness(pips)) < 45:
        die, pips = any_colour(chance), any_colour(chance)
    return Player(skin, any_colour(chance), die, pips, span(chance, 0.36, 0.5), span(chance, 0.7, 1.7))
