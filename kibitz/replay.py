"""`kibitz replay`: step a journal again and compare it with what was written, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.errors import RecordError
from kibitz.options import AsJson
from kibitz.record import transcript
from referee.journal import replay as replayed


def replay(
    journal: Annotated[Path, typer.Argument(help="A journal (.jsonl).")],
    json: AsJson = False,
) -> None:
    """Step a journal again; says where it comes out otherwise."""
    import msgspec

    try:
        lines = journal.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise RecordError(f"{journal}: cannot be read ({error.strerror}); check the path") from error
    again = replayed(lines)
    outputs = [o for entry in again.entries for o in entry.made]
    result = transcript(again.header.source, again.header.setup.rules, outputs)
    if json:
        typer.echo(msgspec.json.encode(result).decode())
    else:
        torn = "; its last line is torn and was left out" if again.torn else ""
        found = f"{len(result.turns)} turns, {len(result.illegal)} illegal"
        typer.echo(f"{journal}: {len(again.entries)} steps, {found}{torn}")
    if again.differs_at is not None:
        typer.echo(f"{journal}: line {again.differs_at} comes out otherwise in this version", err=True)
        raise typer.Exit(1)
