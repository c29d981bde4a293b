"""`kibitz analyse`: a report on a match, by an engine where there is one, and of the facts."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
import typer

from engine.errors import KibitzError
from engine.record import Match
from engine.rules import Ruleset
from kibitz.analysis import Analyst, judge_all, rates
from kibitz.analysis_gnubg import GnubgAnalyst
from kibitz.analysis_sage import SageAnalyst
from kibitz.check import GOOD, UNREADABLE, read_file
from kibitz.coach import Which, gnubg_program, known, sage_there
from kibitz.facts import side_facts
from kibitz.files import write_whole
from kibitz.lang import choose
from kibitz.options import CallError
from kibitz.progress import progress
from kibitz.report_page import Findings, page


def find_analyst(rules: Ruleset, which: Which = shutil.which) -> Analyst | None:
    """The engine of this machine for a game; None where there is none (they know backgammon only)."""
    if not known(rules):
        return None
    program = gnubg_program(which)
    if program is not None:
        return GnubgAnalyst(program)
    return SageAnalyst() if sage_there() else None


def findings_of(match: Match, file: str, analyst: Analyst | None, video: str | None) -> Findings:
    """Everything that the report tells; shows how far it has come."""
    if analyst is None:
        return Findings(match, file, video=video)
    with progress(file, float(len(match.games)), "games") as at:
        judged, refused = judge_all(match, analyst, at)
    return Findings(match, file, analyst.name, analyst.plies, judged, refused, video)


def link_to(video: Path, report: Path) -> str:
    """The link from a report to a video beside or below it, or wherever else it is.

    Raises:
        CallError: there is no such video.
    """
    if not video.is_file():
        raise CallError(f"{video}: no such video; give the file that the record was made from")
    target, folder = video.resolve(), report.resolve().parent
    if target.is_relative_to(folder):
        return quote(target.relative_to(folder).as_posix())
    return target.as_uri()


def figures(findings: Findings) -> dict[str, Any]:
    """The report's figures for programs, by side."""
    match, sides = findings.match, []
    for side in (0, 1):
        facts = asdict(side_facts(match, side))
        if findings.judged:
            told = rates(match, findings.judged, side)
            facts |= asdict(told) | {"per_decision": told.per_decision, "rating": told.rating}
        sides.append({"name": match.names[side], **facts})
    refused = [{"game": number + 1, "why": why} for number, why in findings.refused.items()]
    return {"file": findings.file, "engine": findings.engine or None, "sides": sides, "refused": refused}


def analyse(
    record: Annotated[Path, typer.Argument(help="The record of a match, in any format.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The report; default: beside it.")] = None,
    video: Annotated[Path | None, typer.Option(help="The video that the clips are links into.")] = None,
    engine: Annotated[bool, typer.Option(help="Let bgsage or gnubg judge the plays.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures for programs.")] = False,
    lang: Annotated[str | None, typer.Option(help="Language of the report: en or ru.")] = None,
) -> None:
    """Report on a match: errors, luck, equity, blunders with pictures and clips; without an engine, facts.

    Exit status: 0 written, 2 the record could not be read or the report not be written.
    """
    language, target = choose(lang), out or record.with_suffix(".html")
    try:
        match = read_file(record)
        link = None if video is None else link_to(video, target)
        analyst = find_analyst(match.ruleset) if engine else None
        findings = findings_of(match, record.name, analyst, link)
        write_whole(target, page(findings, language).encode())
    except KibitzError as bad:
        typer.echo(str(bad), err=True)
        raise typer.Exit(UNREADABLE) from bad
    if as_json:
        typer.echo(msgspec.json.encode(figures(findings)).decode())
    else:
        typer.echo(language.say("written", file=target, games=len(match.games)))
    raise typer.Exit(GOOD)
