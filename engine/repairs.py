"""What a reader put right and what a writer had to drop, as values; `kibitz.lang` has the words."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Mend(StrEnum):
    """What a reader had to put right."""

    LATIN_1 = "latin_1"
    DAMAGED_NUMBER = "damaged_number"
    NOT_STARRED = "not_starred"
    STAR_WITHOUT_HIT = "star_without_hit"
    UNKNOWN_PLAY = "unknown_play"
    #: The other side's win stands beside the roll: nothing was played.
    GAVE_UP = "gave_up"
    COLUMNS_SWAPPED = "columns_swapped"
    HALF_GAME = "half_game"
    IGNORED = "ignored"
    WRONG_WIN = "wrong_win"
    NO_LENGTH = "no_length"
    UNKNOWN_VARIATION = "unknown_variation"


class Repair(NamedTuple):
    """One repair: `line` of the record (0: all of it) and what it is about."""

    what: Mend
    line: int = 0
    text: str = ""


class Lost(StrEnum):
    """What a format cannot hold."""

    NOTE = "note"
    CUBE = "cube"
    UNKNOWN = "unknown"
    DICE_ORDER = "dice_order"
    SCORE = "score"
    CRAWFORD = "crawford"
    TABLE = "table"
    START = "start"
    TIMES = "times"


class Loss(NamedTuple):
    """One thing left out of what was written: game and turn count from 0, -1 for the whole."""

    what: Lost
    game: int = -1
    turn: int = -1
    text: str = ""
