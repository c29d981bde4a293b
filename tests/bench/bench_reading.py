"""`make bench`: what reading a 1280 × 720 picture costs, an unchanged frame, memory over long films.

The baseline is what every reader must do: decode the camera's JPEG, and straighten the board with
`cv2.warpPerspective`. It is measured in the same run, and all is processor time on one thread, so that the
ratios hold on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from engine.rules import BACKGAMMON
from kibitz.acquire import locate
from kibitz.calibration import learned_from
from kibitz.memory import keep_freed
from kibitz.place_watch import PlaceWatch
from referee.layout import Layout, table_of
from vision.dice import find_dice
from vision.geometry import BoardGeometry, Image, straighten
from vision.net import read_points
from vision.source import Frame, open_source
from vision.synth import Camera, Die, Painter, Scene, Style
from vision.watch import Watcher

#: What issue 4 asks for on the quiet machine: readings a second, milliseconds, megabytes.
READINGS, STILL, MEMORY = 25.0, 3.0, 400.0
START = table_of(Layout(), BACKGAMMON, 0, BACKGAMMON.start)
DICE = (Die(3, 3.0, 5.6), Die(5, 9.6, 6.0, 50.0))
FPS = 30
KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]


def camera_frames() -> list[bytes]:
    """Frames of a still board with dice, each with noise of its own, as the camera's JPEG."""
    painter = Painter(Scene(START, style=Style(), camera=Camera()))
    painter.paint()
    return [cv2.imencode(".jpg", painter.again(DICE, None, k))[1].tobytes() for k in range(4)]


def decoded(jpeg: bytes) -> Image:
    """One frame."""
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def cost(work: Callable[[int], object], times: int) -> float:
    """Median processor time of `work(k)`, milliseconds; the first calls warm up and do not count."""
    spent = []
    for k in range(times + 3):
        began = time.process_time()
        work(k)
        spent.append(time.process_time() - began)
    return 1000 * statistics.median(spent[3:])


def reading(jpegs: list[bytes], images: list[Image], board: BoardGeometry, times: int) -> bool:
    """Points, bars and dice of a frame whose board is known."""
    least = cost(lambda k: straighten(decoded(jpegs[k % len(jpegs)]), board), times)
    points = cost(lambda k: read_points(images[k % len(images)], board), times)
    dice = cost(lambda k: find_dice(images[k % len(images)], board), times)
    print(f"baseline (decode, straighten): {least:.1f} ms")
    for what, spent in (("points and bars", points), ("dice", dice)):
        print(f"{what}: {spent:.1f} ms ({spent / least:.1f} x)")
    print(f"one full reading: {points + dice:.1f} ms, {1000 / (points + dice):.1f} a second on one core")
    rate = side_by_side(images, board, times)
    print(f"points and dice side by side, by the clock: {rate:.1f} a second (target {READINGS:.0f})")
    return rate >= READINGS


def side_by_side(images: list[Image], board: BoardGeometry, times: int) -> float:
    """Full readings a second when points and dice are read at the same time; only true on a quiet machine."""
    with ThreadPoolExecutor(2) as pool:
        began = time.monotonic()
        for k in range(times):
            image = images[k % len(images)]
            both = [pool.submit(read, image, board) for read in (read_points, find_dice)]
            for part in both:
                part.result()
        return times / (time.monotonic() - began)


def unchanged(images: list[Image], board: BoardGeometry, seconds: int) -> bool:
    """Frames in which nothing changed, once the board has been looked at."""
    watcher, place = Watcher(learned_from(images[0], board, START[:24])), PlaceWatch()

    def frame(k: int) -> None:
        seen = Frame(k / FPS, images[k % len(images)])
        place.frame(seen, watcher)
        watcher.frame(seen.t, seen.image)

    for k in range(2 * FPS):
        frame(k)
    began = time.process_time()
    for k in range(2 * FPS, (2 + seconds) * FPS):
        frame(k)
    each = 1000 * (time.process_time() - began) / (seconds * FPS)
    print(f"a frame in which nothing changed: {each:.2f} ms on average (target {STILL:.0f})")
    return each <= STILL


def film(path: Path, turns: int) -> None:
    """A staged game as a video."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (1280, 720))
    for frame in open_source(f"synth:seed=7,turns={turns}").frames():
        writer.write(frame.image)
    writer.release()


def peak_of(arguments: list[str]) -> float:
    """Peak memory of a program, MB."""
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, _, used = os.wait4(child.pid, 0)
    return used.ru_maxrss / 1024


def memory(lengths: tuple[int, ...]) -> bool:
    """Peak memory of `kibitz transcribe` for films of so many turns."""
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        for turns in lengths:
            video = Path(folder) / f"{turns}.mp4"
            film(video, turns)
            peaks.append(peak_of([*KIBITZ, "transcribe", str(video), "-o", str(video.with_suffix(".mat"))]))
            print(f"transcribe, {turns} turns: peak {peaks[-1]:.0f} MB (target {MEMORY:.0f})")
    return max(peaks) <= MEMORY


def main() -> int:
    """Measure and print; the exit status says whether all targets are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=30)
    parser.add_argument("--turns", type=int, nargs="*", default=[3, 12])
    options = parser.parse_args()
    cv2.setNumThreads(1)
    keep_freed()
    jpegs = camera_frames()
    images = [decoded(jpeg) for jpeg in jpegs]
    board = locate(images[0])
    met = [reading(jpegs, images, board, options.times), unchanged(images, board, 10)]
    if options.turns:
        met.append(memory(tuple(options.turns)))
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
