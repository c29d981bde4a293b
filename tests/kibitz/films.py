"""Small videos that tests make for themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.film import FilmScript, film
from vision.geometry import Image
from vision.staged import Staged, staged_game
from vision.synth import Camera, Scene, Style, render


def write_video(path: Path, frames: Iterable[Image], fps: float = 10, fourcc: str = "mp4v") -> Path:
    """Frames → a video file."""
    writer = None
    for frame in frames:
        if writer is None:
            size = (frame.shape[1], frame.shape[0])
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*fourcc), fps, size)
        writer.write(frame)
    assert writer is not None
    writer.release()
    return path


def plain(grey: int, size: tuple[int, int] = (640, 360)) -> Image:
    """A picture of nothing."""
    return np.full((size[1], size[0], 3), grey, np.uint8)


def board_picture(table: tuple[int, ...], seed: int = 1) -> Image:
    """A drawn board with these 28 counts on it."""
    return render(Scene(table, style=Style(), camera=Camera(), seed=seed)).image


def staged(seed: int = 7, turns: int = 2) -> Staged:
    """What happens in `short_game`."""
    return staged_game(seed, turns, pace=2, fps=10)


def short_game(path: Path, seed: int = 7, turns: int = 2, fourcc: str = "mp4v") -> Path:
    """A drawn game of a few turns as a video."""
    return write_video(path, (image for _, image in staged(seed, turns).frames()), fourcc=fourcc)


def in_parts(folder: Path, game: Staged) -> list[Path]:
    """A drawn game as videos of one turn each, without its illegal play, the board in the same place."""
    found, table = [], game.script.start
    for number, turn in enumerate(game.script.turns):
        script = FilmScript(table, (replace(turn, illegal=()),))
        frames = film(script, Style(), Camera(width=960, height=540), game.fps, game.seed + number, game.pace)
        found.append(write_video(folder / f"part{number}.mp4", (image for _, image in frames)))
        table = turn.hops[-1] if turn.hops else table
    return found
