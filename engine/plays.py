"""What may be played: the legal plays of a roll, and what can stand half-way through one."""

from __future__ import annotations

from itertools import product

from msgspec import Struct
from msgspec.structs import force_setattr

from engine.errors import RulesError
from engine.packed import Found, Hop, explore, in_bytes, order_is_free, pack, turn_of, two_hops, unpack
from engine.position import Position
from engine.rules import BACKGAMMON, Outcome, Roll, Ruleset
from engine.ruleset import nothing_more

__all__ = [
    "Hop",
    "Play",
    "check_roll",
    "legal_plays",
    "legal_tables",
    "partial_plays",
    "plays_of",
    "reachable",
    "result_of",
]


class Play(Struct, frozen=True, eq=False, gc=False):
    """A play (hops and result) with the table after it, still in the same mover's view. No hops: a dance.

    Plays are made in the thousands and looked at one by one: a packed table is unpacked when it is asked for.
    """

    hops: tuple[Hop, ...]
    _after: Position | int
    _their_off: int = 0

    @property
    def result(self) -> Position:
        """The table after the play."""
        after = self._after
        if isinstance(after, int):
            after = unpack(after, self._their_off)
            force_setattr(self, "_after", after)
        return after

    def counts(self) -> bytes:
        """The table after the play as 28 signed bytes (see `engine.packed.in_bytes`)."""
        after = self._after
        if isinstance(after, int):
            return in_bytes(after, self._their_off)
        return in_bytes(pack(after), after.off[1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Play) and self.hops == other.hops and self.result == other.result

    def __hash__(self) -> int:
        return hash((self.hops, self.result))


def legal_plays(position: Position, roll: Roll, rules: Ruleset = BACKGAMMON) -> tuple[Play, ...]:
    """All legal plays, one for each different result; a dance is one play without hops.

    Trusts the position (see `engine.position.problems`).

    >>> from engine.rules import BACKGAMMON
    >>> len(legal_plays(BACKGAMMON.start, (3, 1)))
    16

    Raises:
        RulesError: the roll has not as many dice as the game, or a die is not 1-6.
    """
    return tuple(plays_of(position, legal_tables(position, roll, rules)))


def legal_tables(position: Position, roll: Roll, rules: Ruleset = BACKGAMMON) -> Found:
    """The legal results as packed tables (see `engine.packed`) with their paths: `legal_plays` half-way."""
    check_roll(roll, rules)
    table, dice = pack(position), rules.pips(roll, rules)
    turn = turn_of(table, rules)
    if rules.forbids is nothing_more and order_is_free(table, dice, turn):
        whole = two_hops(table, position.points, dice, rules.closed_at)
        if whole:
            return whole
    return _best(position, roll, rules, explore(table, dice, turn))


def partial_plays(position: Position, roll: Roll, rules: Ruleset = BACKGAMMON) -> tuple[Play, ...]:
    """Every table on the way that is no legal end of the turn; the start too, when something can be played.

    Raises:
        RulesError: as for `legal_plays`.
    """
    layers = _layers(position, roll, rules)
    legal = _best(position, roll, rules, layers)
    partial = {
        t: path for left, found in layers.items() if left for t, path in found.items() if t not in legal
    }
    return tuple(plays_of(position, partial))


def reachable(position: Position, roll: Roll, rules: Ruleset = BACKGAMMON) -> list[tuple[Roll, Play]]:
    """Every table that some, none or all of the dice lead to, with the hops left; legal ends or not."""
    layers = _layers(position, roll, rules)
    return [(left, play) for left, found in layers.items() for play in plays_of(position, found)]


def result_of(position: Position, rules: Ruleset = BACKGAMMON, passes: int = 0) -> Outcome | None:
    """How the game has ended, None while it goes on; `passes`: turns passed in a row up to now."""
    return rules.over(position, rules, passes)


def check_roll(roll: Roll, rules: Ruleset) -> None:
    """Raises RulesError unless the roll has as many dice as the game, each 1-6."""
    if roll not in _ROLLS[rules.dice]:
        raise RulesError(f"{roll!r} is no roll of {rules.name}: it takes {rules.dice} dice from 1 to 6")


_ROLLS = {dice: frozenset(product(range(1, 7), repeat=dice)) for dice in (1, 2, 3)}


def _layers(position: Position, roll: Roll, rules: Ruleset) -> dict[tuple[int, ...], Found]:
    check_roll(roll, rules)
    table = pack(position)
    return explore(table, rules.pips(roll, rules), turn_of(table, rules))


def _best(position: Position, roll: Roll, rules: Ruleset, layers: dict[tuple[int, ...], Found]) -> Found:
    """Where the turn may end: as many dice played as can be, then as many pips if the game says so."""
    whole = layers.get((), {})
    if whole and rules.forbids is nothing_more:
        return whole
    best: Found = {}
    rank = (0, 0)
    for left, found in reversed(layers.items()):  # those with the fewest dice left come last
        mine = (len(left), sum(left) if rules.must_play_larger else 0)
        if best and mine > rank:
            continue
        allowed = _allowed(position, roll, rules, found)
        if allowed:
            best = {**allowed, **best} if mine == rank else allowed
            rank = mine
    return best


def _allowed(position: Position, roll: Roll, rules: Ruleset, found: Found) -> Found:
    if rules.forbids is nothing_more:
        return found
    plays = zip(found, plays_of(position, found), strict=True)
    return {t: found[t] for t, play in plays if rules.forbids(position, play.result, roll) is None}


def plays_of(position: Position, found: Found) -> list[Play]:
    """The plays that these paths stand for."""
    off = position.off[1]
    return [Play(hops, table, off) for table, hops in found.items()]
