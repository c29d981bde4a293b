"""What the dice networks learn from: drawn scenes, the same for the same seed, with labels that are true."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from vision.dice_nets import CELL, UNKNOWN, upright
from vision.training.dice_boards import parts
from vision.training.dice_clutter import clutter
from vision.training.dice_data import FINE, NONE, UNSURE, Cutter, Seat, Sheet, on_canvas, sheet
from vision.training.dice_scene import CANVAS, POINT, Eye, draw_die
from vision.training.dice_solid import Solid
from vision.training.dice_table import scene

Rng = np.random.Generator


@cache
def sheets() -> tuple[Sheet, ...]:
    rng = np.random.default_rng(7)
    return tuple(sheet(rng, scene(rng)) for _ in range(24))


def test_a_seed_gives_the_same_scene() -> None:
    one, two = (sheet(rng, scene(rng)) for rng in (np.random.default_rng(3), np.random.default_rng(3)))
    assert one.file == two.file
    assert one.truths == two.truths


def test_the_finders_map_names_each_die_where_it_is_drawn() -> None:
    named = 0
    for one in sheets():
        for kind in (0, 1):
            for i, j in np.argwhere(one.wanted[kind] > 0):
                dx, dy, size = one.wanted[3:, i, j]
                found = (CELL * (j + 0.5 + dx), CELL * (i + 0.5 + dy), 14 * float(np.exp(size)))
                x, y, side = on_canvas(found, one.stretch)
                assert any(
                    np.hypot(x - t.x, y - t.y) < 0.5 and side == pytest.approx(t.side, rel=1e-3)
                    for t in one.truths
                    if (t.kind == "cube") == bool(kind)
                )
                named += 1
    assert named >= 24
    assert FINE * one.patch.shape[0] == CANVAS


def test_cocked_or_smeared_dice_have_no_value_and_other_places_none() -> None:
    told, kinds = [], []
    for one in sheets():
        for seat in Cutter(np.random.default_rng(1), one, 0, cube=False).seats([]):
            told.append(seat.label)
            kinds.append(seat.cocked)
            assert (seat.label == NONE) <= (seat.cocked == -1 and seat.asked is None)
            assert seat.cocked != 1 or seat.label == UNSURE
    assert {NONE, UNSURE} < set(told)
    assert {0.0, 1.0} < set(kinds)


def test_a_crop_says_where_in_it_the_die_lies() -> None:
    found = 0
    for one in sheets():
        cutter = Cutter(np.random.default_rng(2), one, 0, cube=False)
        for truth in one.truths:
            aside = (truth.x + 0.3 * truth.side, truth.y, truth.side)
            cut = cutter.cut(Seat(0, aside, truth.value, -1.0, truth.shown, truth))
            assert cut.place is not None
            assert cut.lean == UNKNOWN or cut.lean >= 0
            right, down, size = cut.place
            span = truth.side / np.exp(size)
            assert 0.1 < span * np.hypot(right, down) / truth.side < 1.2
            assert 0.5 < span / truth.side < 4
            found += 1
    assert found >= 24


def test_a_place_is_cut_in_another_way_each_time() -> None:
    one = next(one for one in sheets() if one.truths)
    cutter = Cutter(np.random.default_rng(3), one, 0, cube=False)
    seat = Seat(0, one.truths[0][:3], 1, -1.0, one.truths[0].shown, one.truths[0])
    first, second = cutter.cut(seat), cutter.cut(seat)
    assert first.place != second.place
    assert not np.array_equal(first.picture, second.picture)


def test_side_faces_never_show_the_upper_face_nor_the_one_below() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        picture = np.full((90, 90, 3), 90, np.float32)
        truth = draw_die(rng, picture, (45, 45), 30, Eye((0.5, 0.3), 1.0), 0.0, False)
        assert truth.shown[truth.value - 1] == truth.shown[6 - truth.value] == 0
        assert 1 <= sum(s == 1 for s in truth.shown) <= 2


def test_opposite_faces_add_to_seven() -> None:
    for seed in range(10):
        faces = [value for value, _ in Solid(np.random.default_rng(seed), cube=False).faces]
        assert [faces[k] + faces[k + 1] for k in (0, 2, 4)] == [7, 7, 7]


def test_clutter_marks_changed_places() -> None:
    for seed in range(12):
        before = np.full((CANVAS, CANVAS, 3), 128, np.uint8)
        after = before.copy()
        traps = clutter(np.random.default_rng(seed), after, POINT)
        assert bool(traps) == bool((after != before).any())


def test_parts_of_a_drawn_board_lean_away_from_its_camera() -> None:
    found = parts(np.random.default_rng(2), 3)
    assert len(found) == 3
    assert all(part.shape == (CANVAS, CANVAS, 3) and eye.squeeze == 1.0 for part, eye in found)


@pytest.mark.parametrize(
    ("lean", "turn"), [((0.0, -1.0), 0.0), ((1.0, 0.0), np.pi / 2), ((-1.0, 0.0), -np.pi / 2)]
)
def test_a_crop_is_turned_so_that_things_lean_up(lean: tuple[float, float], turn: float) -> None:
    assert upright(*lean) == pytest.approx(turn)
    c, s = np.cos(upright(*lean)), np.sin(upright(*lean))
    up = np.array([[c, -s], [s, c]]) @ (0, -1)
    assert up == pytest.approx(lean)
