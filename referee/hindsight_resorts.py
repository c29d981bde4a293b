"""What is thought of where nothing likely explains a scene: an illegal play that stood, a game given up, or a
gap, after which the game goes on from any of the tables that the scene may show.
"""

from __future__ import annotations

import math

from engine.plays import Play
from engine.position import Position
from referee.evidence import FLOOR, Evidence
from referee.hindsight_moves import GIVEN_UP, Likely, turn_taken
from referee.hindsight_sight import Sight
from referee.hindsight_view import Table
from referee.hindsight_world import Choice, Happened, Node, Way, World
from referee.inference import Turn, whole_set
from referee.layout import DARK, LIGHT, position_of
from referee.observation import BAR_LIGHT, OFF_LIGHT, POINTS

#: What each costs, natural log: an illegal play that stood; a gap.
STOOD, GAP = 12.0, 16.0
#: An illegal play moves no more checkers than this.
MOST_MOVED = 4
#: After a gap the game goes on from so many tables, none of them less likely (natural log, against the
#: likeliest) than this.
MOST_TABLES, LEAST_TABLE = 4, -5.0


def last_resorts(world: World, sight: Sight, likely: Likely) -> list[Way]:
    """An illegal play that stood, a gap, or a game given up."""
    if not likely.begun or likely.begun[0].node.over:
        return []
    way = likely.begun[0]
    node, seen = way.node, sight.seen
    found = [Way(node._replace(over=True, given_up=True), way.weight - GIVEN_UP, way.events)]
    if seen is None:
        return found
    throw = sight.scene.throw
    illegal = stood(world, sight, way, throw) if throw > node.used else []
    tables = (made_whole(world, node, sight, table) for table in likely_tables(sight.scene.evidence, seen))
    gaps = [
        gap for table in dict.fromkeys(tables) if table is not None for gap in _gap(world, sight, way, table)
    ]
    return [*found, *illegal, *gaps]


def likely_tables(evidence: Evidence, seen: Table) -> list[Table]:
    """The likeliest reading with the right number of checkers, and those in which one checker lies elsewhere,
    likeliest first.
    """
    logs = [dict(pairs) for pairs in evidence.logs]
    moved = [
        (_change(logs, seen, a, -sign) + _change(logs, seen, b, sign), a, b, sign)
        for sign in (1, -1)
        for a in _places(logs, seen, sign, -1)
        for b in _places(logs, seen, sign, 1)
        if a != b
    ]
    near = sorted((row for row in moved if row[0] > LEAST_TABLE), reverse=True)[: MOST_TABLES - 1]
    return [seen, *(_with_moved(seen, a, b, sign) for _, a, b, sign in near)]


def _places(logs: list[dict[int, float]], seen: Table, sign: int, by: int) -> list[int]:
    """The places that may hold one checker more, or fewer, of a colour: not so by the likeliest reading, but
    by some look.
    """
    found = []
    for place, count in enumerate(seen):
        mine = sign * count
        if mine + by >= 0 and (mine >= 0 if by > 0 else mine > 0) and count + sign * by in logs[place]:
            found.append(place)
    return found


def _change(logs: list[dict[int, float]], seen: Table, place: int, by: int) -> float:
    count = seen[place]
    return logs[place].get(count + by, FLOOR) - logs[place].get(count, FLOOR)


def _with_moved(seen: Table, a: int, b: int, sign: int) -> Table:
    table = list(seen)
    table[a] -= sign
    table[b] += sign
    return tuple(table)


def made_whole(world: World, node: Node, sight: Sight, seen: Table) -> Table | None:
    """The table that was seen, from which checkers may be missing where nobody watches the trays: of a side
    that has others outside its home they lie on its bar. None: nobody can say where they are.
    """
    evidence, table, before = sight.scene.evidence, list(seen), world.counts(node)
    if world.rules.eats:
        return seen if whole_set(world.table, Turn(node.base, node.side, ()), seen, evidence) else None
    for side in (LIGHT, DARK):
        tray, bar = OFF_LIGHT + side, BAR_LIGHT + side
        gone, afield = seen[tray] - before[tray], world.afield(side, seen)
        if not gone or evidence.seen(tray):
            continue
        more = abs(seen[tray]) < abs(before[tray])
        if more or sight.watched < POINTS or (afield and evidence.seen(bar)):
            return None
        if afield:
            table[bar], table[tray] = table[bar] + gone, before[tray]
    return tuple(table)


def _gap(world: World, sight: Sight, way: Way, seen: tuple[int, ...]) -> list[Way]:
    """The thread is taken up again from what is seen; whose turn it is the next play tells."""
    node, found = way.node, []
    for side in (LIGHT, DARK):
        base = position_of(world.table.layout, world.rules, side, seen)
        event = Happened("gap", node.turn, node.side, (), None, seen, "seen", -1, node.base, node.game)
        for used in {sight.scene.throw, max(sight.scene.throw - 1, node.used)}:
            after = Node(base, side, node.turn, used, node.game)
            found.append(Way(after, way.weight - GAP - math.log(2), (*way.events, event)))
    return found


def stood(world: World, sight: Sight, way: Way, throw: int) -> list[Way]:
    """The throw's play was illegal and stands as it lies."""
    node, seen = way.node, sight.seen
    if (
        seen is None
        or node.over
        or not whole_set(world.table, Turn(node.base, node.side, ()), seen, sight.scene.evidence)
    ):
        return []
    result = position_of(world.table.layout, world.rules, node.side, seen)
    if not _one_play(node.base, result):
        return []
    fix = world.fixes.get(node.turn)
    roll = world.rolls(throw, node.side)[0][0] if fix is None or fix.dice is None else fix.dice
    after, event = turn_taken(world, node, Choice(Play((), result), roll, 0.0), throw, "seen")
    return [Way(after, way.weight - STOOD, (*way.events, event))]


def _one_play(before: Position, after: Position) -> bool:
    """Whether one side moved a few checkers, and the other's went nowhere but to the bar."""
    gone = sum(max(0, max(0, b) - max(0, a)) for b, a in zip(before.points, after.points, strict=True))
    came = any(max(0, -a) > max(0, -b) for b, a in zip(before.points[1:], after.points[1:], strict=True))
    return 0 < gone <= MOST_MOVED and not came
