"""GNU Backgammon's Position ID and Match ID: a table, and the state of a match, in a few letters each."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from engine.errors import RecordError
from engine.position import BAR, MEN, OFF, POINTS, Position

_POSITION_BYTES, _MATCH_BYTES = 10, 9
#: The widths in bits of a Match ID's fields, in their order.
_WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
_NOBODY = 3


def position_id(position: Position) -> str:
    """The Position ID of a table; gnubg knows no table with more than fifteen checkers a side.

    >>> from engine.rules import BACKGAMMON
    >>> position_id(BACKGAMMON.start)
    '4HPwATDgc/ABMA'
    """
    mirrored = position.swapped(lambda own: POINTS + 1 - own)
    ones = [max(0, side.points[own]) for side in (mirrored, position) for own in range(1, BAR + 1)]
    bits = "".join("1" * n + "0" for n in ones)
    number = int(bits[: 8 * _POSITION_BYTES].ljust(8 * _POSITION_BYTES, "0")[::-1], 2)
    return base64.b64encode(number.to_bytes(_POSITION_BYTES, "little")).decode().rstrip("=")


def from_position_id(text: str) -> Position:
    """The table of a Position ID as the player on roll sees it; checkers that are missing are borne off.

    Raises:
        RecordError: it is not a Position ID, or a side has more than fifteen checkers.
    """
    bits = f"{_number(text, _POSITION_BYTES, 'Position'):0{8 * _POSITION_BYTES}b}"[::-1]
    runs = [len(run) for run in bits.split("0")][:50]
    theirs, mine = runs[:25], runs[25:]
    if len(runs) < 50 or max(sum(theirs), sum(mine)) > MEN:
        raise RecordError(f"{text[:40]!r} is no Position ID of a table with fifteen checkers a side")
    points = [0] * (BAR + 1)
    for own in range(1, POINTS + 1):
        points[own] = mine[own - 1] - theirs[POINTS - own]
        if mine[own - 1] and theirs[POINTS - own]:
            raise RecordError(f"{text[:40]!r} puts both sides on point {own}: it is no Position ID")
    points[BAR], points[OFF] = mine[24], -theirs[24]
    return Position.of(points)


@dataclass(frozen=True, slots=True)
class MatchState:
    """What a Match ID tells; players are 0 and 1, `cube_owner` None is nobody.

    `game_state`: 0 none, 1 playing, 2 over, 3 resigned, 4 dropped. `roll` (0, 0): not thrown yet.
    """

    cube: int = 1
    cube_owner: int | None = None
    on_roll: int = 0
    crawford: bool = False
    game_state: int = 1
    turn: int = 0
    doubled: bool = False
    resigned: int = 0
    roll: tuple[int, int] = (0, 0)
    length: int = 0
    score: tuple[int, int] = (0, 0)
    jacoby: bool = False


def match_id(state: MatchState) -> str:
    """The Match ID of a state.

    >>> match_id(MatchState(cube=2, cube_owner=0, on_roll=1, turn=1, roll=(5, 2), length=9, score=(2, 4)))
    'QYkqASAAIAAE'

    Raises:
        RecordError: a number does not fit its place.
    """
    owner = _NOBODY if state.cube_owner is None else state.cube_owner
    fields = (
        *(state.cube.bit_length() - 1, owner, state.on_roll, int(state.crawford), state.game_state),
        *(state.turn, int(state.doubled), state.resigned, *state.roll, state.length, *state.score),
        int(not state.jacoby),
    )
    number = shift = 0
    for value, width in zip(fields, _WIDTHS, strict=True):
        if not 0 <= value < 1 << width:
            raise RecordError(f"{value} does not fit a Match ID; {(1 << width) - 1} is the most at its place")
        number |= value << shift
        shift += width
    return base64.b64encode(number.to_bytes(_MATCH_BYTES, "little")).decode().rstrip("=")


def from_match_id(text: str) -> MatchState:
    """The state that a Match ID tells.

    Raises:
        RecordError: it is not a Match ID.
    """
    number, fields = _number(text, _MATCH_BYTES, "Match"), []
    for width in _WIDTHS:
        fields.append(number & ((1 << width) - 1))
        number >>= width
    cube, owner, on_roll, crawford, game_state, turn, doubled, resigned, *rest = fields
    one, two, length, score_0, score_1, no_jacoby = rest
    if owner == _NOBODY - 1 or max(one, two) > 6 or game_state > 4:
        raise RecordError(f"{text[:40]!r} is no Match ID: its cube owner, dice or game state cannot be")
    return MatchState(
        cube=1 << cube,
        cube_owner=None if owner == _NOBODY else owner,
        on_roll=on_roll,
        crawford=bool(crawford),
        game_state=game_state,
        turn=turn,
        doubled=bool(doubled),
        resigned=resigned,
        roll=(one, two),
        length=length,
        score=(score_0, score_1),
        jacoby=not no_jacoby,
    )


def _number(text: str, size: int, kind: str) -> int:
    try:
        raw = base64.b64decode(text.strip() + "=" * (-len(text.strip()) % 4), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != size:
        letters = (size * 8 + 5) // 6
        raise RecordError(f"{text[:40]!r} is no {kind} ID: that has {letters} letters, digits, + or /")
    return int.from_bytes(raw, "little")
