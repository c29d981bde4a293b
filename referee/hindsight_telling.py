"""A recording told look by look, in bounded memory: what is settled is written down and forgotten.

A scene is judged as soon as its throw and the next one are known with all looks at them. Where all stories
that count passed one state, long enough ago, a passage ends: its lines are kept, and a mark from which it can
be told again, with what a person said of its turns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from referee.events import Seen, Still
from referee.hindsight_faces import Guess, Learning
from referee.hindsight_lattice import Cell, Layer
from referee.hindsight_lines import Lines, Shift, left_over, lines_of
from referee.hindsight_scenes import PLAIN, Gathering, Scene, Throw, Throws
from referee.hindsight_sight import Paid
from referee.hindsight_window import Shares, Window
from referee.hindsight_world import Node, World

#: A scene waits for the next throw until so many others wait with it.
PATIENCE = 256
#: Passages end so many scenes ago, where stories that do not pass the likeliest one's state have no larger
#: share than this (natural log) by now; a window with so many scenes is cut anyway.
AGO, SETTLED, LONGEST = 64, math.log1p(-1e-6), 512
#: So many scenes are between two attempts; no passage is shorter than so many.
EVERY, SHORTEST = 32, 16


class Mark(NamedTuple):
    """Where a passage begins: after `scenes` scenes, with look number `look`; the states there with what they
    have paid; the throws known by then from number `earlier` on, and that of the last scene; the share that
    they had of all stories, which no turn of the game is surer than.
    """

    scenes: int
    look: int
    states: Mapping[Node, tuple[float, float, Paid]]
    earlier: int
    throws: tuple[Throw, ...]
    throw: int
    trust: float

    def turn(self) -> int:
        """The most turns that any state has behind it."""
        return max(node.turn for node in self.states)

    def layer(self) -> Layer:
        """The states as the first layer of a window."""
        rows = self.states.items()
        return {node: Cell(best=best, total=total, paid=paid) for node, (best, total, paid) in rows}

    def shift(self, now: Mark) -> Shift | None:
        """By how much the numbers differ now, if from both marks on the same is told but for these."""
        mine, theirs = next(iter(self.states)), next(iter(now.states))
        by = Shift(theirs.turn - mine.turn, theirs.game - mine.game)
        before = [(by.node(node), row[2]) for node, row in self.states.items()]
        after = [(node, row[2]) for node, row in now.states.items()]
        same = (self.scenes, self.trust, before) == (now.scenes, now.trust, after)
        return by if same else None

    def renumbered(self, by: Shift) -> Mark:
        """The same mark after more turns and games, or fewer."""
        return self._replace(states={by.node(node): row for node, row in self.states.items()})


class Passage(NamedTuple):
    """A part of a recording that is told: from where, what is written of it, and the state after it."""

    begin: Mark
    lines: Lines
    left: Node | None

    def renumbered(self, by: Shift) -> Passage:
        """The same passage after more turns and games, or fewer."""
        left = None if self.left is None else by.node(self.left)
        return Passage(self.begin.renumbered(by), self.lines.renumbered(by), left)


class Joined(NamedTuple):
    """Where a telling came to what an older one had told from there on, but for the numbers."""

    mark: Mark
    by: Shift


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a scene begins: its first look, how many throws there were before it, and the last one so far."""

    look: int
    throws: int
    last: Throw | None


class Telling:
    """One telling, from a mark on; `learning` hears what it says of good dice. `goal`: marks of an older
    telling; at one of them, after turn `last`, from which on all is the same again but for the numbers of
    turns and games, nothing more needs to be told: it is `joined`.
    """

    def __init__(self, world: World, begin: Mark, goal: Sequence[Mark] = (), last: int = -1) -> None:
        self._throws = Throws(begin.throws, begin.earlier)
        self._world = replace(world, throws=self._throws, rolled={})
        self._begin, self._goal, self._last = begin, goal, last
        self.learning = Learning()
        self._gathering = Gathering(world.rules.dice, throws=self._throws)
        self._look = begin.look
        self._starts: list[_Start] = []
        self._window = Window(self._world, begin.layer(), begin.throw)
        self._due = 2 * AGO
        self.passages: list[Passage] = []
        self.joined: Joined | None = None

    @property
    def score(self) -> float:
        """How well the likeliest story explains what was judged by now (natural log)."""
        return max(cell.best for cell in self._window.layers[-1].values())

    def take(self, look: Seen | Still) -> None:
        """One more look, or a moment in which nothing changed."""
        scenes, start = self._gathering.scenes, _Start(self._look, len(self._throws), self._throws.last)
        before = len(scenes)
        self._gathering.take(look)
        if len(scenes) > before:
            self._starts.append(start)
        self._look += 1
        while len(scenes) > 1 and self._known(scenes[0].throw, len(scenes)):
            self._judge(scenes.pop(0))

    def _known(self, throw: int, waiting: int) -> bool:
        """Whether a throw and the next are known with all looks at them, or have been waited for enough."""
        return len(self._throws) > throw + 2 or waiting > PATIENCE

    def end(self, turns: int) -> None:
        """There are no more looks; so many turns at least are known of."""
        while self._gathering.scenes:
            self._judge(self._gathering.scenes.pop(0))
        if self.joined is None:
            self._window.tell(turns)
            lines = self._pass(len(self._window.scenes))
            gaps = (*lines.gaps, *left_over(self._world, self._window.told))
            self.passages[-1] = self.passages[-1]._replace(lines=lines._replace(gaps=gaps))

    def _judge(self, scene: Scene) -> None:
        if self.joined is not None:
            return
        window = self._window
        window.grow(scene)
        if len(window.scenes) < self._due:
            return
        window.tell()
        shares = window.passing()
        settled = self._settled(shares)
        self._due = len(window.scenes) + EVERY
        if settled is not None:
            self._cut(settled, shares[settled - 1])

    def _settled(self, shares: Sequence[float]) -> int | None:
        """After how many of its scenes the window may be cut."""
        latest = len(shares) - AGO
        sure = [scenes for scenes in range(SHORTEST, latest + 1) if shares[scenes - 1] >= SETTLED]
        goals = {mark.scenes - self._begin.scenes for mark in self._goal}
        # where the older telling was cut, so that both can be compared
        best = [scenes for scenes in sure if scenes in goals] or sure
        if not best and len(shares) >= LONGEST:
            return latest
        return best[-1] if best else None

    def _cut(self, scenes: int, share: float) -> None:
        trust = self._pass(scenes).trust
        mark = self._mark(scenes, trust if share >= SETTLED else round(trust * math.exp(share), 4))
        self.joined = self._join(mark) if mark.turn() > self._last else None
        self._window.cut(scenes)
        del self._starts[:scenes]
        self._world.forget(mark.earlier)
        self._begin, self._due = mark, 2 * AGO

    def _join(self, mark: Mark) -> Joined | None:
        found = ((goal, goal.shift(mark)) for goal in self._goal)
        return next((Joined(goal, by) for goal, by in found if by is not None), None)

    def _pass(self, scenes: int) -> Lines:
        """Write down so many scenes."""
        window = self._window
        lines = lines_of(self._world, window.told, scenes, window.shares(), self._begin.trust)
        left = window.told[scenes - 1].node if scenes else None
        self.passages.append(Passage(self._begin, lines, left))
        if self._world.faces == (PLAIN, PLAIN) and not self._world.fixes:
            self.learning.take(_guesses(self._world, window.shares(scenes)))
        return lines

    def _mark(self, scenes: int, trust: float) -> Mark:
        """The end of so many of the window's scenes, which are not all."""
        window, start = self._window, self._starts[scenes]
        node = window.told[scenes - 1].node
        cell, earlier = window.layers[scenes][node], max(node.used, 0)
        throws = [self._throws[k] for k in range(earlier, start.throws - 1)]
        throws += [] if start.last is None else [start.last]
        return Mark(
            self._begin.scenes + scenes, start.look, {node: (cell.best, cell.total, window.paid(scenes))},
            earlier, tuple(throws), window.scenes[scenes - 1].throw, trust,
        )  # fmt: skip


def _guesses(world: World, shares: Shares) -> Iterator[Guess]:
    """Turns as they may have been, with what was read of their throws."""
    for share, event in shares.values():
        if event.kind == "turn" and event.throw >= 0:
            yield share, event.side, event.roll, world.throws[event.throw]
