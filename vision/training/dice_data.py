"""What the dice networks learn from: drawn scenes as the finder sees them, and crops for the readers.

The crops are cut where the finder, trained first, finds something: so the readers learn from its own errors
of place and from what it takes for dice.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from vision.training.dice_table import Scene, scene

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


class Crop(NamedTuple):
    """A reader's picture with the camera's lean there (`UNKNOWN` at times); its label, whether the die is
    cocked (1, 0, -1: does not matter), which values its sides show (1, 0, -1), and where its upper face lies
    in it, as `dice_nets.Read` says it (None: nothing is there, or it is smeared).
    """

    picture: Image
    lean: float
    label: int
    cocked: float
    shown: tuple[int, ...]
    place: tuple[float, float, float] | None = None


Place = tuple[float, float, float]


def sheets(seed: int) -> list[Sheet]:
    """`CHUNK` pictures, about two in five of them of parts of drawn boards."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([SEED, seed])
    tables = [part for _ in range(BOARDS) for part in parts(rng, PARTS)]
    scenes = (scene(rng, tables[k] if k < len(tables) else None) for k in range(CHUNK // WEATHERS))
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
    """Cuts a scene's crops for one of the readers: dice or cubes."""

    def __init__(self, rng: Rng, sheet: Sheet, cube: bool) -> None:
        self.rng, self.sheet, self.cube = rng, sheet, cube
        self.image = np.asarray(cv2.imdecode(np.frombuffer(sheet.file, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        self.span = 1.4 if cube else 1.7

    def crops(self, places: Sequence[Place]) -> list[Crop]:
        """Crops of what is to be read and of what is not; `places` are the finder's, in canvas pixels."""
        mine = [t for t in self.sheet.truths if (t.kind == "cube") == self.cube and _inside(t)]
        found = [c for t in mine for c in self._of(t, places)]
        wrong = [p for p in places if all(_apart(p, t) > 0.9 * t.side for t in mine)]
        for k in self.rng.permutation(len(wrong))[: 2 if self.cube else 3]:
            found.append(self._none(wrong[int(k)]))
        found += [self._none(p) for p in self._others(mine)]
        return found

    def _of(self, truth: Truth, places: Sequence[Place]) -> list[Crop]:
        """Crops of a thing: where it is, and where the finder thinks it is (of the rarer cubes twice)."""
        near = [p for p in places if _apart(p, truth) < 0.4 * truth.side]
        second = near[0] if near else (truth.x, truth.y, truth.side)
        smeared = self.sheet.blur > (SMEARED_CUBE if self.cube else SMEARED_DIE)
        label = UNSURE if truth.kind == "cocked" or smeared else truth.value
        cocked = {"die": 0.0, "cocked": 1.0}.get(truth.kind, -1.0) if not smeared else -1.0
        shown = truth.shown if truth.kind != "cocked" and not smeared else (-1,) * 6
        spots = [(truth.x, truth.y, truth.side), second]
        spots += [second] if self.cube else []
        found = []
        for spot in spots:
            picture, lean, place = self.cut(spot, truth)
            found.append(Crop(picture, lean, label, cocked, shown, None if smeared else place))
        return found

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

    def _none(self, place: Place) -> Crop:
        return Crop(*self.cut(place)[:2], NONE, -1.0, (-1,) * 6)

    def cut(self, place: Place, truth: Truth | None = None) -> tuple[Image, float, Place | None]:
        """A crop around a place, some way off its middle, from closer or farther, and the lean it is cut
        for: turned so that upright things lean up, as far as that is known. With it where a thing lies in it.
        """
        rng, stretch = self.rng, self.sheet.stretch
        x, y, side = place
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
        cut = cv2.warpAffine(
            self.image,
            np.column_stack([step, start]),
            (CROP, CROP),
            flags=how,
            borderMode=cv2.BORDER_REPLICATE,
        )
        if truth is None:
            return np.asarray(cut, np.uint8), lean, None
        right, down = np.linalg.solve(step, np.array([truth.x - x, truth.y - y])) / CROP
        return np.asarray(cut, np.uint8), lean, (float(right), float(down), float(np.log(truth.side / span)))

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


Lot = tuple[int, list[Sheet], list[list[Place]], list[list[Place]]]


def crops_of(lot: Lot) -> tuple[list[Crop], list[Crop]]:
    """The crops of a lot of scenes for both readers; places as the finder gave them, of dice and of cubes."""
    cv2.setNumThreads(1)
    seed, scenes, dice, cubes = lot
    rng = np.random.default_rng([SEED, seed, 1])
    both: tuple[list[Crop], list[Crop]] = ([], [])
    for one, *found in zip(scenes, dice, cubes, strict=True):
        for cube, places in enumerate(found):
            spots = [on_canvas(p, one.stretch) for p in places]
            both[cube].extend(Cutter(rng, one, bool(cube)).crops(spots))
    return both
