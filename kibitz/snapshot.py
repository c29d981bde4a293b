"""What a page shows of a running game: one value that holds all of it (see docs/live-api.md).

Places are table places (0-23 points, 24/25 bar, 26/27 trays: `referee.observation`), sides 0 light, 1 dark.
"""

from __future__ import annotations

import msgspec

from referee.layout import Layout
from referee.verdict import Difference


class Words(msgspec.Struct, frozen=True):
    """One sentence in each language of the page."""

    en: str
    ru: str


class Board(msgspec.Struct, frozen=True):
    """`table`: the checkers as the record has them, with the accepted play so far. `seen`: as the source
    reads
    them, None while nothing is settled; `doubt`, `unseen`: places read with doubt, or hidden.
    `difference`: where what is seen is not what should be.
    """

    table: tuple[int, ...]
    seen: tuple[int, ...] | None = None
    doubt: tuple[int, ...] = ()
    unseen: tuple[int, ...] = ()
    difference: tuple[Difference, ...] = ()


class Dice(msgspec.Struct, frozen=True):
    """The roll of the turn; `how` `seen`, `typed` or `inferred`; `cocked`: dice lie that do not count."""

    roll: tuple[int, ...] = ()
    how: str = "seen"
    cocked: bool = False


class Banner(msgspec.Struct, frozen=True):
    """The verdict in words. `actions`: names of commands to offer as buttons."""

    kind: str
    words: Words
    places: tuple[int, ...] = ()
    actions: tuple[str, ...] = ()


class Candidate(msgspec.Struct, frozen=True):
    """A play to choose from: its text, its roll, and the table after it."""

    index: int
    play: str
    roll: tuple[int, ...]
    table: tuple[int, ...]


class TurnLine(msgspec.Struct, frozen=True):
    """A turn of the record. `id` is never used twice, `turn` is its number in the game."""

    id: int
    turn: int
    side: int
    roll: tuple[int, ...]
    play: str
    after: tuple[int, ...]
    confidence: float
    t_from: float
    t_to: float
    how: str = "seen"
    others: tuple[str, ...] = ()
    illegal: bool = False
    picture: bool = False


class FindingLine(msgspec.Struct, frozen=True):
    """Something that was noticed: `finding` is its name, `open` while it has not been put right."""

    t: float
    turn: int
    side: int
    finding: str
    words: Words
    places: tuple[int, ...] = ()
    open: bool = False


class ClockFace(msgspec.Struct, frozen=True):
    """Seconds left of both sides at session time `at`; `running` is the side whose time goes by, after
    `delay` more seconds; `flag` the side that has run out of time.
    """

    kind: str
    left: tuple[float, float]
    at: float
    running: int | None = None
    delay: float = 0.0
    flag: int | None = None


class SourceHealth(msgspec.Struct, frozen=True):
    """`state`: searching, ok, unplugged, frozen, dark, covered, bumped, ended."""

    url: str
    state: str
    words: Words
    since: float = 0.0
    fps: float = 0.0
    dropped: int = 0


class LegalPlay(msgspec.Struct, frozen=True):
    """Trainer: a legal play of the roll; `hops` are table places from, to."""

    play: str
    hops: tuple[tuple[int, int], ...]
    table: tuple[int, ...]


class Advice(msgspec.Struct, frozen=True):
    """Trainer, after a play: what it cost in equity and the better one, as `engine` says."""

    turn: int
    play: str
    best: str
    cost: float
    engine: str


class Match(msgspec.Struct, frozen=True):
    """Who plays what for how much."""

    rules: str
    names: tuple[str, str]
    length: int
    score: tuple[int, int]
    cube: int = 1
    cube_owner: int | None = None
    offered: bool = False
    crawford: bool = False
    winner: int | None = None
    points: int = 0


class Question(msgspec.Struct, frozen=True):
    """Something the set-up wizard cannot see: the field of the `answer` command, and its value now."""

    field: str
    words: Words
    value: str = ""
    choices: tuple[str, ...] = ()


class Snapshot(msgspec.Struct, frozen=True):
    """All that is shown. `revision` grows with each change; `picture` with each new camera picture.
    `outline`: the playing area's corners in it, clockwise, as shares of its width and height.
    """

    revision: int
    t: float
    phase: str
    mode: str
    policy: str
    match: Match
    layout: Layout | None
    board: Board
    side: int | None
    dice: Dice
    banner: Banner
    source: SourceHealth
    clock: ClockFace
    candidates: tuple[Candidate, ...] = ()
    turns: tuple[TurnLine, ...] = ()
    findings: tuple[FindingLine, ...] = ()
    questions: tuple[Question, ...] = ()
    legal: tuple[LegalPlay, ...] = ()
    advice: Advice | None = None
    lamps: dict[int, tuple[str, str]] = {}
    picture: int = 0
    journal: str = ""
    outline: tuple[tuple[float, float], ...] = ()


_encoder = msgspec.json.Encoder()


def to_json(snapshot: Snapshot) -> bytes:
    """The snapshot as JSON."""
    return _encoder.encode(snapshot)
