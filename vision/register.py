"""Notices that the camera or the board moved against a reference frame, and says by what homography.

A few dozen corners of the drawing and the frame are followed from the reference to the new frame. Checkers
and hands move too, but not as one: only a movement that most places agree on is the board's.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.corners_fit import project
from vision.geometry import BoardGeometry, Image, Quad

#: Width in which places are followed, pixels, and how many there are.
WIDTH, MOST = 480, 60
#: Margin around the board in which places are taken, as a share of its size.
MARGIN = 0.12
#: Fewest places, and least share of them, that must agree.
FEWEST, SHARE = 12, 0.45
#: A corner that moved by less than this share of the board's diagonal did not move.
STILL = 0.004
#: Followed places agree within this, pixels of the small picture.
TOLERANCE = 1.2
#: When less than this share could be followed, or they do not agree, the movement may have been large, and
#: features are matched instead.
LOST = 0.3

#: From this share of the diagonal on a board has moved far.
FAR = 0.1

Array = NDArray[np.float64]
Homography = Array


@dataclass(frozen=True)
class Anchor:
    """A reference frame: its small grey picture, the places followed there (N × 2), board and scale."""

    grey: MatLike
    places: NDArray[np.float32]
    board: BoardGeometry
    scale: float


def anchor(reference: Image, board: BoardGeometry) -> Anchor:
    """Prepare a reference frame in which the board is known."""
    scale = min(1.0, WIDTH / reference.shape[1])
    grey = _small_grey(reference, scale)
    mask = np.zeros(grey.shape[:2], np.uint8)
    quad = np.array(board.corners) * scale
    cv2.fillConvexPoly(mask, np.round(quad + MARGIN * (quad - quad.mean(axis=0))).astype(np.int32), 255)
    places = cv2.goodFeaturesToTrack(grey, MOST, 0.01, 7, mask=mask)
    found = np.zeros((0, 2), np.float32) if places is None else np.asarray(places, np.float32).reshape(-1, 2)
    return Anchor(grey, found, board, scale)


def moved(reference: Anchor, image: Image) -> Array | None:
    """The homography (3 × 3, picture pixels) that takes the reference's board to the new frame's.

    None where it has not moved, or where too little agrees to say (a hand over the board, another scene).
    """
    grey = _small_grey(image, reference.scale)
    if grey.shape != reference.grey.shape or len(reference.places) < FEWEST:
        return None
    before, after = _followed(reference, grey)
    found = _agreed(before, after) if len(before) >= LOST * len(reference.places) else None
    if found is None:
        found = _agreed(*_matched(reference.grey, grey))
    if found is None:
        return None
    grow = np.diag([1 / reference.scale, 1 / reference.scale, 1.0])
    homography = grow @ found @ np.linalg.inv(grow)
    return homography if _moves(reference.board, homography) else None


def shifted(board: BoardGeometry, homography: Array) -> BoardGeometry:
    """The board after a movement found by `moved`."""
    return msgspec.structs.replace(board, corners=_quad(project(homography, np.array(board.corners))))


def far(before: BoardGeometry, after: BoardGeometry) -> bool:
    """Whether a board moved farther than its drawing can be followed closely."""
    step = np.linalg.norm(np.subtract(after.corners, before.corners), axis=1)
    diagonal = np.linalg.norm(np.subtract(before.corners[2], before.corners[0]))
    return bool(step.max() > FAR * diagonal)


def _small_grey(image: Image, scale: float) -> MatLike:
    """The picture in grey, shrunk. Nearest pixels are picked on the way down for speed, then smoothed."""
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    return cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)


def _followed(reference: Anchor, grey: MatLike) -> tuple[Array, Array]:
    """Places in the reference and where they are now, those that could be followed there."""
    start = reference.places.reshape(-1, 1, 2)
    end, found, error = cv2.calcOpticalFlowPyrLK(
        reference.grey, grey, start, start.copy(), winSize=(15, 15), maxLevel=3
    )
    good = (found.ravel() > 0) & (error.ravel() < 20)
    return start[good].reshape(-1, 2).astype(np.float64), end[good].reshape(-1, 2).astype(np.float64)


def _matched(before: MatLike, after: MatLike) -> tuple[Array, Array]:
    """Places matched by their looks: slower, for large movements."""
    orb = cv2.ORB.create(400)
    (one, looks1), (two, looks2) = orb.detectAndCompute(before, None), orb.detectAndCompute(after, None)
    if looks1 is None or looks2 is None:
        return np.zeros((0, 2)), np.zeros((0, 2))
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(looks1, looks2)
    pairs = sorted(pairs, key=lambda pair: pair.distance)[: 2 * MOST]
    at = [(one[pair.queryIdx].pt, two[pair.trainIdx].pt) for pair in pairs]
    return np.array([a for a, _ in at]).reshape(-1, 2), np.array([b for _, b in at]).reshape(-1, 2)


def _agreed(before: Array, after: Array) -> Array | None:
    """The homography that enough of the places agree on."""
    if len(before) < FEWEST:
        return None
    found, inside = cv2.findHomography(before, after, cv2.RANSAC, TOLERANCE)
    if found is None or inside.sum() < max(FEWEST, SHARE * len(before)):
        return None
    return np.asarray(found, np.float64)


def _moves(board: BoardGeometry, homography: Array) -> bool:
    """Whether the board's corners move by more than noise."""
    corners = np.array(board.corners)
    diagonal = np.linalg.norm(corners[2] - corners[0])
    step = np.linalg.norm(project(homography, corners) - corners, axis=1)
    return bool(step.max() > STILL * diagonal)


def _quad(corners: Array) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
