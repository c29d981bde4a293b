"""Finding the board in a picture without markers and without help, and snapping a near guess to it.

Spikes are the mark of the game: pairs of straight edges meeting at a sharp angle, in two rows that point at
each other. Their tips are found first, boards are guessed from the tips, the guesses are fitted to all 48
spike edges, and the one that is best borne out is taken. Frames, tables and cases, which mislead outline
finders, play no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import cv2
import msgspec
import numpy as np

from vision import board_net
from vision.corners_base import on_base_lines
from vision.corners_fit import COARSE, FINE, Spikes, fit, look, settle
from vision.corners_lattice import far_apart, guesses
from vision.corners_lens import through
from vision.corners_match import Guess
from vision.corners_reading import merit
from vision.corners_score import score
from vision.corners_search import Candidate, all_settled, best_of, searched
from vision.corners_tips import Array, find_tips, segments
from vision.geometry import COLUMNS, BoardGeometry, Image, Quad
from vision.lens import unbent
from vision.markers import sticker_corners

#: Tips are looked for in the picture shrunk to this size (longer side, pixels).
WORKING_SIZE = 800
#: Shortest edge that counts, as a share of the working size.
SHORTEST = 0.022
#: Guesses that are fitted and judged.
MOST_GUESSES = 8
#: A board with such a score needs no second opinion; with such its score alone decides, whatever is read on
#: others whose scores are not so close; with such no search around it. Boards that are fitted after a search.
CONVINCING, DECIDED, CLOSE, BEYOND_DOUBT, MOST_FITTED = 0.5, 0.6, 0.05, 0.75, 4
#: Boards that differ by less, in point widths, are one.
APART = 2 / 3
#: How far the network's boards are slid along their rows, point widths.
SLIDES = (-0.7, 0.0, 0.7)
#: How much wider the bar is tried to be than the network says, point widths.
WIDER = (-0.5, 0.0, 0.4)
#: A lens weaker than this is none; how much less of the spikes one may show: what counts is that edges which
#: it straightens lie at equal pitch, and they are sought wherever the lens puts them.
WEAK, LESS = 0.07, 0.02
#: Bar widths tried where the corners are known, and ways the rows may run.
BARS = (0.0, 0.3, 0.6, 0.9, 1.2, 1.5)
ENDS: tuple[Literal[0], Literal[90]] = (0, 90)
#: Usual length of the spikes, as a share of the board's height.
USUAL_LENGTH = 0.42
#: A found board with a score below this is more likely none.
DOUBTFUL = 0.4


class FoundBoard(msgspec.Struct, frozen=True):
    """A board and how surely it is one: `score` 0-1, below `DOUBTFUL` it is more likely none."""

    geometry: BoardGeometry
    score: float


def find_board(image: Image) -> FoundBoard | None:
    """The board best borne out by the picture (H × W × 3, BGR), or None where nothing looks like one.

    Corner stickers, where there are all four, have the first word.
    """
    return next(iter(find_boards(image)), None)


def find_boards(image: Image) -> list[FoundBoard]:
    """Boards that the picture may show, the best first: one alone where there is no doubt."""
    told = by_stickers(image)
    if told is not None:
        return [FoundBoard(told, 1.0)]
    rough: list[Candidate] = []
    found: list[FoundBoard] = []
    for suggested in (_from_tips, _from_network):
        more = all_settled(image, suggested(image), COARSE)
        rough, found = rough + more, found + _fitted(image, more, 1)
        if _best_score(found) >= CONVINCING:
            break
    best = sorted(found, key=lambda board: -board.score)[:1]
    if _best_score(best) < BEYOND_DOUBT:
        best = _different([*best, *_fitted(image, searched(image, rough), MOST_FITTED)])
    return _likeliest_first(image, [through_lens(image, board) for board in best])


def _different(found: list[FoundBoard]) -> list[FoundBoard]:
    """Of boards that are nearly the same the best alone: what is read on them tells no such small steps."""
    kept: dict[FoundBoard, Array] = {}
    for board in sorted(found, key=lambda board: -board.score):
        quad = np.array(board.geometry.corners)
        if all(far_apart(quad, other, APART) for other in kept.values()):
            kept[board] = quad
    return list(kept)


def _likeliest_first(image: Image, found: list[FoundBoard]) -> list[FoundBoard]:
    """By what their spikes say for them and, where none is clearly the best, by what is read on them."""
    best = sorted(found, key=lambda board: -board.score)
    if len(best) < 2 or (best[0].score >= DECIDED and best[0].score - best[1].score > CLOSE):
        return best
    told = [board.score + merit(image, board.geometry) for board in best]
    return [best[k] for k in np.argsort(told)[::-1]]


def through_lens(image: Image, found: FoundBoard) -> FoundBoard:
    """The board seen through the lens that its spikes tell of, if it shows them as well."""
    spikes, lens = through(image, _spikes(found.geometry))
    if abs(lens) < WEAK:
        return found
    bent = _judged(unbent(image, lens), spikes)
    if bent.score < found.score - LESS:
        return found
    return FoundBoard(msgspec.structs.replace(bent.geometry, lens=lens), bent.score)


def _from_tips(image: Image) -> list[Spikes]:
    """Boards suggested by the spikes' tips."""
    scale = min(1.0, WORKING_SIZE / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    tips = find_tips(segments(small), SHORTEST * max(small.shape[:2]))
    suggested = guesses(tips, (small.shape[1], small.shape[0]), MOST_GUESSES)
    return [_enlarged(guess, scale) for guess in suggested]


def _from_network(image: Image) -> list[Spikes]:
    """Boards suggested by the network, also slid along their rows: it may be off by a column."""
    return [
        Spikes(_slid(guess.quad, by / (COLUMNS + guess.bar)), max(guess.bar + wider, 0.0), guess.length)
        for guess in board_net.guesses(image)
        for wider in WIDER
        for by in SLIDES
    ]


def _slid(quad: Array, share: float) -> Array:
    """Corners (4 × 2, board order) moved along the rows by a share of their length."""
    far, near = quad[1] - quad[0], quad[2] - quad[3]
    return quad + share * np.stack([far, far, near, near])


def _fitted(image: Image, rough: Sequence[Candidate], most: int) -> list[FoundBoard]:
    """The candidates fitted to the picture, more closely the better they are; the best of them."""
    better = all_settled(image, [one.spikes for one in best_of(rough, most + 1)], FINE)
    return [_judged(image, fit(image, one.spikes, (FINE,))) for one in best_of(better, most)]


def _best_score(found: Sequence[FoundBoard]) -> float:
    return max((board.score for board in found), default=0.0)


def refine(image: Image, board: BoardGeometry) -> BoardGeometry:
    """The board near the given one (within half a point width) that agrees best with the picture's spikes."""
    rough = settle(look(image, _spikes(board)), _spikes(board), COARSE)
    view = look(image, rough)
    fitted = on_base_lines(view, settle(view, rough, FINE))
    return in_picture_order(fitted.quad, fitted.bar)


def from_corners(image: Image, corners: Quad) -> BoardGeometry:
    """The board whose corners are known, say from clicks: its bar is measured, and which way its rows run."""
    found = [_with_bar(image, corners, float(bar), turned) for turned in ENDS for bar in BARS]
    return max(found, key=lambda board: board.score).geometry


def borne_out(image: Image, board: BoardGeometry) -> float:
    """How well the picture's spikes bear out a board set by hand: 0-1, below `CONVINCING` doubtful."""
    return _with_bar(image, board.corners, board.bar, board.rotate_cw_deg).score


def by_stickers(image: Image) -> BoardGeometry | None:
    """The board between the four stickers of `vision.markers`, or None when not all four are seen."""
    quad = sticker_corners(image)
    if quad is None:
        return None
    board = in_picture_order(quad, 1.0)
    return BoardGeometry(board.corners, bar_width(image, board.corners), board.rotate_cw_deg)


def bar_width(image: Image, corners: Quad) -> float:
    """The bar's width in point widths (0: no bar) of a board whose corners are known."""
    return from_corners(image, corners).bar


def _with_bar(image: Image, corners: Quad, bar: float, turned: Literal[0, 90]) -> FoundBoard:
    """The corners as they are, the bar fitted from a first guess, and how well that agrees."""
    guess = _spikes(BoardGeometry(corners, bar, turned))
    view = look(image, guess)
    fitted = settle(view, guess, FINE)
    return FoundBoard(BoardGeometry(corners, fitted.bar, turned), score(view, fitted))


def in_picture_order(quad: Array, bar: float) -> BoardGeometry:
    """A board from its corners in its own order (4 × 2, clockwise, from far left or near right)."""
    right = quad[1] + quad[2] - quad[0] - quad[3]
    turned: Literal[0, 90] = 90 if abs(right[1]) > abs(right[0]) else 0
    if (right[1] > 0) if turned else (right[0] < 0):
        quad = np.roll(quad, 2, axis=0)
    a, b, c, d = ((float(x), float(y)) for x, y in (np.roll(quad, -1, axis=0) if turned else quad))
    return BoardGeometry((a, b, c, d), bar, turned)


def _judged(image: Image, fitted: Spikes) -> FoundBoard:
    view = look(image, fitted)
    on_lines = on_base_lines(view, fitted)
    return FoundBoard(in_picture_order(on_lines.quad, on_lines.bar), score(view, fitted))


def _enlarged(guess: Guess, scale: float) -> Spikes:
    return Spikes((guess.quad + 0.5) / scale - 0.5, guess.bar, guess.length)


def _spikes(board: BoardGeometry) -> Spikes:
    """The drawing to look for where the board is said to be."""
    quad = np.array(board.corners, np.float64)
    return Spikes(np.roll(quad, 1, axis=0) if board.rotate_cw_deg else quad, board.bar, USUAL_LENGTH)
