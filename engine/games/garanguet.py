"""Garanguet: trictrac with three dice.

Other sources play three equal dice nine times, forbid hitting or start with all checkers in one pile:
`dataclasses.replace(RULES, triplet_hops=9)`, `closed_at=1`, `start=PILES`.
"""

from engine.games.backgammon import START
from engine.games.trictrac import RULES as TRICTRAC
from engine.position import Position
from engine.ruleset import Roll, Ruleset

#: The other start: each side's fifteen checkers on its own 24.
PILES = Position((0, -15, *(0,) * 22, 15, 0))


def three_dice(roll: Roll, rules: Ruleset) -> tuple[int, ...]:
    """Three equal dice six times; a pair twice if it is higher than the third die, else each die once.

    >>> three_dice((5, 4, 5), RULES)
    (5, 5, 5, 5, 4)
    """
    low, middle, high = sorted(roll)
    if low == high:
        return (low,) * rules.triplet_hops
    if middle == high:
        return (high, high, high, high, low)
    return (high, middle, low)


RULES = Ruleset(name="garanguet", start=START, stakes=TRICTRAC.stakes, dice=3, pips=three_dice)
