"""One recording from its pictures to its files, and many of them: in processes, or by Dask on many machines.

Whatever runs it, `do` is the function, and it never raises for what is wrong with one video: that is in its
outcome. Each file is written whole or not at all, and looks go on where they broke off, so that a job that is
done again after a worker died gives the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Self
from uuid import uuid4

import msgspec

from engine.errors import KibitzError, RecordError
from kibitz.looks import Done, Head, Item, Recording, identity_of, later
from kibitz.memory import keep_freed, searched_seldom
from kibitz.options import CallError
from kibitz.pipeline import Game, Journal
from kibitz.recording import Ahead, Inference, match_of, transcript_of
from kibitz.skimming import At, Hear, Wanted, asked_of, skim
from kibitz.wording import SURE
from kibitz.writing import write_results
from referee.events import Ended, Seen, Still

#: Seconds between two files of one match.
BETWEEN_FILES = 1.0
#: A job is tried again this often when its worker dies.
RETRIES = 3
DIED = "the process that read it died (out of memory?); run this again: it goes on where it stopped"


class Targets(msgspec.Struct, frozen=True):
    """Where results go; None: not wanted."""

    record: Path | None
    json: Path | None
    journal: Path | None
    looks: Path


class Job(msgspec.Struct, frozen=True):
    """One recording: a video, or several that are one match, one after the other."""

    videos: tuple[str, ...]
    wanted: Wanted
    targets: Targets


class Outcome(msgspec.Struct, frozen=True):
    """What came of a job: an `error`, or how much was found and what could not be `left_out` of a file;
    `undirected`: the plays do not tell which way the board lies.
    """

    video: str
    turns: int = 0
    illegal: int = 0
    gaps: int = 0
    doubtful: int = 0
    left_out: tuple[str, ...] = ()
    error: str | None = None
    undirected: bool = False


def do(job: Job, at: At = lambda _: None) -> Outcome:
    """Do one job; what is wrong with it is in the outcome."""
    try:
        return done(job, at)
    except KibitzError as error:
        return Outcome(job.videos[0], error=str(error))
    except OSError as error:
        return Outcome(job.videos[0], error=f"{error.filename or job.videos[0]}: {error.strerror or error}")


def done(job: Job, at: At = lambda _: None) -> Outcome:
    """Do one job.

    Raises:
        KibitzError: anything that is wrong with the video, the call or the outputs.
    """
    ahead, targets = Ahead(), job.targets
    with searched_seldom(), JournalAhead(targets.journal if len(job.videos) == 1 else None) as journal:
        recording = skimmed(job, at, ahead, journal.hear)
        inferred = (ahead.inference(recording) if len(job.videos) == 1 else Inference(recording)).infer()
        setup = recording.head.setup
        told = transcript_of(inferred, job.videos[0], setup.rules)
        left_out = write_results(told, match_of(inferred, setup), targets.record, targets.json)
        if not journal.ended(recording) and targets.journal is not None:
            write_journal(targets.journal, recording)
    doubtful = sum(1 for line in inferred.turns if line.confidence < SURE)
    return Outcome(
        job.videos[0], len(inferred.turns), len(inferred.illegal), len(inferred.gaps), doubtful, left_out,
        undirected=bool(inferred.other_layouts),
    )  # fmt: skip


def skimmed(job: Job, at: At, ahead: Ahead, hear: Hear = lambda _: None) -> Recording:
    """The looks of all the job's videos, one after the other; those of the first are judged as they come, and
    others may `hear` them, too.
    """

    def heard(item: Head | Item) -> None:
        ahead.hear(item)
        hear(item)

    first, *more = job.videos
    whole = skim(first, job.wanted, job.targets.looks, at, heard)
    for number, video in enumerate(more, 2):
        looks = job.targets.looks.with_suffix(f".{number}.looks")
        known = (ahead.inference(whole) if number == 2 else Inference(whole)).infer().turns
        last = (*known[-1].after, known[-1].bar_after[0], -known[-1].bar_after[1]) if known else ()
        wanted = msgspec.structs.replace(job.wanted, position=None, known=(last,) if last else ())
        whole = joined(whole, skim(video, wanted, looks, at))
    return whole


@dataclass(frozen=True, slots=True)
class Joined:
    """The items of two recordings one after the other; the second's times are later by `shift`."""

    first: Iterable[Item]
    second: Iterable[Item]
    shift: float

    def __iter__(self) -> Iterator[Item]:
        yield from (item for item in self.first if not isinstance(item, Done))
        yield from (later(item, self.shift) for item in self.second)


def joined(first: Recording, second: Recording) -> Recording:
    """Two recordings of one match as one; the second's times follow the first's."""
    shift = first.until + BETWEEN_FILES
    return Recording(first.head, Joined(first.kept, second.kept, shift))


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


def finished(job: Job) -> bool:
    """True when nothing is left to do: all that is wanted is there, newer than the looks, which are whole and
    of this video, asked for as it is now.
    """
    wanted = [p for p in (job.targets.record, job.targets.json, job.targets.journal) if p is not None]
    looks = job.targets.looks
    if not wanted or not looks.exists() or not all(p.exists() for p in wanted):
        return False
    if min(p.stat().st_mtime for p in wanted) < looks.stat().st_mtime:
        return False
    try:
        recording = Recording.load(looks)
    except RecordError:
        return False
    return recording.done and _as_asked(recording.head, job)


def _as_asked(head: Head, job: Job) -> bool:
    told, now = head.setup, job.wanted.setup
    same = (told.names, told.length, told.rules) == (now.names, now.length, now.rules)
    known = identity_of(Path(job.videos[0].removeprefix("file:")))
    return same and head.identity == known and head.asked == asked_of(job.wanted)


Told = Callable[[Outcome], None]


def do_all(jobs: Sequence[Job], processes: int, scheduler: str | None, told: Told) -> None:
    """Do many jobs, in processes or by Dask; `told` hears each outcome as it comes, once for each job."""
    outcomes = _by_dask(jobs, scheduler) if scheduler else _by_processes(jobs, processes)
    for outcome in outcomes:
        told(outcome)


def _by_processes(jobs: Sequence[Job], processes: int) -> Iterator[Outcome]:
    with ThreadPoolExecutor(processes) as pool:
        try:
            for future in as_completed([pool.submit(_alone, job) for job in jobs]):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _alone(job: Job) -> Outcome:
    """A job in a process of its own: what kills that is this video's fault and ends no other one."""
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import get_context  # they are only loaded for several videos

    video = job.videos[0]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=keep_freed) as pool:
        try:
            return pool.submit(do, job).result()
        except BrokenProcessPool:
            return Outcome(video, error=f"{video}: {DIED}")
        except Exception as error:  # whatever else is wrong with it
            return Outcome(video, error=f"{video}: {type(error).__name__}: {error}")


def _by_dask(jobs: Sequence[Job], scheduler: str) -> Iterator[Outcome]:
    try:
        from distributed import Client
        from distributed import as_completed as completed
    except ImportError as error:
        raise CallError("--dask: Dask is not installed; run: pip install 'kibitz[dask]'") from error
    try:
        client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise CallError(f"--dask {scheduler}: no scheduler answers there ({error})") from error
    with client:
        # names of their own: the scheduler takes tasks of one name for one task, whoever sends them
        names = [f"kibitz-{uuid4().hex}" for _ in jobs]
        futures = client.map(do, jobs, key=names, retries=RETRIES)
        videos = {future.key: job.videos[0] for future, job in zip(futures, jobs, strict=True)}
        for future in completed(futures):  # type: ignore[no-untyped-call]
            if future.status == "finished":
                yield future.result()
            else:
                yield Outcome(videos[future.key], error=f"{videos[future.key]}: {future.exception()}")
