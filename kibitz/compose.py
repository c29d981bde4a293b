"""The one place that builds the live game's parts and joins them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from engine.rules import ruleset
from firmware_bridge.leds import LedSink
from firmware_bridge.serial_board import SerialBoard
from firmware_bridge.sim_board import SimBoard
from kibitz import calibration
from kibitz.board_feed import BoardFeed
from kibitz.camera_feed import CameraFeed
from kibitz.feed import Feed
from kibitz.files import OutputError
from kibitz.live import LiveGame
from kibitz.moment import Clock, FilmClock, SessionClock
from kibitz.pipeline import Journal
from kibitz.sim_player import SimPlayer, manner_of
from referee.events import Resume, Setup
from referee.journal import Entry, replay
from referee.layout import LIGHT, Layout, table_of
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


class Parts(NamedTuple):
    """A feed, and the lamps of the board behind it, if it has any."""

    feed: Feed
    lamps: LedSink | None = None


def parts_of(
    url: str, clock: Clock, folder: Path, setup: Setup, calibrated: Calibrated | None, speed: float
) -> Parts:
    """The feed for a URL of any kind.

    Raises:
        KibitzError: the source is of no known kind or cannot be opened.
    """
    kind, _, rest = url.partition(":")
    if kind == "sim":
        return _simulated(url, rest, clock, setup)
    if kind in ("serial", "socket"):
        board = SerialBoard(url, clock=clock, dice=ruleset(setup.rules).dice)
        return Parts(BoardFeed(url, board), board)
    if kind == "gpio":
        from firmware_bridge.pi_board import PiBoard  # gpiozero is loaded only where it is used

        pi_board = PiBoard(dice=ruleset(setup.rules).dice, clock=clock)
        return Parts(BoardFeed(url, pi_board), pi_board)

    def keep(image: Image, learned: Calibrated) -> None:
        calibration.save(folder / CALIBRATION, image, learned.board, learned.table)

    return Parts(CameraFeed(url, clock, speed, calibrated, keep))


def _simulated(url: str, query: str, clock: Clock, setup: Setup) -> Parts:
    rules = ruleset(setup.rules)
    sim = SimBoard(table_of(Layout(), rules, LIGHT, rules.start))
    board = SerialBoard(sim.url, clock=clock, dice=rules.dice)
    player = SimPlayer(sim, rules, manner_of(query))
    player.start()
    return Parts(BoardFeed(url, board, (player.close, sim.close)), board)


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
    setup = setup if old is None else old.setup
    feed, lamps = parts_of(url, clock, folder, setup, calibrated, speed)
    leds = leds if leds is not None else lamps
    if old is None:
        game = LiveGame(feed, Journal(path, url, setup), setup, clock, leds, folder, mode)
    else:
        game = LiveGame(feed, old.journal, setup, clock, leds, folder, mode, old.entries, old.state)
        game.put(Resume(clock()))
    async with game:
        yield game
