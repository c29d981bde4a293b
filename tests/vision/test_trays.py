"""Checkers beside the field: how long the rows of them are, and what that says about their number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.calibration import learned_from
from vision.synth import Drawn, Scene, Style, Tray, render
from vision.trays import likely, rows_beside

START = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 0, 0, 0, 0)
#: Light has borne off three, dark eleven.
LATE = (*[0] * 6, 2, 3, 1, 2, 3, 1, *[0] * 6, -2, 0, -1, 0, 0, -1, 0, 0, 3, -11)


def drawn(table: tuple[int, ...], on_edge: bool) -> Drawn:
    return render(Scene(table, style=replace(Style(), trays=(Tray(on_edge=on_edge), Tray("left")))))


@pytest.mark.parametrize(("on_edge", "light", "dark"), [(False, 3.0, 5.0), (True, 0.85, 3.1)])
def test_rows_in_the_tray_are_measured(on_edge: bool, light: float, dark: float) -> None:
    start, late = drawn(START, on_edge), drawn(LATE, on_edge)
    kept = learned_from(start.image, start.board, START[:24])
    assert rows_beside(start.image, kept) == (0.0, 0.0)
    found = rows_beside(late.image, kept)
    assert found == pytest.approx((light, dark), abs=0.5)


def test_what_lay_there_before_is_not_counted() -> None:
    late = drawn(LATE, False)
    kept = learned_from(late.image, late.board, LATE[:24])
    assert rows_beside(late.image, kept) == (0.0, 0.0)


def test_a_row_of_flat_ones_tells_their_number_and_a_full_one_does_not() -> None:
    for number in (1, 2, 3, 4):
        said = likely(float(number))
        assert said.argmax() == number
        assert said[number] > 5 * said[number - 1]
    full = likely(5.0)
    assert full[5:].min() > 5 * full[:5].max()
    assert np.allclose(likely(0.0)[3:], likely(0.0)[3], rtol=0.5)
