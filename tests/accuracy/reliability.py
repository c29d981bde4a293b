"""Whether plays that are called so sure are so often right: `make hindsight-reliability`.

Games are drawn as looks, without pictures, by cameras that misread stubbornly: what lies on a point, or a
die, is read wrongly in look after look until it moves.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from referee.events import Setup
from referee.hindsight import Story, look_back
from referee.layout import Layout
from tests.accuracy.recorder import SURE, aligned
from tests.referee.recorded import Camera, Recorder, game

#: From a good camera to a poor one.
CAMERAS = (
    Camera(stubborn=0.01, stubborn_face=0.01),
    Camera(stubborn=0.03, stubborn_face=0.02),
    Camera(stubborn=0.06, stubborn_face=0.03, no_throw=0.05, no_result=0.05),
    Camera(stubborn=0.03, stubborn_face=0.02, looks=1, gap=0.5),
)
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


def drawn(seeds: Iterable[int], turns: int) -> Iterator[list[Judged]]:
    """Game after game, by one camera after the other."""
    for seed in seeds:
        recorder = game(seed, turns, CAMERAS[seed % len(CAMERAS)])
        yield judged(recorder, look_back(recorder.looks, Setup(), Layout()))


def main() -> int:
    """Print how often plays were right by how sure they were called."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    games = parser.parse_args().games
    plays = [play for told in drawn(range(1000, 1000 + games), 16) for play in told]
    print("| called sure | plays | right | mean confidence |\n|---|---|---|---|")
    for low, high in pairwise(BINS):
        rows = [play for play in plays if low <= play.confidence < high]
        if rows:
            right, mean = (sum(row[k] for row in rows) / len(rows) for k in (1, 0))
            print(f"| {low:.2f}-{min(high, 1.0):.2f} | {len(rows)} | {right:.3f} | {mean:.3f} |")
    wrong = sum(1 for play in plays if play.confidence >= SURE and not play.right)
    print(f"plays right {sum(play.right for play in plays)}/{len(plays)}; wrong though sure {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
