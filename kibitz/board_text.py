"""A table as plain text, the way it lies before the camera."""

from __future__ import annotations

from collections.abc import Sequence

LIGHT, DARK, EMPTY = "O", "X", "·"
ROWS = 5


def board_text(table: Sequence[int]) -> str:
    """24 or 28 signed counts (image order) → text; more than five on a point end in their number.

    >>> print(board_text([0] * 24).splitlines()[0])
    +-------------------+---+-------------------+
    """
    bar = (table[24], table[25]) if len(table) > 25 else (0, 0)
    edge = "+-------------------+---+-------------------+"
    far = [_row(table[:12], depth, _bar(bar[1], depth)) for depth in range(ROWS)]
    near = [_row(table[12:24], depth, _bar(bar[0], depth)) for depth in reversed(range(ROWS))]
    return "\n".join([edge, *far, _row([0] * 12, 9, " ", blank=" "), *near, edge])


def _row(counts: Sequence[int], depth: int, bar: str, blank: str = EMPTY) -> str:
    cells = [_cell(n, depth, blank) for n in counts]
    return f"|{''.join(cells[:6])} | {bar} |{''.join(cells[6:])} |"


def _cell(count: int, depth: int, blank: str) -> str:
    if depth == ROWS - 1 and abs(count) > ROWS:
        return f"{abs(count):>3}"
    return f"  {(LIGHT if count > 0 else DARK) if abs(count) > depth else blank}"


def _bar(count: int, depth: int) -> str:
    if depth == ROWS - 1 and abs(count) > ROWS:
        return str(abs(count))
    return (LIGHT if count > 0 else DARK) if abs(count) > depth else " "
