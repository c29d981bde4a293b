"""Corner stickers: printed beside a board, seen at a slant, they give its corners."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.geometry import Image
from vision.markers import by_stickers, sticker

SIDE = 8 * 8
#: Board corners on a flat sheet, far left first, clockwise.
BOARD = np.array([[150, 120], [850, 120], [850, 600], [150, 600]], np.float64)


def sheet(numbers: tuple[int, ...] = (0, 1, 2, 3)) -> Image:
    """A plain table with stickers at the corners of an undrawn board."""
    table = np.full((720, 1000, 3), 110, np.uint8)
    for number in numbers:
        x, y = BOARD[number].astype(int) - [(SIDE, SIDE), (0, SIDE), (0, 0), (SIDE, 0)][number]
        table[y : y + SIDE, x : x + SIDE] = sticker(number, 8)[..., None]
    return table


@pytest.mark.parametrize("turn", [0.0, 25.0, 180.0])
def test_corners_between_stickers(turn: float) -> None:
    slant = np.array([[1.0, 0.1, 150], [0.05, 0.95, 150], [1e-4, 2e-4, 1]])
    spin = np.vstack([cv2.getRotationMatrix2D((500, 360), turn, 1.0), [0, 0, 1]])
    warp = slant @ spin
    seen = cv2.warpPerspective(sheet(), warp, (1300, 1100), borderValue=(110, 110, 110))
    found = by_stickers(np.asarray(seen, np.uint8))
    assert found is not None
    expected = cv2.perspectiveTransform(BOARD.reshape(-1, 1, 2), warp).reshape(4, 2)
    if turn == 180.0:
        expected = np.roll(expected, 2, axis=0)
    assert np.abs(np.array(found.corners) - expected).max() < 1.5


def test_board_seen_from_its_end() -> None:
    found = by_stickers(np.asarray(cv2.rotate(sheet(), cv2.ROTATE_90_COUNTERCLOCKWISE), np.uint8))
    assert found is not None
    assert found.rotate_cw_deg == 90


def test_a_hidden_sticker_gives_no_board() -> None:
    assert by_stickers(sheet((0, 1, 3))) is None


def test_unknown_sticker_is_refused() -> None:
    with pytest.raises(ValueError, match="no sticker 4"):
        sticker(4)
