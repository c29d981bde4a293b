"""A recording refereed as if it were live, in one pass: what `kibitz demo` shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import typer

from engine.rules import ruleset
from kibitz.acquire import Acquired, acquire, first_of
from kibitz.lang import choose
from kibitz.pipeline import Game, Journal, referee
from kibitz.record import match_of, transcript
from kibitz.writing import write_results
from referee.events import Output, Setup
from referee.layout import Layout
from referee.start import start_tables
from vision.source import Frame, Source
from vision.watch import Watcher


def start_of(source: Source, rules: str) -> tuple[Acquired, Iterator[Frame]]:
    """The learned board, and the frames from where it was learned on.

    Raises:
        KibitzError: no board, not the start, a broken source.
    """
    frames = iter(source.frames())
    first = first_of(frames, source.url)
    tables = [table for _, table in start_tables(ruleset(rules))]
    return acquire(chain([first], frames), tables), frames


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


def report(game: Game, url: str, record: Path, json: Path, journal: Path) -> None:
    """Write the record and the transcript, and tell in one line what came out.

    Raises:
        OutputError: a file cannot be written.
    """
    rules, language = ruleset(game.state.setup.rules), choose()
    result = transcript(url, rules.name, game.outputs)
    match = match_of(game.outputs, rules, game.state.layout or Layout())
    for line in write_results(result, match, record, json):
        typer.echo(language.say("left_out", text=line), err=True)
    found = f"{len(result.turns)} turns, {len(result.illegal)} illegal plays seen, {len(result.gaps)} gaps"
    typer.echo(f"{url}: {found} → {record}, {json}, {journal}")
