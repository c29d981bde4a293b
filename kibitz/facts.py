"""What a record tells without any engine: pips, rolls, dances, hits, races, times. For every game."""

from __future__ import annotations

from dataclasses import dataclass

from engine.position import BAR, POINTS, Position, pip_count
from engine.record import Act, Game, Match, Turn, walk
from engine.rules import Ruleset


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn as it began: its number, the turn, the table in its side's view, both sides' pips (side 0, 1)
    and checkers left.
    """

    number: int
    turn: Turn
    position: Position
    pips: tuple[int, int]
    men: tuple[int, int]
    contact: bool


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side's figures; times in seconds, None where the record has none."""

    rolls: int = 0
    pips_rolled: int = 0
    doubles: int = 0
    dances: int = 0
    hits: int = 0
    illegal: int = 0
    seconds: float | None = None
    longest: float | None = None
    won: int = 0
    points: int = 0


def moments(game: Game, rules: Ruleset) -> list[Moment]:
    """Every turn of a game with what can be counted before it."""
    found = []
    for number, (turn, position) in enumerate(walk(game, rules)):
        pips, men = pip_count(position, rules), position.men()
        if turn.side:
            pips, men = (pips[1], pips[0]), (men[1], men[0])
        found.append(Moment(number, turn, position, pips, men, in_contact(position)))
    return found


def in_contact(position: Position) -> bool:
    """Whether the sides can still meet: an opposing checker is before the mover's rearmost, or on the bar."""
    if position.points[BAR] or position.points[0]:
        return True
    rear = max((p for p in range(1, POINTS + 1) if position.points[p] > 0), default=0)
    return any(position.points[p] < 0 for p in range(1, rear))


def race_start(played: list[Moment]) -> Moment | None:
    """The first turn from which on the sides never meet again; None when they could to the end."""
    start = None
    for moment in reversed(played):
        if moment.contact:
            break
        start = moment
    return start


def side_facts(match: Match, side: int) -> SideFacts:
    """A side's figures over all games."""
    turns = [t for g in match.games for t in g.turns if t.side == side and t.act is Act.PLAY]
    spent = [turn.t[1] - turn.t[0] for turn in turns if turn.t is not None]
    won = [game for game in match.games if game.winner == side]
    rules = match.ruleset
    return SideFacts(
        rolls=len(turns),
        pips_rolled=sum(sum(_pips(turn, rules)) for turn in turns),
        doubles=sum(len(set(turn.roll)) == 1 for turn in turns),
        dances=sum(turn.play == () for turn in turns),
        hits=sum(hop.hit for turn in turns for hop in turn.play or ()),
        illegal=sum(turn.stood_illegal for turn in turns),
        seconds=sum(spent) if spent else None,
        longest=max(spent, default=None),
        won=len(won),
        points=sum(game.points for game in won),
    )


def _pips(turn: Turn, rules: Ruleset) -> tuple[int, ...]:
    return rules.pips(turn.roll, rules) if len(turn.roll) == rules.dice else turn.roll
