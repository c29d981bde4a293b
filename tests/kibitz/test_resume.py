"""A game is left and taken up again, days later or after the power went: the table is compared first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.rules import BACKGAMMON
from kibitz.commands import Adjourn, Dice, EndTurn, PressClock, Resume, Resync
from kibitz.compose import restored
from kibitz.live import LiveGame
from kibitz.moment import SessionClock
from kibitz.pipeline import Journal
from kibitz.snapshot import Snapshot
from referee.clock import ClockRule
from referee.events import Setup
from referee.journal import replay
from referee.session import State
from tests.kibitz.test_live import until
from tests.referee.tables import LAYOUT, shown
from tests.referee.test_findings import after
from tests.web.hand_feed import HandFeed

START = shown(BACKGAMMON.start)
ONE = after("8/5 6/5")
SETUP = Setup(policy="legal", side=0, layout=LAYOUT, clock=ClockRule("fischer", 600.0, 5.0))


@asynccontextmanager
async def sitting(path: Path, table: tuple[int, ...]) -> AsyncIterator[LiveGame]:
    """The table as it lies, and the game in the journal, begun or gone on with."""
    old = restored(path) if path.exists() else None
    clock = SessionClock(0.0 if old is None else old.t)
    feed = HandFeed(clock, table)
    journal = Journal(path, feed.url, SETUP) if old is None else old.journal
    async with LiveGame(feed, journal, SETUP, clock, old=old) as game:
        yield game


async def one_turn(path: Path, *, adjourned: bool) -> tuple[Snapshot, State]:
    async with sitting(path, START) as game:
        await until(game, lambda s: s.phase == "playing")
        await game.command(PressClock(1))
        await game.command(Dice((3, 1)))
        assert isinstance(game.feed, HandFeed)
        game.feed.lay(ONE)
        await until(game, lambda s: s.banner.kind == "accepted")
        await game.command(EndTurn())
        await until(game, lambda s: len(s.turns) == 1)
        if adjourned:
            await game.command(Adjourn())
        return game.snapshot(), game.state


@pytest.mark.parametrize("adjourned", [True, False])
def test_the_game_is_as_it_was_and_no_time_was_lost(tmp_path: Path, adjourned: bool) -> None:
    path = tmp_path / "j.jsonl"

    async def play() -> None:
        left, state = await one_turn(path, adjourned=adjourned)
        async with sitting(path, ONE) as game:
            first = game.snapshot()
            assert (first.turns, first.match) == (left.turns, left.match)
            assert (game.state.past, game.state.side) == (state.past, state.side)
            assert first.clock.left == pytest.approx(left.clock.left, abs=0.5)
            if game.state.adjourned:
                await game.command(Resume())
            seen = await until(game, lambda s: s.banner.kind == "ready" and s.board.seen is not None)
            assert seen.board.difference == ()
        assert replay(path.read_bytes().splitlines(keepends=True)).differs_at is None

    asyncio.run(play())


def test_a_checker_that_was_moved_meanwhile_is_shown_until_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"

    async def play() -> None:
        await one_turn(path, adjourned=False)
        async with sitting(path, after("13/7", ONE)) as game:
            moved = await until(game, lambda s: bool(s.board.difference))
            places = {d.place for d in moved.board.difference}
            assert places == {i for i, n in enumerate(after("13/7", ONE)) if n != ONE[i]}
            assert "Moved while nobody looked" in moved.banner.words.en
            assert isinstance(game.feed, HandFeed)
            game.feed.lay(ONE)
            back = await until(game, lambda s: s.banner.kind == "ready")
            assert back.board.difference == ()

    asyncio.run(play())


def test_the_players_may_go_on_from_what_lies_there(tmp_path: Path) -> None:
    path, other = tmp_path / "j.jsonl", after("13/11", ONE)

    async def play() -> None:
        await one_turn(path, adjourned=False)
        async with sitting(path, other) as game:
            await until(game, lambda s: bool(s.board.difference))
            await game.command(Resync())
            on = await until(game, lambda s: s.banner.kind == "ready")
            assert on.board.table == other

    asyncio.run(play())
