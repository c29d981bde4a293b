"""`kibitz watch`: the live referee. Camera or sensor board, lamps, web page, journal."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from kibitz import calibration
from kibitz.compose import JOURNAL, Wanted, live, sim_of
from kibitz.live import LiveGame
from kibitz.options import CalibrationFile, CallError, Names, Rules, parse_names
from kibitz.orders import opening_counts
from kibitz.record import NAMES
from kibitz.snapshot import Snapshot
from referee.clock import ClockRule
from referee.events import Setup
from vision.calibrate import Calibrated
from vision.errors import SourceError

_CLOCK = re.compile(r"(delay|fischer):(\d+)\+(\d+)")


def clock_rule(text: str) -> ClockRule:
    """`delay:600+12`: kind, seconds for the match, seconds a turn; `none`.

    Raises:
        CallError: it is written otherwise.
    """
    if text == "none":
        return ClockRule()
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise CallError(f"--clock {text!r}: write it like delay:600+12, fischer:300+5 or none")
    kind = "delay" if found[1] == "delay" else "fischer"
    return ClockRule(kind, float(found[2]), float(found[3]))  # type: ignore[arg-type]


def setup_of(rules: str, policy: str, names: str | None, length: int, clock: str) -> Setup:
    """The set-up that the options ask for.

    Raises:
        KibitzError: no such game, policy, names or clock.
    """
    if policy not in ("legal", "responsible"):
        raise CallError(f"--policy {policy!r}: legal (must be put right) or responsible (only noted)")
    opening = opening_counts(rules)
    players = NAMES if names is None else parse_names(names)
    return Setup(
        rules, policy=policy, opening=opening, names=players, length=length, clock=clock_rule(clock)
    )  # fmt: skip


def watch(
    source: Annotated[
        str,
        typer.Option(
            help="usb:0, rtsp://…, http://… (MJPEG), rpicam:, file:game.mp4 as if live, serial:auto, "
            "gpio: (a full board on a Raspberry Pi's pins), sim: (a board to move on the page), "
            "sim:seed=3 (two players at it)"
        ),
    ] = "usb:0",
    leds: Annotated[
        str, typer.Option(help="none, console, gpio (club kit), or a board's port: serial:auto.")
    ] = "none",
    rules: Rules = "backgammon",
    names: Names = None,
    length: Annotated[int, typer.Option(min=0, max=99, help="Match length in points; 0: no match.")] = 0,
    policy: Annotated[
        str, typer.Option(help="legal: illegal plays must be put right; responsible: only noted.")
    ] = "legal",
    clock: Annotated[str, typer.Option(help="delay:600+12, fischer:300+5 or none.")] = "none",
    train: Annotated[
        bool, typer.Option("--train", help="Trainer: legal plays and, with an engine, better ones.")
    ] = False,
    folder: Annotated[Path, typer.Option(help="Where journal, calibration and pictures go.")] = Path("game"),
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game in the folder, after a crash too.")
    ] = False,
    kept: CalibrationFile = None,
    host: Annotated[
        str, typer.Option(help="Where the page listens; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The page's port; 0: no page.")] = 8700,
    tls: Annotated[bool, typer.Option("--tls", help="https, with a certificate made here.")] = False,
    speed: Annotated[float, typer.Option(min=0.1, help="Films run so many times as fast.")] = 1.0,
) -> None:
    """Referee a game live: LEDs, web page, clock, record; every illegal play is named with its reason."""
    if (folder / JOURNAL).exists() and not resume:
        raise CallError(f"{folder}: holds a game already; go on with --resume, or name another --folder")
    setup = setup_of(rules, policy, names, length, clock)
    calibrated: Calibrated | None = calibration.load(kept) if kept is not None else None
    mode = "trainer" if train else "tournament"
    wanted = Wanted(source, folder, setup, speed, leds, mode, resume, calibrated, phone=source == "phone:")
    with suppress(KeyboardInterrupt):
        asyncio.run(run_live(wanted, host, port, folder if tls else None))


async def run_live(wanted: Wanted, host: str, port: int, tls: Path | None = None) -> None:
    """Referee until the source ends or somebody stops it; `port` 0: without a page.

    Raises:
        SourceError: without a page, a source that could not be opened or broke off.
    """
    async with live(wanted) as game:
        sim = sim_of(game)
        if sim is not None:
            typer.echo(f"The simulated board listens at {sim.url} (kibitz doctor --board {sim.url})")
        if not port:
            await _told(game)
            if game.story.health.detail:
                raise SourceError(game.story.health.detail)
            return
        from kibitz.web.server import serve  # the web's parts are loaded only where a page is wanted

        teller = asyncio.create_task(_told(game))
        try:
            await serve(game, host, port, tls=tls, phone=game.phone, sim=sim)
        finally:
            teller.cancel()


async def _told(game: LiveGame) -> None:
    """One line for each turn of the record and each change of the banner, until the source has ended."""
    last, known = "", 0
    async for shown in game.subscribe():
        for turn in shown.turns[known:]:
            roll = "-".join(map(str, turn.roll))
            typer.echo(f"{'recorded':10} {turn.turn + 1}. {shown.match.names[turn.side]} {roll}: {turn.play}")
        known = len(shown.turns)
        line = _line(shown)
        if line != last:
            last = line
            typer.echo(line)
        if shown.source.state == "ended":
            return


def _line(shown: Snapshot) -> str:
    return f"{shown.banner.kind:10} {shown.banner.words.en}"
