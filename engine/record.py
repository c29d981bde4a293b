"""A match as it was played: immutable values that every codec reads into and writes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from engine.plays import Hop
from engine.position import Position, turned
from engine.repairs import Repair
from engine.resolve import apply_hops
from engine.rules import BACKGAMMON, Roll, Ruleset, ruleset

#: The label of a record that names the video whose seconds its times are.
VIDEO = "Video"


class Act(StrEnum):
    """What a side did in its turn."""

    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RESIGN = "resign"


@dataclass(frozen=True, slots=True)
class Turn:
    """One action of one side (0 is light, the first named player; 1 dark).

    `play`: single-die hops in the mover's own numbers, () for a dance, None when nobody knows what was
    played. `value`: the cube after a double or beaver, the points given by a resignation. `stood_illegal`:
    the play breaks the rules and the players let it stand. `after`: the table after it in the mover's view,
    set only where the hops do not tell it. `t`: from when to when in the video (or on the source's clock),
    seconds, to the millisecond; `confidence`: how sure the one who watched was, 0-1, to four digits.
    """

    side: int
    roll: Roll = ()
    play: tuple[Hop, ...] | None = None
    act: Act = Act.PLAY
    value: int = 0
    stood_illegal: bool = False
    note: str = ""
    after: Position | None = None
    t: tuple[float, float] | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One game. `score` is the match score (side 0, side 1) before it; `points` 0 while it is unfinished.

    `start` is the table before the first turn as side 0 sees it, None for the ruleset's own.
    """

    turns: tuple[Turn, ...] = ()
    score: tuple[int, int] = (0, 0)
    winner: int | None = None
    points: int = 0
    start: Position | None = None
    crawford: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """Several games of two players. `length` 0 is money play.

    `headers` are the record's other labels in their order; `repaired` is what a reader had to put right.
    Both sides of a comparison of records should leave `repaired` out.
    """

    names: tuple[str, str] = ("White", "Black")
    length: int = 0
    rules: str = BACKGAMMON.name
    games: tuple[Game, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    repaired: tuple[Repair, ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        """The game that is played.

        Raises:
            RulesError: `rules` names none.
        """
        return ruleset(self.rules)


def timed(match: Match) -> bool:
    """Whether a turn of the match has its time or its confidence."""
    return any(
        turn.t is not None or turn.confidence is not None for game in match.games for turn in game.turns
    )


def after_turn(position: Position, turn: Turn, rules: Ruleset) -> Position:
    """The table after a turn, in the same mover's view."""
    if turn.after is not None:
        return turn.after
    return apply_hops(position, turn.play or (), rules)


def walk(game: Game, rules: Ruleset) -> Iterator[tuple[Turn, Position]]:
    """Each turn with the table before it, as the turn's own side sees it."""
    position, view = game.start or rules.start, 0
    for turn in game.turns:
        if turn.side != view:
            position, view = turned(position, rules), turn.side
        yield turn, position
        if turn.act is Act.PLAY:
            position = after_turn(position, turn, rules)


def last_position(game: Game, rules: Ruleset) -> tuple[int, Position]:
    """The side of the last turn and the table after it as that side sees it (the start as side 0 sees it)."""
    side, position = 0, game.start or rules.start
    for turn, before in walk(game, rules):
        side, position = turn.side, after_turn(before, turn, rules) if turn.act is Act.PLAY else before
    return side, position
