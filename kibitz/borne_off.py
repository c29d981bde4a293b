"""Checkers that are no longer on the board. Trays are not looked into: what stands in them is inferred."""

from __future__ import annotations

from collections.abc import Sequence

from referee.observation import POINTS, Observation


def borne_off(seen: Observation, men: int) -> tuple[int, int] | None:
    """What is missing of `men` a side (light, dark), when nothing is hidden.

    None where that need not have been borne off: a place is not seen, there are too many, or a side lacks
    some that has others on the bar or in more than one quarter: they may lie in a hand or beside the board.
    """
    if not all(belief.seen for belief in (*seen.points, *seen.bar)):
        return None
    table = tuple(belief.best for belief in (*seen.points, *seen.bar))
    off = tuple(men - sum(n * sign for n in table if n * sign > 0) for sign in (1, -1))
    if min(off) < 0 or any(n and not _bears_off(table, sign) for n, sign in zip(off, (1, -1), strict=True)):
        return None
    return off[0], off[1]


def _bears_off(table: Sequence[int], sign: int) -> bool:
    """Whether all of a side's checkers on the board (24 points, both bars) stand in one quarter."""
    on_bar = any(n * sign > 0 for n in table[POINTS:])
    return not on_bar and quarters(table, sign) <= 1


def quarters(table: Sequence[int], sign: int) -> int:
    """In how many quarters of the board a side has checkers."""
    return len({place // 6 for place, n in enumerate(table[:POINTS]) if n * sign > 0})


def table_men(table: Sequence[int]) -> tuple[int, int]:
    """Light and dark checkers of a table."""
    return sum(n for n in table if n > 0), -sum(n for n in table if n < 0)
