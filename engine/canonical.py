"""A game as somebody wrote it, replayed: plays as the generator names them, illegal ones marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import RulesError
from engine.plays import Hop, Play
from engine.position import OFF, Position, turned
from engine.record import Act, Game, Turn, after_turn
from engine.repairs import Mend
from engine.resolve import resolve
from engine.rules import Ruleset


def canonical(game: Game, rules: Ruleset) -> tuple[Game, tuple[tuple[int, Mend], ...]]:
    """The game with every play in single-die hops and `stood_illegal` set where no legal play fits.

    Also tells, by turn, what was written otherwise than it was played: hits not starred, stars without a hit.
    """
    position, view = game.start or rules.start, 0
    turns: list[Turn] = []
    notes: list[tuple[int, Mend]] = []
    for index, turn in enumerate(game.turns):
        if turn.side != view:
            position, view = turned(position, rules), turn.side
        if turn.act is Act.PLAY:
            written, turn = turn, _canonical_turn(position, turn, rules)
            notes += [(index, mend) for mend in _star_notes(written.play or (), turn.play or ())]
            position = after_turn(position, turn, rules)
        turns.append(turn)
    return replace(game, turns=tuple(turns)), tuple(notes)


def _canonical_turn(position: Position, turn: Turn, rules: Ruleset) -> Turn:
    if turn.after is not None:
        return turn
    meant = _resolved(position, turn, rules)
    if turn.play is None:
        # Where nothing can be played, it is known what was played.
        return replace(turn, play=()) if meant is not None else turn
    if meant is not None:
        return replace(turn, play=meant.hops, stood_illegal=False)
    return replace(turn, play=with_hits(position, turn.play, rules), stood_illegal=True)


def _resolved(position: Position, turn: Turn, rules: Ruleset) -> Play | None:
    try:
        return resolve(position, turn.roll, turn.play or (), rules)
    except RulesError:
        return None


def with_hits(position: Position, hops: Sequence[Hop], rules: Ruleset) -> tuple[Hop, ...]:
    """The same hops, marked as hits where they land on what may be hit."""
    counts, marked = list(position.points), []
    for src, dst, _ in hops:
        hit = dst != OFF and 0 > counts[dst] > -rules.closed_at
        counts[src] -= 1
        if dst != OFF and counts[dst] > -rules.closed_at:
            counts[dst] = max(0, counts[dst]) + 1
        marked.append(Hop(src, dst, hit))
    return tuple(marked)


def _star_notes(written: Sequence[Hop], played: Sequence[Hop]) -> list[Mend]:
    starred, hit = ({hop.dst for hop in hops if hop.hit} for hops in (written, played))
    return [Mend.NOT_STARRED] * bool(hit - starred) + [Mend.STAR_WITHOUT_HIT] * bool(starred - hit)
