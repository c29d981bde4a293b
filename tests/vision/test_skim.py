"""Skimming: what lies still is read, what moves is not, and a camera that was knocked is followed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rules import BACKGAMMON
from kibitz.calibration import learned_from
from referee.events import Seen, Still
from referee.layout import LIGHT, Layout, table_of
from vision.calibrate import Calibrated
from vision.geometry import Image
from vision.skim import Skimmer
from vision.synth import Camera, Die, Drawn, Scene, Style, Thing, render

START = table_of(Layout(), BACKGAMMON, LIGHT, BACKGAMMON.start)
SCENE = Scene(START, style=Style(trays=()), camera=Camera(960, 540), seed=3)


@pytest.fixture(scope="module")
def before() -> Drawn:
    return render(SCENE)


@pytest.fixture(scope="module")
def learned(before: Drawn) -> Calibrated:
    return learned_from(before.image, before.board, START[:24])


def hand(image: Image) -> Image:
    """Something large over the board."""
    covered = image.copy()
    covered[100:400, 300:600] = (120, 150, 200)
    return covered


def test_a_sight_is_read_and_then_only_lives_on(before: Drawn, learned: Calibrated) -> None:
    skimmer = Skimmer(learned, before.image, 15)
    said = [skimmer.frame(k * 0.2, before.image) for k in range(20)]
    looks = [s for s in said if isinstance(s, Seen)]
    assert 1 <= len(looks) <= 3
    assert all(tuple(b.best for b in s.look.points) == START[:24] for s in looks)
    assert any(isinstance(s, Still) for s in said)
    moving = skimmer.frame(5.0, hand(before.image))
    assert isinstance(moving, Seen)
    assert moving.look.hand


def test_a_knocked_camera_is_followed(before: Drawn, learned: Calibrated) -> None:
    after = render(replace(SCENE, camera=replace(SCENE.camera, shift=(0.03, -0.02), roll=1.2)))
    skimmer = Skimmer(learned, before.image, 15)
    images = [before.image] * 3 + [hand(after.image)] + [after.image] * 4
    said = [skimmer.frame(k * 0.2, image) for k, image in enumerate(images)]
    last = [s for s in said if isinstance(s, Seen)][-1]
    off = np.abs(np.subtract(skimmer.board.corners, after.board.corners)).max()
    assert off < 4.0
    assert tuple(b.best for b in last.look.points) == START[:24]


def test_a_cube_beside_a_point_is_no_hand_and_hides_no_dice(before: Drawn, learned: Calibrated) -> None:
    cube = Thing("cube", 0.1, 11.0, 1.3, 0.0, (235, 240, 240), "2", SCENE.style.frame_height)
    dice = (Die(3, 8.5, 5.8), Die(6, 10.0, 5.6))
    there = render(replace(SCENE, things=(cube,), dice=dice)).image
    skimmer = Skimmer(learned, before.image, 15)
    images = [before.image] * 2 + ([there] * 3 + [hand(there)]) * 3 + [there] * 3
    said = [skimmer.frame(k * 0.2, image) for k, image in enumerate(images)]
    looks = [s.look for s in said if isinstance(s, Seen) and not s.look.hand][1:]
    assert any(look.unseen for look in looks)
    assert all(sorted(d.value for d in look.dice or ()) == [3, 6] for look in looks)
    assert not looks[-1].unseen
    assert tuple(b.best for b in looks[-1].points) == START[:24]
