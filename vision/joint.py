"""All places of a board heard together: nobody has more than fifteen checkers, and most have just fifteen.

Each place is read by itself; what it may hold and how many checkers a side has in all are weighed against
each other exactly, by dynamic programming over both sides' totals. The totals' say is mild: a board with
twelve a side, or an empty one, is read as it looks; only what the picture leaves open is settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp

import numpy as np
from numpy.typing import NDArray

from referee.observation import POINTS, UNSEEN, Belief, Count, belief, totals

Array = NDArray[np.float64]
#: A side's checkers, and the largest total that is thought of at all.
FULL, MOST = 15, 24
#: How usual it is that a side has all its checkers on the board, and that both have equally many. In recorded
#: games 84 % have all, of drawn boards 59 %. Of 160 drawn boards 78 are read whole with 0.5, 70 with 0.4; of
#: 187 others 98 with 0.5, 100 with 0.7: not more than chance.
ALL, EQUAL = 0.5, 0.2
#: Each checker above fifteen is so much less likely than the last.
BEYOND = 0.05
#: What a place that cannot be seen may hold: mostly few.
DARK = 0.75
#: Alternatives below this probability are not weighed.
LEAST = 1e-5
#: Share of places that are misread where the board is not where it was found: most are empty there, too. With
#: corners as they are found on 104 drawn boards the log loss of a point is 0.237 without it, 0.221 with it.
LOST = 0.2
#: A board that is found with this score is as often elsewhere as there, and how soon that changes. Fitted on
#: drawn boards: `python -m tests.accuracy.doubt_fit`.
AS_OFTEN, SOON = 0.25, 0.06


@dataclass(frozen=True)
class Together:
    """Beliefs given all others, and the probability that the best of every one is right."""

    beliefs: tuple[Belief, ...]
    sure: float


@cache
def usual() -> Array:
    """Probability of both sides' totals, (MOST + 1) × (MOST + 1)."""
    side = np.full(MOST + 1, (1 - ALL) / FULL)
    side[FULL] = ALL
    side[FULL + 1 :] = side[0] * BEYOND ** np.arange(1, MOST - FULL + 1)
    equal = np.diag(np.concatenate([np.full(FULL + 1, 1 / (FULL + 1)), np.zeros(MOST - FULL)]))
    out = (1 - EQUAL) * np.outer(side, side) + EQUAL * equal
    return np.asarray(out / out.sum())


def options(place: Belief) -> dict[int, float]:
    """What a place may hold."""
    if place.seen:
        return {c.checkers: c.p for c in place.counts if c.p >= LEAST}
    few = {n: (1 - DARK) * DARK ** abs(n) / 2 for n in range(-FULL, FULL + 1) if n}
    return {0: 1 - sum(few.values()), **few}


def moved(totals: Array, count: int) -> Array:
    """Totals' table after `count` checkers more (negative: of the other side); what runs over is dropped."""
    out = np.zeros_like(totals)
    n = abs(count)
    if count >= 0:
        out[n:] = totals[: MOST + 1 - n]
    else:
        out[:, n:] = totals[:, : MOST + 1 - n]
    return out


def back(totals: Array, count: int) -> Array:
    """The table seen from before `count` checkers were added."""
    return moved(totals[::-1, ::-1], count)[::-1, ::-1]


def exchanged(places: Sequence[Belief]) -> tuple[Belief, ...]:
    """What a board's places (points, bars) hold if light and dark are named the wrong way round."""
    other = [Belief(tuple(Count(-c.checkers, c.p) for c in place.counts), place.rest) for place in places]
    return (*other[:POINTS], *other[POINTS:][::-1])


def doubted(places: Sequence[Belief], named: float) -> tuple[Belief, ...]:
    """Places whose owners are named right with this probability, all over the board."""
    if named == 1.0:
        return tuple(places)
    return tuple(
        belief(weighed(one, named) + weighed(two, 1 - named), one.rest) if one.seen and two.seen else UNSEEN
        for one, two in zip(places, exchanged(places), strict=True)
    )


def there(score: float, as_often: float = AS_OFTEN, soon: float = SOON) -> float:
    """Probability that a board found with this score (0-1) is one, and that it is where it was found."""
    return 1 / (1 + exp((as_often - score) / soon))


def placed(places: Sequence[Belief], found: float) -> tuple[Belief, ...]:
    """Places of a board that is where it was found with this probability: if not, they may hold anything."""
    lost = LOST * (1 - found)
    other = lost / (2 * FULL + 1)
    return tuple(
        Belief(tuple(Count(c.checkers, c.p * (1 - lost) + other) for c in place.counts), place.rest + other)
        if place.seen
        else UNSEEN
        for place in places
    )


def weighed(place: Belief, share: float) -> list[tuple[int, float]]:
    """What a place may hold, by a share of its probability."""
    return [(c.checkers, share * c.p) for c in place.counts if share * c.p >= LEAST]


def together(places: Sequence[Belief], named: float = 1.0) -> Together:
    """Weigh all places of a board (points, bars) against both sides' totals.

    `named`: probability that light and dark are not exchanged, all over the board.
    """
    may = [options(place) for place in places]
    before = [np.zeros((MOST + 1, MOST + 1))]
    before[0][0, 0] = 1.0
    for place in may:
        before.append(sum((p * moved(before[-1], n) for n, p in place.items()), np.zeros_like(before[0])))
    whole = float((before[-1] * usual()).sum())
    if whole <= 0:
        return Together(tuple(places), 0.0)
    after, out = usual(), []
    for place, seen, earlier in zip(may[::-1], places[::-1], before[-2::-1], strict=True):
        told = {n: p * float((earlier * back(after, n)).sum()) for n, p in place.items()}
        out.append(belief(told.items(), seen.rest) if seen.seen else UNSEEN)
        after = sum((p * back(after, n) for n, p in place.items()), np.zeros_like(after))
    beliefs = tuple(out[::-1])
    return Together(doubted(beliefs, named), named * chance(beliefs, may, whole))


def chance(beliefs: Sequence[Belief], may: Sequence[dict[int, float]], whole: float) -> float:
    """Probability of the best of every place; 0 where one is not seen."""
    best = [b.best for b in beliefs]
    light, dark = totals(best)
    if max(light, dark) > MOST or not all(b.seen for b in beliefs):
        return 0.0
    shares = [place.get(n, 0.0) for place, n in zip(may, best, strict=True)]
    return float(np.prod(shares) * usual()[light, dark] / whole)
