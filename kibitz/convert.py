"""`kibitz convert`: a record from one format into another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from engine.errors import KibitzError, RecordError
from engine.formats import FORMATS, Format, format_named
from engine.record import Match
from engine.repairs import Loss
from kibitz.check import GOOD, UNREADABLE, read_file
from kibitz.lang import choose


def converted(match: Match, target: Format) -> tuple[bytes, tuple[Loss, ...]]:
    """The match in another format, and what that format could not hold.

    Raises:
        RecordError: the format cannot hold the match at all.
    """
    return target.encode(match), target.losses(match)


def convert(
    source: Annotated[Path, typer.Argument(help="The record to read, in any format.")],
    target: Annotated[Path, typer.Argument(help="The record to write; its ending says the format.")],
    to: Annotated[str | None, typer.Option(help="The format: " + ", ".join(f.name for f in FORMATS))] = None,
    lang: Annotated[str | None, typer.Option(help="Language of the messages: en or ru.")] = None,
) -> None:
    """Read a record in any format and write it in another; what was repaired or had to be left out is said.

    Exit status: 0 written, 2 the source could not be read or the target not be written.
    """
    language = choose(lang)
    try:
        match = read_file(source)
        data, losses = converted(match, format_named(to or target.name))
        _write(target, data)
    except KibitzError as bad:
        typer.echo(str(bad), err=True)
        raise typer.Exit(UNREADABLE) from bad
    for repair in match.repaired:
        typer.echo(language.say("repaired", text=language.repair(repair)), err=True)
    for loss in losses:
        typer.echo(language.say("left_out", text=language.loss(loss)), err=True)
    typer.echo(language.say("written", file=target, games=len(match.games)))
    raise typer.Exit(GOOD)


def _write(target: Path, data: bytes) -> None:
    """Write the whole file or nothing: a half-written record must not pass for one."""
    part = target.with_name(target.name + ".part")
    try:
        part.write_bytes(data)
        os.replace(part, target)
    except OSError as bad:
        part.unlink(missing_ok=True)
        raise RecordError(f"{target} cannot be written: {bad.strerror}; check folder and rights") from bad
