"""How exact the recorder is on matches filmed by the project itself: `make recorder-accuracy`.

Films are kept in build/ and looked at only once; figures go to standard output. The exit status says whether
the targets are met.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
from msgspec.structs import replace

from kibitz.recording import Inferred, infer
from kibitz.skimming import Wanted, skim
from referee.events import Setup
from tests.accuracy.filmed import FPS, Spec, Staged, Truth, pictures, recordings
from tests.accuracy.filmed_looks import SIZE
from vision.errors import NoBoard, NotTheStart
from vision.synth import Scene, render

FOLDER = Path("build/recorder")
EXACT, SURE = 0.995, 0.95

Key = tuple[int, tuple[int, ...], tuple[int, ...]]


class Score(msgspec.Struct, frozen=True):
    """Figures of one recording."""

    turns: int
    exact: int
    sure_wrong: int
    cut: bool
    gaps: int
    results_right: bool


def filmed(spec: Spec, folder: Path) -> tuple[Path, Truth]:
    """The film of a recording, drawn if it is not there yet, and its truth."""
    folder.mkdir(parents=True, exist_ok=True)
    path, play = folder / f"{spec.seed}.mp4", Staged(spec)
    if path.exists():
        for _ in play.stagings():
            pass
        return path, play.truth
    part = path.with_suffix(".part.mp4")
    writer = cv2.VideoWriter(str(part), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    for _, image in pictures(play):
        writer.write(image)
    writer.release()
    part.rename(path)
    return path, play.truth


def aligned(want: Sequence[Key], got: Sequence[Key]) -> set[int]:
    """Indexes of `got` in the longest common subsequence."""
    rows = [[0] * (len(got) + 1) for _ in range(len(want) + 1)]
    for i in range(len(want) - 1, -1, -1):
        for j in range(len(got) - 1, -1, -1):
            same = want[i] == got[j]
            rows[i][j] = rows[i + 1][j + 1] + 1 if same else max(rows[i + 1][j], rows[i][j + 1])
    i = j = 0
    found = set()
    while i < len(want) and j < len(got):
        if want[i] == got[j]:
            found.add(j)
            i, j = i + 1, j + 1
        elif rows[i + 1][j] >= rows[i][j + 1]:
            i += 1
        else:
            j += 1
    return found


def scored(truth: Truth, inferred: Inferred) -> Score:
    """What was right."""
    want = [(side, roll, after[:24]) for side, roll, after in truth.turns]
    got = [(t.side, tuple(sorted(t.dice, reverse=True)), t.after) for t in inferred.turns]
    right = aligned(want, got)
    wrong = sum(1 for j, t in enumerate(inferred.turns) if j not in right and t.confidence >= SURE)
    results = [None if g.winner is None else (g.winner, g.points) for g in inferred.games]
    return Score(
        len(want), len(right), wrong, truth.cut > 0, len(inferred.gaps), results == truth.results
    )  # fmt: skip


def measured(spec: Spec, folder: Path) -> Score:
    """Film, read and score one recording."""
    path, truth = filmed(spec, folder)
    position = ",".join(map(str, truth.start[:24])) if spec.midgame else None
    wanted = Wanted(Setup(), position=position)
    try:
        recording = skim(str(path), wanted, path.with_suffix(".looks"))
    except (NoBoard, NotTheStart) as error:
        print(f"{spec.seed}: {error}; corners by hand")
        recording = skim(str(path), replace(wanted, corners=by_hand(spec, truth)), path.with_suffix(".looks"))
    return scored(truth, infer(recording))


def by_hand(spec: Spec, truth: Truth) -> str:
    """The corners as a person would give them."""
    drawn = render(Scene(truth.start, style=spec.room.style, camera=spec.room.camera, seed=spec.seed))
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in drawn.board.corners)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=int, nargs="*", help="Seeds of the recordings to measure.")
    wanted = parser.parse_args().only
    scores = []
    for spec in recordings():
        if wanted is None or spec.seed in wanted:
            scores.append(measured(spec, FOLDER))
            print(spec, scores[-1], flush=True)
    turns, exact = sum(s.turns for s in scores), sum(s.exact for s in scores)
    wrong, results = sum(s.sure_wrong for s in scores), sum(s.results_right for s in scores)
    reported = sum(1 for s in scores if s.cut and s.gaps)
    cut = sum(s.cut for s in scores)
    print(f"plays exact {exact}/{turns}; wrong though sure {wrong}; cuts reported {reported}/{cut}; "
          f"results right {results}/{len(scores)}")  # fmt: skip
    good = exact >= EXACT * turns and not wrong and reported == cut and results == len(scores)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
