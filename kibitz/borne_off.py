"""Checkers that are no longer on the board. Trays are not looked into: what stands in them is inferred."""

from __future__ import annotations

from collections.abc import Sequence

from referee.observation import POINTS, Observation, totals


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
