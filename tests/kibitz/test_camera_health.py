"""What befalls a camera during a game, through the whole live pipeline: noticed, shown, healed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import cache
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.rules import BACKGAMMON
from kibitz.acquire import locate
from kibitz.calibration import learned_from
from kibitz.camera_feed import CameraFeed
from kibitz.commands import Dice
from kibitz.live import LiveGame
from kibitz.moment import SessionClock
from kibitz.pipeline import Journal
from kibitz.snapshot import Snapshot
from referee.events import Setup
from referee.layout import Layout, table_of
from vision.calibrate import Calibrated
from vision.errors import SourceError
from vision.geometry import Image
from vision.source import Frame, Source
from vision.synth import Camera, Painter, Scene, Style

START = table_of(Layout(), BACKGAMMON, 0, BACKGAMMON.start)
#: Session time runs so many times as fast as the wall clock; frames a second of the wall clock.
FAST, FPS = 3.0, 20.0
#: A test gives up after so many seconds of the wall clock.
PATIENCE = 60.0


@cache
def board() -> tuple[Image, ...]:
    """The start position, drawn with the camera's noise."""
    painter = Painter(Scene(START, style=Style(), camera=Camera(), seed=0))
    painter.paint()
    return tuple(painter.again((), None, k) for k in range(4))


@cache
def known() -> Calibrated:
    """The board as it was learned from the start."""
    return learned_from(board()[0], locate(board()[0]), START[:24])


@cache
def dark() -> tuple[Image, ...]:
    """The light went out: nothing but noise."""
    rng = np.random.default_rng(1)
    return tuple(rng.integers(0, 6, board()[0].shape, np.uint8).astype(np.uint8) for _ in range(4))


@cache
def covered() -> tuple[Image, ...]:
    """Something lies on the lens: a blurred, warm surface."""
    rng, shape = np.random.default_rng(2), board()[0].shape
    warm = cv2.GaussianBlur(
        rng.normal(0, 60, (shape[0] // 8, shape[1] // 8, 1)).astype(np.float32), (0, 0), 9
    )
    sheet = cv2.resize(warm, (shape[1], shape[0]))[:, :, None] + np.array([70.0, 95.0, 150.0])
    return tuple(np.clip(sheet + rng.normal(0, 2, shape), 0, 255).astype(np.uint8) for _ in range(4))


@cache
def pushed() -> tuple[Image, ...]:
    """The board as the camera sees it after a push."""
    push = np.array([[1.0, 0.01, 16.0], [-0.01, 1.0, -9.0]])
    size = board()[0].shape[1], board()[0].shape[0]
    return tuple(np.asarray(cv2.warpAffine(image, push, size), np.uint8) for image in board())


class Stage:
    """A camera that a test directs: what it sees, and whether it sends anything at all."""

    def __init__(self) -> None:
        self.pictures, self.sends, self.plugged = board(), True, True

    def open(self, url: str) -> Source:
        if not self.plugged:
            raise SourceError(f"{url}: no camera answers")
        return Source(url, self._frames)

    def _frames(self) -> Iterator[Frame]:
        for number in count():
            time.sleep(1 / FPS)
            if not self.plugged:
                raise SourceError("the camera stopped sending pictures")
            if self.sends:
                yield Frame(number / FPS, self.pictures[number % len(self.pictures)])


@asynccontextmanager
async def watched(stage: Stage, folder: Path) -> AsyncIterator[LiveGame]:
    clock = SessionClock(now=lambda: FAST * time.monotonic())
    setup = Setup(policy="legal")
    feed = CameraFeed("usb:0", clock, calibrated=known(), open_=stage.open)
    async with LiveGame(feed, Journal(folder / "j.jsonl", feed.url, setup), setup, clock) as game:
        await until(game, lambda s: s.phase == "playing")
        yield game


async def until(game: LiveGame, holds: Callable[[Snapshot], bool]) -> Snapshot:
    async def wait() -> Snapshot:
        async for shown in game.subscribe():
            if holds(shown):
                return shown
        raise AssertionError("the game ended first")

    return await asyncio.wait_for(wait(), PATIENCE)


def unplug(stage: Stage) -> None:
    stage.plugged = False


def freeze(stage: Stage) -> None:
    stage.pictures = board()[:1]


def hang(stage: Stage) -> None:
    stage.sends = False


def show(pictures: Callable[[], tuple[Image, ...]]) -> Callable[[Stage], None]:
    def shown(stage: Stage) -> None:
        stage.pictures = pictures()

    return shown


def mend(stage: Stage) -> None:
    stage.pictures, stage.sends, stage.plugged = board(), True, True


BEFALLS: dict[str, list[Callable[[Stage], None]]] = {
    "unplugged": [unplug, hang],
    "frozen": [freeze],
    "dark": [show(dark)],
    "covered": [show(covered)],
}


@pytest.mark.parametrize(
    ("state", "befall"), [(state, befall) for state, ways in BEFALLS.items() for befall in ways]
)
def test_what_befalls_a_camera_is_noticed_shown_and_healed(
    state: str, befall: Callable[[Stage], None], tmp_path: Path
) -> None:
    stage = Stage()

    async def play() -> None:
        async with watched(stage, tmp_path) as game:
            befall(stage)
            blind = await until(game, lambda s: s.source.state == state)
            assert blind.banner.kind == "no_sight"
            assert {rhythm for _, rhythm in blind.lamps.values()} == {"breathe"}
            mend(stage)
            healed = await until(game, lambda s: s.source.state == "ok")
            assert (healed.phase, healed.banner.kind, healed.findings) == ("playing", "ready", ())
            seen = await until(game, lambda s: s.board.seen is not None and min(s.board.unseen) > 25)
            assert seen.board.seen is not None
            assert seen.board.seen[:24] == START[:24]

    asyncio.run(play())


def test_a_pushed_board_is_noticed_and_read_where_it_lies_then(tmp_path: Path) -> None:
    stage = Stage()

    async def play() -> None:
        async with watched(stage, tmp_path) as game:
            said: list[str] = []

            def healed(shown: Snapshot) -> bool:
                said.append(shown.source.state)
                return "bumped" in said and shown.source.state == "ok" and shown.board.seen is not None

            stage.pictures = pushed()
            shown = await until(game, healed)
            assert shown.findings == ()
            assert shown.board.seen is not None
            assert shown.board.seen[:24] == START[:24]

    asyncio.run(play())


def test_what_befalls_a_camera_in_the_middle_of_a_turn_ends_no_turn_and_asks_nothing(tmp_path: Path) -> None:
    """Dice that cannot be seen were not lifted, and points that cannot be seen are no question."""
    stage = Stage()

    async def play() -> None:
        async with watched(stage, tmp_path) as game:
            await game.command(Dice((3, 1)))
            stage.pictures = covered()
            await until(game, lambda s: s.source.state == "covered")
            stage.pictures = dark()
            shown = await until(game, lambda s: s.source.state == "dark")
            assert (shown.turns, shown.candidates, shown.findings) == ((), (), ())
            mend(stage)
            shown = await until(game, lambda s: s.source.state == "ok" and s.board.seen is not None)
            assert (shown.turns, shown.candidates, shown.dice.roll) == ((), (), (3, 1))

    asyncio.run(play())
