"""A session with its journal, and the loop that feeds it the frames of a film in one pass."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from kibitz import __version__
from kibitz.files import OutputError
from referee.events import Ended, Input, Output, Setup, TurnPlayed
from referee.journal import SCHEMA, Entry, Header, line
from referee.session import State, begin, step

if TYPE_CHECKING:  # who only writes a journal needs no pictures
    from vision.source import Frame
    from vision.watch import Watcher

#: Plays surer than this teach the reader how emptied points look.
SURE = 0.98


class Journal:
    """The journal file: a line is handed to the system before anything of it is shown, and what came of an
    input is on the disk. A line is there whole or not at all: what a full disk cut off is taken away again.
    """

    def __init__(self, path: Path, source: str, setup: Setup, *, lasting: bool = True) -> None:
        """Begin a journal. Not `lasting`: it is only sure to be on the disk when it is closed.

        Raises:
            OutputError: the file cannot be made or written.
        """
        self.path = path
        try:
            self._file: FileIO = path.open("wb", buffering=0)
        except OSError as error:
            raise OutputError(
                f"{path}: cannot be written ({error.strerror}); choose another folder"
            ) from error
        self._size, self._lasting = 0, lasting
        self._put(line(Header(SCHEMA, __version__, source, setup)), sure=True)

    @classmethod
    def again(cls, path: Path, keep: int) -> Self:
        """Go on with a journal after its first `keep` bytes: a torn last line is cut off."""
        journal = cls.__new__(cls)
        journal.path = path
        journal._file = path.open("r+b", buffering=0)
        journal._file.truncate(keep)
        journal._file.seek(keep)
        journal._size, journal._lasting = keep, True
        return journal

    def _put(self, data: bytes, *, sure: bool) -> None:
        try:
            left = memoryview(data)
            while left:
                left = left[self._file.write(left) :]
            if sure and self._lasting:
                os.fsync(self._file.fileno())
        except OSError as error:
            self._take_back()
            raise OutputError(
                f"{self.path}: cannot be written ({error.strerror}); make room on the disk"
            ) from error
        self._size += len(data)

    def _take_back(self) -> None:
        """Cut off what there is of a line that could not be written."""
        with suppress(OSError):
            self._file.truncate(self._size)
            self._file.seek(self._size)

    def write(self, given: Input, made: tuple[Output, ...]) -> None:
        """Append one step.

        Raises:
            OutputError: the disk is full; the file then ends with the step before.
        """
        self._put(line(Entry(given, made)), sure=bool(made))

    def close(self) -> None:
        """Close the file."""
        if not self._lasting:
            os.fsync(self._file.fileno())
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
