"""XGID, the one-line position that most programs read and write."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import RecordError
from engine.position import BAR, MEN, OFF, POINTS, Position

_OWN = "-ABCDEFGHIJKLMNO"
_THEIR = "-abcdefghijklmno"
_XGID = re.compile(
    r"\s*(?:XGID=)?(?P<board>[-A-Oa-o]{26}):(?P<cube>\d{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1)"
    r":(?P<dice>[0-6]{2}|[DBR]):(?P<mine>\d{1,5}):(?P<theirs>\d{1,5}):(?P<flag>[0-3])"
    r":(?P<length>\d{1,5}):(?P<most>\d{1,2})\s*"
)

_EXAMPLE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


@dataclass(frozen=True, slots=True)
class Xgid:
    """All that an XGID tells. The table, the score and `turn` 1 are the capital-letter player's.

    `cube_owner` 1 that player, -1 the other, 0 nobody. `roll` None: not thrown; `offer` is "D" for a double
    offered, "B" for a beaver, "R" for a raccoon. `flag`: the Crawford game in a match; in money play 1
    Jacoby, 2 beavers.
    """

    position: Position
    roll: tuple[int, int] | None = None
    offer: str = ""
    cube: int = 1
    cube_owner: int = 0
    turn: int = 1
    score: tuple[int, int] = (0, 0)
    flag: int = 0
    length: int = 0
    max_cube: int = 10

    def __str__(self) -> str:
        dice = "".join(map(str, self.roll)) if self.roll else self.offer or "00"
        fields = (self.cube.bit_length() - 1, self.cube_owner, self.turn, dice, *self.score)
        return f"XGID={_board(self.position)}:" + ":".join(
            str(field) for field in (*fields, self.flag, self.length, self.max_cube)
        )


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
    """The XGID of a table whose mover is the capital-letter player (see `Xgid`).

    >>> from engine.rules import BACKGAMMON
    >>> xgid(BACKGAMMON.start, (3, 1))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'

    Raises:
        RecordError: the table has more checkers than an XGID can hold, or a roll of other than two dice.
    """
    pair = None if roll is None else (roll[0], roll[-1])
    if pair is not None and pair != roll:
        raise RecordError(f"an XGID has room for two dice, not for {roll}")
    return str(Xgid(position, pair, "", cube, cube_owner, turn, score, int(crawford), length, max_cube))


def parse_xgid(text: str) -> Xgid:
    """The reverse of `xgid`; checkers that are missing are borne off.

    Raises:
        RecordError: it is not an XGID, or a side has more than fifteen checkers.
    """
    found = _XGID.fullmatch(text)
    if found is None or (found["dice"] != "00" and "0" in found["dice"]):
        raise RecordError(f"{text[:80]!r} is no XGID; one looks like {_EXAMPLE}")
    position = Position.of([_OWN.index(c) if c in _OWN else -_THEIR.index(c) for c in found["board"]])
    if max(position.men()) > MEN or position.points[OFF] > 0 or position.points[BAR] < 0:
        raise RecordError(f"{found['board']!r} in an XGID: too many checkers, or a bar of the wrong side")
    dice = found["dice"]
    return Xgid(
        position,
        roll=(int(dice[0]), int(dice[1])) if dice.isdigit() and dice != "00" else None,
        offer=dice if dice.isalpha() else "",
        cube=1 << int(found["cube"]),
        cube_owner=int(found["owner"]),
        turn=int(found["turn"]),
        score=(int(found["mine"]), int(found["theirs"])),
        flag=int(found["flag"]),
        length=int(found["length"]),
        max_cube=int(found["most"]),
    )


def _board(position: Position) -> str:
    counts = position.points[: POINTS + 2]
    if max(counts) > MEN or min(counts) < -MEN:
        raise RecordError(f"an XGID has no letter for more than {MEN} checkers on a point")
    return "".join(_OWN[n] if n >= 0 else _THEIR[-n] for n in counts)
