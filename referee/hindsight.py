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

from engine.position import Position
from engine.rules import ruleset
from referee.events import Seen, Setup, Still
from referee.evidence import FLOOR
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
from referee.hindsight_world import Fix, Happened, Node, World, plays
from referee.inference import APART, Table, Turn, differences, infer
from referee.judging import ILLEGAL_SECONDS
from referee.layout import DARK, LIGHT, Layout, position_of, table_of
from referee.throws import MAYBE
from referee.verdict import Difference, Illegal

__all__ = ["Fix", "Hindsight", "Illegality", "Lapse", "Story", "Told", "look_back"]

#: Other possibilities are named from this share on, at most so many.
LEAST_SHARE, MOST_OTHERS = 0.01, 4
#: An illegal play is named only where the turn and the one before it are this sure.
ACCUSES = 0.5
#: A place read with a smaller share is in doubt where a table is taken as it is seen.
READ = 0.97
#: From this confidence on a play tells which rolls its dice were not.
RULES_OUT = 0.95


class Told(msgspec.Struct, frozen=True):
    """A turn of the record; `others` are the other things it may have been, likeliest first. Times in
    seconds: since when the dice lay, since when the play did. `how` `seen`, `inferred` (no dice) or `typed`.
    """

    event: Happened
    text: str
    confidence: float
    others: tuple[str, ...]
    t: tuple[float, float]


class Illegality(msgspec.Struct, frozen=True):
    """An illegal play that lay on the table in turn `turn`; put right unless that turn `stood`."""

    turn: int
    places: tuple[int, ...]
    reason: str
    t: float
    finding: str = ""


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
    lines = _since_gaps(lines, told)
    illegal = _sure(lines, _charges(world, told, lines))
    return Story(
        tuple(lines), illegal, gaps, games, world.table.layout, start, told[-1].node if told else None,
    )  # fmt: skip


def _since_gaps(lines: Sequence[Told], told: Sequence[Step]) -> list[Told]:
    """No turn is surer than the table from which the thread was taken up before it in its game."""
    trust: dict[int, float] = {0: 1.0}
    for step in told:
        for event in step.events:
            if event.kind in ("gap", "game"):
                trust[event.turn] = 1.0 if event.kind == "game" else _read(step.sight.scene, event.after)
    found, now = [], 1.0
    for number, line in enumerate(lines):
        now = trust.get(number, now)
        found.append(
            line if now == 1.0 else msgspec.structs.replace(line, confidence=round(line.confidence * now, 4))
        )
    return found


def _read(scene: Scene, table: tuple[int, ...]) -> float:
    """How likely a scene shows a table: the places that are read with little doubt are taken as certain."""
    shares = [
        dict(pairs).get(count, FLOOR) - math.log(sum(math.exp(p) for _, p in pairs))
        for pairs, count in zip(scene.evidence.logs, table, strict=True)
        if pairs
    ]
    return round(math.exp(sum(share for share in shares if share < math.log(READ))), 4)


def _sure(lines: Sequence[Told], charges: Iterable[Illegality]) -> tuple[Illegality, ...]:
    """Nobody is accused where the table before, or the play itself, is in doubt."""
    sure = [line.confidence >= ACCUSES for line in lines]
    return tuple(
        c for c in charges if c.turn < len(sure) and sure[c.turn] and (c.turn == 0 or sure[c.turn - 1])
    )


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
    others = tuple(_named(e, event) for q, e in rivals if q >= LEAST_SHARE and e.kind == "turn")
    seen = lying[0].sight.scene.since
    since = world.throws[event.throw].since if event.throw >= 0 else seen
    return Told(event, names(event), round(min(p, 1.0), 4), others[:MOST_OTHERS], (since, max(seen, since)))


def _named(other: Happened, event: Happened) -> str:
    """Another play, with its dice where they are others."""
    text = names(other) or "-"
    return text if other.roll == event.roll else f"{'-'.join(map(str, other.roll))}: {text}"


def _doubt(event: Happened, lying: Sequence[Step]) -> float:
    """Less than 1 where no scene shows the play's result about as well as anything could."""
    paid = lying[0].sight.paid
    top = max(Sight(step.sight.view, paid).fit(event.after) for step in lying)
    return 1.0 if top > -APART else math.exp(top)


def _charges(world: World, told: Sequence[Step], lines: Sequence[Told]) -> Iterable[Illegality]:
    """Illegal plays: what lay there, within a turn, and is no part of any play of its dice."""
    after = [(n, step.events[-1]) for n, step in enumerate(told) if step.events]
    for number, (node, events, sight) in enumerate(told):
        for event in events:
            if event.kind == "stood" and event.how == "seen":
                yield from _charge(world, sight, event.before, event.side, event.roll, event.turn)
        scene = sight.scene
        if node.over or scene.throw <= node.used or scene.rested < ILLEGAL_SECONDS - 1e-9:
            continue
        following = next((e for k, e in after if k > number), None)
        if following is None or following.throw != scene.throw or following.turn != node.turn:
            continue
        found = list(_charge(world, sight, node.base, node.side, following.roll, node.turn))
        thrown = _thrown(world, node, following, lines[node.turn].confidence) if found else []
        if found and all(_illegal(world, sight, node.base, node.side, roll) for roll in thrown):
            yield from found


def _thrown(world: World, node: Node, event: Happened, confidence: float) -> list[tuple[int, ...]]:
    """The rolls that a turn's throw may have been: what was surely played in the end rules others out."""
    rolls = [roll for roll, p in world.rolls(event.throw, node.side) if p >= MAYBE]
    if confidence < RULES_OUT:
        return rolls
    return [roll for roll in rolls if _leads_to(world, node, roll, event.after)]


def _leads_to(world: World, node: Node, roll: tuple[int, ...], after: tuple[int, ...]) -> bool:
    return any(
        world.table.of(node.side, play.result) == after for play in plays(world.rules, node.base, roll)
    )


def _charge(
    world: World, sight: Sight, base: Position, side: int, roll: tuple[int, ...], turn: int
) -> Iterable[Illegality]:
    verdict = _illegal(world, sight, base, side, roll)
    if verdict is not None:
        yield Illegality(turn, verdict.places, verdict.reason, sight.scene.until, verdict.finding)


def _illegal(world: World, sight: Sight, base: Position, side: int, roll: tuple[int, ...]) -> Illegal | None:
    verdict = infer(world.table, Turn(base, side, roll), sight.evidence)
    return verdict if isinstance(verdict, Illegal) else None
