"""What users feed by mistake: one line with the mend, status 2, and nothing that passes for a record."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import pytest

from engine.rules import BACKGAMMON
from kibitz.looks import Recording
from kibitz.reviewing import Review
from referee.layout import LIGHT, Layout, table_of
from tests.kibitz.films import board_picture, plain, short_game, write_video

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]


def kibitz(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*KIBITZ, *map(str, args)], cwd=cwd, capture_output=True, text=True, check=False)


def refused(done: subprocess.CompletedProcess[str], cwd: Path, *words: str) -> None:
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("kibitz: ")
    for word in words:
        assert word in line
    assert not (cwd / "out.mat").exists()
    assert not (cwd / "out.json").exists()


def transcribe(source: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return kibitz("transcribe", source, "-o", "out.mat", "--json", "out.json", cwd=cwd)


@pytest.fixture(scope="session")
def game_video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return short_game(tmp_path_factory.mktemp("film") / "game.mp4")


def test_a_missing_file(tmp_path: Path) -> None:
    refused(transcribe(tmp_path / "none.mp4", tmp_path), tmp_path, "no such file")


def test_watching_a_missing_file(tmp_path: Path) -> None:
    done = kibitz("watch", "--source", "file:none.mp4", "--port", "0", cwd=tmp_path)
    refused(done, tmp_path, "none.mp4", "no such file")


def test_a_text_named_mp4(tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("White: Ann\nBlack: Bob\n")
    refused(transcribe(path, tmp_path), tmp_path, "not a video")


def test_a_torn_video(tmp_path: Path, game_video: Path) -> None:
    path = tmp_path / "torn.mp4"
    path.write_bytes(game_video.read_bytes()[:30_000])
    refused(transcribe(path, tmp_path), tmp_path, "torn.mp4")


def test_a_video_that_breaks_off(tmp_path: Path) -> None:
    """Its header promises more than there is."""
    whole = short_game(tmp_path / "game.avi", fourcc="MJPG")
    path = tmp_path / "short.avi"
    path.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    failed = transcribe(path, tmp_path)
    refused(failed, tmp_path, "breaks off")
    told = failed.stderr.strip().rpartition("kibitz review ")[2]
    assert Review(tmp_path / told, tmp_path / "until.mat").plays()


def test_a_black_video(tmp_path: Path) -> None:
    path = write_video(tmp_path / "black.mp4", [plain(0)] * 20)
    refused(transcribe(path, tmp_path), tmp_path, "black")


def test_a_video_without_a_board(tmp_path: Path) -> None:
    path = write_video(tmp_path / "wall.mp4", [plain(120)] * 20)
    refused(transcribe(path, tmp_path), tmp_path, "no board")


def test_a_wrong_start_is_named_point_by_point(tmp_path: Path) -> None:
    table = list(table_of(Layout(), BACKGAMMON, LIGHT, BACKGAMMON.start))
    table[16] -= 1
    table[14] += 1
    path = tmp_path / "start.png"
    cv2.imwrite(str(path), board_picture(tuple(table)))
    refused(transcribe(path, tmp_path), tmp_path, "this is not the start", "near row 3", "near row 5")


def test_an_unknown_game(tmp_path: Path, game_video: Path) -> None:
    done = kibitz("transcribe", game_video, "--rules", "tavla", "-o", "out.mat", cwd=tmp_path)
    refused(done, tmp_path, "tavla", "backgammon")


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, game_video: Path) -> None:
    done = kibitz("transcribe", game_video, "-o", "nowhere/out.mat", cwd=tmp_path)
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_corners_that_make_no_board(tmp_path: Path, game_video: Path) -> None:
    done = kibitz("transcribe", game_video, "--corners", "1,2 3,4", "-o", "out.mat", cwd=tmp_path)
    refused(done, tmp_path, "eight numbers")


def test_what_was_read_before_kill_9_is_not_read_again(tmp_path: Path, game_video: Path) -> None:
    running = subprocess.Popen(
        [*KIBITZ, "transcribe", str(game_video), "--json", "out.json"],
        cwd=tmp_path,
        stderr=subprocess.DEVNULL,
    )
    looks = tmp_path / "out.looks"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and (not looks.exists() or looks.stat().st_size < 2000):
        time.sleep(0.02)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert not (tmp_path / "out.json").exists()
    before = looks.read_bytes()
    assert kibitz("transcribe", game_video, "--json", "out.json", cwd=tmp_path).returncode == 0
    whole = sum(1 for _ in Recording.load(looks).items)
    kept = Recording.load(tmp_path / "out.looks").items[: _items_in(before, tmp_path)]
    assert 0 < len(kept) < whole
    assert len(json.loads((tmp_path / "out.json").read_text())["turns"]) == 2


def _items_in(data: bytes, folder: Path) -> int:
    """How many whole items a torn file of looks holds."""
    torn = folder / "torn.looks"
    torn.write_bytes(data)
    return len(Recording.load(torn).items)


def test_a_torn_journal_replays_up_to_the_tear(tmp_path: Path, game_video: Path) -> None:
    assert transcribe(game_video, tmp_path).returncode == 0
    journal = tmp_path / "out.journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-100])
    done = kibitz("replay", journal, cwd=tmp_path)
    assert done.returncode == 0
    assert "torn" in done.stdout
    damaged = whole.replace(b'"looks"', b'"l')
    journal.write_bytes(damaged[:600] + b"\x00" + damaged[601:])
    assert kibitz("replay", journal, cwd=tmp_path).returncode in (1, 2)


@pytest.mark.parametrize("call", [("transcribe", "x.mp4"), ("watch", "--source", "file:x.mp4")])
def test_one_name_for_two_players(call: tuple[str, ...], tmp_path: Path) -> None:
    refused(kibitz(*call, "--names", "Ann", cwd=tmp_path), tmp_path, "--names 'Ann'", "Ann,Bob")
