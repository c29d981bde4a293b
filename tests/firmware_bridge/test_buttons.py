"""Edges → presses → dice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import board
from firmware_bridge.buttons import DiceEntry, presses

NONE = (0,) * len(board.BUTTONS)


def _edges(**counts: int) -> tuple[int, ...]:
    return tuple(counts.get(name, 0) for name in board.BUTTONS)


def test_a_press_counts_when_the_button_goes_down_and_once() -> None:
    assert presses(NONE, _edges(confirm=1)) == ("confirm",)
    assert presses(_edges(confirm=1), _edges(confirm=2)) == ()


def test_presses_in_a_lost_frame_are_found_in_the_next() -> None:
    assert presses(NONE, _edges(confirm=4, die_3=2)) == ("confirm", "confirm", "die_3")


@given(st.integers(0, 15), st.integers(0, 15))
def test_counts_go_round(before: int, more: int) -> None:
    now = (before + more) % 16
    down = [n for n in range(before + 1, before + more + 1) if n % 2]
    assert presses(_edges(clock_dark=before), _edges(clock_dark=now)) == ("clock_dark",) * len(down)


def test_two_dice_are_a_roll() -> None:
    entry = DiceEntry()
    assert [entry.press(button) for button in ("die_3", "die_6", "die_2", "die_2")] == [
        None,
        (3, 6),
        None,
        (2, 2),
    ]


def test_another_button_begins_the_roll_anew() -> None:
    entry = DiceEntry()
    assert [entry.press(button) for button in ("die_3", "confirm", "die_5", "die_1")] == [
        None,
        None,
        None,
        (5, 1),
    ]


def test_a_game_of_three_dice() -> None:
    entry = DiceEntry(3)
    assert [entry.press(f"die_{n}") for n in (1, 2, 3)] == [None, None, (1, 2, 3)]
