"""Checkers that are no longer on the board: inferred from what is missing, checked by what lies beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from referee.observation import POINTS, Observation, totals
from vision.joint import FULL
from vision.trays import likely

#: Borne-off checkers are told when they are so sure.
SURE_OFF = 0.9
#: Of a doubtful number the next ones have so much, together, and all others the rest.
NEXT = 0.5
#: From this length on, in checkers' widths, something of a side lies beside the board.
SOMETHING = 0.5


@dataclass(frozen=True, slots=True)
class Off:
    """Light and dark checkers borne off, if that is sure, and how it is known; or why it is in doubt."""

    counts: tuple[int, int] | None = None
    how: Literal["inferred", "inferred and seen"] | None = None
    doubt: str | None = None


def told(missing: tuple[int, int] | None, sure: float, beside: tuple[float, float] | None) -> Off:
    """What is told of the checkers that are missing on a board which is read so surely. `beside`: how long
    the rows of light and of dark ones next to it are, in their width, if that was looked at.
    """
    if missing is None:
        return Off()
    if beside is None:
        return Off(missing, "inferred") if sure >= SURE_OFF else Off()
    agreed = [agreement(n, sure, length) for n, length in zip(missing, beside, strict=True)]
    if min(agreed) >= SURE_OFF:
        seen = any(missing) and all(beside[k] > SOMETHING for k in (0, 1) if missing[k])
        return Off(missing, "inferred and seen" if seen else "inferred")
    worst = agreed.index(min(agreed))
    name = ("light", "dark")[worst]
    doubt = f"{missing[worst]} {name} checkers are missing, but beside the board it looks otherwise"
    return Off(doubt=doubt if sure >= SURE_OFF else None)


def agreement(number: int, sure: float, length: float) -> float:
    """Probability that so many are borne off, once the row beside the board is seen to be so long."""
    beliefs = np.full(FULL + 1, (1 - sure) * (1 - NEXT) / FULL)
    for near in (number - 1, number + 1):
        if 0 <= near <= FULL:
            beliefs[near] = (1 - sure) * NEXT / 2
    beliefs[number] = sure
    beliefs *= likely(length)
    return float(beliefs[number] / beliefs.sum())


def borne_off(seen: Observation, men: int) -> tuple[int, int] | None:
    """What is missing of `men` a side (light, dark), when nothing is hidden.

    None where that need not have been borne off: a place is not seen, there are too many, or a side lacks
    some that has others on the bar or in more than one quarter: they may lie in a hand or beside the board.
    """
    if not all(belief.seen for belief in (*seen.points, *seen.bar)):
        return None
    table = tuple(belief.best for belief in (*seen.points, *seen.bar))
    light, dark = (men - seen_of for seen_of in totals(table))
    bears_off = (light == 0 or _bears_off(table, 1)) and (dark == 0 or _bears_off(table, -1))
    return (light, dark) if min(light, dark) >= 0 and bears_off else None


def _bears_off(table: Sequence[int], sign: int) -> bool:
    """Whether all of a side's checkers on the board (24 points, both bars) stand in one quarter."""
    on_bar = any(n * sign > 0 for n in table[POINTS:])
    return not on_bar and quarters(table, sign) <= 1


def quarters(table: Sequence[int], sign: int) -> int:
    """In how many quarters of the board a side has checkers."""
    return len({place // 6 for place, n in enumerate(table[:POINTS]) if n * sign > 0})
