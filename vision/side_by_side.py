"""Arithmetic on large arrays, and OpenCV, let other threads compute: some of it is done at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

#: So much is done at the same time.
AT_ONCE = 2

Item = TypeVar("Item")
Result = TypeVar("Result")


def side_by_side(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """What a function gives for each item, in their order."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(function, items))
