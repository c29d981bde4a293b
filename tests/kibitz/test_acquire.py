"""Which misreadings of the first picture are taken for what they are."""

from __future__ import annotations

import pytest

from kibitz.acquire import miscounted
from vision.errors import NotTheStart


@pytest.mark.parametrize(
    ("wrong", "misread"),
    [
        ([(5, -5, -4)], True),
        ([(5, -5, -6), (11, 5, 6)], True),
        ([(3, 0, 1)], True),
        ([(5, -5, -4), (7, -3, -4)], False),
        ([(0, 2, 1), (11, 5, 6)], False),
        ([(5, -5, 5)], False),
        ([(0, 2, 0)], False),
        ([(0, 2, 3), (11, 5, 6), (5, -5, -4)], False),
    ],
)
def test_a_side_with_the_right_number_of_checkers_has_played(
    wrong: list[tuple[int, int, int]], misread: bool
) -> None:
    assert miscounted(NotTheStart("", (), tuple(wrong)), 2) is misread


def test_given_corners_vouch_for_the_board() -> None:
    wrong = ((6, 5, 4), (12, 2, 3), (17, -5, -6), (19, -3, -4), (23, 5, 7))
    assert miscounted(NotTheStart("", (), wrong), 8)
