"""`make accuracy`: everything that reading boards is measured by, in one table.

Usage: python -m tests.accuracy.measure SHARED [--write docs/accuracy.md]
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from engine.errors import KibitzError
from kibitz.read import Reading, line_of, read_one
from tests.accuracy.binned import binned
from tests.accuracy.unseen import written
from vision.dice import read_die
from vision.source import read_picture

KIBITZ = (sys.executable, "-c", "from kibitz.cli import main; main()")
SHARED_SETS = {"stills": "truth.jsonl", "photos": "labels.jsonl"}
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0001)
HOW = """# How well Kibitz reads

Measured with `make accuracy` on the pictures beside the checkout (`../shared/boards`, `../shared/dice`); none
of them was trained on. Repeat it with that command; it writes this page.

The figures were looked at while the reader was built: boards that nobody has looked at may read
somewhat worse. `drawn/` is a set from seeds that no recipe draws and no constant was fitted to, though its
faults were looked at, too: boards by chance from the project's own renderer (`tests/accuracy/unseen.py`),
half of them of the kinds that are misread most. Of its 60 boards 6 hold more checkers than anybody has, and
10 are read with a point hidden, by a cup or a card: none of those 15 can be sure. How far a board's place is
doubted was fitted on other drawn boards; of 147 more (`python -m tests.accuracy.doubt_fit --boards 160`) 76
are read right, 33 are sure, and 1 of these is wrong.
"""


def tool(shared: Path, name: str) -> ModuleType:
    """One of the scoring scripts that lie beside the pictures."""
    spec = spec_from_file_location(name, shared / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Pictures:
    """A set of labelled pictures: what the table calls it, and the file of its truth beside the pictures."""

    name: str
    truth: Path

    def rows(self) -> list[dict[str, Any]]:
        """The truth of each picture."""
        return [json.loads(line) for line in self.truth.read_text().splitlines() if line.strip()]

    def certain(self) -> list[dict[str, Any]]:
        """Of those in which everything can be seen."""
        return [row for row in self.rows() if row.get("certain") is not False]


def sets_of(shared: Path, folder: Path) -> list[Pictures]:
    """The shared sets, and one drawn into a folder."""
    sets = [Pictures(name, shared / "boards" / name / truth) for name, truth in SHARED_SETS.items()]
    return [*sets, Pictures("drawn", written(folder))]


def read_set(pictures: Pictures) -> dict[str, Reading | str]:
    """Every picture of a set, read; the error's text where there was one."""
    found: dict[str, Reading | str] = {}
    for row in pictures.rows():
        try:
            found[row["image"]] = read_one(pictures.truth.parent / row["image"], None, None)
        except KibitzError as error:
            found[row["image"]] = str(error)
    return found


def score_set(shared: Path, pictures: Pictures, readings: dict[str, Reading | str]) -> str:
    """The scoring tool's last line for a set."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for image, reading in readings.items():
            if isinstance(reading, Reading):
                line = line_of(Path(image), reading, None, 0, "backgammon")
                file.write(json.dumps({**to_plain(line), "image": image}) + "\n")
        file.flush()
        said = io.StringIO()
        with redirect_stdout(said):
            tool(shared, "score_read").main(file.name, str(pictures.truth))
    return said.getvalue().splitlines()[-1]


def to_plain(line: Any) -> dict[str, Any]:
    """A struct as a dictionary."""
    plain: dict[str, Any] = msgspec.to_builtins(line)
    return plain


def sure_share(readings: dict[str, Reading | str], pictures: Pictures) -> str:
    """How many of the certain pictures are read with confidence of 0.9 or more."""
    certain = [readings[row["image"]] for row in pictures.certain()]
    lines = [line_of(Path(), r, None, 0, "backgammon") for r in certain if isinstance(r, Reading)]
    return f"{sum(line.confidence >= 0.9 for line in lines)}/{len(certain)}"


def points_of(readings: dict[str, Reading | str], pictures: Pictures) -> Iterable[tuple[float, bool]]:
    """(probability given, right?) for each point of the certain pictures."""
    for row in pictures.certain():
        reading = readings[row["image"]]
        if isinstance(reading, Reading):
            for belief, count in zip(reading.seen.points, row["points"], strict=True):
                if belief.seen:
                    yield belief.p(belief.best), belief.best == count


def reliability(rows: list[tuple[float, bool]]) -> tuple[list[str], float]:
    """Lines of the reliability table, and the expected calibration error."""
    found = list(binned(rows, BINS))
    error = sum(b.number * abs(b.mean - b.right) for b in found) / len(rows)
    lines = [f"| {b.low:g}-{b.high:g} | {b.number} | {b.mean:.4f} | {b.right:.4f} |" for b in found]
    return ["| probability | points | mean probability | right |", "|---|---|---|---|", *lines], error


def single_dice(shared: Path) -> str:
    """Single dice cut from real pictures."""
    with (shared / "dice" / "labels.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    file_key, value_key = die_columns(rows[0])
    right = sum(read_die(read_picture(shared / "dice" / r[file_key]))[0] == int(r[value_key]) for r in rows)
    return f"{right}/{len(rows)} ({100 * right / len(rows):.1f} %)"


def die_columns(row: dict[str, str]) -> tuple[str, str]:
    """The columns that hold the file's name and the face."""
    name = next(k for k, v in row.items() if v.endswith(".jpg"))
    value = next(k for k, v in row.items() if v in "123456" and len(v) == 1)
    return name, value


def game(shared: Path, name: str) -> str:
    """A filmed game, transcribed by the command that users call, no corners given."""
    with tempfile.TemporaryDirectory() as folder:
        out, video = Path(folder) / "g.json", shared / "boards" / name / "game.mp4"
        subprocess.run(
            [*KIBITZ, "transcribe", str(video), "--json", str(out)],
            check=True, capture_output=True,
        )  # fmt: skip
        said = io.StringIO()
        with redirect_stdout(said):
            tool(shared, "score_game").main(str(out), str(shared / "boards" / name / "truth.json"))
    return said.getvalue().splitlines()[-1]


def pictures_part(shared: Path) -> tuple[list[str], list[str]]:
    """Lines of the sets of pictures, and the reliability tables: of the shared ones, and of the drawn one."""
    lines, tables = [], ["", "## Is a probability what it says?"]
    told: dict[str, list[tuple[float, bool]]] = {"stills and photos": [], "drawn": []}
    with tempfile.TemporaryDirectory() as folder:
        for pictures in sets_of(shared, Path(folder)):
            readings = read_set(pictures)
            lines.append(f"| `{pictures.name}/` | {score_set(shared, pictures, readings)} |")
            lines.append(f"| of them read with confidence ≥ 0.9 | {sure_share(readings, pictures)} |")
            told["drawn" if pictures.name == "drawn" else "stills and photos"] += points_of(
                readings, pictures
            )
    for name, rows in told.items():
        table, error = reliability(rows)
        lines.append(f"| expected calibration error per point, {name} | {error:.4f} |")
        tables += ["", f"{name.capitalize()}:", "", *table]
    return lines, tables


def page(shared: Path) -> str:
    """The whole page, measured now."""
    lines, tables = pictures_part(shared)
    lines.append(f"| single dice | {single_dice(shared)} |")
    lines += [f"| `{name}` | {game(shared, name)} |" for name in ("game_a", "game_b")]
    return "\n".join([HOW, "| what | measured |", "|---|---|", *lines, *tables, ""])


def main() -> None:
    """Print the page; write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = page(given.shared)
    print(text)
    if given.write is not None:
        given.write.parent.mkdir(exist_ok=True)
        given.write.write_text(text)


if __name__ == "__main__":
    main()
