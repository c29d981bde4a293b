"""`kibitz transcribe` against only decoding the same video, and its peak memory for longer and longer ones.

Run on a quiet machine: `python -m tests.bench.bench_transcribe [VIDEO] [--repeat 1 3 18] [--rounds 3]`.
Decoding is what cv2 does with all its threads; both are measured as processes of their own, in turns; the
best of each counts. Beside seconds on the clock stand those of the processor, which other programs disturb
less.
"""

from __future__ import annotations

import argparse
import mmap
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import cv2

from vision.source import open_source

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]
DECODE = "import cv2, sys\nc = cv2.VideoCapture(sys.argv[1])\nwhile c.read()[0]: pass"
RATIO, MEMORY = 1.3, 400.0
SIZE, ROUNDS = (1280, 720), 3
#: Seconds between two looks at the memory; MB of a page.
BETWEEN, PAGE = 0.1, mmap.PAGESIZE / 2**20


def film(path: Path, turns: int) -> None:
    """A drawn game as a 1280 x 720 video."""
    source = f"synth:seed=7,turns={turns},pace=1,fps=15"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 15, SIZE)
    for frame in open_source(source).frames():
        writer.write(frame.image)
    writer.release()


def repeated(video: Path, times: int, path: Path) -> Path:
    """The video so many times in a row: every part begins with the start, so each is a game."""
    if shutil.which("ffmpeg"):
        copy = ["-stream_loop", str(times - 1), "-i", str(video), "-c", "copy", str(path)]
        subprocess.run(["ffmpeg", "-v", "error", "-y", *copy], check=True)
        return path
    fps = cv2.VideoCapture(str(video)).get(cv2.CAP_PROP_FPS)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, SIZE)
    for _ in range(times):
        capture = cv2.VideoCapture(str(video))
        while (read := capture.read())[0]:
            writer.write(read[1])
    writer.release()
    return path


class Cost(NamedTuple):
    """Seconds on the clock, seconds of all processors, peak memory in MB of a program with the processes that
    it has started.
    """

    clock: float
    cpu: float
    memory: float


def ran(arguments: list[str], folder: Path) -> Cost:
    """What a program took; its bytecode is kept, as it is for everybody."""
    began = time.monotonic()
    environment = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
    }
    child = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL, env=environment)
    with ThreadPoolExecutor(1) as beside:
        peak = beside.submit(most_held, child.pid)
        _, status, used = os.wait4(child.pid, 0)
        took = time.monotonic() - began
    if status:
        sys.exit(f"{arguments}: failed")
    return Cost(took, used.ru_utime + used.ru_stime, max(used.ru_maxrss / 1024, peak.result()))


def most_held(process: int) -> float:
    """The most memory (MB) that a process and those it has started hold together, until it ends; asked ten
    times a second. What two of them share counts for both. Where the system does not tell: 0.
    """
    most = 0.0
    while (held := _held(process)) is not None:
        most = max(most, held)
        time.sleep(BETWEEN)
    return most


def _held(process: int) -> float | None:
    folder = Path(f"/proc/{process}")
    try:
        children = (folder / "task" / str(process) / "children").read_text().split()
        pages = int((folder / "statm").read_text().split()[1])
    except OSError:
        return None
    return pages * PAGE + sum(_held(int(child)) or 0.0 for child in children)


def compared(video: Path, folder: Path, rounds: int) -> tuple[Cost, Cost]:
    """The best of several rounds, each figure by itself (of memory the worst): decoding, transcribing."""
    decode, whole = [], []
    for _ in range(rounds):
        decode.append(ran([sys.executable, "-c", DECODE, str(video)], folder))
        for looks in folder.glob("*.looks"):
            looks.unlink()
        whole.append(ran([*KIBITZ, "transcribe", str(video), "-o", "out.mat"], folder))
    return best(decode), best(whole)


def best(costs: Sequence[Cost]) -> Cost:
    """The least times, the most memory."""
    return Cost(min(c.clock for c in costs), min(c.cpu for c in costs), max(c.memory for c in costs))


def main() -> int:
    """Measure and print; the exit status says whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, help="A 1280 x 720 video; none: a drawn game.")
    parser.add_argument("--repeat", type=int, nargs="*", default=[1, 3], help="Lengths, in repetitions.")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="How often each is measured.")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        video = options.video.resolve() if options.video else folder / "game.mp4"
        if options.video is None:
            film(video, 12)
        for times in options.repeat:
            path = video if times == 1 else repeated(video, times, folder / f"{times}.mp4")
            good &= told(
                times, open_source(str(path)).seconds or 0.0, *compared(path, folder, options.rounds)
            )
    return 0 if good else 1


def told(times: int, seconds: float, decode: Cost, whole: Cost) -> bool:
    """One line; whether the targets are met."""
    print(
        f"x{times} ({seconds:.0f} s of film): decoding {decode.clock:.1f} s (processor {decode.cpu:.1f}), "
        f"transcribe {whole.clock:.1f} s ({whole.cpu:.1f}), ratio {whole.clock / decode.clock:.2f} "
        f"({whole.cpu / decode.cpu:.2f}; target {RATIO}), peak {whole.memory:.0f} MB (target {MEMORY:.0f})",
        flush=True,
    )
    return whole.clock <= RATIO * decode.clock and whole.memory <= MEMORY


if __name__ == "__main__":
    sys.exit(main())
