"""What only looks like a die: a print on the board, or dust, is seen in one place all the time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from referee.events import Seen, Still
from referee.observation import Die
from referee.throws import SURE_DIE, lies_at

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


def without_prints(looks: Iterable[Seen | Still], dice: int) -> list[Seen | Still]:
    """The looks without dice that cannot be any; `dice` is how many are thrown."""
    given = list(looks)
    prints = _prints(given, dice)
    return [_cleaned(item, prints) if isinstance(item, Seen) else item for item in given] if prints else given


def _prints(looks: Sequence[Seen | Still], dice: int) -> list[Spot]:
    spots: list[Spot] = []
    shown = [item.look.dice for item in looks if isinstance(item, Seen) and item.look.dice is not None]
    for seen in shown:
        here = [_spot(spots, die) for die in seen if die.p >= SURE_DIE]
        for number in here:
            spot = spots[number]
            spot.seen += 1
            if len(here) > dice:
                spot.beside += 1
                spot.others.update(set(here) - {number})
    return [s for s in spots if s.beside >= BESIDE and _stays(s, len(shown))]


def _stays(spot: Spot, looks: int) -> bool:
    """Whether it is there whatever else lies there."""
    return spot.seen >= MOSTLY * looks or len(spot.others) >= OTHERS


def _spot(spots: list[Spot], die: Die) -> int:
    """The number of the place where a die lies, a new one if need be."""
    number = next((k for k, spot in enumerate(spots) if spot.holds(die)), len(spots))
    if number == len(spots):
        spots.append(Spot(die.x, die.y))
    return number


def _cleaned(item: Seen, prints: Sequence[Spot]) -> Seen:
    look = item.look
    if not look.dice:
        return item
    kept = tuple(die for die in look.dice if not any(spot.holds(die) for spot in prints))
    return item if len(kept) == len(look.dice) else Seen(replace(look, dice=kept))
