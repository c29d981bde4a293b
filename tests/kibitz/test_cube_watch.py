"""A cube that was moved is looked at again at once, not only when its time has come."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules import BACKGAMMON
from kibitz.cube_watch import CUBE_AGAIN, CUBE_OFTEN, CubeWatch
from referee.events import Seen, Still
from referee.layout import LIGHT
from tests.referee.tables import look, shown
from vision.geometry import BoardGeometry, Image
from vision.synth import Camera, Scene, Style, Thing, render

START = shown(BACKGAMMON.start, LIGHT)
STYLE = Style(trays=())


def drawn(y: float, value: str, seed: int = 1) -> tuple[Image, BoardGeometry]:
    """The start, and a cube on the frame's left side."""
    cube = Thing("cube", -STYLE.frame_width / 2, y, 1.0, 0.0, (235, 240, 240), value, STYLE.frame_height)
    made = render(Scene(START, style=STYLE, camera=Camera(960, 540), things=(cube,), seed=seed))
    return made.image, made.board


def bare() -> Seen:
    """A look at the table on which nothing lies but the checkers."""
    return Seen(look(0.0, START))


@pytest.mark.parametrize(("y", "value"), [(0.06 * STYLE.height, "2"), (0.5 * STYLE.height, "2")])
def test_a_cube_that_was_moved_or_turned_is_looked_at_at_once(y: float, value: str) -> None:
    before, board = drawn(0.5 * STYLE.height, "64")
    watch = CubeWatch()
    assert watch.due(bare(), before, board)
    assert [watch.look(t, before, board).value for t in (0.0, 0.5)] == [64, 64]
    after, _ = drawn(y, value, seed=2)
    again, _ = drawn(0.5 * STYLE.height, "64", seed=3)
    soon = Still(0.6 + CUBE_AGAIN)
    assert not watch.due(soon, again, board)
    assert watch.due(Still(0.6 + CUBE_OFTEN), again, board)
    assert watch.due(soon, after, board)
    assert watch.look(soon.t, after, board).value == 2


def test_nothing_is_looked_for_in_a_picture_that_grows_brighter() -> None:
    before, board = drawn(0.5 * STYLE.height, "64")
    watch = CubeWatch()
    assert watch.due(bare(), before, board)
    watch.look(0.0, before, board)
    watch.look(0.5, before, board)
    brighter = np.clip(before.astype(np.int16) + 6, 0, 255).astype(np.uint8)
    assert not watch.due(Still(1.2), brighter, board)
