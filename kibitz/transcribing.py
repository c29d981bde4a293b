"""Videos that are to be transcribed: what belongs together, where results go, and what is said of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from types import MappingProxyType

import typer

from engine.rules import ruleset
from kibitz.aside import Aside
from kibitz.batch import Job, do_all, done, done_beside, finished
from kibitz.lang import choose
from kibitz.narrator import Outcome, Targets
from kibitz.options import CallError, parse_names
from kibitz.progress import counted, progress
from kibitz.record import NAMES
from kibitz.recording import DIRECTION, LAPSE
from kibitz.skimming import Wanted
from kibitz.writing import check_ending
from referee.events import Setup
from vision.source import open_source

VIDEOS = frozenset({".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v", ".mts", ".mpg", ".mpeg"})
#: What doubts about a whole recording are called among the texts.
SAID = MappingProxyType({DIRECTION: "undirected", LAPSE: "restless"})


def setup_of(rules: str, names: str | None, length: int) -> Setup:
    """The match as the call tells it.

    Raises:
        KibitzError: an unknown game, or not two names.
    """
    return Setup(ruleset(rules).name, names=NAMES if names is None else parse_names(names), length=length)


def expanded(videos: Sequence[str]) -> list[str]:
    """The videos with those in folders in the place of the folders; a folder of pictures stays one source."""
    found: list[str] = []
    for video in videos:
        inside = sorted(p for p in Path(video).glob("*") if p.suffix.lower() in VIDEOS)
        found += [str(p) for p in inside] or [video]
    return list(dict.fromkeys(found))


def stems(videos: Sequence[str]) -> list[str]:
    """What the results of each video are called: as it is; several of one name are numbered, never like
    another video's own name.
    """
    every = [Path(video).stem for video in videos]
    taken = set(every)
    numbers: defaultdict[str, count[int]] = defaultdict(lambda: count(1))
    found = []
    for stem in every:
        name = stem
        while every.count(stem) > 1 and name in taken:
            name = f"{stem}-{next(numbers[stem])}"
        taken.add(name)
        found.append(name)
    return found


def targets_of(
    video: str, out: Path | None, json: Path | None, journal: Path | None, stem: str | None
) -> Targets:
    """Where one video's results go; for many videos the outputs are folders, and `stem` tells them apart.

    Raises:
        CallError: several videos, but an output that is no folder.
        RecordError: an ending that says no format.
    """
    if stem is None:
        if out is not None:
            check_ending(out)
        base = out or json or Path(Path(video.partition(":")[2] or video).name)
        return Targets(out, json, journal or base.with_suffix(".journal.jsonl"), base.with_suffix(".looks"))
    for path in (out, json, journal):
        if path is not None and not path.is_dir():
            raise CallError(f"{path}: with several videos, outputs are folders that exist; make it first")
    beside = journal or out or json or Path()
    return Targets(
        out / f"{stem}.mat" if out else None,
        json / f"{stem}.json" if json else None,
        beside / f"{stem}.journal.jsonl",
        beside / f"{stem}.looks",
    )


def run(
    parts: Sequence[tuple[str, ...]],
    wanted: Wanted,
    outputs: tuple[Path | None, Path | None, Path | None],
    processes: int = 1,
    dask: str | None = None,
    aside: Aside | None = None,
) -> None:
    """Transcribe recordings, each in so many videos; one alone may be told `aside`. `outputs`: record,
    transcript and journal, folders for several.
    """
    names = stems([p[0] for p in parts])
    todo = [
        Job(p, wanted, targets_of(p[0], *outputs, name if len(parts) > 1 else None))
        for p, name in zip(parts, names, strict=True)
    ]
    if len(todo) == 1 and dask is None:
        _one(todo[0], aside)
    else:
        _many(todo, processes, dask)


def _one(job: Job, aside: Aside | None) -> None:
    """One recording: what is wrong with it ends the command."""
    with progress(Path(job.videos[0]).name, open_source(job.videos[0]).seconds) as at:
        outcome = done(job, at) if aside is None else done_beside(job, aside, at)
    _say(job, outcome)


def _many(jobs: Sequence[Job], processes: int, dask: str | None) -> None:
    """Many recordings: each failure is a line, and the others go on."""
    todo = [job for job in jobs if not finished(job)]
    for job in jobs:
        if job not in todo:
            typer.echo(f"{job.videos[0]}: done before")
    failed, by_video = 0, {job.videos[0]: job for job in todo}
    with counted(len(jobs), len(jobs) - len(todo)) as step:

        def told(outcome: Outcome) -> None:
            nonlocal failed
            failed += outcome.error is not None
            step()
            _say(by_video[outcome.video], outcome)

        do_all(todo, processes, dask, told)
    if failed:
        raise typer.Exit(1)


def _say(job: Job, outcome: Outcome) -> None:
    """One line on what came out."""
    if outcome.error is not None:
        typer.echo(f"kibitz: {outcome.error}", err=True)
        return
    for line in outcome.left_out:
        typer.echo(choose().say("left_out", text=line), err=True)
    for doubt in outcome.doubts:
        typer.echo(choose().say(SAID[doubt], video=outcome.video), err=True)
    targets = job.targets
    written = ", ".join(str(p) for p in (targets.record, targets.json, targets.journal, targets.looks) if p)
    found = f"{outcome.turns} turns, {outcome.illegal} illegal plays seen, {outcome.gaps} gaps"
    typer.echo(f"{outcome.video}: {found}, {outcome.doubtful} plays to look at → {written}")
