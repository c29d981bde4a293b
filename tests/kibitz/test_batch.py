"""Many videos: each on its own, broken ones beside whole ones, done once and not again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kibitz.batch import Job, Outcome, Targets, do_all, finished
from kibitz.skimming import Wanted
from tests.kibitz.films import short_game

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return short_game(tmp_path_factory.mktemp("film") / "game.mp4", turns=2)


def job(video: Path, out: Path) -> Job:
    beside = out / video.stem
    return Job(
        (str(video),), Wanted(),
        Targets(None, beside.with_suffix(".json"), None, beside.with_suffix(".looks")),
    )  # fmt: skip


def turns(path: Path) -> int:
    return len(json.loads(path.read_text())["turns"])


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
    assert [turns(tmp_path / f"{name}.json") for name in "ac"] == [2, 2]
    assert not (tmp_path / "b.json").exists()
    before = (tmp_path / "a.json").stat().st_mtime_ns
    again = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.stdout.count("done before") == 2
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
    assert all(o.turns == 2 for o in outcomes)


def test_no_scheduler_is_one_line(tmp_path: Path, film: Path) -> None:
    done = subprocess.run(
        [*KIBITZ, "transcribe", str(film), "--json", "o.json", "--dask", "tcp://127.0.0.1:9"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert "scheduler" in line
