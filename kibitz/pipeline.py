"""Frames in, a refereed game out: the one loop that `transcribe`, `demo` and the tests share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from kibitz import __version__
from referee.events import Ended, Input, Output, Setup, TurnPlayed
from referee.journal import SCHEMA, Entry, Header, line
from referee.session import State, begin, step
from vision.source import Frame
from vision.watch import Watcher

#: Plays surer than this teach the reader how emptied points look.
SURE = 0.98


class Journal:
    """The journal file: a line is handed to the system before anything of it is shown, and what came of an
    input is on the disk.
    """

    def __init__(self, path: Path, source: str, setup: Setup) -> None:
        self.path = path
        self._file: BinaryIO = path.open("wb")
        self._put(line(Header(SCHEMA, __version__, source, setup)), sure=True)

    @classmethod
    def again(cls, path: Path, keep: int) -> Self:
        """Go on with a journal after its first `keep` bytes: a torn last line is cut off."""
        journal = cls.__new__(cls)
        journal.path = path
        journal._file = path.open("r+b")
        journal._file.truncate(keep)
        journal._file.seek(keep)
        return journal

    def _put(self, data: bytes, *, sure: bool) -> None:
        self._file.write(data)
        self._file.flush()
        if sure:
            os.fsync(self._file.fileno())

    def write(self, given: Input, made: tuple[Output, ...]) -> None:
        """Append one step."""
        self._put(line(Entry(given, made)), sure=bool(made))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Game:
    """One session with its journal: inputs are stepped, written, then handed to whoever listens."""

    def __init__(self, setup: Setup, journal: Journal, listen: Callable[[Output], None]) -> None:
        self.state: State = begin(setup)
        self.outputs: list[Output] = []
        self._journal = journal
        self._listen = listen

    def put(self, given: Input) -> tuple[Output, ...]:
        """Step one input."""
        self.state, made = step(self.state, given)
        self._journal.write(given, made)
        self.outputs += made
        for output in made:
            self._listen(output)
        return made


def referee(frames: Iterable[Frame], watcher: Watcher, game: Game) -> Iterator[Frame]:
    """Feed frames to the game until they end; yields each frame after it was judged, for progress."""
    t = 0.0
    for frame in frames:
        t = frame.t
        given = watcher.frame(frame.t, frame.image)
        if given is not None:
            learn_from(game.put(given), watcher)
        yield frame
        if game.state.over:
            break
    game.put(Ended(t))


def learn_from(made: Iterable[Output], watcher: Watcher) -> None:
    """Let the reader learn from plays that are beyond doubt."""
    for output in made:
        if isinstance(output, TurnPlayed) and output.confidence >= SURE and not output.stood_illegal:
            watcher.confirm(output.after)
