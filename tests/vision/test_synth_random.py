"""Scenes by chance hold what a reader has to cope with, and always the same for a seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.synth import Scene, render
from vision.synth_random import lightness, random_scene


def scenes(number: int) -> list[Scene]:
    rng = np.random.default_rng(4)
    return [random_scene(rng) for _ in range(number)]


def test_a_seed_gives_the_same_scenes() -> None:
    assert scenes(3) == scenes(3)


def test_all_kinds_turn_up() -> None:
    rng = np.random.default_rng(2)
    many = [random_scene(rng) for _ in range(400)]
    assert {s.style.points.tip for s in many} == {"sharp", "round", "blunt", "drop"}
    assert any(s.style.bar == 0 for s in many)
    assert any(not s.style.trays for s in many)
    assert any(s.hand for s in many)
    assert max(abs(v) for s in many for v in s.table[:24]) >= 12
    assert any(not any(s.table) for s in many)


def test_light_is_lighter_and_nobody_has_more_than_fifteen() -> None:
    rng = np.random.default_rng(3)
    for scene in (random_scene(rng) for _ in range(100)):
        assert lightness(scene.style.light.colour) > lightness(scene.style.dark.colour)
        assert sum(v for v in scene.table if v > 0) <= 15
        assert sum(v for v in scene.table if v < 0) >= -15


def test_corners_are_inside_or_near_the_picture() -> None:
    rng = np.random.default_rng(5)
    for _ in range(6):
        scene = random_scene(rng)
        small = replace(scene, camera=replace(scene.camera, width=320, height=240))
        drawn = render(small)
        corners = np.array(drawn.board.corners)
        assert ((corners > (-80, -60)) & (corners < (400, 300))).all()
        assert drawn.image.shape == (240, 320, 3)
