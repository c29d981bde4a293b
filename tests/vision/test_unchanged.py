"""What lies as it did keeps its reading, and what changed does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rules import BACKGAMMON
from kibitz.calibration import learned_from
from referee.layout import LIGHT, Layout, table_of
from referee.observation import Observation
from vision.calibrate import Calibrated
from vision.geometry import Image
from vision.look import Sight, take_look
from vision.synth import Camera, Die, Scene, Style, render
from vision.unchanged import box_of, changed_cells, changed_points, kept_dice

START = table_of(Layout(), BACKGAMMON, LIGHT, BACKGAMMON.start)
WHITE, BLACK = (235, 240, 240), (30, 30, 30)
THROWN = (Die(5, 9.0, 5.2, 20.0, WHITE, BLACK, 0.42), Die(2, 11.0, 5.6, 50.0, WHITE, BLACK, 0.42))
SCENE = Scene(START, style=Style(trays=()), camera=Camera(960, 540), dice=THROWN, seed=3)


def played(table: tuple[int, ...], source: int, target: int) -> tuple[int, ...]:
    """One checker moved."""
    step = 1 if table[source] > 0 else -1
    return tuple(n - step * (i == source) + step * (i == target) for i, n in enumerate(table))


#: Any point that has checkers, and an empty one.
FROM, TO = next(i for i in range(12, 24) if START[i] > 1), next(i for i in range(24) if not START[i])
AFTER = played(START, FROM, TO)


@pytest.fixture(scope="module")
def learned() -> Calibrated:
    bare = render(replace(SCENE, dice=()))
    return learned_from(bare.image, bare.board, START[:24])


@pytest.fixture(scope="module")
def image() -> Image:
    return render(SCENE).image


def look(learned: Calibrated, image: Image, before: Sight | None = None) -> Sight:
    known = None if before is None else before.known
    return take_look(1.0, image, learned.board, learned.learned, None, known)


def best(seen: Observation) -> tuple[int, ...]:
    return tuple(b.best for b in seen.points)


@pytest.mark.parametrize("light", [1.0, 0.93])
def test_noise_and_other_light_change_nothing(learned: Calibrated, image: Image, light: float) -> None:
    before = look(learned, image)
    noise = np.random.default_rng(5).normal(0, 3, image.shape)
    again = look(learned, np.clip(image * light + noise, 0, 255).astype(np.uint8), before)
    changed = changed_cells(again.view, before.known)
    assert len(changed_points(changed, again.view, before.known)) <= 2
    assert kept_dice(changed, before.known) == before.observation.dice
    assert best(again.observation) == best(before.observation) == START[:24]


def test_a_play_is_read_and_the_dice_beside_it_are_kept(learned: Calibrated, image: Image) -> None:
    before = look(learned, image)
    after = look(learned, render(replace(SCENE, table=AFTER)).image, before)
    read = changed_points(changed_cells(after.view, before.known), after.view, before.known)
    assert {FROM, TO} <= set(read)
    assert len(read) <= 8
    assert best(after.observation) == AFTER[:24]
    assert after.observation.dice == before.observation.dice


def test_a_new_throw_is_read_and_lifted_dice_are_gone(learned: Calibrated, image: Image) -> None:
    before = look(learned, image)
    assert sorted(d.value for d in before.observation.dice or ()) == [2, 5]
    turned = (replace(THROWN[0], value=6), THROWN[1])
    after = look(learned, render(replace(SCENE, dice=turned)).image, before)
    assert sorted(d.value for d in after.observation.dice or ()) == [2, 6]
    assert look(learned, render(replace(SCENE, dice=())).image, after).observation.dice == ()


def test_a_die_beside_the_field_is_found_when_it_comes(learned: Calibrated, image: Image) -> None:
    before = look(learned, image)
    more = Die(3, 12.9, 5.4, 10.0, WHITE, BLACK, 0.42)
    after = look(learned, render(replace(SCENE, dice=(*THROWN, more))).image, before)
    assert sorted(d.value for d in after.observation.dice or ()) == [2, 3, 5]


def test_the_part_to_look_at_goes_on_beyond_what_the_cells_show(learned: Calibrated, image: Image) -> None:
    look_at = np.zeros(look(learned, image).view.values.shape[:2], np.bool_)
    look_at[20:30, -4:] = True
    left, top, right, bottom = box_of(look_at)
    assert 0.9 < left < 1.1
    assert right > 1.5
    assert 0 < top < bottom < 1
