"""Which faces a side's dice are taken for, learnt from the recording itself.

Dice that a reader takes for others do so again and again: red dice whose 2 looks like a 4 are the same dice
all evening. A first telling of the whole recording says which rolls the plays need; how often what was read
differs from them is what the second telling reckons with. In most recordings nothing is learnt, and one is
enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import permutations

from referee.hindsight_scenes import FACES, PLAIN, Confusion, Throw, likelihoods
from referee.layout import DARK, LIGHT

#: What is believed of each face before anything is learnt weighs as much as so many dice.
BELIEVED = 2.0
#: A face that is taken for another so much more often than others are is worth a second telling.
STUBBORN = 0.15

#: A turn as it may have been: its share of all stories, its side, its roll, and what was read of its throw.
Guess = tuple[float, int, tuple[int, ...], Throw]
Rows = list[list[float]]


class Learning:
    """What is learnt of light's and dark's dice, turn by turn."""

    def __init__(self) -> None:
        self._counted: tuple[Rows, Rows] = (_nothing(), _nothing())

    def take(self, guesses: Iterable[Guess]) -> None:
        """More turns."""
        for share, side, roll, throw in guesses:
            _count(self._counted[side], share, roll, throw)

    @property
    def faces(self) -> tuple[Confusion, Confusion]:
        """For light's and dark's dice: of each true face, how often it is read as which."""
        return _with_belief(self._counted[LIGHT]), _with_belief(self._counted[DARK])


def stubborn(confusion: Confusion) -> bool:
    """Whether some face is often taken for another one."""
    return any(
        confusion[face][read] - PLAIN[face][read] > STUBBORN
        for face in range(FACES)
        for read in range(FACES)
        if face != read
    )


def _nothing() -> Rows:
    return [[0.0] * FACES for _ in range(FACES)]


def _count(rows: Rows, share: float, roll: Sequence[int], throw: Throw) -> None:
    """Add one turn; which of its dice shows which of the roll's faces nobody knows."""
    fits = [likelihoods(ballot, PLAIN) for ballot in throw.votes]
    orders = {order[: len(fits)] for order in permutations(roll)}
    weights = {
        order: math.prod(fit[face - 1] for fit, face in zip(fits, order, strict=True)) for order in orders
    }
    whole = sum(weights.values())
    for order, weight in weights.items():
        for face, ballot in zip(order, throw.votes, strict=True):
            for read, votes in enumerate(ballot):
                rows[face - 1][read] += share * weight / whole * votes / sum(ballot)


def _with_belief(rows: Rows) -> Confusion:
    return tuple(
        tuple((BELIEVED * p + n) / (BELIEVED + sum(row)) for p, n in zip(plain, row, strict=True))
        for plain, row in zip(PLAIN, rows, strict=True)
    )
