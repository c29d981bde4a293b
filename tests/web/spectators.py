"""What spectators cost: joins a running game as ten of them and tells what each got and what was lost.

    kibitz watch --source file:game.mp4 &  python -m tests.web.spectators http://127.0.0.1:8700

Every third one is slow: it reads its pictures at 100 kB/s.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import httpx
from websockets.asyncio.client import connect

SPECTATORS, SECONDS, SLOW_BYTES_A_SECOND = 10, 20.0, 100_000


async def snapshots(url: str, until: float) -> int:
    """Read messages as they come; how many."""
    count = 0
    async with connect(url.replace("http", "ws") + "/ws", max_size=None) as socket:
        while time.monotonic() < until:
            await socket.recv()
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


async def source(url: str) -> dict[str, float]:
    """How the referee's source is: frames a second, frames dropped."""
    async with connect(url.replace("http", "ws") + "/ws", max_size=None) as socket:
        health = json.loads(await socket.recv())["shown"]["snapshot"]["source"]
        return {name: health[name] for name in ("fps", "dropped")}


async def main(url: str) -> None:
    """Look on alone for a while, then with all."""
    for number in (0, SPECTATORS):
        before, until = await source(url), time.monotonic() + SECONDS
        seen = await asyncio.gather(
            asyncio.sleep(SECONDS),
            *(pictures(url, until, slow=n % 3 == 2) for n in range(number)),
            *(snapshots(url, until) for _ in range(number)),
        )
        after = await source(url)
        lost = after["dropped"] - before["dropped"]
        print(f"{number} spectators: {after['fps']} frames/s, {lost} dropped in {SECONDS:.0f} s")
        print(f"  pictures {seen[1 : number + 1]}, messages {seen[number + 1 :]}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1].rstrip("/")))
