"""What is called sure is right, on drawn scenes full of things that are no dice; no network knows them."""

from __future__ import annotations

import numpy as np

from referee.observation import Die
from vision.dice import find_dice
from vision.dice_view import DiceView
from vision.geometry import BoardGeometry
from vision.training.dice_data import Sheet, sheets
from vision.training.dice_fit import FIRST, view_of

BOARD = BoardGeometry(((0, 0), (100, 0), (100, 100), (0, 100)))
SURE = 0.9


def right(sheet: Sheet, view: DiceView, die: Die) -> bool:
    """Whether a die of this face lies there."""
    spot = np.array([[die.x * view.field[0] + view.edge, die.y * view.field[1] + view.edge]])
    x, y = view.back(spot)[0]
    near = [t for t in sheet.truths if np.hypot(x - t.x, y - t.y) < 0.5 * t.side and t.kind != "cube"]
    return any(t.value == die.value for t in near)


def test_a_die_that_is_called_sure_is_one_and_shows_that_face() -> None:
    told = []
    for sheet in sheets(FIRST + 500)[:120]:
        if sheet.lean is not None:
            view = view_of(sheet)
            sure = [d for d in find_dice(view.picture, BOARD, view=view) if d.p >= SURE]
            told += [right(sheet, view, die) for die in sure]
    assert len(told) >= 20
    assert sum(told) >= 0.95 * len(told)
