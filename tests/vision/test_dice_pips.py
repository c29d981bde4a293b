"""How well the pips of each face fit a crop."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice_pips import PIPS, fits
from vision.geometry import Image

SIDE = 96


def face(value: int, degrees: float, paint: tuple[int, int]) -> Image:
    """A face (of 1 to 6) in a crop 1.7 times as wide, turned."""
    crop = np.full((round(1.7 * SIDE),) * 2, 120, np.uint8)
    middle = crop.shape[0] / 2
    box = cv2.boxPoints(((middle, middle), (SIDE, SIDE), degrees))
    cv2.fillPoly(crop, [box.astype(np.int32)], paint[0], cv2.LINE_AA)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    for u, v in 0.25 * SIDE * np.array(PIPS[value - 1], float):
        spot = (round(middle + c * u - s * v), round(middle + s * u + c * v))
        cv2.circle(crop, spot, round(0.11 * SIDE), paint[1], -1, cv2.LINE_AA)
    return np.asarray(cv2.cvtColor(crop, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("paint", [(230, 20), (60, 230)])
def test_a_turned_face_fits_its_own_pips_best(value: int, paint: tuple[int, int]) -> None:
    for degrees in (0.0, 23.0, 45.0, 118.0):
        agreed = fits(face(value, degrees, paint))
        assert int(agreed.argmax()) + 1 == value
        assert agreed.max() > 0.75


def test_nothing_fits_what_has_no_contrast() -> None:
    assert fits(np.full((80, 80, 3), 90, np.uint8)).max() < 0.1
