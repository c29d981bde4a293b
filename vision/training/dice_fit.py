"""How far the dice networks are to be trusted: fits the weights in `vision.dice` and `vision.cube` on drawn
scenes and boards that no network was trained on, and prints them. Whole boards have places that are taken
for dice or cubes as often as real ones, and things that the training's renderer did not draw.

    python -m vision.training.dice_fit
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import cube, dice
from vision.dice_nets import CELL, KINDS, Found, Kind, Read, find
from vision.dice_pips import fits
from vision.dice_view import DiceView, dice_view
from vision.synth import Scene, render
from vision.synth_random import random_scene
from vision.training.dice_data import FINE, PATCH, SMEARED_DIE, Sheet, sheets
from vision.training.dice_scene import CANVAS, Truth

#: Chunks of scenes from this number on are for fitting only; with each so many whole boards.
FIRST, BOARDS = 90_000, 20
#: A place this near a die or cube on a whole board is its place, in point widths (a cube lies high).
NEAR = {"die": 0.6, "cube": 0.9}
#: A camera so far away that its lean is the same all over a scene.
FAR = 1e5
#: So many flat dice in a thousand may be taken for cocked.
FALSELY_COCKED = 5

Floats = NDArray[np.float64]


class Row(NamedTuple):
    """A place that the finder named: log odds of finder and reader, what the reader says, how well
    each face's pips fit, what is there.
    """

    finder: float
    reader: float
    said: Read
    agreed: Floats
    truth: Truth | None


def view_of(sheet: Sheet) -> DiceView:
    """A scene as `vision.dice` sees a picture: its file, and the finder's view laid over it."""
    picture = np.asarray(cv2.imdecode(np.frombuffer(sheet.file, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    back = np.diag([FINE * sheet.stretch, FINE / sheet.stretch, 1.0])
    back[:2, 2] = CANVAS / 2 - back[:2, :2] @ np.array([PATCH / 2, PATCH / 2])
    across, along = sheet.lean or (0.0, 0.0)
    lean = (across / sheet.stretch, along * sheet.stretch)
    camera = (PATCH / 2 - lean[0] * FAR, PATCH / 2 - lean[1] * FAR, FAR)
    return DiceView(picture, np.linalg.inv(back), (PATCH, PATCH), (PATCH - 2.0 * CELL,) * 2, CELL, camera)


def rows(seed: int, kind: Kind) -> list[Row]:
    """Every place that is looked at on a chunk's boards and, for dice, in its scenes."""
    scenes = sheets(seed) if kind == "die" else []
    found = [row for sheet in scenes if sheet.lean is not None for row in _in_scene(sheet)]
    return found + [row for number in range(BOARDS) for row in _on_board((seed, number), kind)]


def _in_scene(sheet: Sheet) -> list[Row]:
    view = view_of(sheet)
    return _looked_at(view, "die", lambda place: _there(view, place, sheet))


def _on_board(seed: tuple[int, int], kind: Kind) -> list[Row]:
    """Every place on a board by chance; dice are looked for nearer to the field than cubes."""
    scene = replace(random_scene(np.random.default_rng(seed)), hand=None)
    drawn = render(scene)
    view = dice_view(drawn.image, drawn.board, dice.BESIDE if kind == "die" else cube.BESIDE)
    return _looked_at(view, kind, lambda place: _lies(view, place, scene, kind))


def _looked_at(view: DiceView, kind: Kind, there: Callable[[Found], Truth | None]) -> list[Row]:
    if kind == "die":
        told = dice.told(view, find(view.seen, dice.LEAST_FOUND)[: dice.MOST_PLACES])
    else:
        told = cube.told(view, find(view.seen, cube.LEAST_FOUND, kind)[: cube.MOST_PLACES])
    return [
        Row(dice.log_odds(f.p), dice.reader_odds(said), said, _pips(view, f, kind), there(f))
        for f, said in told
    ]


def _pips(view: DiceView, found: Found, kind: Kind) -> Floats:
    """How well the pips of each face fit; nothing for a cube."""
    if kind == "cube":
        return np.zeros(6)
    return fits(view.crop(found.x, found.y, dice.PIP_SPAN * found.side).picture).astype(np.float64)


def _there(view: DiceView, found: Found, sheet: Sheet) -> Truth | None:
    """The die at a place of a scene; a smeared one is one whose value nobody can tell."""
    (x, y), side = view.back(np.array([[found.x, found.y]]))[0], found.side * FINE
    for t in sheet.truths:
        if t.kind != "cube" and np.hypot(x - t.x, y - t.y) < 0.35 * max(side, t.side):
            return t._replace(kind="smeared") if sheet.blur > SMEARED_DIE else t
    return None


def _lies(view: DiceView, found: Found, scene: Scene, kind: Kind) -> Truth | None:
    """The die or the cube at a place of a board."""
    width, height = 12 + scene.style.bar, scene.style.height
    x, y = view.fraction(found.x, found.y)
    lying = [(d.x, d.y, d.value) for d in scene.dice]
    if kind == "cube":
        lying = [(t.x, t.y, int(np.log2(int(t.text)))) for t in scene.things if t.kind == "cube"]
    near = [value for a, b, value in lying if np.hypot(x * width - a, y * height - b) < NEAR[kind]]
    return Truth(found.x, found.y, found.side, near[0], kind) if near else None


def logistic(x: Floats, y: Floats) -> Floats:
    """Weights of a logistic regression (the last column of `x` is 1)."""
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (y - p) - 1e-2 * w
        bend = (x * (p * (1 - p))[:, None]).T @ x + 1e-2 * np.eye(len(w))
        w = w + np.linalg.solve(bend, slope)
    return np.asarray(w, np.float64)


def surprise(found: list[Row], labels: NDArray[np.int64], trust: tuple[float, float, float]) -> float:
    """Mean negative log probability of the true faces, with these weights of reader, side faces and pips."""
    values, sides = (
        np.array(rows, np.float64)
        for rows in ([r.said.values[1:] for r in found], [r.said.sides for r in found])
    )
    faces = dice.faces_of(values, sides, np.array([r.agreed for r in found]), trust)
    return float(-np.log(faces[np.arange(len(labels)), labels]).mean())


def report(kind: Kind, found: list[Row]) -> None:
    """Print the weights."""
    x = np.array([(r.finder, r.reader, r.agreed.max(), 1.0) for r in found])
    y = np.array([float(r.truth is not None) for r in found])
    weights = logistic(x, y).round(3)
    print(f"{kind}: {len(found)} places, {int(y.sum())} right; finder, reader, pips, bias {weights}")
    told = [r for r in found if r.truth is not None and r.truth.kind in ("die", "tipped", "cube")]
    labels = np.array([r.truth.value - 1 for r in told if r.truth is not None])
    sides, pips = ((0.0, 0.2, 0.4, 0.7, 1.0), (0, 4, 8, 11, 14, 17)) if kind == "die" else ((0.0,), (0,))
    grid = [(float(a), b, float(c)) for a in np.arange(0.4, 1.65, 0.1) for b in sides for c in pips]
    best = min(grid, key=lambda t: surprise(told, labels, t))
    print(f"of {len(told)} values; trust in reader, sides and pips, surprise:")
    for trust in (best, (best[0], 0.0, best[2]), (best[0], best[1], 0.0), (1.0, 0.0, 0.0)):
        print(f"  {np.round(trust, 2)}: {surprise(told, labels, trust):.4f}")


def leaning(found: list[Row]) -> None:
    """Print the threshold of leaning, and how many cocked dice are told by it."""
    flat = np.array([r.said.cocked for r in found if r.truth is not None and r.truth.kind == "die"])
    lean = np.array([r.said.cocked for r in found if r.truth is not None and r.truth.kind == "cocked"])
    for share in (FALSELY_COCKED, 10, 20):
        level = float(np.quantile(flat, 1 - share / 1000))
        caught = (lean > level).mean()
        print(f"cocked from {level:.3f} on: {share / 10} % of flat dice, {caught:.3f} of leaning ones")


def main() -> None:
    """Draw, look, fit."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--chunks", type=int, default=8)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--kinds", nargs="*", default=KINDS)
    given = options.parse_args()
    seeds = range(FIRST, FIRST + given.chunks)
    with ProcessPoolExecutor(given.workers) as pool:
        for kind in given.kinds:
            found = [r for part in pool.map(rows, seeds, [kind] * given.chunks) for r in part]
            report(kind, found)
            if kind == "die":
                leaning(found)


if __name__ == "__main__":
    main()
