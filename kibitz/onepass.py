"""A recording refereed as if it were live, in one pass: what `kibitz demo` shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import msgspec
import typer

from engine.record import VIDEO
from engine.rules import ruleset
from kibitz import calibration
from kibitz.acquire import Acquired, acquire
from kibitz.files import write_whole
from kibitz.lang import choose
from kibitz.options import given_board
from kibitz.pipeline import Game, Journal, referee
from kibitz.record import Transcript, match_of, transcript
from kibitz.writing import write_record
from referee.events import Output, Setup
from referee.layout import Layout
from referee.start import start_tables
from vision.errors import NoBoard
from vision.source import Frame, Source
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


def report(video: str, result: Transcript, targets: Targets) -> None:
    """One line on what came out."""
    written = ", ".join(str(p) for p in (targets.record, targets.json, targets.journal) if p is not None)
    found = f"{len(result.turns)} turns, {len(result.illegal)} illegal plays seen, {len(result.gaps)} gaps"
    typer.echo(f"{video}: {found} → {written}")
