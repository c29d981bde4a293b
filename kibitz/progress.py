"""Progress of long work on the terminal; silent where nobody looks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: How often a second a bar is drawn: while it is, nothing else is computed.
DRAWN = 3
#: Columns of a bar.
WORK = ("{task.description}", None, "{task.fields[found]}")
VIDEOS = ("{task.completed:.0f}/{task.total:.0f} videos", None)


@contextmanager
def progress(
    name: str, seconds: float | None, found: str = "looking for the board"
) -> Iterator[Callable[[float], None]]:
    """A bar over `seconds` of recording (or of other work), on stderr; `found` stands beside it. Call what it
    gives with the second that the work has come to.
    """
    with _drawn(WORK, description=name, total=seconds, found=found) as at:
        yield at


@contextmanager
def counted(total: int, done: int) -> Iterator[Callable[[], None]]:
    """A bar over `total` files, `done` of them done before; call what it gives for each one more."""
    whole = done
    with _drawn(VIDEOS, description="videos", total=total, completed=done) as at:

        def step() -> None:
            nonlocal whole
            whole += 1
            at(whole)

        yield step


@contextmanager
def _drawn(columns: tuple[str | None, ...], **task: Any) -> Iterator[Callable[[float], None]]:
    """A bar (None) between texts, and what sets it. It is only loaded where it is seen."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    shown = [BarColumn() if text is None else TextColumn(text) for text in columns]
    bars = Progress(
        *shown, TimeRemainingColumn(), console=Console(stderr=True), transient=True, refresh_per_second=DRAWN
    )
    with bars:
        number = bars.add_task(**task)
        yield lambda at: bars.update(number, completed=at)
