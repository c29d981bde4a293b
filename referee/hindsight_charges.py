"""Illegal plays that lay on the table, named where nothing that the dice may have been allows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from engine.plays import legal_plays, partial_plays
from engine.position import Position
from referee.evidence import Evidence
from referee.hindsight_scenes import FACES, Scene
from referee.hindsight_view import Table
from referee.hindsight_window import Step
from referee.hindsight_world import Happened, Node, World, plays
from referee.inference import CLEAR, Turn, infer, lifted_scores
from referee.judging import ILLEGAL_SECONDS
from referee.layout import position_of
from referee.observation import POINTS
from referee.throws import MAYBE
from referee.verdict import Illegal

#: An illegal play is named only where the turn and the one before it are this sure.
ACCUSES = 0.5
#: From this confidence on a play tells which rolls its dice were not.
RULES_OUT = 0.95
#: How much likelier (natural log) it is that a point holds in a turn what it holds after it: between readings
#: that are about as good this decides.
LASTING = 0.5


class Illegality(msgspec.Struct, frozen=True):
    """An illegal play that lay on the table in turn `turn`; put right unless that turn `stood`."""

    turn: int
    places: tuple[int, ...]
    reason: str
    t: float
    finding: str = ""


class Shown(NamedTuple):
    """What lay on the table in a turn of a side: the scene, the table before the turn, and after it."""

    scene: Scene
    evidence: Evidence
    base: Position
    side: int
    after: Table


def charges(world: World, told: Sequence[Step], sure: Mapping[int, float]) -> list[Illegality]:
    """The illegal plays of a part of a story; `sure` says how sure each turn is, by its number."""
    found = [*_stood(world, told), *_put_right(world, told, sure)]
    return sorted(found, key=lambda c: c.t)


def standing(charged: Iterable[Illegality], sure: Sequence[float]) -> tuple[Illegality, ...]:
    """Those that are told: nobody is accused where the table before, or the play itself, is in doubt."""
    return tuple(c for c in charged if _stands(sure, c.turn))


def _stands(sure: Sequence[float], turn: int) -> bool:
    return turn < len(sure) and all(confidence >= ACCUSES for confidence in sure[max(turn - 1, 0) : turn + 1])


def _stood(world: World, told: Sequence[Step]) -> Iterable[Illegality]:
    """Illegal plays that were let stand."""
    for step in told:
        for event in step.events:
            if event.kind == "stood" and event.how == "seen":
                shown = Shown(step.sight.scene, step.sight.evidence, event.before, event.side, event.after)
                yield from _charge(world, shown, event, _rolls(world, event))


def _put_right(world: World, told: Sequence[Step], sure: Mapping[int, float]) -> Iterable[Illegality]:
    """Illegal plays that lay there within a turn and were played otherwise in the end."""
    following: Happened | None = None
    for node, events, sight in reversed(told):
        scene = sight.scene
        lay = not node.over and scene.throw > node.used and scene.lain > ILLEGAL_SECONDS - 1e-9
        if lay and following and (following.throw, following.turn) == (scene.throw, node.turn):
            shown = Shown(scene, sight.evidence, node.base, node.side, following.after)
            rolls = _rolls(world, following)
            if sure[node.turn] >= RULES_OUT:
                rolls = [roll for roll in rolls if _leads_to(world, node, roll, following.after)]
            yield from _charge(world, shown, following, rolls)
        following = events[-1] if events else following


def _rolls(world: World, event: Happened) -> list[tuple[int, ...]]:
    """The rolls that a turn's throw may have been: a face that is read as another may be so on both dice."""
    likely = [roll for roll, p in world.rolls(event.throw, event.side) if p >= MAYBE]
    doubles = [(face,) * len(event.roll) for face in range(1, FACES + 1)] if len(set(event.roll)) == 1 else []
    return list(dict.fromkeys([event.roll, *likely, *doubles]))


def _leads_to(world: World, node: Node, roll: tuple[int, ...], after: tuple[int, ...]) -> bool:
    result = position_of(world.table.layout, world.rules, node.side, after)
    return any(play.result == result for play in plays(world.rules, node.base, roll))


def _charge(
    world: World, shown: Shown, event: Happened, rolls: Iterable[tuple[int, ...]]
) -> Iterable[Illegality]:
    """The charge, if what is shown is illegal by each roll that it may have been."""
    verdict = _illegal(world, shown, event.roll)
    if verdict and all(_illegal(world, shown, roll) for roll in rolls if roll != event.roll):
        yield Illegality(event.turn, verdict.places, verdict.reason, shown.scene.until, verdict.finding)


def _illegal(world: World, shown: Shown, roll: tuple[int, ...]) -> Illegal | None:
    turn = Turn(shown.base, shown.side, roll)
    verdict = infer(world.table, turn, _steadied(world, shown))
    return verdict if isinstance(verdict, Illegal) and _beyond(world, shown, turn, verdict) else None


def _steadied(world: World, shown: Shown) -> Evidence:
    """What was seen, where each point is a little likelier to hold what it holds after the turn; what was
    hidden is taken as it was before the turn and after it, where that is the same.
    """
    before, logs = world.table.of(shown.side, shown.base), list(shown.evidence.logs)
    for point in range(POINTS):
        count = shown.after[point]
        if logs[point]:
            logs[point] = tuple((n, p + LASTING if n == count else p) for n, p in logs[point])
        elif before[point] == count:
            logs[point] = ((count, 0.0),)
    return Evidence(tuple(logs), shown.evidence.looks)


def _beyond(world: World, shown: Shown, turn: Turn, verdict: Illegal) -> bool:
    """Whether no play fits what was seen, whatever lay on the points that were hidden or may have changed."""
    rules = world.rules
    every = (*legal_plays(turn.before, turn.roll, rules), *partial_plays(turn.before, turn.roll, rules))
    fits = [shown.evidence.fit(world.table.of(turn.side, play.result)) for play in every]
    best = max([*fits, *lifted_scores(world.table, turn, shown.evidence)])
    return shown.evidence.fit(verdict.table) - best >= CLEAR
