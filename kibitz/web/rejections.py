"""Pictures from around each rejection, kept beside the journal for the debug bundle."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from pathlib import Path

from kibitz.live import LiveGame

#: Verdicts that somebody may ask about later.
REJECTIONS = frozenset({"illegal", "lost"})
#: Seconds between pictures, how many from before a rejection are kept, and how many rejections at most.
PACE, BEFORE, MOST = 1.0, 3, 100


async def keep_rejections(live: LiveGame) -> None:
    """Write the last pictures before each rejection, one with the reading drawn in, and one from after it.

    Runs until it is cancelled; does nothing for a game without a folder or without a camera.
    """
    if live.folder is None:
        return
    before: deque[bytes] = deque(maxlen=BEFORE)
    kind, number = "", 0
    while True:
        plain, last, kind = await live.picture("plain"), kind, live.snapshot().banner.kind
        if plain is not None:
            before.append(plain)
        if kind in REJECTIONS and last not in REJECTIONS and plain is not None and number < MOST:
            number += 1
            pictures = {f"before{n}": jpeg for n, jpeg in enumerate(before)}
            pictures["reading"] = await live.picture("overlay") or plain
            await asyncio.sleep(PACE)
            pictures["after"] = await live.picture("plain") or plain
            await asyncio.to_thread(_write, live.folder / "rejections", live.snapshot().t, pictures)
        await asyncio.sleep(PACE)


def _write(folder: Path, t: float, pictures: dict[str, bytes]) -> None:
    with suppress(OSError):  # a full disk must not stop the game
        folder.mkdir(exist_ok=True)
        for name, jpeg in pictures.items():
            (folder / f"{t:08.1f}-{name}.jpg").write_bytes(jpeg)
