"""The states that a recording may be in, scene by scene, with every way into them; not the unlikely ones."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.hindsight_moves import likely, unlikely
from referee.hindsight_resorts import last_resorts
from referee.hindsight_scenes import Scene
from referee.hindsight_sight import NOTHING, Paid, Sight
from referee.hindsight_view import view_of
from referee.hindsight_world import Happened, Node, Way, World, parts
from referee.inference import Turn, borne_off, checkers

#: States this much worse (natural log) than the best, or beyond so many, are left out.
WORSE, WIDEST = 22.0, 24
#: A table in the middle of a play is a little less likely than a whole one; a game that has ended explains
#: any table at this cost.
PART, AFTERWARDS = 0.5, 0.3
#: Unlikely things are only tried where the likely ones score less, from states that are not much worse
#: (natural log) than the best.
POOR, HOPEFUL, TRIED = -1.75, 6.0, 4
#: Where a fit is better than this nobody asks about parts of plays.
FITS = -1.0


@dataclass(slots=True)
class Cell:
    """A state at a scene: the ways in, as (state before, weight with the scene's fit, what happened).

    `sight`: the scene as the best story sees it, while it is the last one.
    """

    ways: list[tuple[Node, float, tuple[Happened, ...]]] = field(default_factory=list)
    best: float = -math.inf
    total: float = -math.inf
    back: float = -math.inf
    paid: Paid = NOTHING
    sight: Sight | None = None


Layer = dict[Node, Cell]
Counts = tuple[int, ...]


def explained(world: World, node: Node, sight: Sight, *, last: bool = False) -> tuple[float, Counts | None]:
    """How well a state explains a scene (`last`: that no other follows), and the table by which it does;
    None: by none.
    """
    counts = world.counts(node)
    busy = not node.over and sight.scene.throw > node.used
    found: list[tuple[float, Counts | None]] = [(sight.fit(counts), counts)]
    if node.over:
        # where nothing new begins, giving up explains no more than anything else does
        found.append((sight.unexplained(busy=True) if node.given_up else -AFTERWARDS, None))
        return max(found, key=_score)
    # when the dice are lifted, or thrown anew, nobody is in the middle of a play
    playing = busy and not sight.scene.bare and sight.scene.throw == node.used + 1
    nothing = sight.unexplained(busy=playing, last=last)
    ended = last and sight.scene.bare
    if found[0][0] < FITS + sight.spared and busy and not ended:
        found.append(_half_way(world, node, sight, max(found[0][0], nothing)))
    found.append((nothing, None))
    return max(found, key=_score)


def _score(row: tuple[float, object]) -> float:
    return row[0]


def _half_way(world: World, node: Node, sight: Sight, least: float) -> tuple[float, Counts | None]:
    """The best table in the middle of a play of the throw that lies there, if any scores `least`."""
    roll = world.rolls(sight.scene.throw, node.side)[0][0]
    # a hop changes two places, any that hits one bar too, and the last hop is yet to come
    hops = len(world.rules.pips(roll, world.rules)) - 1
    if sight.near(world.counts(node), 2 * hops + 1) - PART < least:
        return -math.inf, None
    middle, tables = parts(world.rules, node.base, roll)
    if not middle:
        return -math.inf, None
    fits = sight.fits(tables, node.side, world.order(node.side))
    best = int(fits.argmax())
    return float(fits[best]) - PART, world.shown(node.side, middle[best].result)


def following(world: World, before: Layer, scene: Scene, *, fresh: bool) -> Layer:
    """The next layer. Where a `fresh` throw is first seen beside a play that may be its own, the play may as
    well be that of a throw before it, which nobody saw; a table on which it lies is there to be explained.
    """
    lead = max(before, key=lambda n: before[n].best)
    view = view_of(scene, *men(world, lead))
    growing = Growing(world, before, {node: Sight(view, cell.paid) for node, cell in before.items()})
    found = {node: likely(world, node, growing.sights[node]) for node in before}
    for node, ways in found.items():
        growing.add(node, ways.ways)
    for rank, node in enumerate(growing.hopeful()):
        sight = growing.sights[node]
        poor = POOR + sight.spared
        sudden = fresh and sight.fit(world.counts(node)) < poor
        if sudden or growing.gain[node] < poor:
            growing.add(node, unlikely(world, sight, node, found[node], deep=rank == 0))
    for node in growing.hopeful():
        gain = growing.shown[node] if fresh else growing.gain[node]
        if gain < POOR + growing.sights[node].spared:
            growing.add(node, last_resorts(world, growing.sights[node], found[node]))
    return growing.pruned()


class Growing:
    """A layer while it is made; `gain` is what the best way from each state before has scored, `shown` the
    best of those whose table the scene shows.
    """

    def __init__(self, world: World, before: Layer, sights: dict[Node, Sight]) -> None:
        self._world, self._before, self.sights = world, before, sights
        self._layer: Layer = defaultdict(Cell)
        self._known: dict[Node, dict[Node, tuple[float, Counts | None]]] = {node: {} for node in before}
        self._top = -math.inf
        self.gain: dict[Node, float] = dict.fromkeys(before, -math.inf)
        self.shown: dict[Node, float] = dict.fromkeys(before, -math.inf)

    def hopeful(self) -> list[Node]:
        """The states before from which unlikely things are tried: a few that are not much worse than the
        best now.
        """
        near = [n for n, cell in self._before.items() if cell.best > self._top - HOPEFUL]
        return sorted(near, key=lambda n: -self._before[n].best)[:TRIED]

    def add(self, node: Node, ways: Iterable[Way]) -> None:
        """Ways from a state of the layer before."""
        sight, known = self.sights[node], self._before[node].best
        for way in ways:
            # it would be left out in the end, however well it explains the scene
            if known + way.weight + sight.most < self._top - WORSE:
                continue
            fit, counts = self._explained(node, way.node)
            if counts is None and self._blind(node, way):
                continue
            weight = way.weight + fit
            into = self._layer[way.node]
            into.ways.append((node, weight, way.events))
            into.best = max(into.best, known + weight)
            self._top = max(self._top, into.best)
            self.gain[node] = max(self.gain[node], weight)
            if counts is not None:
                self.shown[node] = max(self.shown[node], weight)

    def _explained(self, came: Node, node: Node) -> tuple[float, Counts | None]:
        """How well a state explains the scene after another; several ways lead from one to the other."""
        known = self._known[came]
        if node not in known:
            known[node] = explained(self._world, node, self.sights[came])
        return known[node]

    def _blind(self, node: Node, way: Way) -> bool:
        """Whether something happened of which this scene shows nothing: that is told by a later one."""
        moved = way.node.turn != node.turn and not way.node.over
        return moved and not any(turn in self._world.fixes for turn in range(node.turn, way.node.turn))

    def pruned(self) -> Layer:
        """The states that are likely enough, with what the best story of each has paid."""
        layer, before, top = self._layer, self._before, self._top
        kept = sorted((n for n, c in layer.items() if c.best >= top - WORSE), key=lambda n: -layer[n].best)
        out = {}
        for node in kept[:WIDEST]:
            cell = layer[node]
            cell.ways = [w for w in cell.ways if before[w[0]].best + w[1] >= top - WORSE]
            cell.total = summed(before[n].total + w for n, w, _ in cell.ways)
            came, _, _ = max(cell.ways, key=lambda w: before[w[0]].best + w[1])
            cell.sight = self.sights[came]
            cell.paid = paid_by(cell.sight, self._explained(came, node)[1])
            out[node] = cell
        return out


def paid_for(world: World, node: Node, sight: Sight) -> Paid:
    """What a story has paid after a scene that it explains by a state; what is explained by nothing is no
    news of any place.
    """
    return paid_by(sight, explained(world, node, sight)[1])


def paid_by(sight: Sight, counts: Counts | None) -> Paid:
    """The same, where it is known by which table the scene is explained."""
    return sight.paid if counts is None else sight.after(counts)


def men(world: World, node: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    """How many checkers light and dark have, and how many of them are borne off."""
    turn = Turn(node.base, node.side, ())
    return checkers(world.table, turn), borne_off(world.table, turn)


def summed(logs: Iterable[float]) -> float:
    """The logarithm of the sum of what these are logarithms of."""
    rows = list(logs)
    top = max(rows, default=-math.inf)
    return top if top == -math.inf else top + math.log(sum(math.exp(x - top) for x in rows))
