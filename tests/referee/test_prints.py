"""What is no die is left out; dice never are."""

from __future__ import annotations

from msgspec.structs import replace

from referee.events import Seen, Still
from referee.hindsight_prints import without_prints
from referee.observation import Die
from tests.referee.recorded import Camera, game

PRINT = Die(1, 0.75, 0.21, 0.22)


def printed(item: Seen | Still) -> Seen | Still:
    """The same look at a board on which something is printed."""
    if isinstance(item, Still) or item.look.dice is None:
        return item
    return Seen(replace(item.look, dice=(*item.look.dice, PRINT)))


def test_a_print_is_left_out() -> None:
    looks = game(3, 8, Camera()).looks
    assert list(without_prints([printed(item) for item in looks], 2)) == looks


def test_what_is_seen_now_and_then_beside_several_throws_is_left_out() -> None:
    looks = game(3, 8, Camera()).looks
    shown = [printed(item) if number % 3 else item for number, item in enumerate(looks)]
    assert list(without_prints(shown, 2)) == looks


def test_dice_are_kept() -> None:
    for seed in range(20):
        looks = game(seed, 6, Camera(no_throw=0.1, wrong_face=0.1)).looks
        assert list(without_prints(looks, 2)) == looks
