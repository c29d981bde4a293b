"""What a video showed, told while its pictures are still read: record, transcript and journal.

A process of its own may do it (`kibitz.aside`); this module is what that process runs.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Self

import msgspec

from engine.errors import KibitzError
from kibitz.looks import Head, Item, Recording
from kibitz.memory import end_quickly, searched_seldom
from kibitz.pipeline import Game, Journal
from kibitz.recording import Ahead, Inference, match_of, transcript_of
from kibitz.wording import SURE
from kibitz.writing import write_results
from referee.events import Ended, Seen, Setup, Still


class Targets(msgspec.Struct, frozen=True):
    """Where results go; None: not wanted."""

    record: Path | None
    json: Path | None
    journal: Path | None
    looks: Path


class Outcome(msgspec.Struct, frozen=True):
    """What came of a job: an `error`, or how much was found and what could not be `left_out` of a file;
    `doubts`: those about the whole of it.
    """

    video: str
    turns: int = 0
    illegal: int = 0
    gaps: int = 0
    doubtful: int = 0
    left_out: tuple[str, ...] = ()
    error: str | None = None
    doubts: tuple[str, ...] = ()


class JournalAhead:
    """The journal that the live referee would have written, for `kibitz replay` (None: not wanted): written
    while the pictures are read, under its own name when it is whole.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: Journal | None = None
        self._game: Game | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file.path.unlink(missing_ok=True)

    def hear(self, item: Head | Item) -> None:
        """The head of the recording, then its items."""
        if isinstance(item, Head) and self._path is not None:
            part = self._path.with_name(f"{self._path.name}.part")
            # it can be made again from the looks: no need to wait for the disk at each line
            self._file = Journal(part, item.source, item.setup, lasting=False)
            self._game = Game(item.setup, self._file, lambda _: None)
        elif self._game is not None and isinstance(item, Seen | Still):
            self._game.put(item)

    def ended(self, recording: Recording) -> bool:
        """All of the recording was heard; False where nothing was."""
        if self._game is None or self._file is None or self._path is None:
            return False
        self._game.put(Ended(recording.until))
        self._file.close()
        self._file.path.replace(self._path)
        self._file = None
        return True


def write_journal(path: Path, recording: Recording) -> None:
    """The same of a recording that is there already."""
    with JournalAhead(path) as journal:
        for item in chain([recording.head], recording.looks):
            journal.hear(item)
        journal.ended(recording)


class Narrator:
    """Hears what is read of one video, and tells it when all was heard. What breaks off leaves no journal."""

    def __init__(self, video: str, targets: Targets) -> None:
        self._video, self._targets = video, targets
        self._ahead, self._journal = Ahead(), JournalAhead(targets.journal)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    def hear(self, item: Head | Item) -> None:
        """The head of the recording, then its items."""
        self._ahead.hear(item)
        self._journal.hear(item)

    def told(self, recording: Recording) -> Outcome:
        """Write what is wanted of the recording, whether it was heard or not.

        Raises:
            KibitzError: a file cannot be written, or not hold this match.
        """
        outcome = written(self._video, recording, self._ahead.inference(recording), self._targets)
        if not self._journal.ended(recording) and self._targets.journal is not None:
            write_journal(self._targets.journal, recording)
        return outcome


def written(video: str, recording: Recording, inference: Inference, targets: Targets) -> Outcome:
    """Write record and transcript, and say what is in them.

    Raises:
        KibitzError: a file cannot be written, or not hold this match.
    """
    inferred, setup = inference.infer(), recording.head.setup
    told = transcript_of(inferred, video, setup.rules)
    left_out = write_results(told, match_of(inferred, setup), targets.record, targets.json)
    doubtful = sum(1 for line in inferred.turns if line.confidence < SURE)
    return Outcome(
        video, len(inferred.turns), len(inferred.illegal), len(inferred.gaps), doubtful, left_out,
        doubts=inferred.doubts,
    )  # fmt: skip


def main() -> None:
    """Tell what comes in on stdin to its end, and answer on stdout: the outcome, or what is wrong."""
    # whatever is printed must not get between
    answers, sys.stdout = os.fdopen(os.dup(1), "wb"), sys.stderr
    with answers:
        try:
            outcome: Outcome | Exception | None = _heard(unpickled(sys.stdin.buffer))
        except (KibitzError, OSError) as error:
            outcome = error
        if outcome is not None:
            pickle.dump(outcome, answers)
    end_quickly()


def _heard(said: Iterator[Any]) -> Outcome | None:
    """Video and targets, the recording's head, its items, and when all are on the disk the set-up; None where
    that never comes.
    """
    job = next(said, None)
    if job is None:
        return None
    video, targets = job
    with searched_seldom(), Narrator(video, targets) as narrator:
        for item in said:
            if isinstance(item, Setup):
                return narrator.told(Recording.load(targets.looks).renamed(item))
            narrator.hear(item)
    return None


def unpickled(pipe: BinaryIO) -> Iterator[Any]:
    """What was written into a pipe, up to its end, whole or torn."""
    while True:
        try:
            yield pickle.load(pipe)
        except (EOFError, pickle.UnpicklingError):
            return
