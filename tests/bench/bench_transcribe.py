"""`kibitz transcribe` against only decoding the same video, and its peak memory for longer and longer ones.

Run on a quiet machine: `python -m tests.bench.bench_transcribe [VIDEO] [--repeat 1 3 18]`. Decoding is what
cv2 does with all its threads; both are measured as processes of their own, in turns; the best of each counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2

from vision.source import open_source

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]
DECODE = "import cv2, sys\nc = cv2.VideoCapture(sys.argv[1])\nwhile c.read()[0]: pass"
RATIO, MEMORY = 1.3, 400.0
SIZE, ROUNDS = (1280, 720), 3


def film(path: Path, turns: int) -> None:
    """A drawn game as a 1280 x 720 video."""
    source = f"synth:seed=7,turns={turns},pace=1,fps=15"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 15, SIZE)
    for frame in open_source(source).frames():
        writer.write(frame.image)
    writer.release()


def repeated(video: Path, times: int, path: Path) -> Path:
    """The video so many times in a row: every part begins with the start, so each is a game."""
    capture = cv2.VideoCapture(str(video))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), capture.get(cv2.CAP_PROP_FPS), SIZE)
    for _ in range(times):
        capture = cv2.VideoCapture(str(video))
        while (read := capture.read())[0]:
            writer.write(read[1])
    writer.release()
    return path


def ran(arguments: list[str], folder: Path) -> tuple[float, float]:
    """Seconds that a program took, and its peak memory in MB."""
    began = time.monotonic()
    child = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{arguments}: failed")
    return time.monotonic() - began, used.ru_maxrss / 1024


def compared(video: Path, folder: Path) -> tuple[float, float, float]:
    """Best seconds for decoding and for transcribing, and the latter's peak memory."""
    decode, whole, peak = [], [], 0.0
    for _ in range(ROUNDS):
        decode.append(ran([sys.executable, "-c", DECODE, str(video)], folder)[0])
        for looks in folder.glob("*.looks"):
            looks.unlink()
        seconds, memory = ran([*KIBITZ, "transcribe", str(video), "-o", "out.mat"], folder)
        whole.append(seconds)
        peak = max(peak, memory)
    return min(decode), min(whole), peak


def main() -> int:
    """Measure and print; the exit status says whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, help="A 1280 x 720 video; none: a drawn game.")
    parser.add_argument("--repeat", type=int, nargs="*", default=[1, 3], help="Lengths, in repetitions.")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        video = options.video.resolve() if options.video else folder / "game.mp4"
        if options.video is None:
            film(video, 12)
        for times in options.repeat:
            path = video if times == 1 else repeated(video, times, folder / f"{times}.mp4")
            decode, whole, peak = compared(path, folder)
            print(f"x{times}: decoding {decode:.1f} s, transcribe {whole:.1f} s, ratio {whole / decode:.2f} "
                  f"(target {RATIO}), peak {peak:.0f} MB (target {MEMORY:.0f})", flush=True)  # fmt: skip
            good &= whole <= RATIO * decode and peak <= MEMORY
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
