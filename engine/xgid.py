"""XGID, the one-line position that most programs read and write."""

from __future__ import annotations

from engine.position import BAR, OFF, POINTS, Position

_OWN = "-ABCDEFGHIJKLMNOP"
_THEIR = "-abcdefghijklmnop"


def xgid(
    position: Position,
    roll: tuple[int, ...] | None = None,
    *,
    cube: int = 1,
    cube_owner: int = 0,
    turn: int = 1,
    score: tuple[int, int] = (0, 0),
    crawford: bool = False,
    length: int = 0,
    max_cube: int = 10,
) -> str:
    """The XGID of a table whose mover is the capital-letter player.

    `cube` is its value (1, 2, 4 …); `cube_owner` 1 the mover, -1 the opponent, 0 nobody; `turn` 1 the mover
    is on roll, -1 the opponent; `roll` None before the throw; `score` (mover, opponent) in a match to
    `length` points (0: money).

    >>> from engine.rules import BACKGAMMON
    >>> xgid(BACKGAMMON.start, (3, 1))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'
    """
    dice = "".join(str(die) for die in roll) if roll else "00"
    fields = (cube.bit_length() - 1, cube_owner, turn, dice, *score, int(crawford), length, max_cube)
    return f"XGID={_board(position)}:" + ":".join(str(field) for field in fields)


def _board(position: Position) -> str:
    places = (OFF, *range(1, POINTS + 1), BAR)
    return "".join(_OWN[n] if n >= 0 else _THEIR[-n] for n in (position.points[place] for place in places))
