"""Films as people make them: a score panel and a small second picture beside the board, frames that come now
fast and now slowly, one picture a second.
"""

from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from kibitz.recording import Inferred, infer
from kibitz.skimming import Wanted, skim
from tests.kibitz.films import staged, write_video
from vision.geometry import Image
from vision.reel import decoded

GAME = staged(11)
Timed = list[tuple[float, Image]]


@pytest.fixture(scope="module")
def frames() -> Timed:
    return list(GAME.frames())


def read(video: Path, lapse: float | None = None) -> Inferred:
    return infer(skim(str(video), Wanted(lapse=lapse), video.with_suffix(".looks")))


def right(inferred: Inferred) -> bool:
    """Whether each turn is told as it was."""
    told = [(turn.side, turn.dice, turn.after) for turn in inferred.turns]
    return told == [
        (turn.side, tuple(sorted(turn.dice, reverse=True)), turn.hops[-1][:24]) for turn in GAME.script.turns
    ]


def broadcast(t: float, image: Image) -> Image:
    """The board's picture as a part of another one: a panel with a running clock, and a live second camera
    (here: the same picture once more, small and turned over).
    """
    height, width = image.shape[:2]
    whole = np.full_like(image, 40)
    large = cv2.resize(image, None, fx=0.78, fy=0.78, interpolation=cv2.INTER_AREA)
    whole[height - large.shape[0] :, : large.shape[1]] = large
    small = cv2.resize(image, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)[::-1, ::-1]
    whole[20 : 20 + small.shape[0], width - small.shape[1] - 8 : width - 8] = small
    whole[20:100, 20:700] = (90, 20, 20)
    cv2.putText(
        whole, f"Ann 2 - 1 Bob  {10 * t:06.1f}", (40, 80), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (255, 255, 255), 4
    )
    return whole


def test_a_score_panel_and_a_second_picture_do_no_harm(tmp_path: Path, frames: Timed) -> None:
    video = write_video(tmp_path / "panel.mp4", (broadcast(t, image) for t, image in frames))
    found = read(video)
    assert right(found)
    assert not found.gaps
    assert not found.doubts


@pytest.mark.skipif(
    shutil.which("ffmpeg") is None, reason="ffmpeg writes films with frames of unequal length"
)
def test_frames_of_unequal_length(tmp_path: Path, frames: Timed) -> None:
    # every second and third frame is left out by turns, as cameras do in dim light
    kept = [frame for n, frame in enumerate(frames) if n % 5 not in (1, 3)]
    for n, (_, image) in enumerate(kept):
        cv2.imwrite(str(tmp_path / f"{n:04}.png"), image)
    lasting = [b[0] - a[0] for a, b in pairwise(kept)] + [0.1]
    listed = "".join(f"file {n:04}.png\nduration {seconds:.3f}\n" for n, seconds in enumerate(lasting))
    (tmp_path / "list.txt").write_text(listed)
    video = tmp_path / "unequal.mp4"
    call = ["ffmpeg", "-v", "error", "-f", "concat", "-i", "list.txt", "-fps_mode", "vfr", "-c:v", "mpeg4"]
    subprocess.run([*call, "-q:v", "3", str(video)], cwd=tmp_path, check=True)
    times = [frame.t for frame in decoded(str(video), None, 0.0)]
    assert times[-1] == pytest.approx(kept[-1][0], abs=0.3)
    assert right(read(video))


def test_one_picture_a_second(tmp_path: Path, frames: Timed) -> None:
    # the game is filmed at twice its pace: half a second of it is one
    video = write_video(tmp_path / "lapse.mp4", (image for _, image in frames[::5]))
    assert right(read(video, lapse=1.0))
