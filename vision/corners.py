"""Finding the board in a picture without markers and without help, and snapping a near guess to it.

Spikes are the mark of the game: pairs of straight edges meeting at a sharp angle, in two rows that point at
each other. Their tips are found first, boards are guessed from the tips, the guesses are fitted to all 48
spike edges, and the one that is best borne out is taken. Frames, tables and cases, which mislead outline
finders, play no part.
"""

from __future__ import annotations

from typing import Literal

import cv2
import msgspec
import numpy as np

from vision.corners_base import on_base_lines
from vision.corners_fit import COARSE, FINE, Spikes, fit, look, settle
from vision.corners_lattice import guesses
from vision.corners_match import Guess
from vision.corners_score import score
from vision.corners_tips import Array, find_tips, segments
from vision.geometry import BoardGeometry, Image, Quad

#: Tips are looked for in the picture shrunk to this size (longer side, pixels).
WORKING_SIZE = 800
#: Shortest edge that counts, as a share of the working size.
SHORTEST = 0.022
#: Guesses that are fitted and judged.
MOST_GUESSES = 6
#: A found board with a score below this is more likely none.
DOUBTFUL = 0.45


class FoundBoard(msgspec.Struct, frozen=True):
    """A board and how surely it is one: `score` 0-1, below `DOUBTFUL` it is more likely none."""

    geometry: BoardGeometry
    score: float


def find_board(image: Image) -> FoundBoard | None:
    """The board best borne out by the picture (H × W × 3, BGR), or None where nothing looks like one."""
    scale = min(1.0, WORKING_SIZE / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    tips = find_tips(segments(small), SHORTEST * max(small.shape[:2]))
    suggested = guesses(tips, (small.shape[1], small.shape[0]), MOST_GUESSES)
    rough = [_settled(image, _enlarged(guess, scale), COARSE) for guess in suggested]
    better = [_settled(image, spikes, FINE) for spikes, _ in _best(rough, 2)]
    found = [_judged(image, fit(image, spikes, (FINE,))) for spikes, _ in _best(better, 1)]
    return found[0] if found else None


def _settled(image: Image, spikes: Spikes, halves: tuple[int, ...]) -> tuple[Spikes, float]:
    """The board moved onto the edges around it, and its score."""
    view = look(image, spikes)
    settled = settle(view, spikes, halves)
    return settled, score(view, settled)


def _best(boards: list[tuple[Spikes, float]], most: int) -> list[tuple[Spikes, float]]:
    return sorted(boards, key=lambda board: -board[1])[:most]


def refine(image: Image, board: BoardGeometry) -> BoardGeometry:
    """The board near the given one (within half a point width) that agrees best with the picture's spikes."""
    fitted = fit(image, _spikes(board))
    return _geometry(on_base_lines(look(image, fitted), fitted))


def bar_width(image: Image, corners: Quad) -> float:
    """The bar's width in point widths (0: no bar) of a board whose corners are known, say from clicks."""
    best, width = -1.0, 1.0
    for bar in np.arange(0.0, 1.65, 0.15):
        board = BoardGeometry(corners, float(bar))
        fitted = fit(image, _spikes(board), (FINE,))
        agreed = score(look(image, fitted), fitted)
        if agreed > best:
            best, width = agreed, fitted.bar
    return width


def _judged(image: Image, fitted: Spikes) -> FoundBoard:
    view = look(image, fitted)
    return FoundBoard(_geometry(on_base_lines(view, fitted)), score(view, fitted))


def _enlarged(guess: Guess, scale: float) -> Spikes:
    return Spikes((guess.quad + 0.5) / scale - 0.5, guess.bar, guess.length)


def _spikes(board: BoardGeometry) -> Spikes:
    """The drawing to look for where the board is said to be."""
    quad = np.array(board.corners, np.float64)
    return Spikes(np.roll(quad, 1, axis=0) if board.rotate_cw_deg else quad, board.bar, 0.42)


def _geometry(spikes: Spikes) -> BoardGeometry:
    """Corners in picture order: a board's own order starts at any of the four."""
    quad = spikes.quad
    right = quad[1] + quad[2] - quad[0] - quad[3]
    turned: Literal[0, 90] = 90 if abs(right[1]) > abs(right[0]) else 0
    if (right[1] > 0) if turned else (right[0] < 0):
        quad = np.roll(quad, 2, axis=0)
    ordered = np.roll(quad, -1, axis=0) if turned else quad
    return BoardGeometry(_quad(ordered), spikes.bar, turned)


def _quad(corners: Array) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
