"""`kibitz review`: the doubtful plays of a recording, one after the other, on a page."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from engine.errors import RecordError
from engine.rules import ruleset
from kibitz.looks import Recording
from kibitz.options import Names, parse_names
from kibitz.reviewing import Review
from kibitz.wording import SURE
from kibitz.writing import check_ending
from referee.events import Setup


def review(
    record: Annotated[
        Path, typer.Argument(help="What `kibitz transcribe` made: the .looks file, or a record beside it.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Match file to write; default: .mat beside the looks.")
    ] = None,
    videos: Annotated[
        Path | None, typer.Option(help="Folder of the videos, if they are no longer where they were.")
    ] = None,
    rules: Annotated[str | None, typer.Option(help="Another game than was said before.")] = None,
    names: Names = None,
    length: Annotated[int | None, typer.Option(min=0, help="Points the match is played to.")] = None,
    host: Annotated[str, typer.Option(help="Where the page listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The page's port.")] = 8701,
) -> None:
    """Mend the doubtful plays of a recording on a page; everything after them is inferred again at once."""
    looks = record if record.suffix == ".looks" else record.with_suffix(".looks")
    target = out or (record if record.suffix not in (".looks", ".json") else looks.with_suffix(".mat"))
    check_ending(target)
    if not looks.exists():
        raise RecordError(f"{looks}: there is no such file; `kibitz transcribe VIDEO` makes it")
    under_review = Review(looks, target, told(Recording.load(looks).head.setup, rules, names, length))
    doubtful = sum(play.confidence < SURE for play in under_review.plays())
    typer.echo(f"{looks}: {len(under_review.plays())} plays, {doubtful} to look at; writes {target}")
    with suppress(KeyboardInterrupt):
        asyncio.run(_served(under_review, videos, host, port))


def told(setup: Setup, rules: str | None, names: str | None, length: int | None) -> Setup:
    """The recording's set-up with what was said on the command line.

    Raises:
        RulesError: no such game.
        CallError: not two names.
    """
    if rules is not None:
        setup = replace(setup, rules=ruleset(rules).name)
    if names is not None:
        setup = replace(setup, names=parse_names(names))
    return setup if length is None else replace(setup, length=length)


async def _served(under_review: Review, videos: Path | None, host: str, port: int) -> None:
    from kibitz.web.invitation import new_token  # the web's parts are loaded only where a page is wanted
    from kibitz.web.review import make_review_app
    from kibitz.web.server import listen

    token = new_token()
    await listen(make_review_app(under_review, token, host, videos), host, port, token)
