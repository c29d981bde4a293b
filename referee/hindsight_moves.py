"""What may have happened on the table between one scene and the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from engine.errors import RulesError
from engine.notation import format_play, parse_play
from engine.plays import Play
from engine.position import Position
from engine.resolve import apply_hops
from referee.hindsight_sight import Sight
from referee.hindsight_world import (
    Choice,
    Choices,
    Fix,
    Happened,
    Node,
    Way,
    World,
    any_plays,
    choices_of,
    handed_over,
    plays,
    rolled,
)
from referee.layout import DARK, LIGHT, position_of
from referee.observation import POINTS

#: What each costs, natural log: a turn whose dice nobody read; one whose dice were read wrongly; a throw that
#: was no turn (and the same after a single look, or with the faces of its neighbour: pushed dice); a game
#: given up; a new game after one that had ended.
NO_THROW, MISREAD, SKIPPED, GLIMPSED, PUSHED = 5.0, 7.0, 4.5, 1.5, 1.0
GIVEN_UP, NEXT_GAME = 8.0, 0.7
#: Waiting although nothing can be played.
UNPLAYED = 5.0
#: Rolls with a smaller share of the votes are thought of only where the others explain nothing.
LIKELY_ROLL = 0.05
#: Fits (see `View`) below these are not worth following; or, where something must have happened, at all.
LEAST_FIT, LEAST_PART = -8.0, -25.0
#: Where everything likely fits worse than this, unlikely things are tried.
POOR = -4.0
#: So many results are followed up.
MOST, MOST_SECOND, MOST_WILD = 8, 8, 3
#: So many throws in a row may have been played before the table is seen again.
MOST_UNSEEN = 2
#: A sight that explaining by nothing costs less than this is not worth a search through two unknown turns.
RESTED = -3.0
#: A start position fits at least so well, and so many points may be hidden (where the cube lay, say).
START_FIT, START_HIDDEN = -2.0, 3


def choices(world: World, node: Node, throw: int, least: float) -> Choices:
    """The plays of a throw, by all the rolls it may be that have this share at least (and the likeliest)."""
    every = world.rolls(throw, node.side)
    rolls = [row for k, row in enumerate(every) if k == 0 or row[1] >= least]
    fix = world.fixes.get(node.turn)
    if fix is not None:
        return _given(fixed(world, node, fix, rolls))
    return rolled(world.rules, node.base, tuple(rolls))


def wild_choices(world: World, node: Node) -> Choices:
    """The plays of a roll that nobody saw."""
    fix = world.fixes.get(node.turn)
    if fix is not None:
        return _given(fixed(world, node, fix, ()))
    return any_plays(world.rules, node.base)


def fixed(world: World, node: Node, fix: Fix, rolls: Iterable[tuple[tuple[int, ...], float]]) -> list[Choice]:
    """What a person allows; an illegal play is taken as said."""
    given = [tuple(sorted(fix.dice, reverse=True))] if fix.dice else [roll for roll, _ in rolls]
    every = any_plays(world.rules, node.base)
    wanted = given or list(dict.fromkeys(choice.roll for choice in every))
    found = [Choice(play, roll, 0.0) for roll in wanted for play in plays(world.rules, node.base, roll)]
    after = _after(world, node, fix)
    if after is None:
        return found
    legal = _leading_to(world, node, found, after)
    if not legal and not fix.dice:
        legal = _leading_to(world, node, every, after)
    if legal:
        return legal
    whole = after if len(after) == len(world.start) else after + world.counts(node)[len(after) :]
    result = position_of(world.table.layout, world.rules, node.side, whole)
    return [Choice(Play((), result), wanted[0], 0.0)]


def _given(found: Iterable[Choice]) -> Choices:
    return choices_of(([play], roll, weight) for play, roll, weight in found)


def _leading_to(world: World, node: Node, found: Iterable[Choice], after: tuple[int, ...]) -> list[Choice]:
    return [c for c in found if world.table.of(node.side, c.play.result)[: len(after)] == after]


def _after(world: World, node: Node, fix: Fix) -> tuple[int, ...] | None:
    if fix.after is not None:
        return tuple(fix.after)
    if fix.play is None:
        return None
    try:
        hops = parse_play(fix.play, node.base, world.rules)
    except RulesError:
        return None
    return world.table.of(node.side, apply_hops(node.base, hops, world.rules))


def turn_taken(world: World, node: Node, choice: Choice, throw: int, how: str) -> tuple[Node, Happened]:
    """The state after a turn."""
    play, roll, _ = choice
    after = world.shown(node.side, play.result)
    stood = not play.hops and after != world.counts(node)
    event = Happened(
        "stood" if stood else "turn", node.turn, node.side, roll, None if stood else play, after,
        "typed" if node.turn in world.fixes else how, throw, node.base, node.game,
    )  # fmt: skip
    passes = node.passes + 1 if not play.hops and not stood else 0
    base, over = handed_over(world.rules, play.result, passes)
    used = max(node.used, throw)
    return Node(base, 1 - node.side, node.turn + 1, used, node.game, passes, over), event


def swallowed(world: World, node: Node, until: int) -> float:
    """What it costs that the throws up to one belong to no turn of a game that was given up; dice that lie
    there when a game was won cost nothing.
    """
    if node.over and not node.given_up:
        return 0.0
    return sum(skip_cost(world, node.side, throw) for throw in range(node.used + 1, until + 1))


def skip_cost(world: World, side: int, throw: int) -> float:
    """What it costs that a throw was no turn."""
    mine = world.rolls(throw, side)[0][0]
    near = [k for k in (throw - 1, throw + 1) if 0 <= k < len(world.throws)]
    if any(world.rolls(k, side)[0][0] == mine for k in near):
        return PUSHED
    return GLIMPSED if world.throws[throw].looks == 1 else SKIPPED


def taken(
    world: World,
    sight: Sight,
    way: Way,
    throw: int | None,
    cost: float,
    *,
    last: bool | None,
    most: int = MOST,
    share: float = LIKELY_ROLL,
) -> list[Way]:
    """One more turn after a way: by a throw, or (None) by one that nobody saw; the results that fit best.

    `last`: nothing follows before the scene, so that the whole table must fit; None: exactly one turn does,
    so that the mover's checkers must, but for those hit. `share`: what a roll must have to be thought of.
    """
    node = way.node
    if node.over:
        return []
    found = wild_choices(world, node) if throw is None else choices(world, node, throw, share)
    least = LEAST_PART if last is False else LEAST_FIT
    if node.turn in world.fixes:
        least = -math.inf
    fits = sight.fits(found.tables, node.side, world.order(node.side), whole=bool(last))
    good = np.flatnonzero(fits >= least)
    best = np.argsort(-(fits + found.weights)[good], kind="stable")[:most]
    kept = [found[k] for k in good[best]]
    if kept and throw is not None and node.turn not in world.fixes:
        kept += _alike(world, node, throw, kept[0], share)
    out = []
    how = "inferred" if throw is None else "seen"
    for choice in kept:
        after, event = turn_taken(world, node, choice, -1 if throw is None else throw, how)
        out.append(Way(after, way.weight + choice.weight - cost, (*way.events, event)))
    return out


def _alike(world: World, node: Node, throw: int, best: Choice, share: float) -> list[Choice]:
    """Plays by rolls that are too unlikely to be thought of, which no table tells from the best one."""
    pips = _pips(best.roll)
    result = best.play.result
    moved = _to_go(node.base) - _to_go(result)
    return [
        Choice(play, roll, math.log(p))
        for roll, p in world.rolls(throw, node.side)[1:]
        if p < share and (moved < pips or _pips(roll) == pips)
        for play in plays(world.rules, node.base, roll)
        if play.result == result
    ]


def _to_go(position: Position) -> int:
    """Pips that the mover has yet to travel."""
    return sum(own * n for own, n in enumerate(position.points) if n > 0)


def _pips(roll: Sequence[int]) -> int:
    return sum(roll) * (2 if len(roll) == 2 and roll[0] == roll[1] else 1)


class Likely(NamedTuple):
    """The likely ways of a state: all of them, those before the throw that lies there, and that throw."""

    ways: list[Way]
    begun: list[Way]
    active: int | None


def likely(world: World, node: Node, sight: Sight) -> Likely:
    """What is likely to have happened from a state up to a scene."""
    fresh = new_games(world, node, sight)
    if node.over:
        left = -swallowed(world, node, sight.scene.throw)
        return Likely([Way(node._replace(used=sight.scene.throw), left), *fresh], [], None)
    pending = range(node.used + 1, sight.scene.throw + 1)
    begun = _resolved(world, sight, Way(node, 0.0), pending[:-1], LIKELY_ROLL)
    active = pending[-1] if pending else None
    found = begun if len(pending) < 2 else [Way(node, 0.0), *begun]
    if active is not None and (node.turn in world.fixes or not _clear(world, begun, sight)):
        found = found + [w for way in begun for w in taken(world, sight, way, active, 0.0, last=True)]
    elif active is not None:
        found = [w for way in begun for w in _danced(world, way, active)]
    return Likely(found + fresh, begun, active)


def _clear(world: World, begun: list[Way], sight: Sight) -> bool:
    """True where the table has surely not changed yet: no play needs to be tried."""
    return all(sight.fit(world.counts(w.node)) > sight.spared - 0.5 for w in begun) and sight.watched >= 24


def _danced(world: World, way: Way, throw: int) -> list[Way]:
    """A roll that leaves nothing to play is a turn although nothing changes; others are yet to be played."""
    node, found, waits = way.node, list[Way](), 0.0
    for roll, share in [] if node.over else world.rolls(throw, node.side):
        first = plays(world.rules, node.base, roll)[0]
        if first.hops:
            waits += share
            continue
        after, event = turn_taken(world, node, Choice(first, roll, 0.0), throw, "seen")
        found.append(Way(after, way.weight + math.log(share), (*way.events, event)))
    waiting = max(math.log(waits), -UNPLAYED) if waits else -UNPLAYED
    return [*found, way._replace(weight=way.weight + waiting)] if found else [way]


def _resolved(world: World, sight: Sight, way: Way, older: Sequence[int], share: float) -> list[Way]:
    """Throws before the one that lies there now were turns, or none (all but the last few)."""
    frontier = [way]
    for left, throw in zip(range(len(older), 0, -1), older, strict=True):
        grown = [
            Way(w.node._replace(used=throw), w.weight - skip_cost(world, way.node.side, throw), w.events)
            for w in frontier
        ]
        if left <= MOST_UNSEEN:
            grown += [
                x for w in frontier for x in taken(world, sight, w, throw, 0.0, last=False, share=share)
            ]
        frontier = sorted(grown, key=lambda w: -w.weight - sight.fit(world.counts(w.node)))[:MOST_SECOND]
    return frontier


def _good(world: World, found: list[Way], sight: Sight, least: float = POOR) -> bool:
    return any(way.weight + sight.fit(world.counts(way.node)) > least for way in found)


def unlikely(world: World, sight: Sight, node: Node, likely: Likely, *, deep: bool) -> list[Way]:
    """A turn whose dice nobody read, or read wrongly; `deep`: also two of them."""
    if node.over:
        return []
    begun, active = likely.begun, likely.active
    older = range(node.used + 1, sight.scene.throw)
    if older:
        begun = _resolved(world, sight, Way(node, 0.0), older, 0.0)
    found: list[Way] = []
    for way in begun[:MOST_WILD]:
        wild = taken(world, sight, way, None, NO_THROW, last=True)
        found += wild
        if active is not None:
            found += taken(world, sight, way, active, 0.0, last=True, share=0.0)
            found += [_misread(way, active) for way in wild]
    if deep and not _good(world, found, sight, POOR - NO_THROW):
        found += [x for way in begun[:1] for x in _two_turns(world, sight, way, active)]
    return found


def _misread(way: Way, throw: int) -> Way:
    """A turn that nobody saw the dice of, as the turn of a throw whose dice were read wrongly."""
    event = way.events[-1]._replace(throw=throw)
    return Way(way.node._replace(used=throw), way.weight + NO_THROW - MISREAD, (*way.events[:-1], event))


def _two_turns(world: World, sight: Sight, way: Way, active: int | None) -> list[Way]:
    """A turn that nobody saw and another one: that of the throw that lies there, or unseen too."""
    first = taken(world, sight, way, None, NO_THROW, last=None, most=MOST_SECOND)
    found: list[Way] = []
    if active is not None:
        found = [x for w in first for x in taken(world, sight, w, active, 0.0, last=True)]
    if sight.unexplained(busy=True) > RESTED or _good(world, found, sight, POOR - 2 * NO_THROW):
        return found
    second = [] if active is None else taken(world, sight, way, active, 0.0, last=None)
    for w in [*second[:MOST_WILD], *first[:MOST_WILD]]:
        found += taken(world, sight, w, None, NO_THROW, last=True)
    return found


def new_games(world: World, node: Node, sight: Sight) -> list[Way]:
    """The checkers stand as at the start again."""
    if world.counts(node) == world.start or sight.fit(world.start) < START_FIT:
        return []
    if sight.watched < POINTS - START_HIDDEN:
        return []
    # the throw that lies there may be the old game's last one
    used = sight.scene.throw if sight.scene.bare else max(node.used, sight.scene.throw - 1)
    cost = (NEXT_GAME if node.over else GIVEN_UP) + swallowed(world, node, used)
    found = []
    for side in (LIGHT, DARK):
        base = position_of(world.table.layout, world.rules, side, world.start)
        event = Happened(
            "game", node.turn, node.side, (), None, world.start, "seen", -1, node.base, node.game
        )
        after = Node(base, side, node.turn, used, node.game + 1)
        found.append(Way(after, -cost - math.log(2), (event,)))
    return found


def names(event: Happened) -> str:
    """The play as it is written."""
    return format_play(event.play) if event.play is not None else ""
