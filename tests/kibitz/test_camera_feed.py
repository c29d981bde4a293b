"""A camera as a feed: the newest frame only, trouble named and healed, a push noticed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np

from engine.rules import BACKGAMMON
from kibitz.acquire import locate
from kibitz.calibration import learned_from
from kibitz.camera_feed import CameraFeed, Newest
from kibitz.feed import Health, Known
from kibitz.health import HealthWatch
from kibitz.moment import SessionClock
from kibitz.place_watch import PlaceWatch
from referee.events import Input
from referee.layout import Layout, table_of
from vision.errors import SourceError
from vision.geometry import Image
from vision.source import Frame, Source
from vision.synth import Camera, Scene, Style, render
from vision.watch import Watcher

START = table_of(Layout(), BACKGAMMON, 0, BACKGAMMON.start)


def noise(number: int) -> Image:
    return np.random.default_rng(number).integers(0, 255, (72, 128, 3), np.uint8).astype(np.uint8)


def test_only_the_newest_frame_is_kept() -> None:
    newest = Newest()
    for number in range(3):
        newest.put(Frame(float(number), noise(number)))
    taken = newest.take(0.0)
    assert taken is not None
    assert (taken.t, newest.dropped) == (2.0, 2)
    assert newest.take(0.0) is None


def states(news: Iterator[Health]) -> list[str]:
    return [n.state for n in news]


def test_a_frozen_and_a_silent_camera_are_noticed_and_healed() -> None:
    health = HealthWatch(silent_seconds=3.0)
    assert states(health.frame(Frame(0.1, noise(0)))) == ["ok"]
    frozen = [s for k in range(60) for s in states(health.frame(Frame(0.2 + k / 10, noise(1))))]
    assert "frozen" in frozen
    assert states(health.frame(Frame(7.0, noise(2)))) == ["ok"]
    assert states(health.silent(9.0)) == []
    assert states(health.silent(11.0)) == ["unplugged"]
    assert states(health.frame(Frame(12.0, noise(3)))) == ["ok"]


def test_a_film_whose_pictures_do_not_change_has_not_frozen() -> None:
    health = HealthWatch(silent_seconds=3.0)
    said = [s for k in range(100) for s in states(health.frame(Frame(k / 10, noise(1)), film=True))]
    assert set(said) == {"ok"}


def test_a_lost_camera_is_opened_again() -> None:
    tries = 0
    come = threading.Event()

    def opened(url: str) -> Source:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise SourceError(f"{url}: no camera answers")

        def frames() -> Iterator[Frame]:
            for number in range(100):
                yield Frame(number / 30, noise(number))
                time.sleep(0.02)

        return Source(url, frames)

    said: list[Input | Health] = []

    def post(item: Input | Health) -> None:
        said.append(item)
        if isinstance(item, Health) and item.state == "ok":
            come.set()

    feed = CameraFeed("usb:0", SessionClock(), open_=opened)
    feed.start(post, lambda: Known((START,)))
    assert come.wait(15)
    feed.close()
    assert [n.state for n in said if isinstance(n, Health)][:2] == ["unplugged", "unplugged"]
    assert feed.pictures > 0


def test_a_film_that_cannot_be_opened_has_ended_and_is_not_tried_again() -> None:
    said: list[Input | Health] = []
    feed = CameraFeed("file:/nowhere.mp4", SessionClock())
    feed.start(said.append, lambda: Known((START,)))
    time.sleep(1.5)
    feed.close()
    assert [(n.state, "no such file" in n.detail) for n in said if isinstance(n, Health)] == [("ended", True)]


def test_a_push_is_noticed_and_the_board_found_where_it_is_then() -> None:
    picture = render(Scene(START, style=Style(), camera=Camera(), seed=0)).image
    board = locate(picture)
    watcher = Watcher(learned_from(picture, board, START[:24]))
    push = np.array([[1.0, 0.01, 14.0], [-0.01, 1.0, -9.0]])
    pushed = np.asarray(cv2.warpAffine(picture, push, (picture.shape[1], picture.shape[0])), np.uint8)
    place, found = PlaceWatch(), None
    for k in range(10):
        found = found or place.frame(Frame(k * 0.6, picture if k < 4 else pushed), watcher)
        assert found is None or k > 4
    assert found is not None
    want = np.array([push @ [x, y, 1.0] for x, y in board.corners])
    assert np.abs(np.array(found.board.corners) - want).max() < 3.0
