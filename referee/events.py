"""What goes into the session and what comes out of it. Every value carries its time; nothing here keeps
one.
"""

from __future__ import annotations

import msgspec

from engine.plays import Play
from engine.reasons import Reason
from referee.clock import Clock, ClockRule
from referee.layout import Layout
from referee.observation import Observation
from referee.signal import Signal
from referee.verdict import Difference


class Setup(msgspec.Struct, frozen=True):
    """What the session is told before it begins.

    `layout` None: found from the start position. `start` None: the ruleset's own; else 28 signed table
    counts. `side` to move first, None: whoever's play fits. `opening`: the first roll is one die each, and
    equal ones do not count. `policy`: `legal`, an illegal play must be put right; `responsible`, it is only
    noted and the turn's end lets it stand; `stands`, the same for recordings, where nobody can be asked
    anything. `length` 0: money.
    """

    rules: str = "backgammon"
    layout: Layout | None = None
    start: tuple[int, ...] | None = None
    side: int | None = None
    policy: str = "stands"
    opening: bool = False
    names: tuple[str, str] = ("Light", "Dark")
    length: int = 0
    clock: ClockRule = ClockRule()


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


class Tick(msgspec.Struct, frozen=True, tag="tick"):
    """Time has passed and nothing else has happened: put when a clock runs out."""

    t: float


class ClockPressed(msgspec.Struct, frozen=True, tag="clock_pressed"):
    """A side pressed its clock: its turn is over."""

    t: float
    side: int


class Corrected(msgspec.Struct, frozen=True, tag="corrected"):
    """These 28 counts lie on the table now, whatever was read."""

    t: float
    table: tuple[int, ...]


class Amended(msgspec.Struct, frozen=True, tag="amended"):
    """A turn of the record was otherwise; None: as it was. The turns after it are judged again."""

    t: float
    turn: int
    roll: tuple[int, ...] | None = None
    play: str | None = None


class TurnUndone(msgspec.Struct, frozen=True, tag="undo"):
    """The last turn of the record is taken back."""

    t: float


class Resync(msgspec.Struct, frozen=True, tag="resync"):
    """Go on from the table as it lies, or from `table`, with `side` (None: the same) to roll."""

    t: float
    table: tuple[int, ...] | None = None
    side: int | None = None


class Adjourn(msgspec.Struct, frozen=True, tag="adjourn"):
    """The players leave: clocks stop, nothing is judged."""

    t: float


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """The players, or the program, are back; the table is compared first."""

    t: float


class Resigned(msgspec.Struct, frozen=True, tag="resigned"):
    """A side gives up the game; `points` without the cube."""

    t: float
    side: int
    points: int = 1


class CubeActed(msgspec.Struct, frozen=True, tag="cube"):
    """`double`, `take` or `drop`."""

    t: float
    act: str


class Chosen(msgspec.Struct, frozen=True, tag="chosen"):
    """Which of the plays asked about it was."""

    t: float
    index: int


class NextGame(msgspec.Struct, frozen=True, tag="next_game"):
    """The next game of the match."""

    t: float


class Configured(msgspec.Struct, frozen=True, tag="configured"):
    """Another set-up, before the first roll."""

    t: float
    setup: Setup


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The recording is over, or the players stopped."""

    t: float


Input = (
    Seen | Still | RollGiven | TurnEnd | LetStand | Ended | Tick | ClockPressed | Corrected | Amended |
    TurnUndone | Resync | Adjourn | Resume | Resigned | CubeActed | Chosen | NextGame | Configured
)  # fmt: skip


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
    """A throw counts. `side` None when nobody knows yet whose it is; `how` `seen`, `typed` or `inferred`."""

    t: float
    side: int | None
    roll: tuple[int, ...]
    how: str = "seen"


class Judged(msgspec.Struct, frozen=True, tag="judged"):
    """The verdict on the turn so far changed; `play` in standard notation where one was accepted."""

    t: float
    turn: int
    verdict: str
    play: str = ""
    confidence: float = 0.0


class IllegalSeen(msgspec.Struct, frozen=True, tag="illegal"):
    """An illegal play stands on the table. `finding` names the kind (`referee.findings`), `why` the rules
    broken.
    """

    t: float
    turn: int
    side: int
    roll: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    finding: str = ""
    why: tuple[Reason, ...] = ()


class Noted(msgspec.Struct, frozen=True, tag="noted"):
    """Something is not as it should be: `finding` is one of `referee.findings.Finding`."""

    t: float
    turn: int
    side: int | None
    finding: str
    places: tuple[int, ...] = ()
    difference: tuple[Difference, ...] = ()


class PutRight(msgspec.Struct, frozen=True, tag="put_right"):
    """What was illegal, or not as it should be, was taken back or mended."""

    t: float
    turn: int


class TurnPlayed(msgspec.Struct, frozen=True, tag="turn"):
    """A turn is over and in the record. `after` is the table, 28 signed counts; `play` None: it cannot be
    named. `id` is never given twice in a journal; `how` the roll is known.
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
    id: int = 0
    how: str = "seen"


class Superseded(msgspec.Struct, frozen=True, tag="superseded"):
    """The record's turns from number `turn` on no longer hold; what replaces them follows."""

    t: float
    turn: int


class Resynced(msgspec.Struct, frozen=True, tag="resynced"):
    """The game goes on from this table, with `side` to roll."""

    t: float
    turn: int
    table: tuple[int, ...]
    side: int | None


class Adjourned(msgspec.Struct, frozen=True, tag="adjourned"):
    """Nothing is judged until the game is resumed."""

    t: float


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """The table was compared with what lay there last; `difference` says where somebody moved something."""

    t: float
    difference: tuple[Difference, ...]


class CubeTurned(msgspec.Struct, frozen=True, tag="cube_turned"):
    """`side` doubled, took or dropped; the cube's value and owner now. `undone`: what was done with the cube
    before turn `turn` is taken back.
    """

    t: float
    turn: int
    side: int
    act: str
    value: int
    owner: int | None


class ClockSet(msgspec.Struct, frozen=True, tag="clock"):
    """The clock was started, pressed or stopped."""

    t: float
    clock: Clock


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """A wish that does not fit the moment; nothing was changed."""

    t: float
    why: str


class Gap(msgspec.Struct, frozen=True, tag="gap"):
    """The table and the record parted ways; the game goes on from what is seen, if that can be."""

    t: float
    turn: int
    difference: tuple[Difference, ...]
    resumed: bool


class GameOver(msgspec.Struct, frozen=True, tag="game_over"):
    """The game has ended: by play, `resigned` or `dropped`. `winner` None: a draw; `score` of the match after
    it.
    """

    t: float
    winner: int | None
    points: int
    name: str = ""
    score: tuple[int, int] = (0, 0)


class Lit(msgspec.Struct, frozen=True, tag="lit"):
    """The LEDs say something new."""

    signal: Signal


Output = (
    Started | WrongStart | Rolled | Judged | IllegalSeen | Noted | PutRight | TurnPlayed | Superseded |
    Resynced | Adjourned | Resumed | CubeTurned | ClockSet | Refused | Gap | GameOver | Lit
)  # fmt: skip
