"""What is thought of where nothing likely explains a scene: an illegal play that stood, a game given up, or a
gap, after which the game goes on from any of the tables that the scene may show.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from engine.plays import Play
from engine.position import Position
from referee.counting import free_reading
from referee.evidence import FLOOR, Evidence
from referee.hindsight_moves import GIVEN_UP, Likely, turn_taken
from referee.hindsight_sight import Sight
from referee.hindsight_view import Table
from referee.hindsight_world import Choice, Happened, Node, Way, World
from referee.inference import Turn, borne_off, checkers, whole_set
from referee.layout import DARK, LIGHT, position_of
from referee.observation import BAR_LIGHT, OFF_DARK, OFF_LIGHT, POINTS

#: What each costs, natural log: an illegal play that stood; a gap.
STOOD, GAP = 12.0, 16.0
#: An illegal play moves no more checkers than this.
MOST_MOVED = 4
#: After a gap the game goes on from so many tables, none of them less likely (natural log, against the
#: likeliest) than this.
MOST_TABLES, LEAST_TABLE = 4, -5.0
#: Missing checkers are thought of on hidden places where these leave so few possibilities.
MOST_PLACED = 4


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
    likely_ones = likely_tables(sight.scene.evidence, _with_hidden(world, node, sight, seen))
    tables = dict.fromkeys(t for table in likely_ones for t in made_whole(world, node, sight, table))
    # checkers that may be set up anew, as far as is seen, are a new game, which a later scene may show better
    shown = [table for table in tables if sight.watched == POINTS or table != world.start]
    gaps = [gap for table in shown for gap in _gap(world, sight, way, table)]
    return [*found, *illegal, *gaps]


def _with_hidden(world: World, node: Node, sight: Sight, seen: Table) -> Table:
    """What was seen; where points are hidden, or a bar is not watched, it costs nothing that checkers are
    missing.
    """
    turn, evidence = Turn(node.base, node.side, ()), sight.scene.evidence
    if sight.watched == POINTS and evidence.seen(BAR_LIGHT):
        return seen
    found, _ = free_reading(evidence, checkers(world.table, turn), borne_off(world.table, turn), 0.0)
    return found or seen


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
    found, hidden = [], not all(logs[:POINTS])
    for place, count in enumerate(seen):
        mine = sign * count
        known = count + sign * by in logs[place] or (hidden and place == (OFF_LIGHT, OFF_DARK)[sign < 0])
        if mine + by >= 0 and (mine >= 0 if by > 0 else mine > 0) and known:
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


def made_whole(world: World, node: Node, sight: Sight, seen: Table) -> list[Table]:
    """The tables that what was seen may be. Checkers may be missing from it where nobody watches the trays;
    those of a side that has others outside its home lie on points that are hidden, or on its bar. None at
    all: nobody can say where they are.
    """
    evidence, tables, before = sight.scene.evidence, [seen], world.counts(node)
    if world.rules.eats:
        return tables if whole_set(world.table, Turn(node.base, node.side, ()), seen, evidence) else []
    hidden = [place for place in range(POINTS) if not evidence.seen(place)]
    for side in (LIGHT, DARK):
        tray, bar = OFF_LIGHT + side, BAR_LIGHT + side
        gone, afield = seen[tray] - before[tray], world.afield(side, seen)
        if not gone or evidence.seen(tray):
            continue
        if abs(seen[tray]) < abs(before[tray]) or (hidden and not afield):
            return []
        if afield:
            places = hidden if evidence.seen(bar) else [*hidden, bar]
            tables = [t for table in tables for t in _put_back(table, tray, gone, places)]
    return tables if len(tables) <= MOST_PLACED else []


def _put_back(table: Table, tray: int, gone: int, places: Sequence[int]) -> Iterator[Table]:
    """The tables in which so many (signed) checkers lie on some of the places instead of in a tray."""
    sign = 1 if gone > 0 else -1
    for chosen in combinations_with_replacement(places, abs(gone)):
        if all(sign * table[place] >= 0 for place in chosen):
            found = list(table)
            found[tray] -= gone
            for place in chosen:
                found[place] += sign
            yield tuple(found)


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
