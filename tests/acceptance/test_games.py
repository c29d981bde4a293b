"""The main job on filmed games that nobody tuned to: pixels in, an exact record out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.mat import read_mat

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]


def score(shared: Path, out: Path, game: str) -> str:
    tool, truth = shared / "tools" / "score_game.py", shared / "boards" / game / "truth.json"
    done = subprocess.run([sys.executable, tool, out, truth], capture_output=True, text=True, check=True)
    return done.stdout


def transcribed(shared: Path, game: str, folder: Path) -> str:
    video = shared / "boards" / game / "game.mp4"
    subprocess.run(
        [*KIBITZ, "transcribe", video, "--rules", "backgammon", "-o", "g.mat", "--json", "g.json"],
        cwd=folder, check=True,
    )  # fmt: skip
    return score(shared, folder / "g.json", game)


def numbers(line: str, word: str) -> list[int]:
    """The figures after a word in the scoring tool's last line."""
    return [int(n) for n in line.split(word + " ")[1].split()[0].split("/")]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("game", "least", "illegal", "alarms"), [("game_a", 40, 0, 0), ("game_b", 24, 2, 0)])
def test_a_filmed_game(
    shared: Path, tmp_path: Path, game: str, least: int, illegal: int, alarms: int
) -> None:
    said = transcribed(shared, game, tmp_path)
    assert numbers(said, "turns exact")[0] >= least, said
    assert numbers(said, "illegal found")[0] == illegal, said
    assert numbers(said, "false alarms")[0] <= alarms, said
    checked = subprocess.run(
        [*KIBITZ, "check", "g.mat"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
    assert len(read_mat((tmp_path / "g.mat").read_bytes()).games[0].turns) >= least
    replayed = subprocess.run([*KIBITZ, "replay", "g.journal.jsonl"], cwd=tmp_path, check=False)
    assert replayed.returncode == 0


@pytest.mark.shared
def test_every_change_between_webcam_frames_is_a_play(shared: Path, tmp_path: Path) -> None:
    """Twelve checkers a side, no bar, no start: the directions of play are told by the plays."""
    photos = shared / "boards" / "photos"
    labels = [json.loads(line) for line in (photos / "labels.jsonl").read_text().splitlines()]
    game = [x for x in labels if x.get("sequence") == "minta"]
    frames = tmp_path / "frames"
    frames.mkdir()
    for x in game:
        (frames / x["image"]).symlink_to(photos / x["image"])
    corners = " ".join(f"{x},{y}" for x, y in game[0]["corners_px"])
    position = ",".join(map(str, game[0]["points"]))
    subprocess.run(
        [*KIBITZ, "calibrate", "--yes", frames / game[0]["image"], "--corners", corners, "--position",
         position, "-o", "c.json"],
        cwd=tmp_path, check=True,
    )  # fmt: skip
    subprocess.run(
        [*KIBITZ, "transcribe", "frames", "-c", "c.json", "--json", "g.json"], cwd=tmp_path, check=True
    )
    told = json.loads((tmp_path / "g.json").read_text())
    plays = [(t["dice"], t["after"]) for t in told["turns"]]
    assert [dice for dice, _ in plays] == [[3, 2], [4, 3], [2, 1], [2, 1], [6, 3], [4, 1]]
    assert [after for _, after in plays] == [game[n]["points"] for n in (3, 6, 10, 12, 15, 19)]
    assert not told["gaps"]


@pytest.mark.shared
def test_webcam_frames_after_learning_from_the_first(shared: Path, tmp_path: Path) -> None:
    photos = shared / "boards" / "photos"
    labels = [json.loads(line) for line in (photos / "labels.jsonl").read_text().splitlines()]
    game = [x for x in labels if x.get("sequence") == "minta"]
    corners = " ".join(f"{x},{y}" for x, y in game[0]["corners_px"])
    position = ",".join(map(str, game[0]["points"]))
    subprocess.run(
        [*KIBITZ, "calibrate", photos / game[0]["image"], "--corners", corners, "--position", position,
         "-o", "c.json"],
        cwd=tmp_path, check=True,
    )  # fmt: skip
    done = subprocess.run(
        [*KIBITZ, "read", "--json", "-c", "c.json", *(photos / x["image"] for x in game)],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    read = [json.loads(line)["points"] for line in done.stdout.splitlines()]
    assert sum(a == b["points"] for a, b in zip(read, game, strict=True)) >= 16


@pytest.mark.shared
@pytest.mark.slow
def test_every_photo_gets_an_answer(shared: Path) -> None:
    """A reading or a typed error for each picture, never a traceback."""
    images = sorted((shared / "boards" / "photos").glob("*.jpg")) + sorted(
        (shared / "boards" / "stills").glob("*.jpg")
    )
    done = subprocess.run(
        [*KIBITZ, "read", "--json", *map(str, images)], capture_output=True, text=True, check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(images)
    assert all(len(a.get("points", ())) == 24 or a.get("error") for a in answers)
    assert "Traceback" not in done.stderr
    assert done.returncode == int(any("error" in a for a in answers))
