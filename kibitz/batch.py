"""One recording from its pictures to its files, and many of them: in processes, or by Dask on many machines.

Whatever runs it, `do` is the function, and it never raises for what is wrong with one video: that is in its
outcome. Each file is written whole or not at all, and looks go on where they broke off, so that a job that is
done again after a worker died gives the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import msgspec

from engine.errors import KibitzError, RecordError
from kibitz.aside import Aside
from kibitz.looks import Done, Head, Item, Recording, identity_of, later
from kibitz.memory import keep_freed, searched_seldom
from kibitz.narrator import Narrator, Outcome, Targets, write_journal, written
from kibitz.options import CallError
from kibitz.recording import Ahead, Inference
from kibitz.skimming import At, Wanted, asked_of, skim

#: Seconds between two files of one match.
BETWEEN_FILES = 1.0
#: A job is tried again this often when its worker dies.
RETRIES = 3
DIED = "the process that read it died (out of memory?); run this again: it goes on where it stopped"


class Job(msgspec.Struct, frozen=True):
    """One recording: a video, or several that are one match, one after the other."""

    videos: tuple[str, ...]
    wanted: Wanted
    targets: Targets


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
    with searched_seldom():
        if len(job.videos) > 1:
            return _match(job, at)
        with Narrator(job.videos[0], job.targets) as narrator:
            return narrator.told(skim(job.videos[0], job.wanted, job.targets.looks, at, narrator.hear))


def done_beside(job: Job, aside: Aside, at: At = lambda _: None) -> Outcome:
    """Do a job of one video, told `aside`.

    Raises:
        KibitzError: anything that is wrong with the video, the call or the outputs.
    """
    aside.begin(job.videos[0], job.targets)
    return aside.told(skim(job.videos[0], job.wanted, job.targets.looks, at, aside.hear))


def _match(job: Job, at: At) -> Outcome:
    """A match in several videos: each begins where the last one ended, by what was told of it."""
    ahead, targets = Ahead(), job.targets
    first, *more = job.videos
    whole = skim(first, job.wanted, targets.looks, at, ahead.hear)
    for number, video in enumerate(more, 2):
        looks = targets.looks.with_suffix(f".{number}.looks")
        known = (ahead.inference(whole) if number == 2 else Inference(whole)).infer().turns
        last = (*known[-1].after, known[-1].bar_after[0], -known[-1].bar_after[1]) if known else ()
        wanted = msgspec.structs.replace(job.wanted, position=None, known=(last,) if last else ())
        whole = joined(whole, skim(video, wanted, looks, at))
    outcome = written(first, whole, Inference(whole), targets)
    if targets.journal is not None:
        write_journal(targets.journal, whole)
    return outcome


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
