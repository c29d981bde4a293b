"""What inferring a record from its looks costs as recordings get longer: processor time and memory a turn.

`python -m tests.bench.bench_long [LOOKS] [--repeat 4 16]`: the looks of a game (none: a drawn one) so many
times in a row, each length in a process of its own. Both must grow no faster than the record does; the
baseline is the first length of the same run. 36 copies of the shared game_a are two hours.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from engine.rules import BACKGAMMON
from kibitz.looks import Done, Head, LooksFile, later
from kibitz.recording import Recording, infer
from referee.events import Setup
from referee.layout import LIGHT
from tests.referee.recorded import Camera, game
from tests.referee.tables import shown
from vision.geometry import BoardGeometry

#: KB that a turn more may take at the peak; how much dearer (processor time) a turn of a longer one may be.
EACH_TURN, DEARER = 15.0, 1.25
#: Seconds between two copies.
BETWEEN = 5.0


class Cost(NamedTuple):
    """Turns told, seconds of the processor, MB at the peak."""

    turns: int
    cpu: float
    memory: float


def drawn() -> Recording:
    """A game of chance, seen by a good camera."""
    played = game(1, 40, Camera())
    board = BoardGeometry(((0, 0), (100, 0), (100, 80), (0, 80)))
    head = Head(1, "0", "file:x.mp4", "", Setup(), board, shown(BACKGAMMON.start, LIGHT)[:24], 0.0)
    return Recording(head, (*played.looks, Done(played.t)))


def repeated(recording: Recording, times: int, path: Path) -> Path:
    """A file with the looks so many times in a row."""
    with LooksFile(path, recording.head) as file:
        for number in range(times):
            for item in recording.kept:
                if not isinstance(item, Done):
                    file.write(later(item, number * (recording.until + BETWEEN)))
        file.write(Done(times * (recording.until + BETWEEN)))
    return path


def alone(looks: Path) -> None:
    """Infer a record, in this process, and print what it took."""
    began = time.process_time()
    turns = len(infer(Recording.load(looks)).turns)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(turns, time.process_time() - began, peak)


def cost(looks: Path) -> Cost:
    """What a process of its own took."""
    run = [sys.executable, "-m", "tests.bench.bench_long", "--alone", str(looks)]
    told = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    return Cost(int(told[0]), float(told[1]), float(told[2]))


def main() -> int:
    """Measure and print; the exit status says whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("looks", nargs="?", type=Path, help="Looks of a whole game; none: a drawn one.")
    parser.add_argument("--repeat", type=int, nargs="*", default=[4, 16], help="Lengths, in repetitions.")
    parser.add_argument("--alone", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        alone(options.alone)
        return 0
    one = Recording.load(options.looks) if options.looks else drawn()
    costs = list[Cost]()
    with tempfile.TemporaryDirectory() as folder:
        for times in options.repeat:
            costs.append(cost(repeated(one, times, Path(folder) / f"{times}.looks")))
            print(told(costs[-1], costs[0]), flush=True)
    return 0 if all(good(c, costs[0]) for c in costs[1:]) else 1


def good(longer: Cost, base: Cost) -> bool:
    """Whether a longer recording costs no more than its turns do."""
    allowed = base.memory + EACH_TURN * (longer.turns - base.turns) / 1024
    return longer.memory <= allowed and longer.cpu / longer.turns <= DEARER * base.cpu / base.turns


def told(c: Cost, base: Cost) -> str:
    """One line."""
    more = 1024 * (c.memory - base.memory) / max(c.turns - base.turns, 1)
    return (
        f"{c.turns} turns: processor {c.cpu:.1f} s ({1000 * c.cpu / c.turns:.0f} ms a turn, "
        f"{c.cpu / c.turns / (base.cpu / base.turns):.2f} of the first's; target {DEARER}), "
        f"peak {c.memory:.0f} MB ({more:.0f} KB a turn more; target {EACH_TURN:.0f})"
    )


if __name__ == "__main__":
    sys.exit(main())
