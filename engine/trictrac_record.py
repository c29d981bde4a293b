"""Games in the seed's notation, a turn a line: `Белые (5, 1): XII–8 I–II`, a dance: `Черные (3, 6): —`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.canonical import canonical
from engine.errors import RecordError, RulesError
from engine.notation_trictrac import format_trictrac, mend_digits, parse_trictrac
from engine.plays import Hop
from engine.record import Act, Game, Match, Turn, timed
from engine.repairs import Loss, Lost, Mend, Repair
from engine.rules import RULESETS, TRICTRAC, Ruleset
from engine.text import decoded, header_line, header_of, lines_of

_SIDES = ("Белые", "Черные")
_TURN = re.compile(
    r"\s*(?P<side>Белые|Ч[её]рные|White|Black)\s*:?\s*\((?P<roll>[^)]{1,20})\)\s*:?\s*(?P<text>.*)",
    re.IGNORECASE,
)
_WIN = re.compile(
    r"\s*(?P<side>Белые|Ч[её]рные|White|Black)\s+(?:выигрывают|wins?)\D*(?P<points>\d{0,3})\D*", re.I
)
_GAME = re.compile(r"\s*(?:Партия|Game)\s+\d+\s*:?\s*(?:(?P<a>\d+)\s*[-–:]\s*(?P<b>\d+))?\s*", re.IGNORECASE)
_DANCE = ("", "-", "–", "—", "пропуск", "dance")
_UNKNOWN = "????"
_EXAMPLE = "Белые (5, 1): XII–8 I–II"


@dataclass
class _Game:
    """One game while it is read."""

    score: tuple[int, int] = (0, 0)
    turns: list[Turn] = field(default_factory=list)
    win: tuple[int | None, int] = (None, 0)


def looks_like(text: str) -> bool:
    """Whether a text is a record of this kind: one of its first lines is a turn."""
    return any(_TURN.fullmatch(_one_blank(line)) for line in lines_of(text)[:60])


def read_trictrac(data: str | bytes) -> Match:
    """The match of a record in the seed's notation. Plays that break the rules stay as they are written.

    Raises:
        RecordError: there is no turn in it, or a line cannot be read; the line is named.
    """
    text, repaired = decoded(data)
    headers, games, repairs = {}, [_Game()], list(repaired)
    for number, raw in enumerate(lines_of(text), 1):
        line = _one_blank(raw)
        if label := header_of(raw):
            headers[label[0]] = label[1]
        elif begun := _GAME.fullmatch(line):
            games.append(_Game((int(begun["a"] or 0), int(begun["b"] or 0))))
        elif line and not line.startswith("#"):
            _take(line, number, games[-1], _rules(headers), repairs)
    return _match(headers, [game for game in games if game.turns], repairs)


def _one_blank(line: str) -> str:
    """Runs of blanks as one, so that no pattern takes its time over them."""
    return " ".join(line.split())


def _rules(headers: dict[str, str]) -> Ruleset:
    return RULESETS.get(headers.get("Variation", TRICTRAC.name).lower(), TRICTRAC)


def _take(line: str, number: int, game: _Game, rules: Ruleset, repairs: list[Repair]) -> None:
    if found := _TURN.fullmatch(line):
        game.turns.append(_turn(found, number, rules, repairs))
    elif found := _WIN.fullmatch(line):
        game.win = (_side(found["side"]), int(found["points"] or 1))
    else:
        raise RecordError(f"line {number}: {line.strip()[:40]!r} is no turn like '{_EXAMPLE}'; mend it")


def _side(name: str) -> int:
    return 0 if name.lower() in ("белые", "white") else 1


def _turn(found: re.Match[str], number: int, rules: Ruleset, repairs: list[Repair]) -> Turn:
    side, text = _side(found["side"]), found["text"].strip()
    digits = mend_digits(found["roll"])
    roll = tuple(int(die) for die in re.findall(r"[1-6]", digits))
    if re.sub(r"[1-6,;+ ]", "", found["roll"]):
        repairs.append(Repair(Mend.DAMAGED_NUMBER, number, f"{found['roll']} → {', '.join(map(str, roll))}"))
    if len(roll) != rules.dice:
        raise RecordError(f"line {number}: the roll ({found['roll']}) needs {rules.dice} dice from 1 to 6")
    if text in _DANCE:
        return Turn(side, roll, ())
    if text == _UNKNOWN:
        return Turn(side, roll, None)
    try:
        steps = parse_trictrac(text, side, rules)
    except RulesError as bad:
        raise RecordError(f"line {number}: {bad}") from bad
    hops = tuple(Hop(step.src, step.dst, step.starred) for step in steps)
    if any(step.mended for step in steps):
        read = format_trictrac(hops, side, rules, joined=False)
        repairs.append(Repair(Mend.DAMAGED_NUMBER, number, f"{text} → {read}"))
    return Turn(side, roll, hops)


def _match(headers: dict[str, str], games: list[_Game], repairs: list[Repair]) -> Match:
    if not games:
        raise RecordError(f"no line is a turn like '{_EXAMPLE}': this is no record in this notation")
    rules = _rules(headers)
    played = [canonical(Game(tuple(g.turns), g.score, *g.win), rules)[0] for g in games]
    names = (headers.pop("Player 1", "White"), headers.pop("Player 2", "Black"))
    length = headers.pop("Match", "0")
    headers.pop("Variation", None)
    return Match(
        names,
        int(length) if length.isdecimal() and len(length) < 6 else 0,
        rules.name,
        tuple(played),
        tuple(headers.items()),
        tuple(repairs),
    )


def write_trictrac(match: Match) -> str:
    """The match in the seed's notation; `losses_trictrac` tells what that leaves out.

    Raises:
        RecordError: a name or label would break the lines.
    """
    own = (("Player 1", match.names[0]), ("Player 2", match.names[1]), ("Variation", match.rules))
    labels = (*match.headers, *own, ("Match", str(match.length)))
    lines = [header_line(key, value) for key, value in labels]
    for number, game in enumerate(match.games, 1):
        lines += [
            "",
            f"Партия {number}: {game.score[0]}–{game.score[1]}",
            *_lines(game, match.ruleset),
        ]
    return "\n".join(lines) + "\n"


def _lines(game: Game, rules: Ruleset) -> Iterator[str]:
    for turn in game.turns:
        if turn.act is Act.PLAY:
            roll = ", ".join(str(die) for die in turn.roll)
            yield f"{_SIDES[turn.side]} ({roll}): {_play_text(turn, rules)}"
    if game.winner is not None:
        yield f"{_SIDES[game.winner]} выигрывают {game.points}"


def _play_text(turn: Turn, rules: Ruleset) -> str:
    if turn.play is None:
        return _UNKNOWN
    return format_trictrac(turn.play, turn.side, rules, joined=not turn.stood_illegal) or "—"


def losses_trictrac(match: Match) -> tuple[Loss, ...]:
    """What `write_trictrac` leaves out: all that is not a play, notes, tables and starts of their own."""
    found = [Loss(Lost.START, g) for g, game in enumerate(match.games) if game.start is not None]
    found += [Loss(Lost.CRAWFORD, g) for g, game in enumerate(match.games) if game.crawford]
    for g, game in enumerate(match.games):
        for t, turn in enumerate(game.turns):
            found += [Loss(Lost.CUBE, g, t, turn.act)] * (turn.act is not Act.PLAY)
            found += [Loss(Lost.NOTE, g, t, turn.note)] * bool(turn.note)
            found += [Loss(Lost.TABLE, g, t)] * (turn.after is not None)
    return (*found, *[Loss(Lost.TIMES)] * timed(match))
