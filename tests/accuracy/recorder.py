"""How exact the recorder is on matches filmed by the project itself: `make recorder-accuracy`.

Films are kept in build/ and looked at only once; figures go to standard output. The exit status says whether
the targets are met. `--wrong` tells of each turn that differs what happened and what was read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import cv2
import msgspec
from msgspec.structs import replace

from engine.errors import KibitzError
from kibitz.memory import keep_freed
from kibitz.recording import Inferred, Recording, infer
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


class Measured(msgspec.Struct, frozen=True):
    """A recording's score, and how it was come by: seconds of CPU for pictures → looks (0: they were there)
    and looks → record; `by_hand`: the board was not found, its corners were given.
    """

    score: Score
    by_hand: bool
    reading: float
    inferring: float


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
    results, acts = outcome(inferred)
    ended = results == truth.results and acts == truth.acts
    gaps = sum(gap.resumed for gap in inferred.gaps)
    return Score(len(want), len(right), wrong, truth.cut > 0, gaps, ended)


def outcome(inferred: Inferred) -> tuple[list[tuple[int, int] | None], list[tuple[int, str]]]:
    """Each game's winner and points, and what was done with the cube by whom."""
    results = [None if g.winner is None else (g.winner, g.points) for g in inferred.games]
    return results, [(a.side, a.act) for a in inferred.acts]


def measured(spec: Spec, folder: Path, *, wrong: bool) -> Measured:
    """Film, read and score one recording."""
    path, truth = filmed(spec, folder)
    began = process_time()
    try:
        recording, by_hand = read(spec, truth, path)
    except KibitzError as error:
        print(f"{path}: {error}")
        return Measured(Score(len(truth.turns), 0, 0, truth.cut > 0, 0, False), True, 0.0, 0.0)
    read_at = process_time()
    inferred = infer(recording)
    ended = process_time()
    if wrong:
        print("\n".join(differences(truth, inferred)))
    return Measured(scored(truth, inferred), by_hand, read_at - began, ended - read_at)


def read(spec: Spec, truth: Truth, path: Path) -> tuple[Recording, bool]:
    """The looks at a film, and whether the corners had to be given by hand."""
    position = ",".join(map(str, truth.start[:26])) if spec.midgame else None
    wanted, looks = Wanted(Setup(), position=position), path.with_suffix(".looks")
    marker = path.with_suffix(".by_hand")
    if not marker.exists():
        try:
            return skim(str(path), wanted, looks), False
        except (NoBoard, NotTheStart) as error:
            marker.write_text(f"{error}\n")
    return skim(str(path), replace(wanted, corners=corners_of(spec, truth)), looks), True


def differences(truth: Truth, inferred: Inferred) -> list[str]:
    """Lines on what was read otherwise than it happened, in order."""
    want = [(side, roll, after[:24]) for side, roll, after in truth.turns]
    got = [(t.side, tuple(sorted(t.dice, reverse=True)), t.after) for t in inferred.turns]
    back = aligned(got, want)
    missed = [f"  happened, turn {i}: {want[i]}" for i in range(len(want)) if i not in back]
    right = aligned(want, got)
    made = [
        f"  read, turn {j} at {t.t[0]:.1f}-{t.t[1]:.1f} s: {got[j]} {t.play} {t.confidence:.3f} {t.how}"
        for j, t in enumerate(inferred.turns)
        if j not in right
    ]
    where = {True: "gap before", False: "end not understood,"}
    gaps = [f"  {where[g.resumed]} turn {g.turn} at {g.t} s" for g in inferred.gaps]
    happened, read = (truth.results, truth.acts), outcome(inferred)
    ends = [] if happened == read else [f"  results and cube {happened}, read {read}"]
    return [*missed, *made, *gaps, *ends]


def corners_of(spec: Spec, truth: Truth) -> str:
    """The corners as a person would give them."""
    drawn = render(Scene(truth.start, style=spec.room.style, camera=spec.room.camera, seed=spec.seed))
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in drawn.board.corners)


def row(spec: Spec, m: Measured) -> str:
    """One line of the table."""
    kind = [name for name in ("jump", "cut", "midgame", "wild") if getattr(spec, name)]
    kind += [f"cube {spec.cube}"] if spec.cube else []
    kind += [f"{spec.games} games"] if spec.games > 1 else []
    kind += ["corners by hand"] if m.by_hand else []
    s = m.score
    return (
        f"| {spec.seed} | {', '.join(kind) or 'plain'} | {s.turns} | {s.exact} | {s.sure_wrong} | {s.gaps} "
        f"| {'yes' if s.results_right else 'NO'} | {m.reading:.1f} | {m.inferring:.1f} |"
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=int, nargs="*", help="Seeds of the recordings to measure.")
    parser.add_argument("--there", action="store_true", help="Only recordings that were filmed and read.")
    parser.add_argument("--wrong", action="store_true", help="Tell what was read otherwise than it happened.")
    asked = parser.parse_args()
    keep_freed()
    print("| film | kind | turns | exact | sure, wrong | gaps | results right | reading s | inferring s |")
    print("|---|---|---|---|---|---|---|---|---|")
    scores = []
    for spec in recordings():
        there = not asked.there or (FOLDER / f"{spec.seed}.looks").exists()
        if there and (asked.only is None or spec.seed in asked.only):
            found = measured(spec, FOLDER, wrong=asked.wrong)
            scores.append(found.score)
            print(row(spec, found), flush=True)
    return verdict(scores)


def verdict(scores: Sequence[Score]) -> int:
    """Print the sums; 0 when the targets are met."""
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
