"""Progress of long work on the terminal; silent where nobody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from referee.events import IllegalSeen, Output, TurnPlayed


class Bar:
    """A progress bar that also counts turns."""

    def __init__(self, shown: Progress, task: TaskID) -> None:
        self._shown, self._task = shown, task
        self._turns = self._illegal = 0

    def at(self, t: float) -> None:
        """The work has come to second `t` of the recording."""
        self._shown.update(self._task, completed=t)

    def said(self, output: Output) -> None:
        """Something happened on the table."""
        self._turns += isinstance(output, TurnPlayed)
        self._illegal += isinstance(output, IllegalSeen)
        self._shown.update(self._task, found=f"{self._turns} turns, {self._illegal} illegal")


@contextmanager
def progress(name: str, seconds: float | None, found: str = "looking for the board") -> Iterator[Bar]:
    """A bar over `seconds` of recording (or of other work), on stderr; `found` stands beside it at first."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[found]}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as shown:
        yield Bar(shown, shown.add_task(name, total=seconds, found=found))


@contextmanager
def counted(total: int, done: int) -> Iterator[Callable[[], None]]:
    """A bar over `total` files, `done` of them done before; call what it gives for each one more."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.completed}/{task.total} videos"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as shown:
        task = shown.add_task("videos", total=total, completed=done)
        yield lambda: shown.advance(task)
