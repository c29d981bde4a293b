"""A recording judged with hindsight: the likeliest story of all its scenes together.

The live referee (`referee.session`) decides turn by turn with what it has seen so far. Here play n is judged
together with what follows: a play that the next throw finds on the table is not in doubt, a throw may be read
from looks that come later, and where nothing is certain the other possibilities keep their shares. What
nobody saw is inferred (`how` says so) or is a gap; nothing is guessed in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

import msgspec

from engine.rules import ruleset
from referee.events import Seen, Setup, Still
from referee.hindsight_charges import Illegality, standing
from referee.hindsight_faces import stubborn
from referee.hindsight_lines import Lapse, Shift, Told
from referee.hindsight_scenes import Throws
from referee.hindsight_sight import Paid
from referee.hindsight_telling import Mark, Telling
from referee.hindsight_world import Fix, Node, World
from referee.inference import Table
from referee.layout import DARK, LIGHT, Layout, position_of, table_of

__all__ = [
    "Fix",
    "Hindsight",
    "Illegality",
    "Lapse",
    "Story",
    "Telling",
    "Told",
    "first_telling",
    "look_back",
]

#: So many turns farther no way between two scenes leads.
FARTHEST = 5


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

    def __init__(
        self, looks: Iterable[Seen | Still], setup: Setup, layout: Layout, first: Telling | None = None
    ) -> None:
        """Judge looks, which can be gone through more than once; `first` has heard all of them already.

        Raises:
            RulesError: an unknown ruleset.
        """
        self._looks, self._layout = looks, layout
        self._world, begin = _world(setup, layout)
        self._start = setup.start or self._world.start
        if first is None:
            telling = self._tell(first_telling(setup, layout), begin, 0)
        else:
            telling = first
            telling.end(0)
        faces = telling.learning.faces
        if any(map(stubborn, faces)):
            self._world = replace(self._world, faces=faces)
            telling = self._tell(Telling(self._world, begin), begin, 0)
        self.score, self._passages = telling.score, telling.passages

    def _tell(self, telling: Telling, begin: Mark, turns: int) -> Telling:
        """Let a telling hear the looks from a mark on, until it needs no more."""
        for look in islice(iter(self._looks), begin.look, None):
            telling.take(look)
            if telling.joined is not None:
                return telling
        telling.end(turns)
        return telling

    def story(self, fixes: Mapping[int, Fix] = MappingProxyType({})) -> Story:
        """The likeliest story; `fixes` says how single turns were. Only what they change is judged again; a
        fix that was there before keeps to its turn, which may have another number then.
        """
        before = self._world.fixes
        new = [turn for turn in {*fixes, *before} if fixes.get(turn) != before.get(turn)]
        self._world = replace(self._world, fixes=dict(fixes))
        if new:
            self._again(min(new), max(new), max(fixes, default=-1) + 1)
        lines = [told for passage in self._passages for told in passage.lines.turns]
        games = (0, *(turn for passage in self._passages for turn in passage.lines.games))
        charges = (charge for passage in self._passages for charge in passage.lines.charges)
        gaps = tuple(gap for passage in self._passages for gap in passage.lines.gaps)
        illegal = standing(charges, [told.confidence for told in lines])
        left = self._passages[-1].left
        return Story(tuple(lines), illegal, gaps, games, self._layout, self._start, left)

    def _again(self, first: int, last: int, turns: int) -> None:
        """Tell again from before turn `first` until, after turn `last`, all is as it was."""
        known = self._passages
        number = max(k for k, p in enumerate(known) if k == 0 or p.begin.turn() + FARTHEST <= first)
        begin, goal = known[number].begin, [p.begin for p in known[number + 1 :] if p.begin.turn() > last]
        telling = self._tell(Telling(self._world, begin, goal, last), begin, turns)
        self._passages = [*known[:number], *telling.passages]
        if telling.joined is not None:
            mark, by = telling.joined
            left = next(k for k, p in enumerate(known) if p.begin is mark)
            self._passages += [p.renumbered(by) for p in known[left:]] if any(by) else known[left:]
            self._keep_fixes(mark.turn(), by)

    def _keep_fixes(self, since: int, by: Shift) -> None:
        """What a person said of turns from `since` on is known of them by the numbers that they have now."""
        fixes = self._world.fixes.items()
        kept = {turn + by.turns if turn >= since else turn: fix for turn, fix in fixes}
        self._world = replace(self._world, fixes=kept)


def first_telling(setup: Setup, layout: Layout) -> Telling:
    """A telling for looks as they come, while the rest is not known yet; `Hindsight` goes on with it.

    Raises:
        RulesError: an unknown ruleset.
    """
    return Telling(*_world(setup, layout))


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


def _world(setup: Setup, layout: Layout) -> tuple[World, Mark]:
    """What holds for a whole recording, and its beginning."""
    rules = ruleset(setup.rules)
    start = table_of(layout, rules, LIGHT, rules.start)
    world = World(Table(rules, layout), Throws(), start)
    states = {node: (0.0, 0.0, Paid(world.counts(node))) for node in _beginnings(world, setup)}
    return world, Mark(0, 0, states, 0, (), -1, 1.0)


def _beginnings(world: World, setup: Setup) -> list[Node]:
    sides = (LIGHT, DARK) if setup.side is None else (setup.side,)
    counts = setup.start or world.start
    return [Node(position_of(world.table.layout, world.rules, side, counts), side, 0, -1) for side in sides]
