"""`kibitz check`: replay records in any format and report every illegal play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from engine.errors import KibitzError, RecordError
from engine.formats import ENDINGS, SHARED_ENDINGS, is_ours, read_record
from engine.notation import format_play
from engine.notation_trictrac import format_trictrac, place_name
from engine.plays import Hop, Play
from engine.position import BAR, OFF, Position
from engine.reasons import Reason
from engine.record import Act, Game, Match
from engine.repairs import Mend
from engine.review import Fault, review
from engine.rules import Ruleset
from engine.xgid import xgid
from kibitz.lang import Language, choose

GOOD, FAULTS, UNREADABLE = 0, 1, 2
_SHOWN = 3


class Notation(StrEnum):
    """How points and plays are written."""

    STANDARD = "standard"
    TRICTRAC = "trictrac"


@dataclass(frozen=True, slots=True)
class Speech:
    """How a report is worded: language, notation and the game they are about."""

    language: Language
    notation: Notation
    rules: Ruleset

    def play(self, hops: tuple[Hop, ...] | Play, side: int, joined: bool = True) -> str:
        """A play in the notation; a word when nothing was played."""
        standard = self.notation is Notation.STANDARD
        text = format_play(hops, joined) if standard else format_trictrac(hops, side, self.rules, joined)
        return text or self.language.say("nothing_played")

    def place(self, own: int, side: int) -> str:
        """A side's own point, bar or tray in the notation."""
        if self.notation is Notation.TRICTRAC:
            return place_name(own, side, self.rules)
        return {BAR: "bar", OFF: "off"}.get(own, str(own))


@dataclass(slots=True)
class Totals:
    """What was found in all files together."""

    files: int = 0
    games: int = 0
    rolls: int = 0
    illegal: int = 0
    errors: int = 0

    def line(self) -> dict[str, int]:
        """The last line of a JSON report."""
        counts = {"files": self.files, "games": self.games, "rolls": self.rolls, "illegal": self.illegal}
        return counts | ({"errors": self.errors} if self.errors else {})


def examine(name: str, match: Match, speech: Speech) -> dict[str, Any]:
    """The report of one match, as one JSON line: figures, faults, what was repaired.

    Games and turns (rolls, in their game) are counted from 1; `side` 0 is the first named player.
    """
    turns = [turn for game in match.games for turn in game.turns if turn.act is Act.PLAY]
    given_up = sum(repair.what is Mend.GAVE_UP for repair in match.repaired)
    faults = [
        _fault(number, game, fault, speech)
        for number, game in enumerate(match.games, 1)
        for fault in review(game, match.ruleset).faults
    ]
    return {
        "file": name,
        "games": len(match.games),
        "rolls": len(turns),
        "dances": sum(turn.play == () for turn in turns) + given_up,
        "illegal": len(faults),
        "faults": faults,
        "repaired": [speech.language.repair(repair) for repair in match.repaired],
    }


def _fault(number: int, game: Game, fault: Fault, speech: Speech) -> dict[str, Any]:
    turn, reading = game.turns[fault.turn], fault.reading
    counted = tuple(_counted(game, reason) for reason in fault.reasons)
    first = () if reading is None or reading not in fault.nearest else (reading,)
    nearest = (*first, *(play for play in fault.nearest if play != reading))
    return {
        "game": number,
        "turn": _roll_number(game, fault.turn),
        "side": turn.side,
        "roll": list(turn.roll),
        "position": _position(fault.position),
        "played": speech.play(turn.play or (), turn.side, joined=False),
        "why": [reason.why for reason in fault.reasons],
        "reason": speech.language.reasons(counted, lambda own: speech.place(own, turn.side)),
        "nearest": [speech.play(play, turn.side) for play in nearest[:_SHOWN]],
        "reading": None if reading is None else speech.play(reading, turn.side),
    }


def _counted(game: Game, reason: Reason) -> Reason:
    """A reason about another turn names that turn as a player counts."""
    return reason if reason.turn < 0 else replace(reason, turn=_roll_number(game, reason.turn))


def _roll_number(game: Game, index: int) -> int:
    return sum(turn.act is Act.PLAY for turn in game.turns[: index + 1])


def _position(position: Position) -> str | list[int]:
    try:
        return xgid(position)
    except RecordError:
        return list(position.points)


def files_of(records: list[Path]) -> Iterator[tuple[str, Path]]:
    """Every file to check with the name that the report gives it; folders are searched for known endings."""
    for record in records:
        if not record.is_dir():
            yield record.name, record
            continue
        for path in sorted(record.rglob("*")):
            if path.is_file() and _is_record(path):
                yield path.relative_to(record).as_posix(), path


def _is_record(path: Path) -> bool:
    """Whether a file in a folder is a record: by its ending, by its content where others use that ending."""
    name = path.name.lower()
    if not name.endswith(ENDINGS):
        return False
    if not name.endswith(SHARED_ENDINGS):
        return True
    with path.open("rb") as file:
        return is_ours(file.read(4096))


def read_file(path: Path) -> Match:
    """The match in a file.

    Raises:
        RecordError: it is not there or cannot be read.
    """
    try:
        return read_record(path.read_bytes())
    except OSError as bad:
        raise RecordError(f"{path} cannot be opened: {bad.strerror}; check the name") from bad


def check(
    records: Annotated[list[Path], typer.Argument(help="Match records in any format, or folders of them.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON line per file, then a line of totals.")
    ] = False,
    lang: Annotated[str | None, typer.Option(help="Language of the reasons: en or ru.")] = None,
    notation: Annotated[Notation, typer.Option(help="How plays are written.")] = Notation.STANDARD,
) -> None:
    """Replay records and report every illegal play, why it is illegal, and the legal plays nearest to it.

    Exit status: 0 no fault, 1 faults found, 2 a record could not be read.
    """
    language, totals = choose(lang), Totals()
    for name, path in files_of(records):
        totals.files += 1
        try:
            match = read_file(path)
            report = examine(name, match, Speech(language, notation, match.ruleset))
        except KibitzError as bad:
            totals.errors += 1
            _print_error(name, bad, as_json)
            continue
        totals.games += report["games"]
        totals.rolls += report["rolls"]
        totals.illegal += report["illegal"]
        _print_report(report, language, as_json)
    _print_totals(totals, language, as_json)
    raise typer.Exit(UNREADABLE if totals.errors or not totals.files else FAULTS if totals.illegal else GOOD)


def _print_error(name: str, bad: KibitzError, as_json: bool) -> None:
    if as_json:
        _print_json({"file": name, "error": str(bad)})
    else:
        typer.echo(f"{name}: {bad}", err=True)


def _print_json(line: dict[str, Any]) -> None:
    typer.echo(msgspec.json.encode(line).decode())


def _print_report(report: dict[str, Any], language: Language, as_json: bool) -> None:
    if as_json:
        _print_json(report)
        return
    typer.echo(language.say("checked", **{key: report[key] for key in ("file", "games", "rolls", "illegal")}))
    for repaired in report["repaired"]:
        typer.echo("  " + language.say("repaired", text=repaired))
    for fault in report["faults"]:
        for text in _fault_lines(fault, language):
            typer.echo("  " + text)


def _fault_lines(fault: dict[str, Any], language: Language) -> Iterator[str]:
    side = language.say(("light", "dark")[fault["side"]])
    roll = "-".join(str(die) for die in fault["roll"])
    where = {"game": fault["game"], "turn": fault["turn"], "side": side, "roll": roll}
    yield language.say("fault", played=fault["played"], **where)
    yield f"  {fault['position']}"
    yield "  " + fault["reason"]
    yield "  " + language.say("nearest", plays="; ".join(fault["nearest"]))
    if fault["reading"] is not None:
        yield "  " + language.say("reading", play=fault["reading"])


def _print_totals(totals: Totals, language: Language, as_json: bool) -> None:
    if as_json:
        _print_json(totals.line())
    elif totals.files != 1:
        typer.echo(
            language.say(
                "total", **{key: totals.line()[key] for key in ("files", "games", "rolls", "illegal")}
            )
        )
