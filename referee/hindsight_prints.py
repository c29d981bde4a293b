"""What only looks like a die: a print on the board, or dust, is seen in one place all the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import floor

from msgspec.structs import replace

from referee.events import Seen, Still
from referee.observation import Die
from referee.throws import SAME_PLACE, SURE_DIE, lies_at

#: What is seen in this share of all looks, or beside so many different dice, and so many times beside a whole
#: throw, is no die.
MOSTLY, OTHERS, BESIDE = 0.4, 4, 3


@dataclass(slots=True)
class Spot:
    """A place where dice were seen: how often, how often beside as many others as are thrown, and beside
    which other places.
    """

    x: float
    y: float
    seen: int = 0
    beside: int = 0
    others: set[int] = field(default_factory=set)

    def holds(self, die: Die) -> bool:
        """Whether a die lies here."""
        return lies_at(die, self.x, self.y)


class Spots:
    """Where dice were seen, each place with its number; found by the square of the field it lies in."""

    def __init__(self) -> None:
        self.every: list[Spot] = []
        self._in: dict[tuple[int, int], list[int]] = {}

    def number(self, die: Die) -> int:
        """The number of the place where a die lies, a new one if need be."""
        i, j = _square(die.x, die.y)
        squares = ((a, b) for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1))
        near = (k for square in squares for k in self._in.get(square, ()) if self.every[k].holds(die))
        number = min(near, default=len(self.every))
        if number == len(self.every):
            self.every.append(Spot(die.x, die.y))
            self._in.setdefault((i, j), []).append(number)
        return number


def _square(x: float, y: float) -> tuple[int, int]:
    return floor(x / SAME_PLACE), floor(y / SAME_PLACE)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Looks without the dice that lie on prints, made anew whenever they are gone through."""

    looks: Iterable[Seen | Still]
    prints: Sequence[Spot]

    def __iter__(self) -> Iterator[Seen | Still]:
        for item in self.looks:
            yield _cleaned(item, self.prints) if isinstance(item, Seen) else item


def without_prints(looks: Iterable[Seen | Still], dice: int) -> Iterable[Seen | Still]:
    """The looks without dice that cannot be any, which can be gone through again and again as the given ones
    can; `dice` is how many are thrown.
    """
    prints = _prints(looks, dice)
    return Cleaned(looks, prints) if prints else looks


def _prints(looks: Iterable[Seen | Still], dice: int) -> list[Spot]:
    spots, shown = Spots(), 0
    for item in looks:
        if isinstance(item, Still) or item.look.dice is None:
            continue
        shown += 1
        here = [spots.number(die) for die in item.look.dice if die.p >= SURE_DIE]
        for number in here:
            spot = spots.every[number]
            spot.seen += 1
            if len(here) > dice:
                spot.beside += 1
                spot.others.update(set(here) - {number})
    return [s for s in spots.every if s.beside >= BESIDE and _stays(s, shown)]


def _stays(spot: Spot, looks: int) -> bool:
    """Whether it is there whatever else lies there."""
    return spot.seen >= MOSTLY * looks or len(spot.others) >= OTHERS


def _cleaned(item: Seen, prints: Sequence[Spot]) -> Seen:
    look = item.look
    if not look.dice:
        return item
    kept = tuple(die for die in look.dice if not any(spot.holds(die) for spot in prints))
    return item if len(kept) == len(look.dice) else Seen(replace(look, dice=kept))
