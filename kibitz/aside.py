"""The story of a video told in a process of its own, beside the one that reads the pictures.

Python computes in one thread of a process at a time: told in the reader's own process, stories keep the
decoder and the dice waiting.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:  # the process is to begin before all this is loaded here
    from kibitz.looks import Head, Item, Recording
    from kibitz.narrator import Outcome, Targets

#: Seconds that it may take to end when nothing more is wanted of it.
LAST_WORDS = 10.0
_NARRATOR = "from kibitz.narrator import main; main()"


class Aside:
    """A `kibitz.narrator.Narrator` in another process. Where none can be started, or it dies, all is told at
    the end, here.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = False
        with suppress(OSError):
            self._process = _started()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is None:
            return
        if not self._begun:
            self._process.kill()  # it has nothing to clear away
        _ended(self._process)

    def begin(self, video: str, targets: Targets) -> None:
        """What is to be heard now, and where its results go."""
        self._video, self._targets, self._begun = video, targets, True
        self._say((video, targets))

    def hear(self, item: Head | Item) -> None:
        """The head of the recording, then its items.

        Raises:
            KibitzError: a file cannot be written.
        """
        self._say(item)

    def told(self, recording: Recording) -> Outcome:
        """All of the recording was heard, and is on the disk (or nothing was): write what is wanted of it.

        Raises:
            KibitzError: a file cannot be written, or not hold this match.
        """
        from kibitz.narrator import Narrator

        self._say(recording.head.setup)
        outcome: Outcome | None = self._answer()
        if outcome is not None:
            return outcome
        with Narrator(self._video, self._targets) as narrator:
            return narrator.told(recording)

    def _say(self, what: Any) -> None:
        """Hand something over; a process that no longer listens is asked why."""
        if self._process is None or self._process.stdin is None:
            return
        try:
            self._process.stdin.write(pickle.dumps(what))
            self._process.stdin.flush()
        except OSError:
            self._answer()

    def _answer(self) -> Any:
        """What the process has to say at its end; None: nothing. It is not asked again.

        Raises:
            KibitzError: what is wrong with the files that it writes.
        """
        process, self._process = self._process, None
        if process is None or process.stdout is None:
            return None
        try:
            said = pickle.load(process.stdout)
        except (EOFError, pickle.UnpicklingError):
            said = None
        finally:
            _ended(process)
        if isinstance(said, Exception):
            raise said
        return said


def _started() -> subprocess.Popen[bytes]:
    """The process, which finds the same modules as this one, and of Ctrl-C hears from here only."""
    own = {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _NARRATOR],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **own},
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def _ended(process: subprocess.Popen[bytes]) -> None:
    """Let a process go: it ends when it hears no more."""
    with process:  # closes its pipes, in the end
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
        try:
            process.wait(LAST_WORDS)
        except subprocess.TimeoutExpired:
            process.kill()
