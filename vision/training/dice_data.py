"""What the dice networks learn from: drawn scenes as the finder sees them, and crops for the readers.

The crops are cut where the finder, trained first, finds something: so the readers learn from its own errors
of place and from what it takes for dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice_nets import CELL, CROP, UNKNOWN, USUAL_SIDE, upright
from vision.geometry import Image
from vision.training.dice_boards import parts
from vision.training.dice_clutter import Spot
from vision.training.dice_scene import CANVAS, Truth, weather
from vision.training.dice_solid import Rng
from vision.training.dice_table import LEANING, Scene, scene

SEED = 20261129
CHUNK = 200
#: Boards drawn for a chunk, the parts taken of each, and the pictures made of each scene.
BOARDS, PARTS, WEATHERS = 4, 11, 2
#: Training draws this many times finer than the finder sees.
FINE = 2
PATCH = CANVAS // FINE
GRID = PATCH // CELL
#: A reader's label beside 1-6: no such thing there; one that cannot be told.
NONE, UNSURE = 0, 7
#: Motion blur (in sides) from which a value cannot be told; cubes have larger figures.
SMEARED_DIE, SMEARED_CUBE = 0.3, 0.5


class Sheet(NamedTuple):
    """One scene: the finder's patch and its map (die, cube, weight, dx, dy, log size), the picture's file,
    what is drawn on it, and how it was stretched for the finder.
    """

    patch: Image
    wanted: NDArray[np.float32]
    file: bytes
    truths: list[Truth]
    traps: list[Spot]
    blur: float
    side: float
    lean: tuple[float, float] | None
    stretch: float


Place = tuple[float, float, float]


class Seat(NamedTuple):
    """What a reader learns from: a spot (canvas pixels) of a scene, by its number; its label, whether the die
    there is cocked (1, 0, -1: does not matter), which values its sides show (1, 0, -1), and the thing whose
    place is asked (None: nothing is there, or it is smeared).
    """

    scene: int
    spot: Place
    label: int
    cocked: float
    shown: tuple[int, ...]
    asked: Truth | None


class Cut(NamedTuple):
    """A reader's picture, the camera's lean there (`UNKNOWN` at times), and where in it the thing's upper
    face lies, as `dice_nets.Read` says it.
    """

    picture: Image
    lean: float
    place: Place | None


def sheets(seed: int, leaning: float = LEANING) -> list[Sheet]:
    """`CHUNK` pictures, about two in five of them of parts of drawn boards; this share of the dice leans."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([SEED, seed])
    tables = [part for _ in range(BOARDS) for part in parts(rng, PARTS)]
    scenes = (scene(rng, tables[k] if k < len(tables) else None, leaning) for k in range(CHUNK // WEATHERS))
    return [sheet(rng, drawn) for drawn in scenes for _ in range(WEATHERS)]


def sheet(rng: Rng, drawn: Scene) -> Sheet:
    """A drawn scene through the weather, ready for the finder."""
    stretch = rng.uniform(0.87, 1.15)
    image = weather(rng, drawn.picture, drawn.side)
    file = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].tobytes()
    patch, wanted = find_patch(image, stretch), target(drawn.truths, stretch)
    return Sheet(patch, wanted, file, drawn.truths, drawn.traps, drawn.blur, drawn.side, drawn.lean, stretch)


def find_patch(image: Image, stretch: float) -> Image:
    """A scene as the finder sees it, stretched as for a board whose sides are not well known."""
    step = np.diag([FINE * stretch, FINE / stretch])
    start = CANVAS / 2 - step @ np.array([PATCH / 2, PATCH / 2])
    patch = cv2.warpAffine(
        cv2.blur(image, (FINE, FINE)),
        np.column_stack([step, start]),
        (PATCH, PATCH),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REFLECT,
    )
    return np.asarray(patch, np.uint8)


def target(truths: list[Truth], stretch: float) -> NDArray[np.float32]:
    """What the finder should say for a patch: 6 × GRID × GRID."""
    middle = CANVAS / 2
    wanted = np.zeros((6, GRID, GRID), np.float32)
    wanted[2] = 1
    y, x = np.mgrid[0:GRID, 0:GRID].astype(np.float32) + 0.5
    rows = [
        (
            (middle + (t.x - middle) / stretch) / FINE / CELL,
            (middle + (t.y - middle) * stretch) / FINE / CELL,
            t,
        )
        for t in truths
    ]
    for cx, cy, t in rows:
        wanted[2][np.hypot(x - cx, y - cy) < max(0.5 * t.side / FINE / CELL, 0.8)] = 0
    for cx, cy, t in rows:
        i, j = int(cy), int(cx)
        if 0 <= cx < GRID and 0 <= cy < GRID:
            cube, size = t.kind == "cube", np.log(t.side / FINE / USUAL_SIDE)
            wanted[:, i, j] = (not cube, cube, 1, cx - j - 0.5, cy - i - 0.5, size)
    return wanted


def on_canvas(found: Place, stretch: float) -> Place:
    """A finder's place (patch pixels: x, y, side) → canvas pixels."""
    x, y, side = found
    return (
        CANVAS / 2 + (x - PATCH / 2) * FINE * stretch,
        CANVAS / 2 + (y - PATCH / 2) * FINE / stretch,
        side * FINE,
    )


class Cutter:
    """Shows a scene to one of the readers: dice or cubes."""

    def __init__(self, rng: Rng, sheet: Sheet, number: int, cube: bool) -> None:
        self.rng, self.sheet, self.number, self.cube = rng, sheet, number, cube
        self.span = 1.4 if cube else 1.7

    @cached_property
    def image(self) -> Image:
        """The scene's picture."""
        coded = np.frombuffer(self.sheet.file, np.uint8)
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)

    def seats(self, places: Sequence[Place]) -> list[Seat]:
        """What is to be read and what is not; `places` are the finder's, in canvas pixels."""
        mine = [t for t in self.sheet.truths if (t.kind == "cube") == self.cube and _inside(t)]
        found = [seat for t in mine for seat in self._of(t, places)]
        wrong = [p for p in places if all(_apart(p, t) > 0.9 * t.side for t in mine)]
        chosen = [wrong[int(k)] for k in self.rng.permutation(len(wrong))[: 2 if self.cube else 3]]
        nothing = (NONE, -1.0, (-1,) * 6, None)
        return found + [Seat(self.number, p, *nothing) for p in (*chosen, *self._others(mine))]

    def _of(self, truth: Truth, places: Sequence[Place]) -> list[Seat]:
        """A thing: where it is, and where the finder thinks it is (of the rarer cubes twice)."""
        near = [p for p in places if _apart(p, truth) < 0.4 * truth.side]
        second = near[0] if near else (truth.x, truth.y, truth.side)
        smeared = self.sheet.blur > (SMEARED_CUBE if self.cube else SMEARED_DIE)
        label = UNSURE if truth.kind == "cocked" or smeared else truth.value
        cocked = {"die": 0.0, "cocked": 1.0}.get(truth.kind, -1.0) if not smeared else -1.0
        shown = truth.shown if truth.kind != "cocked" and not smeared else (-1,) * 6
        spots = [(truth.x, truth.y, truth.side), second, *([second] if self.cube else [])]
        return [Seat(self.number, s, label, cocked, shown, None if smeared else truth) for s in spots]

    def _others(self, mine: list[Truth]) -> list[Place]:
        """A trap and some place else, both free of what is to be read."""
        traps, side = self.sheet.traps, self.sheet.side * (1.5 if self.cube else 1.0)
        spots = [traps[int(self.rng.integers(len(traps)))]] if traps else []
        spots += [(int(a), int(b)) for a, b in self.rng.uniform(0, CANVAS, (1, 2))]
        spots = spots[:1] if self.cube else spots
        others = [t for t in self.sheet.truths if t not in mine]
        if others and self.rng.random() < 0.5:
            return [(others[0].x, others[0].y, others[0].side), *self._free(spots[:1], side, mine)]
        return self._free(spots, side, mine)

    def _free(self, spots: list[Spot], side: float, mine: list[Truth]) -> list[Place]:
        moved = [
            (a + self.rng.normal(0, 0.2 * side), b + self.rng.normal(0, 0.2 * side), side) for a, b in spots
        ]
        return [p for p in moved if all(_apart(p, t) > 1.0 * t.side for t in mine)]

    def cut(self, seat: Seat) -> Cut:
        """A crop around a spot, some way off its middle, from closer or farther, turned so that upright
        things lean up, as far as that is known; each time in another way.
        """
        rng, stretch = self.rng, self.sheet.stretch
        x, y, side = seat.spot
        span = side * (
            rng.uniform(0.9, 2.6) if rng.random() < 0.15 else self.span * np.exp(rng.normal(0, 0.14))
        )
        slack = 0.1 * side if rng.random() < 0.85 else 0.5 * max(span - 1.2 * side, 0.2 * side)
        x, y = x + rng.uniform(-slack, slack), y + rng.uniform(-slack, slack)
        turn, lean = self._lean()
        c, s = np.cos(turn), np.sin(turn)
        step = np.diag([stretch, 1 / stretch]) @ np.array([[c, -s], [s, c]]) * span / CROP
        start = np.array([x, y]) - step @ np.array([CROP / 2, CROP / 2])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        picture = cv2.warpAffine(
            self.image,
            np.column_stack([step, start]),
            (CROP, CROP),
            flags=how,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return Cut(np.asarray(picture, np.uint8), lean, _within(seat.asked, (x, y), step, span))

    def _lean(self) -> tuple[float, float]:
        """Turn of the crop, and the lean's size; both come with the errors that a guessed camera makes."""
        rng, lean = self.rng, self.sheet.lean
        if lean is None or rng.random() < 0.2:
            return rng.uniform(0, 2 * np.pi), UNKNOWN
        across, along = lean[0] / self.sheet.stretch, lean[1] * self.sheet.stretch
        size = float(np.hypot(across, along) * np.exp(rng.normal(0, 0.2)))
        return upright(across, along) + rng.normal(0, 0.2), size


def _inside(t: Truth) -> bool:
    return max(abs(t.x - CANVAS / 2), abs(t.y - CANVAS / 2)) < CANVAS / 2 - 0.4 * t.side


def _apart(place: Place, truth: Truth) -> float:
    return float(np.hypot(place[0] - truth.x, place[1] - truth.y))


def _within(
    thing: Truth | None, spot: tuple[float, float], step: NDArray[np.float64], span: float
) -> Place | None:
    """Where a thing lies in a crop about a spot; `step` is how far a crop's pixels go on the canvas."""
    if thing is None:
        return None
    right, down = np.linalg.solve(step, np.array([thing.x - spot[0], thing.y - spot[1]])) / CROP
    return float(right), float(down), float(np.log(thing.side / span))


def seats_of(scenes: list[Sheet], places: list[list[Place]], cube: bool) -> list[Seat]:
    """What one of the readers is shown of all scenes; `places` as the finder gave them, for each scene."""
    rng = np.random.default_rng([SEED, int(cube)])
    seats: list[Seat] = []
    for number, (one, found) in enumerate(zip(scenes, places, strict=True)):
        seats += Cutter(rng, one, number, cube).seats([on_canvas(p, one.stretch) for p in found])
    return seats
