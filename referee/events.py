"""What goes into the session and what comes out of it. Every value carries its time; nothing here keeps
one.
"""

from __future__ import annotations

import msgspec

from engine.plays import Play
from referee.layout import Layout
from referee.observation import Observation
from referee.signal import Signal
from referee.verdict import Difference


class Setup(msgspec.Struct, frozen=True):
    """What the session is told before it begins.

    `layout` None: found from the start position. `start` None: the ruleset's own; else 28 signed table
    counts.
    `side` to move first, None: whoever's play fits. `policy` `legal`: an illegal play must be put right,
    `stands`
    says that the next roll lets it stand (recordings: nobody can be asked).
    """

    rules: str = "backgammon"
    layout: Layout | None = None
    start: tuple[int, ...] | None = None
    side: int | None = None
    policy: str = "stands"


class Seen(msgspec.Struct, frozen=True, tag="seen"):
    """A new look at the table."""

    look: Observation

    @property
    def t(self) -> float:
        return self.look.t


class Still(msgspec.Struct, frozen=True, tag="still"):
    """The table looks exactly as in the last look."""

    t: float


class RollGiven(msgspec.Struct, frozen=True, tag="roll"):
    """Dice typed in or entered by buttons."""

    t: float
    roll: tuple[int, ...]


class TurnEnd(msgspec.Struct, frozen=True, tag="turn_end"):
    """The mover said so: clock pressed or confirm button."""

    t: float


class LetStand(msgspec.Struct, frozen=True, tag="let_stand"):
    """Both players let the illegal play stand."""

    t: float


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The recording is over, or the players stopped."""

    t: float


Input = Seen | Still | RollGiven | TurnEnd | LetStand | Ended


class Started(msgspec.Struct, frozen=True, tag="started"):
    """The table shows the start position, lying this way round."""

    t: float
    layout: Layout
    table: tuple[int, ...]


class WrongStart(msgspec.Struct, frozen=True, tag="wrong_start"):
    """The table does not show the start position."""

    t: float
    difference: tuple[Difference, ...]


class Rolled(msgspec.Struct, frozen=True, tag="rolled"):
    """A throw lies on the table. `side` None when nobody knows yet whose it is."""

    t: float
    side: int | None
    roll: tuple[int, ...]


class Judged(msgspec.Struct, frozen=True, tag="judged"):
    """The verdict on the turn so far changed; `play` in standard notation where one was accepted."""

    t: float
    turn: int
    verdict: str
    play: str = ""
    confidence: float = 0.0


class IllegalSeen(msgspec.Struct, frozen=True, tag="illegal"):
    """An illegal play stands on the table."""

    t: float
    turn: int
    side: int
    roll: tuple[int, ...]
    places: tuple[int, ...]
    reason: str


class PutRight(msgspec.Struct, frozen=True, tag="put_right"):
    """The illegal play was taken back or mended."""

    t: float
    turn: int


class TurnPlayed(msgspec.Struct, frozen=True, tag="turn"):
    """A turn is over and in the record. `after` is the table, 28 signed counts; `play` None: it cannot be
    named.
    """

    t: float
    turn: int
    side: int
    roll: tuple[int, ...]
    play: Play | None
    text: str
    after: tuple[int, ...]
    confidence: float
    t_from: float
    t_to: float
    others: tuple[str, ...] = ()
    stood_illegal: bool = False


class Gap(msgspec.Struct, frozen=True, tag="gap"):
    """The table and the record parted ways; the game goes on from what is seen, if that can be."""

    t: float
    turn: int
    difference: tuple[Difference, ...]
    resumed: bool


class GameOver(msgspec.Struct, frozen=True, tag="game_over"):
    """All checkers of one side are off (or what else ends this game). `winner` None: a draw."""

    t: float
    winner: int | None
    points: int
    name: str = ""


class Lit(msgspec.Struct, frozen=True, tag="lit"):
    """The LEDs say something new."""

    signal: Signal


Output = Started | WrongStart | Rolled | Judged | IllegalSeen | PutRight | TurnPlayed | Gap | GameOver | Lit
