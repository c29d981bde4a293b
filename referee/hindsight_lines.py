"""What is written down of a story: its turns, gaps, games and illegal plays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.hindsight_charges import Illegality, charges
from referee.hindsight_lattice import explained
from referee.hindsight_moves import names
from referee.hindsight_scenes import Scene
from referee.hindsight_sight import Sight
from referee.hindsight_window import Shares, Step, key_of, moment_of
from referee.hindsight_world import Happened, Node, World
from referee.inference import APART, differences
from referee.verdict import Difference

#: Other possibilities are named from this share on, at most so many.
LEAST_SHARE, MOST_OTHERS = 0.01, 4


class Told(msgspec.Struct, frozen=True):
    """A turn of the record; `others` are the other things it may have been, likeliest first. Times in
    seconds: since when the dice lay, since when the play did. `how` `seen`, `inferred` (no dice) or `typed`.
    """

    event: Happened
    text: str
    confidence: float
    others: tuple[str, ...]
    t: tuple[float, float]


class Lapse(msgspec.Struct, frozen=True):
    """Where the thread was lost, before turn `turn`, and taken up again from what was seen; where it was not
    `resumed` the recording ended.
    """

    turn: int
    t: float
    difference: tuple[Difference, ...]
    resumed: bool = True


class Lines(NamedTuple):
    """What is written of some scenes. `games`: the number of the first turn of each that began there;
    `charges` are to be dropped where a turn is in doubt; of the game that goes on no turn is surer than
    `trust`.
    """

    turns: tuple[Told, ...]
    charges: tuple[Illegality, ...]
    gaps: tuple[Lapse, ...]
    games: tuple[int, ...]
    trust: float

    def renumbered(self, by: Shift) -> Lines:
        """The same lines after more turns and games, or fewer."""
        turns = (replace(told, event=by.event(told.event)) for told in self.turns)
        charges = (replace(charge, turn=charge.turn + by.turns) for charge in self.charges)
        gaps = (replace(gap, turn=gap.turn + by.turns) for gap in self.gaps)
        games = tuple(turn + by.turns for turn in self.games)
        return Lines(tuple(turns), tuple(charges), tuple(gaps), games, self.trust)


class Shift(NamedTuple):
    """By how much the numbers of turns and games are larger than they were."""

    turns: int
    games: int

    def event(self, event: Happened) -> Happened:
        """The same with its new numbers."""
        return event._replace(turn=event.turn + self.turns, game=event.game + self.games)

    def node(self, node: Node) -> Node:
        """The same state with its new numbers."""
        return node._replace(turn=node.turn + self.turns, game=node.game + self.games)


class _Row(NamedTuple):
    """A thing that happened: before which scene, the next scene before which something else did, how sure no
    more than.
    """

    scene: int
    until: int
    event: Happened
    trust: float

    @property
    def is_turn(self) -> bool:
        return self.event.kind in ("turn", "stood")


def lines_of(world: World, told: Sequence[Step], scenes: int, shares: Shares, trust: float) -> Lines:
    """What is written of the first `scenes` steps of a story; the others tell how it went on. `trust`: of the
    game that is being played no turn is surer.
    """
    rows = list(_rows(told, trust))
    here = [row for row in rows if row.scene < scenes]
    return Lines(
        tuple(_told(world, shares, row, told) for row in here if row.is_turn),
        tuple(_charges(world, told, scenes, shares, rows)),
        tuple(
            _lapse(world, told[row.scene].sight.scene, row.event) for row in here if row.event.kind == "gap"
        ),
        tuple(row.event.turn for row in here if row.event.kind == "game"),
        here[-1].trust if here else trust,
    )


def left_over(world: World, told: Sequence[Step]) -> tuple[Lapse, ...]:
    """What a recording ends with if no table of its story explains that: something was played at the end that
    is not understood.
    """
    if not told or told[-1].node.over or not _unexplained(world, told[-1], last=True):
        return ()
    node, sight = told[-1].node, told[-1].sight
    since = len(told) - 1
    while since and not told[since].events and _unexplained(world, told[since - 1]):
        since -= 1
    counts, evidence = world.counts(node), sight.scene.evidence
    seen = sight.seen or [evidence.best(place) for place in range(len(counts))]
    t = told[since].sight.scene.since
    return (Lapse(node.turn, t, differences(counts, seen, evidence), resumed=False),)


def _unexplained(world: World, step: Step, *, last: bool = False) -> bool:
    return explained(world, step.node, step.sight, last=last)[1] is None


def _charges(
    world: World, told: Sequence[Step], scenes: int, shares: Shares, rows: Sequence[_Row]
) -> Iterator[Illegality]:
    """Illegal plays in the first scenes: what was played in the end may be seen only in a later one."""
    ahead = 1 + next((row.scene for row in rows if row.scene >= scenes), len(told))
    sure = {r.event.turn: _confidence(shares, r, told) for r in rows if r.is_turn and r.scene < ahead}
    found = charges(world, told[:ahead], sure) if scenes else []
    return (c for c in found if c.t <= told[scenes - 1].sight.scene.until)


def _rows(told: Sequence[Step], trust: float) -> Iterator[_Row]:
    at = [(number, event) for number, step in enumerate(told) for event in step.events]
    for k, (number, event) in enumerate(at):
        if event.kind == "game":
            trust = 1.0
        until = next((n for n, _ in at[k + 1 :] if n > number), len(told))
        yield _Row(number, until, event, trust)


def _lapse(world: World, scene: Scene, event: Happened) -> Lapse:
    before = world.table.of(event.side, event.before)
    return Lapse(event.turn, scene.since, differences(before, event.after, scene.evidence))


def _told(world: World, shares: Shares, row: _Row, told: Sequence[Step]) -> Told:
    """A line of the record."""
    event, lying = row.event, told[row.scene : row.until]
    rivals = sorted(
        (found for key, found in shares.items() if key[0] == moment_of(event) and key != key_of(event)),
        key=lambda found: -found[0],
    )
    others = [_named(e, event) for q, e in rivals if q >= LEAST_SHARE and e.kind == "turn"]
    seen = lying[0].sight.scene.since
    since = world.throws[event.throw].since if event.throw >= 0 else seen
    text, sure = names(event), _confidence(shares, row, told)
    named = tuple(name for name in dict.fromkeys(others) if name != (text or "-"))
    return Told(event, text, sure, named[:MOST_OTHERS], (since, max(seen, since)))


def _confidence(shares: Shares, row: _Row, told: Sequence[Step]) -> float:
    p = shares[key_of(row.event)][0] * _doubt(row.event, told[row.scene : row.until])
    sure = round(min(p, 1.0), 4)
    return sure if row.trust == 1.0 else round(sure * row.trust, 4)


def _named(other: Happened, event: Happened) -> str:
    """Another play, with its dice where they are others."""
    text = names(other) or "-"
    return text if other.roll == event.roll else f"{'-'.join(map(str, other.roll))}: {text}"


def _doubt(event: Happened, lying: Sequence[Step]) -> float:
    """Less than 1 where no scene shows the play's result about as well as anything could."""
    paid = lying[0].sight.paid
    top = max(Sight(step.sight.view, paid).fit(event.after) for step in lying)
    return math.exp(min(top + APART, 0.0))
