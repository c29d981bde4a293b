"""How far a board's place is to be trusted: fits `AS_OFTEN` and `SOON` in `vision.joint` on drawn boards, and
tells whether a confidence is what it says.

    python -m tests.accuracy.doubt_fit --boards 400

Boards by chance, as those of `tests.accuracy.unseen` but from another seed, are found and read as
`kibitz read` does. Boards with more checkers than anybody has are left out: nobody can read them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from kibitz.read import read_one
from referee.observation import totals
from tests.accuracy.binned import binned
from tests.accuracy.unseen import boards
from vision.errors import NoBoard
from vision.joint import AS_OFTEN, FULL, SOON, there

#: No other set counts from here; each part of the boards has a seed of its own.
SEED = 81_818_001
SURE = 0.9
BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)
#: No confidence is taken for nearer to 0 or 1 than this.
LEAST = 0.001


class Judged(NamedTuple):
    """A board that was read: how sure its places are if it is there, its score, whether all was right."""

    sure: float
    score: float
    right: bool


def judged(seed: int, number: int) -> list[Judged]:
    """So many boards of a seed, read."""
    cv2.setNumThreads(1)
    return list(_judged(seed, number))


def _judged(seed: int, number: int) -> Iterator[Judged]:
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "board.png"
        for scene, drawn in islice(boards(seed), number):
            if max(totals(scene.table[:26])) > FULL:
                continue
            cv2.imwrite(str(picture), drawn.image)
            try:
                reading = read_one(picture, None, None)
            except NoBoard:
                continue
            told = [b.best for b in (*reading.seen.points, *reading.seen.bar)]
            yield Judged(reading.sure, reading.found, told == list(scene.table[:26]))


def confidences(rows: list[Judged], as_often: float, soon: float) -> np.ndarray:
    """What `kibitz read` would say of each board."""
    return np.array([row.sure * there(row.score, as_often, soon) for row in rows])


def surprise(said: np.ndarray, right: np.ndarray) -> float:
    """Mean negative log probability of what was so."""
    p = np.clip(said, LEAST, 1 - LEAST)
    return float(-np.log(np.where(right, p, 1 - p)).mean())


def report(rows: list[Judged]) -> None:
    """Print the constants that are borne out best, and the reliability of those shipped."""
    right = np.array([row.right for row in rows])
    grid = [(float(a), float(b)) for a in np.arange(0.1, 0.62, 0.02) for b in (0.02, 0.03, 0.05, 0.08, 0.12)]
    best = min(grid, key=lambda constants: surprise(confidences(rows, *constants), right))
    for name, constants in (("best", best), ("shipped", (AS_OFTEN, SOON))):
        said = confidences(rows, *constants)
        sure = said >= SURE
        print(
            f"{name} {constants}: surprise {surprise(said, right):.4f}, {sure.sum()} of {len(rows)} sure,"
            f" {(sure & ~right).sum()} of them wrong; {right.sum()} right"
        )
    print("| confidence | boards | mean | right |\n|---|---|---|---|")
    for b in binned(zip(said, right, strict=True), BINS):
        print(f"| {b.low:g}-{b.high:g} | {b.number} | {b.mean:.3f} | {b.right:.3f} |")


def main() -> None:
    """Draw, read, fit."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--boards", type=int, default=400)
    options.add_argument("--workers", type=int, default=2)
    given = options.parse_args()
    parts = [20] * (given.boards // 20)
    with ProcessPoolExecutor(given.workers) as pool:
        found = pool.map(judged, range(SEED, SEED + len(parts)), parts)
        report([row for part in found for row in part])


if __name__ == "__main__":
    main()
