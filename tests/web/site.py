"""A whole site on a free port: a live game on a table under the test's hands, in a thread of its own."""

from __future__ import annotations

import asyncio
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import uvicorn

from engine.rules import BACKGAMMON
from kibitz.coach import Coach
from kibitz.live import LiveGame
from kibitz.moment import SessionClock
from kibitz.pipeline import Journal
from kibitz.snapshot import Snapshot
from kibitz.web.phone import Phone
from kibitz.web.rejections import keep_rejections
from kibitz.web.server import config_of, make_app
from referee.events import Setup
from referee.layout import Layout, table_of
from tests.web.hand_feed import HandFeed, Table

TOKEN = "open-sesame"
START: Table = table_of(Layout(), BACKGAMMON, 0, BACKGAMMON.start)


def moved(table: Table, *ways: tuple[int, int]) -> Table:
    """The table after light checkers went between places."""
    counts = list(table)
    for src, dst in ways:
        counts[src] -= 1
        counts[dst] += 1
    return tuple(counts)


@dataclass(frozen=True)
class Site:
    """What a test may use of a running site."""

    url: str
    feed: HandFeed
    live: LiveGame
    phone: Phone
    folder: Path
    client: httpx.Client

    @property
    def control(self) -> str:
        """The link with the token."""
        return f"{self.url}/#token={TOKEN}"

    def snapshot(self) -> Snapshot:
        """The game as it is now."""
        return self.live.snapshot()

    def command(self, body: bytes | str, **headers: str) -> httpx.Response:
        """A command with the token, as the page sends it."""
        usual = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        return self.client.post("/api/command", content=body, headers={**usual, **headers})

    def get(self, path: str, **headers: str) -> httpx.Response:
        """What a browser without the token gets."""
        return self.client.get(path, headers=headers)


@contextmanager
def site(
    folder: Path, setup: Setup | None = None, start: Table = START, coach: Coach | None = None
) -> Iterator[Site]:
    """Run a site until the block ends; with a coach it is a trainer's."""
    up: queue.SimpleQueue[Site] = queue.SimpleQueue()
    stop = threading.Event()
    run = partial(_run, folder, setup, start, coach, up, stop)
    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    try:
        running = up.get(timeout=20)
        with running.client:
            yield running
    finally:
        stop.set()
        thread.join(20)


async def _run(
    folder: Path,
    setup: Setup | None,
    start: Table,
    coach: Coach | None,
    up: queue.SimpleQueue[Site],
    stop: threading.Event,
) -> None:
    clock, phone, door = SessionClock(), Phone(), socket.create_server(("127.0.0.1", 0))
    setup, feed = setup or Setup(policy="legal", side=0), HandFeed(clock, start)
    journal = Journal(folder / "game.jsonl", feed.url, setup)
    mode = "tournament" if coach is None else "trainer"
    async with LiveGame(feed, journal, setup, clock, folder=folder, mode=mode, coach=coach) as live:
        port = door.getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        server = uvicorn.Server(config_of(make_app(live, TOKEN, phone=phone), "127.0.0.1", port))
        serving = asyncio.create_task(server.serve(sockets=[door]))
        keeper = asyncio.create_task(keep_rejections(live))
        up.put(Site(url, feed, live, phone, folder, httpx.Client(base_url=url, timeout=20)))
        while not stop.is_set():
            await asyncio.sleep(0.02)
        keeper.cancel()
        server.should_exit = True
        await serving
