"""The one place that builds the live game's parts and joins them."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from engine.rules import ruleset
from firmware_bridge.leds import ConsoleLeds, LedSink
from firmware_bridge.ports import PortError
from firmware_bridge.serial_board import BoardEvent, SerialBoard
from firmware_bridge.sim_board import SimBoard
from kibitz import calibration
from kibitz.board_feed import BoardFeed
from kibitz.camera_feed import CameraFeed
from kibitz.coach import find_coach
from kibitz.feed import Feed
from kibitz.files import OutputError
from kibitz.joined_feed import JoinedFeed
from kibitz.live import LiveGame, Restored
from kibitz.moment import Clock, FilmClock, SessionClock
from kibitz.pipeline import Journal
from kibitz.sim_player import SimPlayer, manner_of
from referee.events import Setup
from referee.journal import replay
from referee.layout import LIGHT, Layout, table_of
from referee.observation import totals
from referee.signal import Signal
from vision.calibrate import Calibrated
from vision.geometry import Image

if TYPE_CHECKING:
    from kibitz.web.phone import Phone

JOURNAL, CALIBRATION = "journal.jsonl", "calibration.json"


class LampBoard(Protocol):
    """A board that says something and can be lit."""

    def events(self) -> Iterator[BoardEvent]: ...

    def show(self, signal: Signal) -> None: ...

    def close(self) -> None: ...


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
    """A feed, the lamps, and the phone that is the camera, if one is."""

    feed: Feed
    lamps: LedSink | None = None
    phone: Phone | None = None


def parts_of(wanted: Wanted, clock: Clock, setup: Setup, calibrated: Calibrated | None) -> Parts:
    """The feed and the lamps for URLs of any kind.

    Raises:
        KibitzError: the source or the lamps are of no known kind or cannot be opened.
    """
    parts = _source(wanted, clock, setup, calibrated)
    if wanted.leds == "none":
        return parts
    if wanted.leds == "console":
        return parts._replace(lamps=ConsoleLeds(sys.stderr))
    board = _board(wanted.leds, clock, setup)
    return parts._replace(feed=JoinedFeed(parts.feed, BoardFeed(wanted.leds, board)), lamps=board)


def _source(wanted: Wanted, clock: Clock, setup: Setup, calibrated: Calibrated | None) -> Parts:
    kind, _, rest = wanted.url.partition(":")
    if kind == "sim":
        return _simulated(wanted.url, rest, clock, setup)
    if wanted.url == "gpio":
        raise PortError(
            "gpio: the club kit sees no checkers and goes with a camera, as --source usb:0 --leds gpio; "
            "a full board on this machine's pins is --source gpio:"
        )
    if kind in ("serial", "socket", "gpio"):
        board = _board(wanted.url, clock, setup)
        return Parts(BoardFeed(wanted.url, board), board)

    def keep(image: Image, learned: Calibrated) -> None:
        calibration.save(wanted.folder / CALIBRATION, image, learned.board, learned.table)

    if kind != "phone":
        return Parts(CameraFeed(wanted.url, clock, wanted.speed, calibrated, keep))
    from kibitz.web.phone import Phone  # the web's parts are loaded only where they are used

    phone = Phone()
    feed = CameraFeed(wanted.url, clock, wanted.speed, calibrated, keep, lambda _: phone.source())
    return Parts(feed, None, phone)


def _checkers(setup: Setup) -> tuple[int, int]:
    """How many light and dark checkers the game begins with."""
    rules = ruleset(setup.rules)
    start = setup.start or table_of(Layout(), rules, LIGHT, rules.start)
    return totals(start)


def _board(url: str, clock: Clock, setup: Setup) -> LampBoard:
    rules = ruleset(setup.rules)
    if url == "gpio":
        from firmware_bridge.club_kit import ClubKit  # gpiozero is loaded only where it is used
        from firmware_bridge.gpio import opened

        return opened(lambda: ClubKit(clock=clock), url)
    if url == "gpio:":
        from firmware_bridge.gpio import opened
        from firmware_bridge.pi_board import PiBoard

        return opened(lambda: PiBoard(_checkers(setup), rules.dice, clock=clock, eaten=rules.eats), url)
    return SerialBoard(url, _checkers(setup), rules.dice, clock, eaten=rules.eats)


def _simulated(url: str, query: str, clock: Clock, setup: Setup) -> Parts:
    """`sim:` is a board for hands, on the page; `sim:seed=3` has two players at it."""
    rules = ruleset(setup.rules)
    manner = manner_of(query) if query else None
    sim = SimBoard(table_of(Layout(), rules, LIGHT, rules.start))
    board = _board(sim.url, clock, setup)
    if manner is None:
        return Parts(BoardFeed(url, board, (sim.close,), sim), board)
    player = SimPlayer(sim, rules, manner)
    player.start()
    return Parts(BoardFeed(url, board, (player.close, sim.close), sim), board)


def sim_of(game: LiveGame) -> SimBoard | None:
    """The simulated board that a game is played on, if it is one."""
    return game.feed.sim if isinstance(game.feed, BoardFeed) else None


class Wanted(NamedTuple):
    """What a live game is made of; `leds`: none, console, gpio or a board's port."""

    url: str
    folder: Path
    setup: Setup
    speed: float = 1.0
    leds: str = "none"
    mode: str = "tournament"
    resume: bool = False
    calibrated: Calibrated | None = None
    phone: bool = False


@asynccontextmanager
async def live(wanted: Wanted, leds: LedSink | None = None) -> AsyncIterator[LiveGame]:
    """A running game; with `resume` it goes on with the journal in `folder`, if there is one.

    Raises:
        KibitzError: the source, the journal or the folder cannot be used.
    """
    folder = wanted.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made ({error.strerror}); choose another folder") from error
    path = folder / JOURNAL
    old = restored(path) if wanted.resume and path.exists() else None
    began = old.t if old is not None else 0.0
    clock = FilmClock(began) if wanted.url.startswith("synth:") else SessionClock(began)
    setup = old.setup if old is not None else wanted.setup
    parts = parts_of(wanted, clock, setup, _kept(wanted, old))
    game = LiveGame(
        parts.feed, old.journal if old is not None else Journal(path, wanted.url, setup), setup, clock,
        leds or parts.lamps, folder, wanted.mode, old, parts.phone,
        find_coach(ruleset(setup.rules)) if wanted.mode == "trainer" else None,
    )  # fmt: skip
    async with game:
        yield game


def _kept(wanted: Wanted, old: Restored | None) -> Calibrated | None:
    kept = wanted.folder / CALIBRATION
    if wanted.calibrated is not None or old is None or not kept.exists():
        return wanted.calibrated
    return calibration.load(kept)
