"""`make bench-live`: from the first still frame to the verdict, and what a 720p camera costs.

Film time and processor time are added up, so that the figures hold on a busy machine: a frame comes each
1/30 s, and what reading and judging it takes is measured. Frames are drawn beforehand, kept as JPEG as
cameras send them, and decoded one by one.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

from engine.plays import legal_plays
from engine.rules import BACKGAMMON
from kibitz.acquire import locate
from kibitz.calibration import learned_from
from kibitz.place_watch import PlaceWatch
from kibitz.show import Story
from referee.events import Judged, RollGiven, Setup
from referee.layout import Layout, table_of
from referee.session import State, begin, step
from vision.film import Director
from vision.geometry import Image
from vision.source import Frame
from vision.synth import Camera, Painter, Scene, Style
from vision.watch import Watcher

FPS = 30
ROLL = (3, 1)
START = table_of(Layout(), BACKGAMMON, 0, BACKGAMMON.start)


class Board(NamedTuple):
    """A drawn table: three still frames with noise of their own, and frames with a hand over it."""

    still: list[bytes]
    hand: list[bytes]


def drawn(table: tuple[int, ...]) -> Board:
    """The frames of a table, as JPEG."""
    painter = Painter(Scene(table, style=Style(), camera=Camera(), seed=0))
    painter.paint()
    director = Director(Style(), 0)
    still = [_jpeg(painter.again((), None, k)) for k in range(3)]
    hand = [_jpeg(painter.again((), director.arm(0, (6.0, 3.0 + k)), k)) for k in range(5)]
    return Board(still, hand)


def _jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def _picture(jpeg: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


class Rig:
    """Camera, reader and session in one thread, on film time."""

    def __init__(self, start: Board) -> None:
        picture = _picture(start.still[0])
        board = locate(picture)
        self.watcher = Watcher(learned_from(picture, board, START[:24]))
        self.place = PlaceWatch()
        self.state: State = begin(Setup(policy="legal", side=0))
        self.story = Story("bench:", "journal.jsonl")
        self.t, self.number, self.last_cpu, self.accepted = 0.0, 0, 0.0, False

    def show(self, jpegs: list[bytes], frames: int, done: Callable[[], bool] = lambda: False) -> float:
        """So many frames at `FPS`; the processor seconds that they took. Ends early when `done`."""
        began = time.process_time()
        for _ in range(frames):
            self.t, self.number = self.t + 1 / FPS, self.number + 1
            before = time.process_time()
            frame = Frame(self.t, _picture(jpegs[self.number % len(jpegs)]))
            self.place.frame(frame, self.watcher)
            given = self.watcher.frame(frame.t, frame.image)
            if given is not None:
                self.put(given)
            self.last_cpu = time.process_time() - before
            if done():
                break
        return time.process_time() - began

    def put(self, given: object) -> None:
        """Step one input and show what came of it."""
        self.state, made = step(self.state, given)  # type: ignore[arg-type]
        self.story.take(made)
        self.accepted |= any(isinstance(o, Judged) and o.verdict == "accepted" for o in made)
        self.story.snapshot(self.state, self.t, self.number)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plays", type=int, default=10)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    start, plays = drawn(START), legal_plays(BACKGAMMON.start, ROLL)[: options.plays]
    rig, found = Rig(start), []
    rig.show(start.still, 2 * FPS)
    rig.put(RollGiven(rig.t, ROLL))
    for play in plays:
        board = drawn(table_of(Layout(), BACKGAMMON, 0, play.result))
        rig.show(start.hand, FPS)
        still, rig.accepted = rig.t + 1 / FPS, False  # the frame that comes next is the first still one
        rig.show(board.still, 3 * FPS, lambda: rig.accepted)
        if rig.accepted:
            found.append(rig.t - still + rig.last_cpu)
        rig.show(board.hand, FPS)
        rig.show(start.still, 2 * FPS)
    idle = rig.show(start.still, 10 * FPS) / 10
    if found:
        median, worst = statistics.median(found) * 1000, max(found) * 1000
        print(f"still to verdict: median {median:.0f} ms, worst {worst:.0f} ms")
    print(f"{len(found)} of {len(plays)} plays were judged; idle: {idle:.0%} of one core at {FPS} fps")
    return 0 if len(found) == len(plays) else 1


if __name__ == "__main__":
    sys.exit(main())
