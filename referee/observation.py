"""What a camera or a sensor board saw: one type for all of them.

Table coordinates are the picture's: points 0-11 are the far row from left to right, 12-23 the near row from
left
to right; light checkers count positive, dark ones negative. `referee.layout` turns them into a player's own
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

POINTS = 24
#: Table places beyond the 24 points, used where bars and trays are named beside points.
BAR_LIGHT, BAR_DARK, OFF_LIGHT, OFF_DARK = 24, 25, 26, 27
PLACES = 28


class Count(NamedTuple):
    """A signed checker count (light +, dark -) and how probable it is."""

    checkers: int
    p: float


class Belief(msgspec.Struct, frozen=True, array_like=True):
    """What one place holds: alternatives with probabilities, best first; nothing known when empty.

    `rest` is the probability of each single count that is not listed.
    """

    counts: tuple[Count, ...] = ()
    rest: float = 0.0

    @property
    def seen(self) -> bool:
        """False when the place was hidden or is not watched at all."""
        return bool(self.counts)

    @property
    def best(self) -> int:
        """The most probable count; 0 when nothing is known."""
        return self.counts[0].checkers if self.counts else 0

    def p(self, count: int) -> float:
        """Probability of a count; 1.0 for every count when nothing is known, so that it decides nothing."""
        if not self.counts:
            return 1.0
        return next((c.p for c in self.counts if c.checkers == count), self.rest)


UNSEEN = Belief()


def totals(counts: Sequence[int]) -> tuple[int, int]:
    """How many light and dark checkers signed counts hold."""
    return sum(n for n in counts if n > 0), -sum(n for n in counts if n < 0)


def belief(weights: Iterable[tuple[int, float]], rest: float = 1e-4) -> Belief:
    """Normalise (count, weight) pairs into a Belief, best first; weights of the same count are added.

    Raises:
        ValueError: no weight is positive.
    """
    added: dict[int, float] = {}
    for n, w in weights:
        added[n] = added.get(n, 0.0) + max(w, 0.0)
    pairs = sorted(((n, w) for n, w in added.items() if w > 0), key=lambda x: (-x[1], x[0]))
    total = sum(w for _, w in pairs)
    if not total > 0:
        raise ValueError("a belief needs at least one positive weight")
    return Belief(tuple(Count(n, round(w / total, 6)) for n, w in pairs), rest)


def certain(count: int, p: float = 0.999) -> Belief:
    """A belief that is as good as certain."""
    return Belief((Count(count, p),), 1e-4)


class Die(msgspec.Struct, frozen=True, array_like=True):
    """One die on the table: its upper face, how sure, where.

    `x`, `y` run over the playing area from its far left (0, 0) to its near right corner (1, 1); a die
    beside the
    field has values outside. `cocked` dice lean and have no face that counts. `faces`: of a thousand, what
    each of the faces 1-6 has; empty where nothing but the likeliest is known.
    """

    value: int
    p: float
    x: float = 0.5
    y: float = 0.5
    cocked: bool = False
    faces: tuple[int, ...] = ()

    def shows(self, face: int) -> float:
        """Probability that a die lies there and shows this face; where only the likeliest face is known,
        the other five share alike what it leaves.
        """
        if face == self.value:
            return self.p
        if not self.faces:
            return (1 - self.p) / 5
        return self.p * self.faces[face - 1] / self.faces[self.value - 1]


class Quality(msgspec.Struct, frozen=True, array_like=True):
    """How well the table could be seen at all."""

    sight: bool = True
    #: 0 pitch dark … 1 white
    brightness: float = 0.5
    #: 0 still … 1 everything moves
    motion: float = 0.0


class Observation(msgspec.Struct, frozen=True):
    """One look at the table.

    `t` seconds on the source's clock. `points` 24 beliefs in table order, `bar` and `off` (light, dark). A
    place
    that a hand covers, or that is not watched, holds `UNSEEN`. `dice` is None when dice are not watched or
    hidden
    (nothing is known), an empty tuple when there are none on the table. `mixed` places hold checkers of both
    colours at once, which no count can say.
    """

    t: float
    points: tuple[Belief, ...]
    bar: tuple[Belief, Belief] = (UNSEEN, UNSEEN)
    off: tuple[Belief, Belief] = (UNSEEN, UNSEEN)
    dice: tuple[Die, ...] | None = None
    hand: bool = False
    quality: Quality = Quality()
    mixed: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.points) != POINTS:
            raise ValueError(f"an observation has {POINTS} points, not {len(self.points)}")

    @property
    def places(self) -> tuple[Belief, ...]:
        """All 28 places: points, bar light, bar dark, off light, off dark."""
        return self.points + self.bar + self.off

    @property
    def unseen(self) -> tuple[int, ...]:
        """Indexes of the points that could not be read."""
        return tuple(i for i, b in enumerate(self.points) if not b.seen)
