"""Whether plays that are called so sure are so often right: `make hindsight-reliability`.

Games are drawn as looks, without pictures, by cameras that misread stubbornly: what lies on a point, or a
die, is read wrongly in look after look until it moves.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from math import log
from random import Random
from typing import NamedTuple

from referee.events import Setup
from referee.hindsight import Story, look_back
from referee.layout import Layout
from tests.accuracy.binned import binned
from tests.accuracy.recorder import SURE, aligned
from tests.referee.recorded import Camera, Looks, Recorder, game

#: From a good camera to a poor one.
CAMERAS = (
    Camera(stubborn=0.01, stubborn_face=0.01),
    Camera(stubborn=0.03, stubborn_face=0.02),
    Camera(stubborn=0.06, stubborn_face=0.03, no_throw=0.05, no_result=0.05),
    Camera(stubborn=0.03, stubborn_face=0.02, looks=1, gap=0.5),
)
#: Cameras that nobody should film with: the plays that they leave in doubt tell whether doubt is right.
HARD = (
    Camera(stubborn=0.03, stubborn_face=0.04, confused=0.5, unsure=0.5, half_way=0.5),
    Camera(stubborn=0.03, stubborn_face=0.15, unsure=0.5, one_die=0.1, no_throw=0.1, half_way=0.3),
    Camera(stubborn=0.10, stubborn_face=0.05, no_result=0.2, no_bar=True, looks=1, half_way=0.3),
    Camera(stubborn=0.06, stubborn_face=0.08, confused=0.5, no_throw=0.15, no_result=0.15, no_bar=True),
)
#: A third of the hard games have so large a share of their looks cut out.
CUT = 0.25
#: No confidence is taken for nearer to 0 than this.
LEAST = 0.0005
BINS = (0.0, 0.5, 0.8, 0.95, 0.99, 1.01)


class Judged(NamedTuple):
    """A play that was told: how sure, and whether it was so."""

    confidence: float
    right: bool


def judged(recorder: Recorder, story: Story) -> list[Judged]:
    """The plays of a story, in order."""
    got = [(t.event.side, t.event.roll, t.event.after) for t in story.turns]
    right = aligned(recorder.truth, got)
    return [Judged(t.confidence, j in right) for j, t in enumerate(story.turns)]


def drawn(seeds: Iterable[int], turns: int, *, hard: bool = False) -> Iterator[list[Judged]]:
    """Game after game, by one camera after the other."""
    cameras = HARD if hard else CAMERAS
    for seed in seeds:
        recorder = game(seed, turns, cameras[seed % len(cameras)])
        looks = _cut(recorder, seed) if hard and seed % 3 == 0 else recorder.looks
        yield judged(recorder, look_back(looks, Setup(), Layout()))


def _cut(recorder: Recorder, seed: int) -> Looks:
    begin = Random(seed).uniform(0.2, 0.6) * recorder.t
    return [look for look in recorder.looks if not begin <= look.t <= begin + CUT * recorder.t]


def main() -> int:
    """Print how often plays were right by how sure they were called."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--hard", action="store_true", help="Poor cameras, and looks that are cut out.")
    asked = parser.parse_args()
    seeds = range(1000, 1000 + asked.games)
    plays = [play for told in drawn(seeds, 16, hard=asked.hard) for play in told]
    print("| called sure | plays | right | mean confidence |\n|---|---|---|---|")
    for b in binned(plays, BINS):
        print(f"| {b.low:.2f}-{b.high:.2f} | {b.number} | {b.right:.3f} | {b.mean:.3f} |")
    wrong = sum(1 for play in plays if play.confidence >= SURE and not play.right)
    print(f"plays right {sum(play.right for play in plays)}/{len(plays)}; wrong though sure {wrong}")
    print(f"log loss {log_loss(plays):.4f}")
    return 1 if wrong else 0


def log_loss(plays: Iterable[Judged]) -> float:
    """How far confidences are from what was right, on the average (natural log; 0: all right and sure)."""
    rows = [min(max(p if right else 1 - p, LEAST), 1.0) for p, right in plays]
    return -sum(map(log, rows)) / max(len(rows), 1)


if __name__ == "__main__":
    sys.exit(main())
