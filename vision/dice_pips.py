"""A second opinion on a die's upper face: how well each face's pips fit what is seen.

Seen straight from above, the upper face is a true square whichever way the camera tilts, so the pips of each
face, turned and shifted a little, are laid over the crop and compared by normalised correlation (1: perfect).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image

Floats = NDArray[np.float32]
Reals = NDArray[np.float64]

#: Crops are compared at this width in pixels, and the die is `SIDE` of them wide.
WIDTH = 24
SIDE = WIDTH / 1.7
#: Widths of the upper face against the die's whole outline, and turns tried (degrees).
FACE_SIZES = (0.74, 0.82, 0.9, 0.98, 1.06)
STEP = 10
#: Largest shift of the face's middle against the crop's (pixels), along the board and across it.
ALONG, ACROSS = 5, 7
#: Pips: distance from the middle and radius, and half the face that is compared, in face widths.
AWAY, RADIUS, HALF = 0.25, 0.11, 0.46
#: Templates are drawn so many times finer.
FINE = 4
#: Contrast (grey levels, squared) below which a patch is taken for plain.
PLAIN = 25.0
#: numpy's BLAS wakes its helper threads for products of more than about 2^18 numbers, which mostly wait for
#: each other and keep the cores of other threads busy. So many rows and columns stay below.
ROWS, COLUMNS = 14, 45
_CORNERS = ((-1, -1), (1, 1), (1, -1), (-1, 1))
PIPS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((0, 0),),
    _CORNERS[:2],
    (*_CORNERS[:2], (0, 0)),
    _CORNERS,
    (*_CORNERS, (0, 0)),
    (*_CORNERS, (-1, 0), (1, 0)),
)


class _Bank(NamedTuple):
    """Templates (n × pixels, weighted, centred, of spread 1) and the face (0-5) of each; the masks of all
    sizes and turns, and which of them each template lies under; which pixels of a window any mask covers.
    """

    centred: Floats
    faces: NDArray[np.int64]
    masks: Floats
    under: NDArray[np.int64]
    covered: NDArray[np.int64]


def _turned(degrees: float, size: float) -> tuple[Reals, Reals]:
    """Where each fine pixel lies on a turned face of `size` pixels, along and across it, in its widths."""
    rows, columns = np.mgrid[0 : (2 * _reach() + 1) * FINE, 0 : (2 * _reach() + 1) * FINE]
    y, x = ((v + 0.5) / FINE - 0.5 - _reach() for v in (rows, columns))
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return (x * c + y * s) / size, (y * c - x * s) / size


def _pips(face: int, u: Reals, v: Reals) -> Floats:
    """A face's pips, averaged from the fine pixels."""
    pips = np.zeros(u.shape, np.bool_)
    for across, along in PIPS[face]:
        pips |= (u - across * AWAY) ** 2 + (v - along * AWAY) ** 2 < RADIUS**2
    return _averaged(pips)


def _averaged(fine: NDArray[np.bool_]) -> Floats:
    """Fine pixels as flat pixels."""
    side = 2 * _reach() + 1
    flat: Floats = fine.reshape(side, FINE, side, FINE).mean((1, 3)).astype(np.float32).ravel()
    return flat


def _reach() -> int:
    return int(np.ceil(max(FACE_SIZES) * SIDE * HALF * 1.45))


@cache
def _bank() -> _Bank:
    rows = []
    masks: list[Floats] = []
    for size in FACE_SIZES:
        first = len(masks)
        for degrees in range(0, 180, STEP):
            u, v = _turned(degrees, size * SIDE)
            if degrees < 90:
                mask = _averaged((np.abs(u) < HALF) & (np.abs(v) < HALF))
                masks.append(mask / mask.sum())
            # A square turned by a quarter is the same square.
            under = first + degrees % 90 // STEP
            weights = masks[under]
            for face in (1, 2, 5) if degrees >= 90 else range(6):
                pips = _pips(face, u, v)
                centred = weights * (pips - (weights * pips).sum())
                rows.append((centred / np.float32(np.sqrt(float((centred * pips).sum()))), face, under))
    templates, faces, covers = zip(*rows, strict=True)
    all_masks = np.stack(masks)
    covered = np.flatnonzero(all_masks.any(0))
    return _Bank(
        np.stack(templates)[:, covered], np.array(faces), all_masks[:, covered], np.array(covers), covered
    )


def _products(patches: Floats, others: Floats) -> Floats:
    """`patches @ others.T` in blocks, in this thread alone."""
    rows = patches.reshape(-1, 1, ROWS, patches.shape[1])
    columns = others.reshape(1, -1, COLUMNS, others.shape[1]).swapaxes(2, 3)
    found: Floats = np.matmul(rows, columns).swapaxes(1, 2).reshape(len(patches), len(others))
    return found


def fits(crop: Image) -> Floats:
    """Best correlation of each face 1-6 with a square crop 1.7 dice wide; light or dark pips alike."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (WIDTH, WIDTH), interpolation=cv2.INTER_AREA).astype(np.float32)
    reach, bank = _reach(), _bank()
    wide = cv2.copyMakeBorder(small, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    windows = np.lib.stride_tricks.sliding_window_view(wide, (2 * reach + 1, 2 * reach + 1))
    middle = WIDTH // 2
    near = windows[middle - ACROSS : middle + ACROSS, middle - ALONG : middle + ALONG + 1]
    patches = np.asarray(near, np.float32).reshape(-1, (2 * reach + 1) ** 2)[:, bank.covered]
    mean = _products(patches, bank.masks)
    variance = np.maximum(_products(patches**2, bank.masks) - mean**2, PLAIN)
    agreed = np.abs(_products(patches, bank.centred)) * (1 / np.sqrt(variance))[:, bank.under]
    best = agreed.max(0)
    found: Floats = np.array([best[bank.faces == face].max() for face in range(6)], np.float32)
    return found
