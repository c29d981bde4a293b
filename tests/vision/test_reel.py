"""Decoding only what is needed: frames that remain are what they were, and a torn film is still found out."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import SourceError
from vision.reel import OPTIONS, decoded, opened, skippable

SIZE, FPS = (320, 180), 15


def drawn(path: Path, frames: int = 60) -> Path:
    """A film by OpenCV's own encoder, whose frames are all made from one another."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    for k in range(frames):
        writer.write(np.full((*SIZE[::-1], 3), 4 * k % 256, np.uint8))
    writer.release()
    return path


def with_spare_frames(path: Path, film: Path) -> Path:
    """The film with frames that no other is made from; its index comes first, so that a part can be read."""
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        pytest.skip("no ffmpeg to encode with")
    how = [
        "-c:v",
        "libx264",
        "-bf",
        "3",
        "-g",
        "15",
        "-x264-params",
        "b-adapt=0:scenecut=0",
        "-movflags",
        "faststart",
    ]
    subprocess.run([ffmpeg, "-v", "error", "-y", "-i", str(film), *how, str(path)], check=True)
    return path


def test_a_film_without_spare_frames_is_decoded_whole(tmp_path: Path) -> None:
    film = drawn(tmp_path / "film.mp4")
    assert not skippable(str(film))
    assert len(list(decoded(str(film), None, 0.0))) == 60 // 3


def test_pictures_far_apart_are_all_wanted(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "lapse.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 2, SIZE)
    for _ in range(30):
        writer.write(np.zeros((*SIZE[::-1], 3), np.uint8))
    writer.release()
    assert not skippable(str(tmp_path / "lapse.mp4"))


def test_a_torn_film_breaks_off_where_it_did(tmp_path: Path) -> None:
    film = with_spare_frames(tmp_path / "whole.mp4", drawn(tmp_path / "film.mp4", 150))
    assert skippable(str(film))
    assert list(decoded(str(film), None, 0.0, skip=True))[-1].t > 9.5
    torn = tmp_path / "torn.mp4"
    torn.write_bytes(film.read_bytes()[: film.stat().st_size * 2 // 3])
    times: list[float] = []
    with pytest.raises(SourceError, match="breaks off"):
        times.extend(frame.t for frame in decoded(str(torn), None, 0.0, skip=True))
    assert 5.0 < times[-1] < 9.0
    assert times == sorted(set(times))


def test_what_a_person_told_opencv_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPTIONS, "threads;1")
    assert opened(str(drawn(tmp_path / "film.mp4")), skip=True).isOpened()
    assert os.environ[OPTIONS] == "threads;1"


@pytest.mark.shared
def test_frames_that_remain_are_what_they_were(shared: Path) -> None:
    film = str(shared / "boards" / "game_a" / "game.mp4")
    assert skippable(film)
    all_frames, number = {}, 0
    capture = cv2.VideoCapture(film)
    while number < 75 and capture.grab():
        all_frames[round(1000 * number / FPS)] = capture.retrieve()[1]
        number += 1
    some = list(islice(decoded(film, None, 0.0, skip=True), 20))
    assert all((frame.image == all_frames[round(1000 * frame.t)]).all() for frame in some)
