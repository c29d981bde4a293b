"""The set-up: what is asked, what an answer changes, and a board placed by hand."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest

from engine.rules import BACKGAMMON
from kibitz.camera_feed import CameraFeed
from kibitz.commands import Answer, CommandError, Place, parse_command
from kibitz.feed import Health, Known
from kibitz.moment import FilmClock
from kibitz.options import clockwise
from kibitz.orders import answered
from kibitz.wizard import question_lines
from referee.events import Input, Seen, Setup
from referee.layout import Layout, table_of
from referee.session import begin
from referee.verdict import Difference
from vision.source import Frame, Source
from vision.synth import Camera, Scene, Style, render

START = table_of(Layout(), BACKGAMMON, 0, BACKGAMMON.start)
CHOICES = [(q.field, c) for q in question_lines(begin(Setup(policy="legal"))) for c in q.choices]


def answer(**fields: object) -> Answer:
    """The command as the page sends it."""
    command = parse_command(json.dumps({"do": "answer", **fields}))
    assert isinstance(command, Answer)
    return command


@pytest.mark.parametrize(("field", "choice"), CHOICES)
def test_every_choice_that_is_offered_can_be_chosen(field: str, choice: str) -> None:
    sent: object = int(choice) if choice.isdecimal() else choice
    setup = answered(Setup(policy="legal"), answer(**{field: sent}))
    assert {q.field: q.value for q in question_lines(begin(setup))}[field] == choice


def test_an_answer_changes_what_it_names_and_nothing_else() -> None:
    before = answered(Setup(policy="legal"), answer(clock="fischer", seconds=300, layout="left top", side=1))
    after = answered(before, answer(names=["Anna", "Boris"]))
    assert after == before.__class__(**{**_fields(before), "names": ("Anna", "Boris")})


def _fields(setup: Setup) -> dict[str, Any]:
    return {name: getattr(setup, name) for name in setup.__struct_fields__}


def test_who_is_told_to_begin_needs_no_opening_roll() -> None:
    told = answered(Setup(policy="legal", opening=True), answer(side=1))
    assert not told.opening
    assert answered(told, answer(side="opening")).opening


@pytest.mark.parametrize("layout", ["", "up down", "right", "right bottom "])
def test_a_layout_that_is_none_is_refused(layout: str) -> None:
    with pytest.raises(CommandError):
        answer(layout=layout)


def test_corners_outside_the_picture_or_out_of_order_are_none() -> None:
    with pytest.raises(CommandError):
        parse_command('{"do":"place","corners":[[0,0],[1.2,0],[1,1],[0,1]]}')
    crossed = parse_command('{"do":"place","corners":[[0,0],[1,1],[1,0],[0,1]]}')
    assert isinstance(crossed, Place)
    assert not clockwise(crossed.corners)


# --- a camera ----------------------------------------------------------------------------------------------


class Watched:
    """A camera before a table that a test lays; the board is only looked for where it is said to lie."""

    def __init__(self, table: tuple[int, ...]) -> None:
        self.lay(table)
        noise = np.random.default_rng(1).integers(0, 2, self.image.shape, np.uint8)

        def frames() -> Iterator[Frame]:
            for number in count():
                yield Frame(number * 0.25, np.asarray(self.image // 2 * 2 + noise * (number % 2), np.uint8))

        self._said: queue.SimpleQueue[Input | Health] = queue.SimpleQueue()
        self.feed = CameraFeed("synth:", FilmClock(), open_=lambda url: Source(url, frames, 1e9))

    def lay(self, table: tuple[int, ...]) -> None:
        """From now on this is seen."""
        drawn = render(Scene(table, style=Style(), camera=Camera(), seed=3))
        height, width = drawn.image.shape[:2]
        self.image, self.truth = drawn.image, tuple((x / width, y / height) for x, y in drawn.board.corners)

    def __enter__(self) -> Watched:
        self.feed.start(self._said.put, lambda: Known((START,)))
        return self

    def __exit__(self, *_: object) -> None:
        self.feed.close()

    def until(self, wanted: Callable[[Input | Health], bool]) -> Input | Health:
        """The first news of that kind among the next few hundred."""
        return next(news for news in (self._said.get(timeout=60) for _ in range(300)) if wanted(news))


def test_a_board_placed_by_hand_and_its_wrong_start_told_point_by_point() -> None:
    with Watched(tuple(n + {18: -1, 17: 1}.get(i, 0) for i, n in enumerate(START))) as camera:
        assert camera.feed.place(camera.truth)
        news = camera.until(lambda news: isinstance(news, Health) and news.wrong is not None)
        assert isinstance(news, Health)
        assert news.wrong is not None
        assert news.wrong.table == START[:24]
        assert news.wrong.difference == (Difference(17, 0, 1), Difference(18, 5, 4))
        camera.lay(START)
        seen = camera.until(lambda news: isinstance(news, Seen) and news.look.points[0].seen)
        assert isinstance(seen, Seen)
        assert [belief.best for belief in seen.look.points] == list(START[:24])
        assert np.allclose(camera.feed.outline, camera.truth)
