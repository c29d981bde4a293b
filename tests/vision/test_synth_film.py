"""Films: what the script says is what the frames show."""

from __future__ import annotations

import numpy as np

from vision.film import FilmScript, Turn, film, moves
from vision.synth import Camera, Sensor, Style

CAMERA = Camera(width=480, height=270, tilt=10)
START = (2, *(0,) * 10, -1, *(0,) * 16)
HOP = (1, 1, *(0,) * 9, -1, *(0,) * 16)
SCRIPT = FilmScript(START, (Turn(0, (1, 2), (HOP,)),))


def test_moves_between_tables_name_the_hit_checker_first() -> None:
    hit = (1, *(0,) * 10, 1, *(0,) * 13, -1, 0, 0)
    assert moves(START, hit) == [(-1, 11, 25), (1, 0, 11)]


def test_time_runs_evenly_and_pace_shortens_it() -> None:
    slow = [t for t, _ in film(SCRIPT, Style(), CAMERA, fps=5)]
    fast = [t for t, _ in film(SCRIPT, Style(), CAMERA, fps=5, pace=2)]
    assert np.allclose(np.diff(slow), 0.2)
    assert 0.4 < len(fast) / len(slow) < 0.65


def test_the_same_seed_gives_the_same_film() -> None:
    one, two = (list(film(SCRIPT, Style(), CAMERA, fps=2, seed=3)) for _ in range(2))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(one, two, strict=True))


def test_what_nobody_touches_stands_still() -> None:
    frames = [f for _, f in film(SCRIPT, Style(), CAMERA, fps=4, sensor=Sensor(noise=0, jpeg=0))]
    corner = [f[:60, 300:].astype(int) for f in (frames[0], frames[-1])]
    assert np.abs(corner[0] - corner[1]).max() <= 1
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 50
