"""What was read, drawn on the picture it was read from: corners, counts, dice, doubt."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.observation import Belief, Observation
from vision.geometry import COLUMNS, HEIGHT, PITCH, BoardGeometry, Image, to_picture

Colour = tuple[int, int, int]
GREEN, AMBER, RED, WHITE, BLACK = (90, 220, 90), (0, 190, 255), (60, 60, 255), (255, 255, 255), (0, 0, 0)
#: Below this a count is drawn in amber.
DOUBTFUL = 0.9


def overlay(image: Image, board: BoardGeometry, seen: Observation) -> Image:
    """A copy of the picture with the reading drawn on it; amber: doubt, red: not seen."""
    canvas = image.copy()
    size = max(image.shape[1] / 1280, 0.5)
    cv2.polylines(
        canvas, [np.array(board.corners, np.int32)], True, GREEN, max(1, round(2 * size)), cv2.LINE_AA
    )
    for place, belief in enumerate(seen.points):
        _write(
            canvas, board, (board.column_x(place % 12), _label_y(place)), _text(belief), _colour(belief), size
        )
    for number, belief in enumerate(seen.bar):
        if belief.best:
            where = (board.bar_x(), HEIGHT * (0.3 if number else 0.7))
            _write(canvas, board, where, _text(belief), _colour(belief), size)
    for die in seen.dice or ():
        where = (die.x * board.width, die.y * HEIGHT)
        _write(
            canvas,
            board,
            where,
            "?" if die.cocked else str(die.value),
            AMBER if die.p < DOUBTFUL else GREEN,
            size,
        )
    return canvas


def outlined(image: Image, board: BoardGeometry) -> Image:
    """A copy of the picture with the board's edges, its bar and the middles of its columns drawn on it."""
    canvas = image.copy()
    thick = max(1, round(image.shape[1] / 640))
    width, middle = board.width, (6 * PITCH, (6 + board.bar) * PITCH)
    lines = [((x, 0), (x, HEIGHT)) for x in (0, *middle, width)] + [((0, y), (width, y)) for y in (0, HEIGHT)]
    for ends in lines:
        _line(canvas, board, np.array(ends, np.float64), GREEN, thick)
    for column in range(COLUMNS):
        for y in (0.2, 0.8):
            x = board.column_x(column)
            _line(canvas, board, np.array([(x, (y - 0.05) * HEIGHT), (x, (y + 0.05) * HEIGHT)]), AMBER, thick)
    return canvas


def _line(canvas: Image, board: BoardGeometry, ends: NDArray[np.float64], colour: Colour, thick: int) -> None:
    a, b = np.round(to_picture(board, ends)).astype(int).tolist()
    cv2.line(canvas, a, b, colour, thick, cv2.LINE_AA)


def _label_y(place: int) -> float:
    return -PITCH * 0.45 if place < 12 else HEIGHT + PITCH * 0.45


def _text(belief: Belief) -> str:
    if not belief.seen:
        return "?"
    return f"{belief.best:+d}" if belief.best else "."


def _colour(belief: Belief) -> Colour:
    if not belief.seen:
        return RED
    return GREEN if belief.p(belief.best) >= DOUBTFUL else AMBER


def _write(
    canvas: Image, board: BoardGeometry, where: tuple[float, float], text: str, colour: Colour, size: float
) -> None:
    x, y = to_picture(board, np.array([where], np.float64))[0]
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.6 * size, 2)
    at = (round(x - width / 2), round(y + height / 2))
    for tint, thick in ((BLACK, 4), (colour, 2)):
        cv2.putText(
            canvas,
            text,
            at,
            cv2.FONT_HERSHEY_SIMPLEX,
            0.6 * size,
            tint,
            max(1, round(thick * size)),
            cv2.LINE_AA,
        )


def save_picture(path: str, image: Image) -> None:
    """Write a PNG or JPEG, chosen by the name's ending.

    Raises:
        OSError: the folder does not exist or cannot be written to.
        ValueError: OpenCV knows no such kind of picture.
    """
    ending = "." + path.rsplit(".", 1)[-1] if "." in path else ".png"
    try:
        ok, data = cv2.imencode(ending, image)
    except cv2.error as error:
        raise ValueError(f"{path}: no kind of picture; end the name with .png or .jpg") from error
    if not ok:
        raise ValueError(f"{path}: the picture could not be encoded; end the name with .png or .jpg")
    with open(path, "wb") as file:
        file.write(data.tobytes())
