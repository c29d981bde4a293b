"""`kibitz demo`: no hardware; a drawn game through the whole pipeline, pixels first."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from firmware_bridge.leds import RecordingLeds, describe
from kibitz.board_text import board_text
from kibitz.compose import Wanted
from kibitz.files import OutputError
from kibitz.onepass import report, run, start_of
from kibitz.watch import run_live, setup_of
from referee.events import Gap, IllegalSeen, Lit, Output, PutRight, Rolled, Setup, Started, TurnPlayed
from vision.overlay import overlay, save_picture
from vision.source import Frame, Source, open_source
from vision.watch import Watcher

SIDES = ("light (O)", "dark (X)")
#: Lines of the story that stay on the screen.
STORY = 14


def story(output: Output) -> str | None:
    """One line on what happened, None for what players need not be told."""
    if isinstance(output, Started):
        return f"start seen; homes {output.layout.home}, light {output.layout.light}"
    if isinstance(output, Rolled):
        who = "" if output.side is None else SIDES[output.side] + " "
        return f"{who}rolls {'-'.join(map(str, output.roll))}"
    if isinstance(output, TurnPlayed):
        played = "stood illegal" if output.stood_illegal else output.text or "nothing (no legal play)"
        return f"{SIDES[output.side]} played {played}  [{output.confidence:.3f}]"
    if isinstance(output, IllegalSeen):
        return f"ILLEGAL by {SIDES[output.side]}: {output.reason}"
    if isinstance(output, PutRight):
        return "put right"
    return "the table and the record part ways" if isinstance(output, Gap) else None


@dataclass
class Stage:
    """What the demo shows while it runs."""

    lines: list[str]
    leds: RecordingLeds
    table: tuple[int, ...] | None = None
    shown_leds: str = ""

    def said(self, output: Output) -> None:
        """Take in one output of the session."""
        if isinstance(output, Lit):
            self.leds.show(output.signal)
            self.shown_leds = describe(output.signal)
        if isinstance(output, Started | TurnPlayed):
            self.table = output.table if isinstance(output, Started) else output.after
        line = story(output)
        if line is not None:
            self.lines.append(line)

    def view(self) -> Group:
        """Board, LEDs and story for the terminal."""
        board = board_text(self.table) if self.table is not None else "looking for the board"
        return Group(
            Panel(Text(board), title="board", expand=False),
            Panel(Text(self.shown_leds or "dark"), title="LEDs", expand=False),
            Panel(Text("\n".join(self.lines[-STORY:])), title="what happened", expand=False),
        )


def demo(
    out: Annotated[
        Path, typer.Option("--out", help="Folder for game.mat, journal.jsonl, overlay.png.")
    ] = Path("demo"),
    seed: Annotated[int, typer.Option(help="Another number, another game.")] = 7,
    turns: Annotated[int, typer.Option(help="Length of the game in turns.")] = 8,
    web: Annotated[bool, typer.Option("--web", help="Show it live on a page instead.")] = False,
    port: Annotated[int, typer.Option(help="The page's port.")] = 8700,
) -> None:
    """Play a drawn game, with one illegal play in it, through the real pipeline; no hardware needed."""
    if web:
        return _on_a_page(f"synth:seed={seed},turns={turns},pace=1", port)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"cannot be made ({error.strerror}); choose another folder with --out"
        raise OutputError(f"{out}: {why}") from error
    _in_the_terminal(open_source(f"synth:seed={seed},turns={turns}"), out, Console())
    return None


def _on_a_page(source: str, port: int) -> None:
    """The live referee on the drawn game, in a folder of its own: every demo is a new game."""
    with tempfile.TemporaryDirectory(prefix="kibitz-demo-") as folder, suppress(KeyboardInterrupt):
        wanted = Wanted(source, Path(folder), setup_of("backgammon", "legal", None, 0, "none"))
        asyncio.run(run_live(wanted, "127.0.0.1", port))


def _in_the_terminal(source: Source, out: Path, console: Console) -> None:
    stage, last = Stage([], RecordingLeds()), list[tuple[Frame, Watcher]]()
    journal = out / "journal.jsonl"
    with Live(stage.view(), console=console, auto_refresh=False) as live:

        def said(output: Output) -> None:
            stage.said(output)
            live.update(stage.view(), refresh=True)

        def seen(frame: Frame, watcher: Watcher) -> None:
            if watcher.last is not None and watcher.last.observation.t == frame.t:
                last[:] = [(frame, watcher)]

        game = run(source, Setup(), start_of(source, "backgammon"), journal, said, seen)
    for frame, watcher in last:
        if watcher.last is not None:
            picture = overlay(frame.image, watcher.board, watcher.last.observation)
            save_picture(str(out / "overlay.png"), picture)
    report(game, source.url, out / "game.mat", out / "game.json", journal)
    console.print(f"LED states shown: {len(stage.leds.states)}; picture: {out / 'overlay.png'}")
