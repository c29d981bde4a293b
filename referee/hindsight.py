"""A recording judged with hindsight: the likeliest story of all its scenes together.

The live referee (`referee.session`) decides turn by turn with what it has seen so far. Here play n is judged
together with what follows: a play that the next throw finds on the table is not in doubt, a throw may be read
from looks that come later, and where nothing is certain the other possibilities keep their shares. What
nobody saw is inferred (`how` says so) or is a gap; nothing is guessed in silence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import msgspec

from engine.rules import ruleset
from referee.events import Seen, Setup, Still
from referee.hindsight_charges import Illegality, charges
from referee.hindsight_faces import learnt, stubborn
from referee.hindsight_lattice import (
    Key,
    Layer,
    Step,
    beginning,
    checkpoint,
    forwards,
    key_of,
    moment_of,
    shares,
    story,
)
from referee.hindsight_moves import names
from referee.hindsight_scenes import Scene, gathered
from referee.hindsight_sight import Sight
from referee.hindsight_world import Fix, Happened, Node, World
from referee.inference import APART, Table, differences
from referee.layout import DARK, LIGHT, Layout, position_of, table_of
from referee.verdict import Difference

__all__ = ["Fix", "Hindsight", "Illegality", "Lapse", "Story", "Told", "look_back"]

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
    """Where the thread was lost, before turn `turn`, and taken up again from what was seen."""

    turn: int
    t: float
    difference: tuple[Difference, ...]


class Story(msgspec.Struct, frozen=True):
    """All that happened. `games` holds the number of each game's first turn; `left` the last state."""

    turns: tuple[Told, ...]
    illegal: tuple[Illegality, ...]
    gaps: tuple[Lapse, ...]
    games: tuple[int, ...]
    layout: Layout
    start: tuple[int, ...]
    left: Node | None = None


class Hindsight:
    """A recording's looks, judged together; `story` tells what happened, again when more is known."""

    def __init__(self, looks: Iterable[Seen | Still], setup: Setup, layout: Layout) -> None:
        """Judge looks.

        Raises:
            RulesError: an unknown ruleset.
        """
        rules = ruleset(setup.rules)
        table = Table(rules, layout)
        start = table_of(layout, rules, LIGHT, rules.start)
        self._scenes, throws = gathered(looks, rules.dice)
        rolled = tuple(throw.rolls(rules.dice) for throw in throws)
        world = World(table, tuple(throws), (rolled, rolled), start, {})
        self._start, begin = setup.start or start, beginning(world, _beginnings(world, setup))
        layers = forwards(world, self._scenes, begin)
        self._world = _with_faces(world, layers)
        self._layers = layers if self._world == world else forwards(self._world, self._scenes, begin)
        self._told: list[Step] = []

    @property
    def score(self) -> float:
        """How well the likeliest story explains what was seen (natural log, to compare layouts)."""
        return max(cell.best for cell in self._layers[-1].values())

    def story(self, fixes: Mapping[int, Fix] = MappingProxyType({})) -> Story:
        """The likeliest story; `fixes` says how single turns were. Only what comes after the first of them
        that is new is judged again.
        """
        before = self._world.fixes
        new = [turn for turn in {*fixes, *before} if fixes.get(turn) != before.get(turn)]
        self._world = world = replace(self._world, fixes=dict(fixes))
        if new:
            known = checkpoint(self._layers, min(new))
            self._layers = forwards(world, self._scenes, self._layers[: known + 1], self._layers, max(new))
        turns = max(fixes, default=-1) + 1
        self._told = story(world, self._scenes, self._layers, turns, self._told)
        return _written(world, self._layers, self._told, self._start, turns)


def look_back(
    looks: Iterable[Seen | Still],
    setup: Setup,
    layout: Layout,
    fixes: Mapping[int, Fix] = MappingProxyType({}),
) -> Story:
    """The likeliest story of a recording's looks; `fixes` says how single turns were.

    Raises:
        RulesError: an unknown ruleset.
    """
    return Hindsight(looks, setup, layout).story(fixes)


def _with_faces(world: World, layers: Sequence[Layer]) -> World:
    """The same world, or one that knows which of the dice's faces are taken for others."""
    guesses = (
        (share, event.side, event.roll, world.throws[event.throw])
        for share, event in shares(layers, 0).values()
        if event.kind == "turn" and event.throw >= 0
    )
    faces = learnt(guesses)
    if not any(map(stubborn, faces)):
        return world
    light, dark = (tuple(t.rolls(world.rules.dice, known) for t in world.throws) for known in faces)
    return replace(world, rolled=(light, dark))


def _beginnings(world: World, setup: Setup) -> list[Node]:
    sides = (LIGHT, DARK) if setup.side is None else (setup.side,)
    counts = setup.start or world.start
    return [Node(position_of(world.table.layout, world.rules, side, counts), side, 0, -1) for side in sides]


def _written(
    world: World, layers: Sequence[Layer], told: Sequence[Step], start: tuple[int, ...], turns: int
) -> Story:
    share = shares(layers, turns)
    at = [(number, event) for number, step in enumerate(told) for event in step.events]
    lines = [
        _told(world, share, e, told[n : _until(at, k, len(told))])
        for k, (n, e) in enumerate(at)
        if e.kind in ("turn", "stood")
    ]
    gaps = tuple(_lapse(world, told[n].sight.scene, e) for n, e in at if e.kind == "gap")
    games = (0, *(e.turn for _, e in at if e.kind == "game"))
    illegal = charges(world, told, [line.confidence for line in lines])
    return Story(
        tuple(lines), illegal, gaps, games, world.table.layout, start, told[-1].node if told else None,
    )  # fmt: skip


def _lapse(world: World, scene: Scene, event: Happened) -> Lapse:
    before = world.table.of(event.side, event.before)
    return Lapse(event.turn, scene.since, differences(before, event.after, scene.evidence))


def _until(at: list[tuple[int, Happened]], k: int, end: int) -> int:
    """The first scene in which something else has happened since."""
    return next((n for n, _ in at[k + 1 :] if n > at[k][0]), end)


def _told(
    world: World, share: Mapping[Key, tuple[float, Happened]], event: Happened, lying: Sequence[Step]
) -> Told:
    """A line of the record; `lying` are the scenes in which the play lay there."""
    p = share[key_of(event)][0] * _doubt(event, lying)
    rivals = sorted(
        (row for key, row in share.items() if key[0] == moment_of(event) and key != key_of(event)),
        key=lambda row: -row[0],
    )
    others = [_named(e, event) for q, e in rivals if q >= LEAST_SHARE and e.kind == "turn"]
    seen = lying[0].sight.scene.since
    since = world.throws[event.throw].since if event.throw >= 0 else seen
    text = names(event)
    named = tuple(name for name in dict.fromkeys(others) if name != (text or "-"))
    return Told(event, text, round(min(p, 1.0), 4), named[:MOST_OTHERS], (since, max(seen, since)))


def _named(other: Happened, event: Happened) -> str:
    """Another play, with its dice where they are others."""
    text = names(other) or "-"
    return text if other.roll == event.roll else f"{'-'.join(map(str, other.roll))}: {text}"


def _doubt(event: Happened, lying: Sequence[Step]) -> float:
    """Less than 1 where no scene shows the play's result about as well as anything could."""
    paid = lying[0].sight.paid
    top = max(Sight(step.sight.view, paid).fit(event.after) for step in lying)
    return 1.0 if top > -APART else math.exp(top)
