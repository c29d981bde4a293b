"""The lines of a .mat file, taken apart: a line holds up to two cells, one for each column."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.errors import RecordError, RulesError
from engine.notation import parse_word
from engine.plays import Hop
from engine.record import Act, Turn

#: Where the right column begins at the latest: cells of the left one start nearer to the margin.
RIGHT_COLUMN = 16

_ROW = re.compile(r"\s*\d+\)(?=\s|$)")
_CELL = re.compile(
    r"(?P<roll>[1-6]{2,3}):|(?<!\w)(?P<word>redoubles|doubles|takes|accepts|drops|passes|rejects|beavers|raccoons"
    r"|wins|loss?es|concedes|resigns)\b",
    re.IGNORECASE,
)
_ACTS = {
    "doubles": Act.DOUBLE,
    "redoubles": Act.DOUBLE,
    "beavers": Act.BEAVER,
    "raccoons": Act.BEAVER,
    "takes": Act.TAKE,
    "accepts": Act.TAKE,
    "drops": Act.DROP,
    "passes": Act.DROP,
    "rejects": Act.DROP,
    "concedes": Act.RESIGN,
    "resigns": Act.RESIGN,
}
_NUMBER = re.compile(r"\d{1,6}")
_DANCE = re.compile(r"\s*(cannot move|can't move|no move)?\s*", re.IGNORECASE)


class Cell(NamedTuple):
    """One side's entry: `turn`, or the points `won` (a win), or neither (a loss, said twice)."""

    side: int
    turn: Turn | None = None
    won: int | None = None
    #: A roll with nothing beside it.
    blank: bool = False


def cells(line: str, number: int) -> list[Cell] | None:
    """The entries of a line of play; None when the line is something else.

    Raises:
        RecordError: the line is one of play but cannot be read; `number` is named.
    """
    row = _ROW.match(line)
    starts = list(_CELL.finditer(line, row.end() if row else 0))
    if row is None and (not starts or line[: starts[0].start()].strip()):
        return None
    loose = line[row.end() if row else 0 : starts[0].start() if starts else len(line)].strip()
    if loose or len(starts) > 2:
        raise RecordError(
            f"line {number}: {loose or line.strip()!r} is no entry like '31: 8/5 6/5'; mend it by hand"
        )
    if row is None and starts[0]["roll"]:
        return None
    sides = (0, 1) if len(starts) == 2 else (int(bool(starts) and starts[0].start() >= RIGHT_COLUMN),)
    ends = [start.start() for start in starts[1:]] + [len(line)]
    return [
        _cell(side, start, line[start.end() : end].strip(), number)
        for side, start, end in zip(sides, starts, ends, strict=False)
    ]


def _cell(side: int, start: re.Match[str], text: str, number: int) -> Cell:
    if start["roll"]:
        return _roll_cell(side, tuple(int(die) for die in start["roll"]), text, number)
    word = start["word"].lower()
    value = int(found[0]) if (found := _NUMBER.search(text)) else 0
    if word == "wins":
        return Cell(side, won=value)
    return Cell(side, Turn(side, act=_ACTS[word], value=value)) if word in _ACTS else Cell(side)


def _roll_cell(side: int, roll: tuple[int, ...], text: str, number: int) -> Cell:
    if _DANCE.fullmatch(text):
        return Cell(side, Turn(side, roll, ()), blank=not text)
    if text.startswith("?"):
        return Cell(side, Turn(side, roll, None))
    if text.lower().startswith("illegal play"):
        return Cell(side, Turn(side, roll, None, stood_illegal=True))
    try:
        hops = tuple(Hop(*hop) for word in text.split() for hop in parse_word(word))
    except RulesError as bad:
        raise RecordError(f"line {number}: {bad}") from bad
    return Cell(side, Turn(side, roll, hops))
