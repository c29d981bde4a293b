"""Simulated people at a simulated table: what they do, and what a camera with faults sees of it.

Everything runs in virtual time; the truth (`Told`) is kept apart from what is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from engine.plays import Play, legal_plays, partial_plays, result_of
from engine.position import BAR, POINTS, Position, turned
from engine.resolve import apply_hops
from engine.rules import Ruleset
from referee.layout import Layout, table_of
from referee.observation import UNSEEN, Belief, Die, Observation, Quality, belief

Table = tuple[int, ...]
LAYOUT = Layout()
FPS = 5.0
#: Share of points misread in a look; of those, the share that stays misread for three looks.
MISREAD, STUBBORN = 0.01, 0.2


@dataclass
class Camera:
    """Turns a true table into looks, with misreadings, hands and darkness; `trays` may be out of sight."""

    rng: Random
    trays: bool = False
    misread: float = MISREAD
    _stuck: dict[int, tuple[int, int]] = field(default_factory=dict)

    def look(self, t: float, table: Table, dice: tuple[Die, ...] | None, hand: bool = False) -> Observation:
        """One look; with `hand` some points are hidden."""
        beliefs = [self._read(place, table[place]) for place in range(28)]
        if hand:
            hidden = self.rng.randrange(POINTS)
            for place in range(max(0, hidden - 2), min(POINTS, hidden + 3)):
                beliefs[place] = UNSEEN
        if not self.trays:
            beliefs[26] = beliefs[27] = UNSEEN
        quality = Quality()
        return Observation(
            t, tuple(beliefs[:24]), (beliefs[24], beliefs[25]), (beliefs[26], beliefs[27]),
            None if hand else dice, hand and self.rng.random() < 0.7, quality,
        )  # fmt: skip

    def _read(self, place: int, count: int) -> Belief:
        shown = count
        wrong, left = self._stuck.pop(place, (0, 0))
        if left > 0:
            shown = wrong
            if left > 1:
                self._stuck[place] = (wrong, left - 1)
        elif self.rng.random() < self.misread:
            sign = (count > 0) - (count < 0) or self.rng.choice((1, -1))
            shown = count + self.rng.choice((1, -1)) * sign
            if self.rng.random() < STUBBORN:
                self._stuck[place] = (shown, 2)
        sure = self.rng.uniform(0.93, 0.999)
        return belief(
            [(shown, sure), (shown + (1 if shown >= 0 else -1), (1 - sure) * 0.7), (0, (1 - sure) * 0.3)]
        )


@dataclass(frozen=True)
class Wrong:
    """Something illegal: its kind, the table it leaves, and whether it shows only when the turn is ended."""

    kind: str
    table: Table
    at_end: bool = False


def wrongs(rng: Random, position: Position, side: int, roll: tuple[int, ...], rules: Ruleset) -> list[Wrong]:
    """Illegal things that can be done here, one of each kind at most."""
    legal = legal_plays(position, roll, rules)
    partial = partial_plays(position, roll, rules)
    fine = {p.result for p in legal} | {p.result for p in partial}
    makers = (_other_roll, _backwards, _others, _out_of_turn, _extra)
    found = [
        Wrong(kind, table_of(LAYOUT, rules, side, after))
        for kind, after in (maker(rng, position, roll, rules, legal) for maker in makers)
        if after is not None and after not in fine and not _looks_fine(after, fine, side, rules)
    ]
    ends = [p.result for p in partial if p.hops] or [p.result for p in partial]
    if ends:
        found.append(Wrong("unfinished", table_of(LAYOUT, rules, side, rng.choice(ends)), at_end=True))
    return found


def _looks_fine(after: Position, fine: set[Position], side: int, rules: Ruleset) -> bool:
    """True when it differs from a legal table only where nobody looks (the trays)."""
    points = table_of(LAYOUT, rules, side, after)[:26]
    return any(table_of(LAYOUT, rules, side, p)[:26] == points for p in fine)


Made = tuple[str, Position | None]


def _other_roll(rng: Random, position: Position, roll: tuple[int, ...], rules: Ruleset, _: object) -> Made:
    other = tuple(6 - d if d != 6 else 5 for d in roll)
    plays = [p for p in legal_plays(position, other, rules) if p.hops]
    return "other_roll", rng.choice(plays).result if plays else None


def _moved(position: Position, src: int, dst: int, sign: int = 1) -> Position:
    points = list(position.points)
    points[src] -= sign
    points[dst] += sign
    return Position(tuple(points), position.off)


def _backwards(rng: Random, position: Position, roll: tuple[int, ...], rules: Ruleset, _: object) -> Made:
    if rules.eats:
        return "backwards", None
    ways = [
        (n, n + d) for n in range(1, 24) for d in roll
        if position.points[n] > 0 and n + d <= POINTS and position.points[n + d] >= 0
    ]  # fmt: skip
    return "backwards", _moved(position, *rng.choice(ways)) if ways else None


def _others(rng: Random, position: Position, _roll: object, _rules: Ruleset, _: object) -> Made:
    ways = [
        (a, b) for a in range(1, BAR) for b in range(max(1, a - 4), min(POINTS, a + 4) + 1)
        if a != b and position.points[a] < 0 and position.points[b] <= 0
    ]  # fmt: skip
    return "opponents_checker", _moved(position, *rng.choice(ways), sign=-1) if ways else None


def _out_of_turn(rng: Random, position: Position, roll: tuple[int, ...], rules: Ruleset, _: object) -> Made:
    plays = [p for p in legal_plays(turned(position, rules), roll, rules) if p.hops]
    return "out_of_turn", turned(rng.choice(plays).result, rules) if plays else None


def _extra(rng: Random, _p: Position, _r: object, _rules: Ruleset, legal: tuple[Play, ...]) -> Made:
    after = rng.choice(legal).result
    ways = [
        (n, n - d) for n in range(2, BAR) for d in range(1, 6)
        if n - d >= 1 and after.points[n] > 0 and after.points[n - d] >= 0
    ]  # fmt: skip
    return "one_more", _moved(after, *rng.choice(ways)) if ways else None


def hop_tables(position: Position, side: int, play: Play, rules: Ruleset) -> Iterator[Table]:
    """The table after each hop."""
    for hop in play.hops:
        position = apply_hops(position, (hop,), rules)
        yield table_of(LAYOUT, rules, side, position)


def dice_lying(rng: Random, roll: tuple[int, ...], side: int) -> tuple[Die, ...]:
    """The dice where they have come to rest."""
    x, y = (0.58 if side == 0 else 0.08) + rng.random() * 0.2, 0.3 + rng.random() * 0.4
    return tuple(Die(v, rng.uniform(0.985, 0.999), x + 0.08 * i, y) for i, v in enumerate(roll))


def over(position: Position, rules: Ruleset, passes: int) -> bool:
    """Whether the game has ended."""
    return result_of(position, rules, passes) is not None
