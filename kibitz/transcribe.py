"""`kibitz transcribe`: recorded play → transcript, match file and journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from engine.record import VIDEO
from engine.rules import ruleset
from kibitz import calibration
from kibitz.acquire import Acquired, acquire
from kibitz.files import write_whole
from kibitz.lang import choose
from kibitz.options import CalibrationFile, CallError, Corners, Rules, given_board
from kibitz.pipeline import Game, Journal, referee
from kibitz.progress import progress
from kibitz.record import Transcript, match_of, transcript
from kibitz.writing import check_ending, write_record
from referee.events import Output, Setup
from referee.layout import Layout
from referee.start import start_tables
from vision.errors import NoBoard
from vision.source import Frame, Source, open_source
from vision.watch import Watcher


@dataclass(frozen=True, slots=True)
class Targets:
    """Where results go; None: not wanted."""

    record: Path | None
    json: Path | None
    journal: Path


def start_of(
    source: Source, rules: str, corners: str | None, kept: Path | None
) -> tuple[Acquired, Iterator[Frame]]:
    """The learned board, and the frames from where it was learned on.

    Raises:
        KibitzError: no board, not the start, a broken source, a bad calibration.
    """
    frames = iter(source.frames())
    first = next(frames, None)
    if first is None:
        raise NoBoard(f"{source.url}: holds no pictures; check that it is a whole video")
    if kept is not None:
        return Acquired(calibration.load(kept), first), chain([first], frames)
    tables = [table for _, table in start_tables(ruleset(rules))]
    board = given_board(corners, first.image)
    return acquire(chain([first], frames), tables, board), frames


def run(
    source: Source,
    setup: Setup,
    began: tuple[Acquired, Iterator[Frame]],
    journal: Path,
    listen: Callable[[Output], None],
    seen: Callable[[Frame, Watcher], None],
) -> Game:
    """Referee a whole recording; `listen` gets what happens, `seen` each frame after it was judged."""
    acquired, frames = began
    watcher = Watcher(acquired.calibrated)
    with Journal(journal, source.url, setup) as file:
        game = Game(setup, file, listen)
        for frame in referee(frames, watcher, game):
            seen(frame, watcher)
    return game


def write_results(game: Game, source: Source, targets: Targets) -> Transcript:
    """Write what was asked for, each file whole or not at all.

    Raises:
        OutputError: a file cannot be written.
    """
    result = transcript(source.url, game.state.setup.rules, game.outputs)
    rules = ruleset(game.state.setup.rules)
    if targets.json is not None:
        write_whole(targets.json, msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    if targets.record is not None:
        match = match_of(game.outputs, rules, game.state.layout or Layout())
        language = choose()
        losses = write_record(
            targets.record, replace(match, headers=((VIDEO, Path(source.url).name),)), language
        )
        for loss in losses:
            typer.echo(language.say("left_out", text=language.loss(loss)), err=True)
    return result


def targets_of(video: str, out: Path | None, json: Path | None, journal: Path | None, many: bool) -> Targets:
    """Where one video's results go; for many videos the outputs are folders.

    Raises:
        CallError: several videos, but an output that is no folder.
    """
    if not many:
        if out is not None:
            check_ending(out)
        base = out or json or Path(Path(video.partition(":")[2] or video).name)
        return Targets(out, json, journal or base.with_suffix(".journal.jsonl"))
    for path in (out, json, journal):
        if path is not None and not path.is_dir():
            raise CallError(f"{path}: with several videos, outputs are folders that exist; make it first")
    stem = Path(video).stem
    return Targets(
        out / f"{stem}.mat" if out else None,
        json / f"{stem}.json" if json else None,
        (journal or out or json or Path()) / f"{stem}.journal.jsonl",
    )


def transcribe(
    videos: Annotated[list[str], typer.Argument(help="Videos, folders of pictures, or other sources.")],
    rules: Rules = "backgammon",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Match file: .mat, .sgf, .ogxm, .jsonl, .vtt.")
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Transcript for programs.")] = None,
    journal: Annotated[Path | None, typer.Option(help="Journal; default: beside the output.")] = None,
    corners: Corners = None,
    calibration_file: CalibrationFile = None,
) -> None:
    """Turn recorded play into a match file, a transcript and a journal."""
    setup = Setup(ruleset(rules).name)
    for video in videos:
        targets = targets_of(video, out, json, journal, len(videos) > 1)
        source = open_source(video)
        began = start_of(source, rules, corners, calibration_file)
        with progress(Path(video).name, source.seconds) as bar:
            game = run(source, setup, began, targets.journal, bar.said, lambda frame, _: bar.at(frame.t))
        report(video, write_results(game, source, targets), targets)


def report(video: str, result: Transcript, targets: Targets) -> None:
    """One line on what came out."""
    written = ", ".join(str(p) for p in (targets.record, targets.json, targets.journal) if p is not None)
    found = f"{len(result.turns)} turns, {len(result.illegal)} illegal plays seen, {len(result.gaps)} gaps"
    typer.echo(f"{video}: {found} → {written}")
