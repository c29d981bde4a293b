"""`kibitz convert`: a record from one format into another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.errors import KibitzError
from kibitz.check import GOOD, UNREADABLE, read_file
from kibitz.lang import choose
from kibitz.writing import NAMES, write_record


def convert(
    source: Annotated[Path, typer.Argument(help="The record to read, in any format.")],
    target: Annotated[Path, typer.Argument(help="The record to write; its ending says the format.")],
    to: Annotated[str | None, typer.Option(help="The format: " + ", ".join(NAMES))] = None,
    lang: Annotated[str | None, typer.Option(help="Language of the messages: en or ru.")] = None,
) -> None:
    """Read a record in any format and write it in another; what was repaired or had to be left out is said.

    Exit status: 0 written, 2 the source could not be read or the target not be written.
    """
    language = choose(lang)
    try:
        match = read_file(source)
        losses = write_record(target, match, language, to)
    except KibitzError as bad:
        typer.echo(str(bad), err=True)
        raise typer.Exit(UNREADABLE) from bad
    for repair in match.repaired:
        typer.echo(language.say("repaired", text=language.repair(repair)), err=True)
    for loss in losses:
        typer.echo(language.say("left_out", text=language.loss(loss)), err=True)
    typer.echo(language.say("written", file=target, games=len(match.games)))
    raise typer.Exit(GOOD)
