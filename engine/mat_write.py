"""The strict side of .mat: one dialect, as gnubg, XG and the rest read it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import RecordError
from engine.notation import format_play
from engine.record import Act, Game, Match, Turn, timed
from engine.repairs import Loss, Lost
from engine.rules import BACKGAMMON
from engine.text import header_line

_WORDS = {
    Act.DOUBLE: " Doubles => {}",
    Act.BEAVER: " Beavers => {}",
    Act.TAKE: " Takes",
    Act.DROP: " Drops",
    Act.RESIGN: " Resigns {}",
}
_COLUMN = 34


def write_mat(match: Match) -> str:
    """The match as a .mat file; `losses` tells what such a file cannot hold.

    Raises:
        RecordError: a name or label would break the file's lines.
    """
    lines = [*_headers(match), "", f"{match.length} point match"]
    for number, game in enumerate(match.games, 1):
        lines += ["", f" Game {number}", _names(match, game), *_rows(match, game)]
    return "\n".join(lines) + "\n"


def losses(match: Match) -> tuple[Loss, ...]:
    """What `write_mat` leaves out: notes, tables that the hops do not tell, other starts."""
    found = [Loss(Lost.START, g) for g, game in enumerate(match.games) if game.start is not None]
    found += [Loss(Lost.CRAWFORD, g) for g, game in enumerate(match.games) if game.crawford]
    for g, game in enumerate(match.games):
        for t, turn in enumerate(game.turns):
            found += [Loss(Lost.NOTE, g, t, turn.note)] * bool(turn.note)
            found += [Loss(Lost.TABLE, g, t)] * (turn.after is not None)
    return (*found, *[Loss(Lost.TIMES)] * timed(match))


def _headers(match: Match) -> list[str]:
    variation = "Backgammon" if match.rules == BACKGAMMON.name else match.rules
    own = (("Player 1", match.names[0]), ("Player 2", match.names[1]), ("Variation", variation))
    return [header_line(key, value) for key, value in (*match.headers, *own)]


def _names(match: Match, game: Game) -> str:
    if any(not name or name != name.strip() for name in match.names):
        raise RecordError(f"the names {match.names!r} must not be empty or begin or end with a blank")
    left, right = (f"{name} : {score}" for name, score in zip(match.names, game.score, strict=True))
    return f" {left}".ljust(_COLUMN - 1) + f"  {right}"


def _rows(match: Match, game: Game) -> Iterator[str]:
    cells = [(_cell(left), _cell(right)) for left, right in _pairs(game)]
    win = _win(match, game)
    # After a drop on the left gnubg wants the win beside it.
    beside = game.winner == 1 and bool(cells) and not cells[-1][1]
    if beside:
        cells[-1] = (cells[-1][0], win)
    for number, (left, right) in enumerate(cells, 1):
        row = f"{number:3}) {left}"
        yield f"{row.ljust(_COLUMN)}  {right}" if right else row
    if win and not beside:
        yield " " * (_COLUMN if game.winner else 6) + win


def _win(match: Match, game: Game) -> str:
    """How the game ended, "" while it has not."""
    if game.winner is None:
        return ""
    won = game.score[game.winner] + game.points
    ending = f"Wins {game.points} point{'s' * (game.points != 1)}"
    return ending + " and the match" * (0 < match.length <= won)


def _pairs(game: Game) -> Iterator[tuple[Turn | None, Turn | None]]:
    """The turns two by two: side 0 on the left, side 1 on the right."""
    left: Turn | None = None
    for turn in game.turns:
        if turn.side == 0:
            if left is not None:
                yield left, None
            left = turn
        else:
            yield left, turn
            left = None
    if left is not None:
        yield left, None


def _cell(turn: Turn | None) -> str:
    if turn is None:
        return ""
    if turn.act is not Act.PLAY:
        return _WORDS[turn.act].format(turn.value)
    roll = "".join(str(die) for die in turn.roll)
    if turn.play is None:
        return f"{roll}: ????"
    return f"{roll}: {format_play(turn.play, joined=not turn.stood_illegal) or 'Cannot Move'}"
