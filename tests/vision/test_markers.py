"""Corner stickers: printed beside a board, seen at a slant, they give its corners."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.corners import by_stickers, find_board
from vision.geometry import HEIGHT, PITCH, BoardGeometry, Image
from vision.markers import sticker
from vision.synth import Camera, Scene, render

PDF = Path(__file__).resolve().parents[2] / "hardware" / "markers" / "corner_stickers.pdf"
#: Places on the printed page are looked at in so many pixels a millimetre; a sticker is 40 mm wide.
PER_MM, STICKER_MM = 4, 40
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


def printed() -> list[Image]:
    """The four stickers as the PDF prints them at 1:1, cut out with their white paper."""
    boxes = np.array(re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f", PDF.read_bytes()), np.float64)
    page = np.full((297 * PER_MM, 210 * PER_MM), 255, np.uint8)
    millimetres = boxes * 25.4 / 72
    for x, y, wide, tall in np.round(millimetres * PER_MM).astype(int):
        page[page.shape[0] - y - tall : page.shape[0] - y, x : x + wide] = 0
    at = [(30 + k % 2 * 90, 40 + k // 2 * 100) for k in range(4)]
    side = STICKER_MM * PER_MM
    cut = [page[y * PER_MM : y * PER_MM + side, x * PER_MM : x * PER_MM + side] for x, y in at]
    return [np.repeat(c[..., None], 3, axis=2) for c in cut]


def laid(picture: Image, stickers: list[Image], board: BoardGeometry) -> Image:
    """Stickers of one and a quarter point widths, each with a paper's corner on a corner of the board."""
    out, side = picture.copy(), 1.25 * PITCH
    back = np.linalg.inv(board.homography())
    for number, paper in enumerate(stickers):
        x, y = (0, board.width, board.width, 0)[number], (0, 0, HEIGHT, HEIGHT)[number]
        left, top = x - side * (number in (0, 3)), y - side * (number in (0, 1))
        on_field = np.array([[side / paper.shape[1], 0, left], [0, side / paper.shape[0], top], [0, 0, 1]])
        size = (picture.shape[1], picture.shape[0])
        warped = cv2.warpPerspective(paper, back @ on_field, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(paper.shape[:2], 255, np.uint8), back @ on_field, size)
        out[mask > 127] = warped[mask > 127]
    return out


def test_the_printed_stickers_are_true_to_scale() -> None:
    for number, paper in enumerate(printed()):
        expected = np.repeat(np.repeat(sticker(number, 1), 5 * PER_MM, 0), 5 * PER_MM, 1)
        assert np.mean(paper[..., 0] != expected) < 0.03


@pytest.mark.parametrize("camera", [Camera(tilt=45.0, fill=0.75), Camera(tilt=40.0, azimuth=25.0, fill=0.75)])
def test_printed_stickers_are_read_at_a_slant(camera: Camera) -> None:
    drawn = render(Scene((0,) * 28, camera=camera))
    found = find_board(laid(drawn.image, printed(), drawn.board))
    assert found is not None
    assert found.score == 1.0
    assert np.abs(np.subtract(found.geometry.corners, drawn.board.corners)).max() < 3.0
    assert found.geometry.bar == pytest.approx(drawn.board.bar, abs=0.15)
