"""Why a play cannot stand, as values; `kibitz.lang` has the words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Why(StrEnum):
    """The rule that a play breaks."""

    BLOCKED = "blocked"
    WRONG_COUNT = "wrong_count"
    NOT_ENTERED = "not_entered"
    LARGER_DIE = "larger_die"
    NOT_ALL_HOME = "not_all_home"
    HIGHER_CHECKER = "higher_checker"
    DIRECTION = "direction"
    MORE_DICE = "more_dice"
    NO_CHECKER = "no_checker"
    HEAD = "head"
    SIX_PRIME = "six_prime"
    BACK_WITHOUT_EATING = "back_without_eating"
    NO_BEARING_OFF = "no_bearing_off"
    TABLE_CHANGED = "table_changed"
    MUST_PLAY = "must_play"
    IMPOSSIBLE_ROLL = "impossible_roll"
    AFTER_THE_END = "after_the_end"
    #: The record says so, without the play.
    SAID_SO = "said_so"
    #: Legal by itself, but what is written for a later turn cannot be after it.
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Reason:
    """A broken rule and where: mover's own points (25 bar, 0 off), and the dice it is about."""

    why: Why
    points: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()
    #: Another turn that it is about, counted in the game from 0.
    turn: int = -1
