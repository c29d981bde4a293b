"""What the referee says of the table."""

from __future__ import annotations

import msgspec

from engine.plays import Play
from engine.reasons import Reason


class Difference(msgspec.Struct, frozen=True, array_like=True):
    """A place that does not hold what it should: table place, expected and seen signed counts."""

    place: int
    expected: int
    seen: int


class Accepted(msgspec.Struct, frozen=True, tag=True):
    """A whole legal play lies on the table. `others` are next best plays, likeliest first."""

    play: Play
    table: tuple[int, ...]
    confidence: float
    others: tuple[str, ...] = ()


class Incomplete(msgspec.Struct, frozen=True, tag=True):
    """Nothing, or part of a play, has been played so far: keep waiting."""

    confidence: float


class Illegal(msgspec.Struct, frozen=True, tag=True):
    """The table shows, clearly, what no play of the roll leads to; `finding` names it, `why` the rules
    broken.
    """

    reason: str
    places: tuple[int, ...]
    table: tuple[int, ...]
    margin: float
    finding: str = ""
    why: tuple[Reason, ...] = ()


class Ambiguous(msgspec.Struct, frozen=True, tag=True):
    """Several legal results fit about equally well: ask."""

    candidates: tuple[Play, ...]
    places: tuple[int, ...]


class Desynced(msgspec.Struct, frozen=True, tag=True):
    """The table fits nothing that could have come of the last known position."""

    difference: tuple[Difference, ...]


Verdict = Accepted | Incomplete | Illegal | Ambiguous | Desynced
