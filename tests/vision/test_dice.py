"""Dice on invented tables: found, read, refused; nothing here depends on pictures outside the project."""

from __future__ import annotations

import json
import re

import cv2
import numpy as np
import pytest

from referee.observation import Die
from referee.throws import SURE_DIE
from vision.cube import read_cube
from vision.dice import LOOKS, find_dice, looks_at, nearer, read_die
from vision.dice_nets import FINDER, MODELS, READERS, Found
from vision.dice_view import FOCAL, camera_over, dice_view
from vision.geometry import BoardGeometry, Image, straighten
from vision.training.dice_scene import Eye, Truth, draw_die

WIDTH, HEIGHT, EDGE, PITCH = 780, 640, 100, 60
BOARD = BoardGeometry(
    ((EDGE, EDGE), (EDGE + WIDTH, EDGE), (EDGE + WIDTH, EDGE + HEIGHT), (EDGE, EDGE + HEIGHT))
)


def field() -> np.ndarray:
    """A board with points and a bar, seen from straight above."""
    picture = np.full((HEIGHT + 2 * EDGE, WIDTH + 2 * EDGE, 3), (60, 80, 70), np.uint8)
    for column in range(13):
        x, tone = EDGE + column * PITCH, (40, 40, 150) if column % 2 else (190, 200, 205)
        if column == 6:
            picture[EDGE : EDGE + HEIGHT, x : x + PITCH] = (30, 45, 60)
            continue
        for foot, tip in ((EDGE, EDGE + 260), (EDGE + HEIGHT, EDGE + HEIGHT - 260)):
            cv2.fillPoly(picture, [np.array([(x, foot), (x + PITCH, foot), (x + PITCH // 2, tip)])], tone)
    return picture


def checkers(picture: Image, column: int, count: int, tone: tuple[int, int, int]) -> None:
    for k in range(count):
        spot = (EDGE + column * PITCH + PITCH // 2, EDGE + 28 + 54 * k)
        cv2.circle(picture, spot, 27, tone, -1, cv2.LINE_AA)
        cv2.circle(picture, spot, 27, (20, 20, 20), 2, cv2.LINE_AA)


def eye_over(size: tuple[int, int], place: tuple[float, float]) -> Eye:
    """How the camera looks at a place: things lean away from the middle, over which it hangs."""
    rows, columns = size
    high = FOCAL * max(rows, columns)
    return Eye(((place[0] - columns / 2) / high, (place[1] - rows / 2) / high), 1.0)


def put(
    picture: Image,
    seed: int,
    spots: list[tuple[float, float]],
    side: float = 30,
    tip: float = 0.0,
    cube: bool = False,
) -> tuple[Image, list[Truth]]:
    """The picture with dice (or a cube) at fractions of the field, as the usual camera over its middle sees
    them.
    """
    canvas = picture.astype(np.float32)
    rng = np.random.default_rng(seed)
    truths = []
    for x, y in spots:
        place = (EDGE + x * WIDTH, EDGE + y * HEIGHT)
        truths.append(draw_die(rng, canvas, place, side, eye_over(canvas.shape[:2], place), tip, cube))
    return np.clip(canvas, 0, 255).astype(np.uint8), truths


SPOTS = [(0.2, 0.5), (0.31, 0.47), (0.8, 0.55), (0.66, 0.2)]


def test_reads_nine_of_ten_dice_of_any_look_where_they_lie() -> None:
    right = total = 0
    for seed in range(1, 13):
        picture, truths = put(field(), seed, SPOTS[: 1 + seed % 4])
        found = find_dice(picture, BOARD)
        total += len(truths)
        right += sum(any(_same(d, t) for d in found) for t in truths)
    assert right / total >= 0.9


def test_a_die_tells_the_share_of_each_face() -> None:
    found = [die for seed in range(1, 5) for die in find_dice(put(field(), seed, SPOTS)[0], BOARD)]
    assert len(found) >= 12
    for die in found:
        assert sum(die.faces) == pytest.approx(1000, abs=3)
        assert die.faces[die.value - 1] == max(die.faces)
        assert sum(map(die.shows, range(1, 7))) == pytest.approx(1000 * die.p / max(die.faces), rel=0.01)


def _same(die: Die, truth: Truth) -> bool:
    x, y = (truth.x - EDGE) / WIDTH, (truth.y - EDGE) / HEIGHT
    return die.value == truth.value and float(np.hypot(die.x - x, die.y - y)) < 0.015


def test_sees_no_dice_on_a_board_with_checkers() -> None:
    picture = field()
    checkers(picture, 0, 5, (230, 235, 235))
    checkers(picture, 8, 4, (30, 30, 120))
    cv2.putText(picture, "www.club.org", (300, 430), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (240, 240, 240), 2)
    assert find_dice(picture, BOARD) == ()


def test_takes_no_doubling_cube_for_a_die_nor_a_die_for_a_cube() -> None:
    cube, _ = put(field(), 3, [(0.3, 0.5)], side=55, cube=True)
    dice, _ = put(field(), 3, [(0.3, 0.5)])
    assert find_dice(cube, BOARD) == ()
    assert read_cube(dice, BOARD) is None


def test_finds_a_doubling_cube_beside_the_board_and_on_whose_side() -> None:
    picture, truths = put(field(), 4, [(-0.07, 0.2)], side=52, cube=True)
    cube = read_cube(picture, BOARD)
    assert cube is not None
    assert (cube.value, cube.where) == (2 ** truths[0].value, "far")
    assert cube.x < 0


def test_looks_for_nothing_under_a_mask() -> None:
    picture, _ = put(field(), 2, SPOTS[:2])
    height, width = straighten(picture, BOARD).shape[:2]
    hidden = np.zeros((height, width), np.bool_)
    hidden[:, : width // 4] = True
    (die,) = find_dice(picture, BOARD, ignore=hidden)
    assert (die.x, die.y) == pytest.approx(SPOTS[1], abs=0.02)


@pytest.mark.parametrize("spot", SPOTS)
def test_a_part_of_the_field_is_read_as_the_whole_is(spot: tuple[float, float]) -> None:
    picture, _ = put(field(), 3, SPOTS)
    x, y = spot
    part = find_dice(picture, BOARD, within=(x - 0.08, y - 0.08, x + 0.08, y + 0.08))
    near = [d for d in find_dice(picture, BOARD) if abs(d.x - x) < 0.07 and abs(d.y - y) < 0.07]
    assert near
    assert [d for d in part if abs(d.x - x) < 0.07 and abs(d.y - y) < 0.07] == near
    assert len(part) < len(SPOTS)


def test_what_lay_there_before_is_no_new_die() -> None:
    before, _ = put(field(), 5, SPOTS[:1])
    after, truths = put(before, 6, SPOTS[2:3])
    found = find_dice(after, BOARD, background=straighten(before, BOARD))
    assert [d.value for d in found] == [t.value for t in truths]


def test_a_smeared_die_is_not_read_with_confidence() -> None:
    picture, _ = put(field(), 4, SPOTS[:2])
    smeared = np.asarray(cv2.blur(picture, (31, 3)), np.uint8)
    assert all(d.p < 0.7 for d in find_dice(smeared, BOARD))


@pytest.mark.xfail(
    reason="of leaning dice not half are told; see docs of vision.dice", strict=True, raises=AssertionError
)
def test_leaning_dice_are_called_cocked_and_never_read_as_if_they_lay_flat() -> None:
    cocked = seen = 0
    for seed in range(1, 13):
        leaning, _ = put(field(), seed, SPOTS[:1], tip=0.6)
        found = find_dice(leaning, BOARD)
        assert all(d.cocked or d.p < SURE_DIE for d in found)
        seen, cocked = seen + len(found), cocked + sum(d.cocked for d in found)
    assert seen >= 10
    assert cocked / seen >= 0.8


def test_a_place_that_is_off_is_put_right_by_the_first_look() -> None:
    before: list[tuple[float, float]] = []
    after: list[tuple[float, float]] = []
    for seed in range(1, 13):
        picture, (truth,) = put(field(), seed, SPOTS[:1])
        view = dice_view(picture, BOARD, 1.0)
        x, y = cv2.perspectiveTransform(np.array([[[truth.x, truth.y]]]), view.matrix)[0, 0]
        side, way = truth.side / view.scale((x, y)), seed * np.pi / 6
        off = Found(x + 0.25 * side * np.cos(way), y + 0.25 * side * np.sin(way), 1.2 * side, 0.9)
        near = nearer(view, off, looks_at(view, [off], LOOKS[:1])[0][0])
        for place, found in ((off, before), (near, after)):
            found.append((np.hypot(place.x - x, place.y - y) / side, abs(np.log(place.side / side))))
    assert (np.mean(after, axis=0) < 0.7 * np.mean(before, axis=0)).all()


def test_dice_that_lie_flat_are_not_called_cocked() -> None:
    for seed in range(1, 9):
        flat, _ = put(field(), seed, SPOTS[:2])
        assert not any(d.cocked for d in find_dice(flat, BOARD))


def test_reads_the_same_die_in_any_turn_and_size() -> None:
    picture, (truth,) = put(field(), 7, SPOTS[:1])
    crop = picture[int(truth.y) - 30 : int(truth.y) + 30, int(truth.x) - 30 : int(truth.x) + 30]
    looks = [np.rot90(crop, k) for k in range(4)] + [cv2.resize(crop, None, fx=f, fy=f) for f in (0.5, 2, 5)]
    assert {read_die(np.ascontiguousarray(look))[0] for look in looks} == {truth.value}


def test_an_empty_crop_is_an_error() -> None:
    with pytest.raises(ValueError, match="no pixels"):
        read_die(np.zeros((0, 20, 3), np.uint8))


def test_a_cube_lying_sideways_is_read() -> None:
    right = 0
    for seed in range(1, 9):
        upright, (truth,) = put(field(), seed, [(0.5, 0.5)], side=56, cube=True)
        turned = np.ascontiguousarray(np.rot90(upright))
        board = BoardGeometry(
            ((EDGE, EDGE), (EDGE + HEIGHT, EDGE), (EDGE + HEIGHT, EDGE + WIDTH), (EDGE, EDGE + WIDTH)),
            rotate_cw_deg=90,
        )
        read = [read_cube(upright, BOARD), read_cube(turned, board)]
        right += sum(cube is not None and cube.value == 2**truth.value for cube in read)
    assert right >= 14


@pytest.mark.parametrize("place", [(0.0, 0.0, 900.0), (400.0, 900.0, 1200.0), (-200.0, 300.0, 800.0)])
def test_the_cameras_place_follows_from_the_plane_it_sees(place: tuple[float, float, float]) -> None:
    eye, target = np.array([place[0], place[1], -place[2]]), np.array([350.0, 300.0, 0.0])
    forward = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross((0.0, 1.0, 0.0), forward)
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(forward, right), forward])
    lens = np.array([[1280, 0, 640], [0, 1280, 360], [0, 0, 1.0]])
    to_picture = lens @ np.column_stack([turn[:, 0], turn[:, 1], -turn @ eye])
    assert camera_over(np.linalg.inv(to_picture), (720, 1280)) == pytest.approx(place, rel=1e-6, abs=1e-6)


def test_the_networks_come_from_one_recipe_and_carry_it() -> None:
    recipes = []
    for name in (FINDER, *READERS.values()):
        told = re.search(rb'\{"seed"[^}]*\}', (MODELS / name).read_bytes())
        assert told is not None
        recipe = json.loads(told.group())
        assert len(recipe["sha256"]) == 64
        recipes.append((recipe["seed"], recipe["scenes"], recipe["torch"]))
    assert len(set(recipes)) == 1
