"""Match files (.mat): a lenient reader of every dialect met so far, and a strict writer of one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.canonical import canonical
from engine.errors import RecordError
from engine.mat_cells import Cell, cells
from engine.mat_write import losses, write_mat
from engine.record import Act, Game, Match, Turn
from engine.repairs import Mend, Repair
from engine.rules import BACKGAMMON, RULESETS
from engine.text import decoded, header_of, lines_of

__all__ = ["losses", "read_mat", "write_mat"]

_LENGTH = re.compile(r"\s*(\d{1,5})\s+points?\s+match.*", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+(\d{1,5})\s*", re.IGNORECASE)
_NAMES = re.compile(r"\s*(?P<left>\S.*?)\s*:\s*(?P<a>\d{1,6})\s{2,}(?P<right>\S.*?)\s*:\s*(?P<b>\d{1,6})\s*")
_PLAYERS = ("Player 1", "Player 2")
_LONGEST_NAMES = 400
_LARGEST_WIN = 64 * 8


@dataclass
class _Sheet:
    """One game of the file while it is read; its sides are the columns."""

    number: int
    line: int
    names: tuple[str, str] | None = None
    score: tuple[int, int] = (0, 0)
    cells: list[tuple[int, Cell]] = field(default_factory=list)

    @property
    def won(self) -> tuple[int, int] | None:
        """The column that won and how much, None while unfinished."""
        return next(((cell.side, cell.won) for _, cell in self.cells if cell.won is not None), None)


@dataclass
class _Reader:
    """Takes a file line by line."""

    length: int | None = None
    headers: list[tuple[str, str]] = field(default_factory=list)
    sheets: list[_Sheet] = field(default_factory=list)
    repaired: list[Repair] = field(default_factory=list)

    def take(self, number: int, line: str) -> None:
        if not line.strip():
            return
        if label := header_of(line):
            self.headers.append(label)
        elif (found := _LENGTH.fullmatch(line)) and not self.sheets:
            self.length = int(found[1])
        elif found := _GAME.fullmatch(line):
            self.sheets.append(_Sheet(int(found[1]), number))
        elif not (self._take_names(line) or self._take_cells(number, line)):
            self.repaired.append(Repair(Mend.IGNORED, number, line.strip()[:60]))

    def _take_names(self, line: str) -> bool:
        if not self.sheets or self.sheets[-1].names is not None:
            return False
        # Patterns with several gaps take their time over long lines, and no names are that long.
        found = (self._known_names(line) or _NAMES.fullmatch(line)) if len(line) <= _LONGEST_NAMES else None
        if not found:
            return False
        self.sheets[-1].names = (found["left"], found["right"])
        self.sheets[-1].score = (int(found["a"]), int(found["b"]))
        return True

    def _known_names(self, line: str) -> re.Match[str] | None:
        """The names line by the names of the headers: they may hold colons and numbers of their own."""
        known = dict(self.headers)
        one, two = (re.escape(known.get(key, "")) for key in _PLAYERS)
        if not one or not two:
            return None
        for left, right in ((one, two), (two, one)):
            columns = rf"\s*(?P<left>{left})\s*:\s*(?P<a>\d+)\s+(?P<right>{right})\s*:\s*(?P<b>\d+)\s*"
            if found := re.fullmatch(columns, line):
                return found
        return None

    def _take_cells(self, number: int, line: str) -> bool:
        if not self.sheets or (entries := cells(line, number)) is None:
            return False
        self.sheets[-1].cells += [(number, cell) for cell in entries]
        return True


def read_mat(data: str | bytes) -> Match:
    """The match of a .mat file; what had to be put right is in `repaired`.

    Side 0 is the left column of the first game.

    Raises:
        RecordError: it holds no game, or an entry cannot be read; the line is named.
    """
    text, repaired = decoded(data)
    reader = _Reader(repaired=list(repaired))
    for number, line in enumerate(lines_of(text), 1):
        reader.take(number, line)
    if not reader.sheets:
        raise RecordError("no line says 'Game 1': this is not a .mat match file")
    return _match(reader)


def _match(reader: _Reader) -> Match:
    known = dict(reader.headers)
    written = next((sheet.names for sheet in reader.sheets if sheet.names), None)
    names = written or (known.get(_PLAYERS[0], "White"), known.get(_PLAYERS[1], "Black"))
    if reader.length is None:
        reader.repaired.append(Repair(Mend.NO_LENGTH))
    match = Match(
        names=names,
        length=reader.length or 0,
        rules=_rules_name(known, reader.repaired),
        headers=tuple((key, value) for key, value in reader.headers if key not in (*_PLAYERS, "Variation")),
    )
    games = tuple(_game(sheet, match, reader.repaired) for sheet in _whole(reader))
    return replace(match, games=games, repaired=tuple(reader.repaired))


def _rules_name(headers: dict[str, str], repaired: list[Repair]) -> str:
    name = headers.get("Variation", BACKGAMMON.name)
    if name.lower() not in RULESETS:
        repaired.append(Repair(Mend.UNKNOWN_VARIATION, text=name[:40]))
        return BACKGAMMON.name
    return name.lower()


def _whole(reader: _Reader) -> Iterator[_Sheet]:
    """The games without those that were begun, broken off and written again."""
    for sheet, after in zip(reader.sheets, [*reader.sheets[1:], None], strict=True):
        if after is not None and sheet.won is None and after.number == sheet.number:
            reader.repaired.append(Repair(Mend.HALF_GAME, sheet.line, str(sheet.number)))
        else:
            yield sheet


def _game(sheet: _Sheet, match: Match, repaired: list[Repair]) -> Game:
    swapped = sheet.names == match.names[::-1] and match.names[0] != match.names[1]
    if swapped:
        repaired.append(Repair(Mend.COLUMNS_SWAPPED, sheet.line, str(sheet.number)))
    lines, turns = _turns(sheet, int(swapped))
    winner, points = _win(sheet, int(swapped), repaired)
    score = sheet.score[::-1] if swapped else sheet.score
    game, notes = canonical(Game(turns, score, winner, points), match.ruleset)
    for mend, count in Counter(mend for _, mend in notes).items():
        line = next(lines[turn] for turn, m in notes if m is mend)
        repaired.append(Repair(mend, line, str(count)))
    win_line = max(line for line, cell in sheet.cells if cell.won is not None) if sheet.won else 0
    for line, turn in zip(lines, game.turns, strict=True):
        if turn.act is Act.PLAY and turn.play is None:
            mend = Mend.GAVE_UP if line == win_line else Mend.UNKNOWN_PLAY
            repaired.append(Repair(mend, line, "".join(map(str, turn.roll))))
    return game


def _turns(sheet: _Sheet, swap: int) -> tuple[list[int], tuple[Turn, ...]]:
    entries = [(line, cell) for line, cell in sheet.cells if cell.turn is not None]
    turns = [replace(cell.turn, side=cell.side ^ swap) for _, cell in entries if cell.turn is not None]
    lines = [line for line, _ in entries]
    if entries and entries[-1][1].blank and sheet.won is not None:
        # The winner's last roll needs no hops; nobody can say that it was a dance.
        turns[-1] = replace(turns[-1], play=None)
    return lines, tuple(turns)


def _win(sheet: _Sheet, swap: int, repaired: list[Repair]) -> tuple[int | None, int]:
    if sheet.won is None:
        return None, 0
    side, points = sheet.won
    if not 0 < points <= _LARGEST_WIN:
        repaired.append(Repair(Mend.WRONG_WIN, sheet.line, str(points)))
        points = 0
    return side ^ swap, points
