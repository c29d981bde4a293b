"""What spectators cost: a film is refereed as if live, alone and with ten who look on; prints the figures.

    python -m tests.web.spectators [SECONDS]

Every third spectator is slow: it reads its pictures at 100 kB/s. The film is drawn first (720p, 30 fps).
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import httpx
from websockets.asyncio.client import connect

from tests.kibitz.films import write_video
from tests.web.test_watch import watching
from vision.geometry import Image
from vision.staged import staged_game

SPECTATORS, SLOW_BYTES_A_SECOND, FPS = 10, 100_000, 30
#: Frames that show the same drawn picture.
EACH = 3
#: Seconds in which the board is found, before anything is measured.
SEARCH = 8.0


class Cost(NamedTuple):
    """Frames that the referee did not read in so many seconds, turns recorded, what each spectator got."""

    seconds: float
    dropped: int
    turns: int
    pictures: list[int]
    messages: list[int]

    def __str__(self) -> str:
        who = f"{len(self.pictures)} spectators"
        return (
            f"{who:14} {self.dropped} of {round(self.seconds * FPS)} frames not read, {self.turns} turns; "
            f"pictures {self.pictures}, messages {self.messages}"
        )


def film(path: Path, seconds: float) -> Path:
    """A game that goes on for so long, its first picture standing still while the board is looked for."""
    game = staged_game(7, max(2, round(seconds / 6)), pace=1, fps=FPS / EACH)

    def frames() -> Iterator[Image]:
        drawn = (image for _, image in game.frames() for _ in range(EACH))
        first = next(drawn)
        yield from (first for _ in range(round(SEARCH * FPS)))
        yield from islice(drawn, round(seconds * FPS))

    return write_video(path, frames(), fps=FPS)


async def snapshots(url: str, until: float) -> int:
    """Read messages as they come; how many."""
    count = 0
    async with connect(url.replace("http", "ws") + "/ws", max_size=None) as socket:
        with suppress(TimeoutError):
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + until - time.monotonic()):
                async for _ in socket:
                    count += 1
    return count


async def pictures(url: str, until: float, slow: bool) -> int:
    """Fetch one picture after the other, as the page does; how many."""
    count = 0
    async with httpx.AsyncClient(timeout=30) as client:
        while time.monotonic() < until:
            async with client.stream("GET", f"{url}/picture/overlay") as answer:
                async for chunk in answer.aiter_bytes(8192):
                    await asyncio.sleep(len(chunk) / SLOW_BYTES_A_SECOND if slow else 0)
            count += answer.status_code == 200
            await asyncio.sleep(0.12)
    return count


async def state(url: str) -> tuple[int, int]:
    """Frames dropped and turns recorded so far."""
    async with connect(url.replace("http", "ws") + "/ws", max_size=None) as socket:
        shown = json.loads(await socket.recv())["shown"]["snapshot"]
        return shown["source"]["dropped"], len(shown["turns"])


async def found(url: str) -> None:
    """Wait until the board is found."""
    async with connect(url.replace("http", "ws") + "/ws", max_size=None) as socket:
        async for message in socket:
            shown = json.loads(message)["shown"]
            if shown and shown["snapshot"]["phase"] == "playing":
                return


async def measured(url: str, spectators: int, seconds: float) -> Cost:
    """Look on with so many for a while."""
    await found(url)
    before, until = await state(url), time.monotonic() + seconds
    got = await asyncio.gather(
        asyncio.sleep(seconds),
        *(pictures(url, until, slow=n % 3 == 2) for n in range(spectators)),
        *(snapshots(url, until) for _ in range(spectators)),
    )
    after = await state(url)
    counts = [n for n in got if n is not None]
    return Cost(
        seconds, after[0] - before[0], after[1] - before[1], counts[:spectators], counts[spectators:]
    )  # fmt: skip


def main(seconds: float) -> None:
    """The same film twice: alone, and with all."""
    with tempfile.TemporaryDirectory() as folder:
        path = film(Path(folder) / "film.mp4", seconds)
        for number in (0, SPECTATORS):
            with watching(Path(folder) / str(number), "--source", f"file:{path}") as link:
                print(asyncio.run(measured(link.partition("/#")[0], number, seconds)), flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30.0)
