"""Many spectators: whoever is slow gets fewer messages, and nobody else waits; nothing is queued."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, MutableMapping
from itertools import count
from pathlib import Path
from typing import Any

from starlette.websockets import WebSocket

from kibitz.camera_feed import BETWEEN_PICTURES, CameraFeed
from kibitz.commands import Dice
from kibitz.feed import Known
from kibitz.live import LiveGame
from kibitz.moment import SessionClock
from kibitz.pipeline import Journal
from kibitz.web.sockets import Sockets
from referee.events import Setup
from tests.kibitz.films import plain
from tests.web.hand_feed import HandFeed
from tests.web.site import START
from vision.source import Frame, Source

SPECTATORS, SLOW, COMMANDS = 10, 3, 60


class Line:
    """A spectator's line, as the server sees it; a blocked one takes a message and never comes back."""

    def __init__(self) -> None:
        self.free = asyncio.Event()
        self.under_way = 0
        self.rolls: list[list[int]] = []

    async def receive(self) -> MutableMapping[str, Any]:
        await asyncio.sleep(0 if not self.under_way and not self.rolls else 3600)
        return {"type": "websocket.connect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] != "websocket.send":
            return
        self.under_way += 1
        await self.free.wait()
        self.under_way -= 1
        shown = json.loads(message["text"])["shown"]
        self.rolls += [shown["snapshot"]["dice"]["roll"]] if shown else []


async def until(what: Any) -> None:
    async with asyncio.timeout(20):
        while not what():
            await asyncio.sleep(0.01)


async def look_on(folder: Path) -> None:
    clock, setup = SessionClock(), Setup(policy="legal", side=0)
    feed, journal = HandFeed(clock, START), Journal(folder / "game.jsonl", "sim:hand", setup)
    async with LiveGame(feed, journal, setup, clock, folder=folder) as game:
        await until(lambda: game.snapshot().phase == "playing")
        sockets, lines = Sockets(game, "", None), [Line() for _ in range(SPECTATORS)]
        slow, quick = lines[:SLOW], lines[SLOW:]
        for line in quick:
            line.free.set()
        scope = {"type": "websocket", "headers": []}
        watching = [asyncio.create_task(sockets.watch(WebSocket(scope, x.receive, x.send))) for x in lines]
        await until(lambda: all(line.under_way for line in slow))
        for n in range(COMMANDS):
            await game.command(Dice((n % 6 + 1, n // 6 % 6 + 1)))
        last = [(COMMANDS - 1) % 6 + 1, (COMMANDS - 1) // 6 % 6 + 1]
        await until(lambda: all(line.rolls and line.rolls[-1] == last for line in quick))
        assert [(line.under_way, line.rolls) for line in slow] == [(1, [])] * SLOW
        for line in slow:
            line.free.set()
        await until(lambda: all(line.rolls and line.rolls[-1] == last for line in slow))
        assert all(len(line.rolls) <= 3 for line in slow)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)


def test_a_blocked_line_holds_up_nobody_and_gets_the_newest_only(tmp_path: Path) -> None:
    asyncio.run(look_on(tmp_path))


def test_a_picture_is_encoded_for_all_who_look_on_and_not_for_each_frame() -> None:
    def frames() -> Iterator[Frame]:
        for number in count():
            yield Frame(number / 200, plain(number % 200))
            time.sleep(0.005)

    feed = CameraFeed("usb:0", SessionClock(), open_=lambda url: Source(url, frames))
    feed.start(lambda _: None, lambda: Known((START,)))
    try:
        while feed.picture(False) is None:
            time.sleep(0.01)
        began, first, seen = time.monotonic(), feed.pictures, set()
        while feed.pictures < first + 50:
            seen |= {picture[0] for _ in range(SPECTATORS) if (picture := feed.picture(False))}
        most = 2 + (time.monotonic() - began) / BETWEEN_PICTURES
    finally:
        feed.close()
    assert 1 <= len(seen) <= most
