"""Second looks: the board network once more, at the picture straightened with the board it has found.

The first look is at the whole picture, where the board may be small, slanted or lying on its end. In a
straightened view all boards look alike, so that the second and third are far better; where the network sees
the board then is an opinion of its own beside that of `vision.corners_fit`, which only knows spikes.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision import board_net
from vision.board_net import HEIGHT, LOOK_MARGIN, WIDTH, SeenBoard
from vision.corners_tips import Array
from vision.geometry import Image

#: Second looks that are taken, each from the board that the one before saw.
LOOKS = 2


def second_look(image: Image, quad: Array, looks: int = LOOKS) -> SeenBoard | None:
    """The board near the corners (4 × 2 pixels, board order) as the network sees it, its corners in board
    order too (picture H × W × 3, BGR); None for none.
    """
    seen = None
    for _ in range(looks):
        warp = _straightened(quad)
        looked = board_net.seen_in(_warped(image, warp))
        if looked is None:
            return None
        seen = looked.moved(np.asarray(np.linalg.inv(warp), np.float64))
        quad = seen.quad
    return seen


def _straightened(quad: Array) -> Array:
    """Homography from the picture to the network's view with the board in the middle."""
    x, y = LOOK_MARGIN * WIDTH, LOOK_MARGIN * HEIGHT
    target = np.array([(x, y), (WIDTH - x, y), (WIDTH - x, HEIGHT - y), (x, HEIGHT - y)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), target), np.float64)


def _warped(image: Image, warp: Array) -> Image:
    """The view, its pixels averaged over what they cover: twice as large first, then halved."""
    twice = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]], np.float64) @ warp
    large = cv2.warpPerspective(image, twice, (2 * WIDTH, 2 * HEIGHT), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(large, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
