"""What only looks like a die: a print on the board, or dust, is seen in one place all the time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from referee.events import Seen, Still
from referee.observation import Die
from referee.throws import SAME_PLACE, SURE_DIE

#: What is seen in this share of all looks, and so many times beside a whole throw, is no die.
MOSTLY, BESIDE = 0.4, 3


@dataclass(slots=True)
class Spot:
    """A place where dice were seen: how often, and how often beside as many others as are thrown."""

    x: float
    y: float
    seen: int = 0
    beside: int = 0

    def holds(self, die: Die) -> bool:
        """Whether a die lies here."""
        return abs(self.x - die.x) + abs(self.y - die.y) < SAME_PLACE


def without_prints(looks: Iterable[Seen | Still], dice: int) -> list[Seen | Still]:
    """The looks without dice that cannot be any; `dice` is how many are thrown."""
    given = list(looks)
    prints = _prints(given, dice)
    return [_cleaned(item, prints) if isinstance(item, Seen) else item for item in given] if prints else given


def _prints(looks: Sequence[Seen | Still], dice: int) -> list[Spot]:
    spots: list[Spot] = []
    shown = [item.look.dice for item in looks if isinstance(item, Seen) and item.look.dice is not None]
    for seen in shown:
        sure = [die for die in seen if die.p >= SURE_DIE]
        for die in sure:
            spot = next((s for s in spots if s.holds(die)), None)
            if spot is None:
                spot = Spot(die.x, die.y)
                spots.append(spot)
            spot.seen += 1
            spot.beside += len(sure) > dice
    return [s for s in spots if s.seen >= MOSTLY * len(shown) and s.beside >= BESIDE]


def _cleaned(item: Seen, prints: Sequence[Spot]) -> Seen:
    look = item.look
    if not look.dice:
        return item
    kept = tuple(die for die in look.dice if not any(spot.holds(die) for spot in prints))
    return item if len(kept) == len(look.dice) else Seen(replace(look, dice=kept))
