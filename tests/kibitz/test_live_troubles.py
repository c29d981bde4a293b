"""Troubles of the program itself: a full disk, a fault nobody foresaw, an end while others speak."""

from __future__ import annotations

import asyncio
import resource
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.rules import BACKGAMMON
from firmware_bridge.leds import RecordingLeds
from kibitz.commands import CommandError, Correct, Dice, Undo
from kibitz.files import OutputError
from kibitz.live import LiveGame
from kibitz.moment import SessionClock
from kibitz.pipeline import Journal
from referee.events import RollGiven, Setup, Tick
from referee.journal import replay
from referee.signal import Signal
from tests.kibitz.test_live import until
from tests.referee.tables import shown
from tests.web.hand_feed import HandFeed

START = shown(BACKGAMMON.start)
LONG = RollGiven(2.0, (6,) * 100)
SETUP = Setup(policy="legal", side=0)


@contextmanager
def full_disk(journal: Path, room: int) -> Iterator[None]:
    """No file may grow beyond the journal's size and a little more."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (journal.stat().st_size + room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("room", [0, 7, 60])
def test_a_line_that_does_not_fit_on_the_disk_is_named_and_leaves_no_part(tmp_path: Path, room: int) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path, "test:", SETUP) as journal:
        journal.write(Tick(1.0), ())
        before = path.read_bytes()
        with full_disk(path, room), pytest.raises(OutputError, match="make room"):
            journal.write(LONG, ())
        assert path.read_bytes().startswith(before)
        journal.write(Tick(3.0), ())
    again = replay(path.read_bytes().splitlines(keepends=True))
    assert (again.differs_at, again.torn, again.entries[-1].given) == (None, False, Tick(3.0))


def hand_played(folder: Path) -> LiveGame:
    clock = SessionClock()
    feed = HandFeed(clock, START)
    return LiveGame(feed, Journal(folder / "j.jsonl", feed.url, SETUP), SETUP, clock)


def test_a_game_on_a_full_disk_says_so_loses_nothing_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    async def play() -> None:
        async with hand_played(tmp_path) as game:
            await until(game, lambda s: s.phase == "playing")
            await game.command(Dice((3, 1)))
            with full_disk(tmp_path / "j.jsonl", 0):
                said = await until(game, lambda s: "make room" in s.banner.words.en)
                assert said.banner.kind == "no_sight"
                with pytest.raises(CommandError, match="make room"):
                    await game.command(Dice((6, 6)))
                assert game.snapshot().dice.roll == (3, 1)
            await until(game, lambda s: s.banner.kind in ("rolled", "incomplete"))
            await game.command(Dice((6, 2)))
            shown_last = game.snapshot()
        again = replay((tmp_path / "j.jsonl").read_bytes().splitlines(keepends=True))
        assert again.differs_at is None
        assert again.state.roll == shown_last.dice.roll == (6, 2)

    asyncio.run(play())


def test_a_command_that_fails_inside_ends_in_one_line_and_the_game_goes_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with hand_played(tmp_path) as game:
            await until(game, lambda s: s.phase == "playing")
            whole, game.state = game.state, replace(game.state, base=None)
            with pytest.raises(CommandError, match="not done"):
                await asyncio.wait_for(game.command(Correct(START)), 5)
            game.state = whole
            await asyncio.wait_for(game.command(Dice((3, 1))), 5)
            with pytest.raises(CommandError, match="no turn to take back"):
                await asyncio.wait_for(game.command(Undo()), 5)
            await until(game, lambda s: s.dice.roll == (3, 1) and s.banner.kind != "no_sight")

    asyncio.run(play())


class BrokenLamps(RecordingLeds):
    """Lamps whose cable was pulled out."""

    def show(self, signal: Signal) -> None:
        raise OSError(f"no answer to {signal.sign}")


def test_lamps_that_fail_do_not_stop_the_game(tmp_path: Path) -> None:
    async def play() -> None:
        clock = SessionClock()
        feed = HandFeed(clock, START)
        journal = Journal(tmp_path / "j.jsonl", feed.url, SETUP)
        async with LiveGame(feed, journal, SETUP, clock, BrokenLamps()) as game:
            await until(game, lambda s: s.phase == "playing")
            await game.command(Dice((3, 1)))
            assert game.snapshot().dice.roll == (3, 1)

    asyncio.run(play())


def test_a_feed_that_still_speaks_when_the_game_ends_does_not_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)

    class Chatterbox(HandFeed):
        """Says more than anybody can take in."""

        def start(self, post, known) -> None:
            del known

            def talk() -> None:
                while not self._closed.is_set():
                    post(Tick(self._clock()))

            self._thread = threading.Thread(target=talk, daemon=True)
            self._thread.start()

    async def play() -> None:
        clock = SessionClock()
        feed = Chatterbox(clock, START)
        async with LiveGame(feed, Journal(tmp_path / "j.jsonl", feed.url, SETUP), SETUP, clock):
            await asyncio.sleep(0.3)

    for _ in range(2):
        asyncio.run(play())
    assert failed == []
