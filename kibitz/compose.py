"""The one place that builds the live game's parts and joins them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.leds import LedSink
from kibitz import calibration
from kibitz.camera_feed import CameraFeed
from kibitz.feed import Feed
from kibitz.files import OutputError
from kibitz.live import LiveGame
from kibitz.moment import Clock, FilmClock, SessionClock
from kibitz.pipeline import Journal
from referee.events import Resume, Setup
from referee.journal import Entry, replay
from referee.session import State
from vision.calibrate import Calibrated
from vision.geometry import Image

JOURNAL, CALIBRATION = "journal.jsonl", "calibration.json"


class Restored(NamedTuple):
    """A journal taken up again."""

    journal: Journal
    setup: Setup
    entries: tuple[Entry, ...]
    state: State
    t: float


def restored(path: Path) -> Restored:
    """Step a journal again and open it to go on with it.

    Raises:
        RecordError: it is no journal, or one of another version.
        OutputError: it cannot be read or written.
    """
    try:
        data = path.read_bytes()
        again = replay(data.splitlines(keepends=True))
        keep = len(data) if not again.torn else data.rfind(b"\n") + 1
        journal = Journal.again(path, keep)
    except OSError as error:
        raise OutputError(f"{path}: cannot be taken up again ({error.strerror}); check the folder") from error
    t = max((entry.given.t for entry in again.entries), default=0.0)
    return Restored(journal, again.header.setup, again.entries, again.state, t)


def feed_of(url: str, clock: Clock, folder: Path, calibrated: Calibrated | None, speed: float) -> Feed:
    """The feed for a URL of any kind.

    Raises:
        KibitzError: the source is of no known kind or cannot be opened.
    """

    def keep(image: Image, learned: Calibrated) -> None:
        calibration.save(folder / CALIBRATION, image, learned.board, learned.table)

    return CameraFeed(url, clock, speed, calibrated, keep)


@asynccontextmanager
async def live(
    url: str,
    folder: Path,
    setup: Setup,
    *,
    speed: float = 1.0,
    leds: LedSink | None = None,
    mode: str = "tournament",
    resume: bool = False,
    calibrated: Calibrated | None = None,
) -> AsyncIterator[LiveGame]:
    """A running game; with `resume` it goes on with the journal in `folder`, if there is one.

    Raises:
        KibitzError: the source, the journal or the folder cannot be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made ({error.strerror}); choose another folder") from error
    path = folder / JOURNAL
    old = restored(path) if resume and path.exists() else None
    began = old.t if old is not None else 0.0
    clock = FilmClock(began) if url.startswith("synth:") else SessionClock(began)
    kept = folder / CALIBRATION
    if calibrated is None and old is not None and kept.exists():
        calibrated = calibration.load(kept)
    feed = feed_of(url, clock, folder, calibrated, speed)
    if old is None:
        game = LiveGame(feed, Journal(path, url, setup), setup, clock, leds, folder, mode)
    else:
        game = LiveGame(feed, old.journal, old.setup, clock, leds, folder, mode, old.entries, old.state)
        game.put(Resume(clock()))
    async with game:
        yield game
