"""What the point network looks at: every point is where the network expects it, feet up."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.geometry import BoardGeometry, to_picture
from vision.net_view import (
    BAR_WIDTH,
    BESIDE,
    FINE,
    MARGIN,
    OWN,
    QUARTER_HEIGHT,
    QUARTER_WIDTH,
    SIDE,
    VIEW_HEIGHT,
    bar_halves,
    bar_stripe,
    board_view,
    quarters,
    shortened,
    shortening,
    straight,
)
from vision.synth import Camera, Scene, Style, render
from vision.synth_random import apart
from vision.training.points_data import NOTHING, looks, scene_of, views_of

CORNERS = ((100.0, 80.0), (820.0, 90.0), (860.0, 620.0), (60.0, 610.0))


def board(bar: float, turned: bool) -> BoardGeometry:
    return BoardGeometry(CORNERS, bar, 90 if turned else 0)


def spotted(geometry: BoardGeometry, x: float, y: float) -> np.ndarray:
    """A black picture with a white spot where the straightened view has (x, y)."""
    image = np.zeros((700, 900, 3), np.uint8)
    at = to_picture(geometry, np.array([[x, y]]))[0]
    cv2.circle(image, (round(at[0]), round(at[1])), 6, (255, 255, 255), -1)
    return image


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("bar", [0.0, 0.4, 1.3])
def test_every_point_has_its_place_in_a_quarter(bar: float, turned: bool) -> None:
    geometry = board(bar, turned)
    for point in range(24):
        y = 60.0 if point < 12 else 460.0
        cut = quarters(board_view(spotted(geometry, geometry.column_x(point % 12), y), geometry), geometry)
        assert [q.shape for q in cut] == [(QUARTER_HEIGHT, QUARTER_WIDTH, 3)] * 4
        sums = [int(q.sum()) for q in cut]
        assert sums[point // SIDE] == max(sums) > 0
        rows, columns = np.nonzero(cut[point // SIDE][:, :, 0] > 128)
        assert abs(columns.mean() - BESIDE - (point % SIDE + 0.5) * FINE) < 3
        assert abs(rows.mean() - (MARGIN + 60 * FINE / 40)) < 4


def test_the_bar_is_in_the_middle_of_its_view() -> None:
    geometry = board(0.8, turned=False)
    view = board_view(spotted(geometry, geometry.bar_x(), 300.0), geometry)
    stripe = bar_stripe(view, geometry)
    assert stripe.shape == (VIEW_HEIGHT, BAR_WIDTH, 3)
    rows, columns = np.nonzero(stripe[:, :, 0] > 128)
    assert abs(columns.mean() - BAR_WIDTH / 2) < 3
    assert abs(rows.mean() - MARGIN - 300 * FINE / 40) < 3
    far, near = bar_halves(view, geometry)
    assert far.shape == near.shape == (QUARTER_HEIGHT, QUARTER_WIDTH, 3)
    assert near.sum() > far.sum()


def test_a_low_board_is_shortened_until_checkers_are_round() -> None:
    low = BoardGeometry(((0.0, 0.0), (960.0, 0.0), (960.0, 560.0), (0.0, 560.0)), 0.0)
    usual = BoardGeometry(((0.0, 0.0), (960.0, 0.0), (960.0, 800.0), (0.0, 800.0)), 0.0)
    assert shortening(usual) == 1
    share = shortening(low)
    assert share < 0.8
    quarter = np.zeros((QUARTER_HEIGHT, QUARTER_WIDTH, 3), np.uint8)
    quarter[MARGIN : MARGIN + 50] = 200
    short = shortened(quarter, share)
    assert short.shape == quarter.shape
    assert abs((short[:, 0, 0] > 100).sum() - 50 * share) < 3


def test_views_for_training_tell_the_truth_of_the_scene() -> None:
    table = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 1, 0, 0, 0)
    scene = Scene(table, style=replace(Style(), bar=1.0), camera=Camera(640, 480, tilt=5))
    views = list(views_of(render(scene), table, np.random.default_rng(3)))
    counts = [n for view in views[:4] for n in view.counts]
    assert counts == [abs(n) for n in table[:24]]
    assert set(views[4].counts) == {NOTHING}
    # The first point's two checkers reach just so far.
    faces = views[0].faces[:, OWN, 0] > 128
    assert faces[:20].sum() > 25
    assert not faces[20:].any()


def test_a_seed_gives_the_same_views() -> None:
    one, two = (next(iter(looks(5, 1))) for _ in range(2))
    assert np.array_equal(one.picture, two.picture)
    assert one.counts == two.counts


def test_flat_scenes_lay_checkers_on_spikes_of_their_own_colour_and_hide_their_edges() -> None:
    for seed in range(20):
        scene = scene_of(np.random.default_rng(seed), "flat")
        look = scene.style
        own, side = min(
            ((look.light, 1), (look.dark, -1)), key=lambda c: apart(c[0].colour, look.points.second)
        )
        assert apart(own.colour, look.points.second) < 25 < apart(look.points.first, look.points.second)
        assert sum(n * side > 0 for n in scene.table[:24]) >= 6
        assert scene.light.hard <= 0.2
        assert scene == scene_of(np.random.default_rng(seed), "flat")


def test_what_the_frame_covers_teaches_nothing() -> None:
    table = (1,) + (0,) * 22 + (-1,) + (0,) * 4
    low, high = (
        Scene(table, style=replace(Style(), frame_height=h), camera=Camera(tilt=40)) for h in (0.1, 1.4)
    )
    for scene, told in ((low, (1, 1)), (high, (1, NOTHING))):
        views = list(views_of(render(scene), table, np.random.default_rng(3)))
        assert (views[0].counts[0], views[3].counts[5]) == told
        assert views[3].counts[:5] == (0,) * 5


def test_a_finer_sheet_averaged_shows_what_the_plain_one_does() -> None:
    geometry = board(0.8, turned=False)
    spot = spotted(geometry, geometry.column_x(3), 100.0)
    image = np.asarray(cv2.GaussianBlur(spot, (0, 0), 4), np.uint8)
    plain, averaged = straight(image, geometry, cv2.INTER_LINEAR, 0), board_view(image, geometry)
    assert plain.shape == averaged.shape
    assert np.abs(plain.astype(int) - averaged).max() < 8


def test_stacked_scenes_pile_both_sides_checkers() -> None:
    heights = []
    for seed in range(20):
        table = scene_of(np.random.default_rng(seed), "stacks").table[:24]
        for side in (1, -1):
            own = [n * side for n in table if n * side > 0]
            assert max(own) >= 4
            heights += [n for n in own if n > 3]
    assert min(heights) == 4
    assert max(heights) > 9
    assert 1 < heights.count(5) / heights.count(6) < 4
