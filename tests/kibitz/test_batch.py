"""Many videos: each on its own, broken ones beside whole ones, done once and not again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from pathlib import Path
from threading import Thread

import pytest

from kibitz.batch import Job, do_all, finished
from kibitz.looks import Head, Item
from kibitz.narrator import Outcome, Targets
from kibitz.recording import Recording, infer
from kibitz.skimming import Wanted, skim
from kibitz.transcribing import stems
from tests.kibitz.films import in_parts, staged
from vision.staged import Staged

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]


GAME = staged(11)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A game of two turns, each in a film of its own."""
    return in_parts(tmp_path_factory.mktemp("films"), GAME)


@pytest.fixture(scope="module")
def film(parts: list[Path]) -> Path:
    """A game of one turn."""
    return parts[0]


def job(video: Path, out: Path) -> Job:
    beside = out / video.stem
    return Job(
        (str(video),), Wanted(),
        Targets(None, beside.with_suffix(".json"), None, beside.with_suffix(".looks")),
    )  # fmt: skip


def turns(path: Path) -> int:
    return len(json.loads(path.read_text())["turns"])


def happened(game: Staged) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """Each turn's side, dice and table after it."""
    return [
        (turn.side, tuple(sorted(turn.dice, reverse=True)), turn.hops[-1][:24]) for turn in game.script.turns
    ]


def read_in(recording: Recording) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """The same, as it was inferred."""
    return [
        (turn.side, tuple(sorted(turn.dice, reverse=True)), turn.after) for turn in infer(recording).turns
    ]


class Stopped(Exception):
    """Somebody has had enough."""


def test_reading_that_was_stopped_goes_on_and_ends_with_what_happened(tmp_path: Path, film: Path) -> None:
    times = list[float]()

    def half(t: float) -> None:
        if t > GAME.seconds / 4:
            raise Stopped

    looks = tmp_path / "game.looks"
    with pytest.raises(Stopped):
        skim(str(film), Wanted(), looks, half)
    kept = Recording.load(looks)
    assert not kept.done
    heard = list[Head | Item]()
    recording = skim(str(film), Wanted(), looks, times.append, heard.append)
    assert heard == [recording.head, *recording.items]
    assert min(times) > kept.until > 1.0
    assert recording.items[: len(kept.items)] == kept.items
    assert read_in(recording) == happened(GAME)[:1]
    skim(str(film), Wanted(), looks, times.append)
    assert max(times) == times[-1] == recording.until


@pytest.mark.slow
def test_videos_that_are_one_match(tmp_path: Path, parts: list[Path]) -> None:
    call = [*KIBITZ, "transcribe", *map(str, parts), "--one-match", "--json", "match.json", "-o", "match.mat"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "match.json").read_text())
    assert [tuple(turn["after"]) for turn in told["turns"]] == [after for _, _, after in happened(GAME)]
    assert told["gaps"] == []
    assert told["turns"][0]["t"][1] < told["turns"][1]["t"][0]


def test_a_process_that_dies_ends_no_other_video(tmp_path: Path, film: Path) -> None:
    outcomes: list[Outcome] = []

    def kill() -> None:
        while not active_children():
            time.sleep(0.05)
        for child in active_children():
            child.kill()

    killer = Thread(target=kill)
    killer.start()
    do_all([job(film, tmp_path), job(tmp_path / "none.mp4", tmp_path)], 1, None, outcomes.append)
    killer.join()
    errors = [outcome.error or "" for outcome in outcomes]
    assert "died" in errors[0]
    assert "none.mp4" in errors[1]
    assert "died" not in errors[1]


def test_videos_of_one_name_in_several_folders_do_not_overwrite_each_other() -> None:
    assert stems(["a/game.mp4", "b/game.avi", "b/last.mp4"]) == ["game-1", "game-2", "last"]
    assert stems(["a/game.mp4", "b/game.avi", "b/game-1.mp4"]) == ["game-2", "game-3", "game-1"]


def on_a_terminal(call: list[str], folder: Path) -> tuple[int, str]:
    """Exit status of a call, and what it writes to the terminal."""
    ours, theirs = os.openpty()
    terminal = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    running = subprocess.Popen(call, cwd=folder, stdout=theirs, stderr=theirs, env=terminal)
    os.close(theirs)
    said = all_of(ours)
    return running.wait(), said


def all_of(terminal: int) -> str:
    """What is written to a terminal until nobody has it open any more."""
    parts = []
    with os.fdopen(terminal, "rb", buffering=0) as file, suppress(OSError):
        while part := file.read(1 << 16):
            parts.append(part)
    return b"".join(parts).decode()


@pytest.mark.slow
def test_a_folder_with_a_broken_video_in_it(tmp_path: Path, film: Path) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    for name in ("a", "c"):
        os.link(film, folder / f"{name}.mp4")
    (folder / "b.mp4").write_bytes(film.read_bytes()[:20_000])
    call = [*KIBITZ, "transcribe", str(folder), "--json", ".", "--jobs", "2"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "b.mp4" in done.stderr
    assert "Traceback" not in done.stderr
    assert [turns(tmp_path / f"{name}.json") for name in "ac"] == [1, 1]
    assert not (tmp_path / "b.json").exists()
    before = (tmp_path / "a.json").stat().st_mtime_ns
    status, said = on_a_terminal(call, tmp_path)
    assert status == 1
    assert said.count("done before") == 2
    assert "2/3 videos" in said
    assert "3/3 videos" in said
    assert (tmp_path / "a.json").stat().st_mtime_ns == before


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler with workers, each a process with one thread."""
    python = [sys.executable, "-m", "distributed.cli"]
    port = 20000 + os.getpid() % 20000
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(
        [
            *python[:-1],
            "distributed.cli.dask_scheduler",
            "--port",
            str(port),
            "--no-dashboard",
            "--host",
            "127.0.0.1",
        ],
        **quiet,  # type: ignore[call-overload]
    )
    running = [
        subprocess.Popen(
            [
                *python[:-1],
                "distributed.cli.dask_worker",
                address,
                "--nthreads",
                "1",
                "--no-nanny",
                "--no-dashboard",
            ],
            **quiet,  # type: ignore[call-overload]
        )
        for _ in range(workers)
    ]
    try:
        yield address, running
    finally:
        for process in [*running, scheduler]:
            process.kill()
            process.wait()


def killed_half_way(tmp_path: Path, film: Path, videos: int) -> list[Outcome]:
    """Outcomes of so many videos on two workers, one of which is killed after half of them."""
    for n in range(videos):
        os.link(film, tmp_path / f"game{n}.mp4")
    jobs = [job(tmp_path / f"game{n}.mp4", tmp_path) for n in range(videos)]
    outcomes: list[Outcome] = []
    with cluster(2) as (address, workers):

        def told(outcome: Outcome) -> None:
            outcomes.append(outcome)
            if len(outcomes) == videos // 2:
                os.kill(workers[0].pid, signal.SIGKILL)

        wait_for(address, 2)
        do_all(jobs, 1, address, told)
    assert all(finished(one) for one in jobs)
    return outcomes


def wait_for(address: str, workers: int) -> None:
    from distributed import Client

    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            with Client(address, timeout=5) as client:
                client.wait_for_workers(workers, timeout=60)
                return
        except (OSError, TimeoutError):
            time.sleep(0.5)


@pytest.mark.slow
@pytest.mark.parametrize("videos", [int(os.environ.get("KIBITZ_DASK_VIDEOS", "2"))])
def test_a_worker_killed_half_way_loses_nothing(tmp_path: Path, film: Path, videos: int) -> None:
    """`make batch` does this with ten videos."""
    outcomes = killed_half_way(tmp_path, film, videos)
    assert [o.error for o in outcomes] == [None] * videos
    assert sorted(Path(o.video).name for o in outcomes) == sorted(f"game{n}.mp4" for n in range(videos))
    assert all(o.turns == 1 for o in outcomes)


def test_no_scheduler_is_one_line(tmp_path: Path, film: Path) -> None:
    done = subprocess.run(
        [*KIBITZ, "transcribe", str(film), "--json", "o.json", "--dask", "tcp://127.0.0.1:9"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert "scheduler" in line
