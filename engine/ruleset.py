"""What a game is: data and a few small functions. The games themselves are in `engine.games`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.position import MEN, POINTS, Position
from engine.reasons import Reason

Roll = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `winner` 0 the player whose view it is, 1 the other, None a draw."""

    winner: int | None
    points: int
    name: str


@dataclass(frozen=True, slots=True)
class Stake:
    """What a win is worth when `when` holds for the loser's position (in the loser's own view)."""

    points: int
    name: str
    when: Callable[[Position], bool]


def facing(own: int) -> int:
    """The opponent's own number of a point when the two sides travel against each other."""
    return POINTS + 1 - own


def doubled(roll: Roll, _rules: Ruleset) -> tuple[int, ...]:
    """Two dice as the hops they give: a double is played four times."""
    return roll * 2 if roll[0] == roll[1] else roll


def nothing_more(_before: Position, _after: Position, _roll: Roll) -> Reason | None:
    """No rule beyond the common ones."""
    return None


def race_over(position: Position, rules: Ruleset, _passes: int) -> Outcome | None:
    """The first side with no checker left on the board has won; the loser's position says what for."""
    mine, theirs = position.men()
    if mine and theirs:
        return None
    loser = position.swapped(rules.mirror) if not mine else position
    stake = next(s for s in rules.stakes if s.when(loser))
    return Outcome(0 if not mine else 1, stake.points, stake.name)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One game.

    `mirror` gives the opponent's own number of a point; `pips(roll, rules)` turns a roll into the hops it
    gives; a point with `closed_at` opposing checkers cannot be landed on; a lesser pile is hit (goes to the
    bar) or, with `eats`, leaves the game. `forbids(before, after, roll)` names a rule of this game that a
    whole turn breaks. `over(position, rules, passes)` tells how the game has ended, if it has; `passes`
    counts turns passed in a row.
    """

    name: str
    start: Position
    stakes: tuple[Stake, ...] = ()
    dice: int = 2
    men: int = MEN
    mirror: Callable[[int], int] = facing
    pips: Callable[[Roll, Ruleset], tuple[int, ...]] = doubled
    #: How often three equal dice are played, where three are thrown.
    triplet_hops: int = 6
    closed_at: int = 2
    eats: bool = False
    eats_backwards: bool = False
    bears_off: bool = True
    must_play_larger: bool = True
    forbids: Callable[[Position, Position, Roll], Reason | None] = nothing_more
    over: Callable[[Position, Ruleset, int], Outcome | None] = race_over
    #: The match that is played when nothing else was agreed: points to reach; 0 for one game after another.
    match_to: int = 0
    #: Whether the game is played with a doubling cube.
    doubling_cube: bool = False

    def __hash__(self) -> int:
        """By name: rules are looked up again and again."""
        return hash(self.name)


def none_off(loser: Position) -> bool:
    """The loser has borne off nothing."""
    return loser.off[0] == 0


def none_off_not_home(loser: Position) -> bool:
    """Nothing borne off and not all at home."""
    return none_off(loser) and any(n > 0 for n in loser.points[7:])


def none_off_on_bar(loser: Position) -> bool:
    """Nothing borne off and a checker on the bar."""
    return none_off(loser) and loser.points[25] > 0


def none_off_in_winners_home(loser: Position) -> bool:
    """Nothing borne off and a checker on the bar or in the home of a winner who travels the other way."""
    return none_off(loser) and any(n > 0 for n in loser.points[19:])


def always(_loser: Position) -> bool:
    """Every win is worth at least this."""
    return True
