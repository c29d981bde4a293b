"""The likeliest story of a whole recording, and how likely each of its turns is.

States are kept scene by scene with every way into them, the unlikely ones left out: forwards that gives the
best story, backwards the share that each turn has of all stories.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import NamedTuple

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
#: any table at this cost; what was given up must be followed by another game.
PART, AFTERWARDS, NOT_RESUMED = 0.5, 0.3, 15.0
#: Unlikely things are only tried where the likely ones score less, from states that are not much worse
#: (natural log) than the best.
POOR, HOPEFUL, TRIED = -1.75, 6.0, 4
#: After so many scenes the dead ends are left out; each so many scenes all states are kept as they are, for a
#: story in which a later turn was otherwise.
TIDIED, CHECKED = 16, 64
#: Two tellings agree where the states that matter (not so much worse than the best, natural log) are likelier
#: in one of them by about the same.
MATTERS, SAME = 10.0, 2.0
#: So many turns farther no way between two scenes leads.
FARTHEST = 5
#: Where a fit is better than this nobody asks about parts of plays.
FITS = -1.0


@dataclass(slots=True)
class Cell:
    """A state at a scene: the ways in, as (state before, weight with the scene's fit, what happened)."""

    ways: list[tuple[Node, float, tuple[Happened, ...]]] = field(default_factory=list)
    best: float = -math.inf
    total: float = -math.inf
    back: float = -math.inf
    paid: Paid = NOTHING


Layer = dict[Node, Cell]
Counts = tuple[int, ...]


def explained(world: World, node: Node, sight: Sight) -> tuple[float, Counts | None]:
    """How well a state explains a scene, and the table by which it does; None: by none."""
    counts = world.counts(node)
    busy = not node.over and sight.scene.throw > node.used
    found: list[tuple[float, Counts | None]] = [(sight.fit(counts), counts)]
    if node.over:
        # where nothing new begins, giving up explains no more than anything else does
        found.append((sight.unexplained(busy=True) if node.given_up else -AFTERWARDS, None))
        return max(found, key=_score)
    if found[0][0] < FITS + sight.spared and busy:
        found.append(_half_way(world, node, sight))
    # when the dice are lifted, or thrown anew, nobody is in the middle of a play
    playing = busy and not sight.scene.bare and sight.scene.throw == node.used + 1
    found.append((sight.unexplained(busy=playing), None))
    return max(found, key=_score)


def _score(row: tuple[float, object]) -> float:
    return row[0]


def _half_way(world: World, node: Node, sight: Sight) -> tuple[float, Counts | None]:
    """The best table in the middle of a play of the throw that lies there."""
    middle = parts(world.rules, node.base, world.rolls(sight.scene.throw, node.side)[0][0])
    if not middle:
        return -math.inf, None
    fits = sight.fits(middle, node.side, world.order(node.side))
    best = max(range(len(middle)), key=fits.__getitem__)
    return fits[best] - PART, world.table.of(node.side, middle[best])


def beginning(world: World, begin: Iterable[Node]) -> list[Layer]:
    """The layer before the first scene."""
    return [{n: Cell(best=0.0, total=0.0, paid=Paid(world.counts(n))) for n in begin}]


def forwards(
    world: World, scenes: Sequence[Scene], known: Sequence[Layer], old: Sequence[Layer] = (), turn: int = 0
) -> list[Layer]:
    """All likely states, scene by scene, from layers that are known: the beginning, or up to a checkpoint.

    `old` are the layers of a world in which only turns up to `turn` were otherwise; they are used up: where
    both agree again, these go on as the old ones did.
    """
    layers = list(known)
    throw = scenes[len(layers) - 2].throw if len(layers) > 1 else -1
    for scene in scenes[len(layers) - 1 :]:
        layers.append(_next(world, layers[-1], scene, fresh=scene.throw != throw))
        throw, last = scene.throw, len(layers) - 1
        if (last - 1) % CHECKED:
            for cell in layers[-2].values():
                cell.paid = NOTHING  # nothing more is compared with it
        if last % TIDIED == 0:
            _forget(layers[(last - 1) // CHECKED * CHECKED :])
        if last % CHECKED == 0 and last < len(old) and _agree(layers[last], old[last], turn):
            return [*layers, *_following(layers[last], old[last + 1 :])]
    return layers


def _agree(layer: Layer, old: Layer, turn: int) -> bool:
    """Whether the same may follow from a layer as followed in another world: all that matters there is likely
    here, has seen the same, and `turn` is over.
    """
    if not old.keys() <= layer.keys() or min(node.turn for node in layer) <= turn:
        return False
    top = max(cell.best for cell in layer.values())
    likely = [node for node, cell in layer.items() if cell.best > top - MATTERS]
    if any(node not in old or layer[node].paid != old[node].paid for node in likely):
        return False
    ahead = [layer[node].best - old[node].best for node in likely]
    return max(ahead) - min(ahead) < SAME


def _following(before: Layer, layers: Sequence[Layer]) -> Sequence[Layer]:
    """Layers that follow another one than that for which they were made, weighed anew."""
    for layer in layers:
        for cell in layer.values():
            cell.best = max(before[came].best + weight for came, weight, _ in cell.ways)
            cell.total = _sum(before[came].total + weight for came, weight, _ in cell.ways)
        before = layer
    return layers


def checkpoint(layers: Sequence[Layer], turn: int) -> int:
    """The last layer kept as it was that a turn has surely not reached."""
    kept = range(0, len(layers), CHECKED)
    before = [n for n in kept if max(node.turn for node in layers[n]) + FARTHEST <= turn]
    return max(before, default=0)


def _forget(layers: Sequence[Layer]) -> None:
    """Leave out dead ends between the first layer and the last: hours fit into memory so."""
    for before, layer in zip(layers[-2:0:-1], layers[:1:-1], strict=True):
        used = {id(came) for cell in layer.values() for came, _, _ in cell.ways}
        dead = [node for node in before if id(node) not in used]
        for node in dead:
            del before[node]
        if not dead:
            return


def _next(world: World, before: Layer, scene: Scene, *, fresh: bool) -> Layer:
    """The next layer. Where a `fresh` throw is first seen beside a play that may be its own, the play may as
    well be that of a throw before it, which nobody saw.
    """
    lead = max(before, key=lambda n: before[n].best)
    view = view_of(scene, *_men(world, lead))
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
        if growing.gain[node] < POOR + growing.sights[node].spared:
            growing.add(node, last_resorts(world, growing.sights[node], found[node]))
    return growing.pruned()


class Growing:
    """A layer while it is made; `gain` is what the best way from each state before has scored."""

    def __init__(self, world: World, before: Layer, sights: dict[Node, Sight]) -> None:
        self._world, self._before, self.sights = world, before, sights
        self._layer: Layer = defaultdict(Cell)
        self.gain: dict[Node, float] = {}

    def hopeful(self) -> list[Node]:
        """The states before from which unlikely things are tried: a few that are not much worse than the
        best now.
        """
        top = max(cell.best for cell in self._layer.values())
        near = [n for n, cell in self._before.items() if cell.best > top - HOPEFUL]
        return sorted(near, key=lambda n: -self._before[n].best)[:TRIED]

    def add(self, node: Node, ways: Iterable[Way]) -> None:
        """Ways from a state of the layer before."""
        sight, known = self.sights[node], self._before[node].best
        for way in ways:
            fit, counts = explained(self._world, way.node, sight)
            if counts is None and self._blind(node, way):
                continue
            weight = way.weight + fit
            into = self._layer[way.node]
            into.ways.append((node, weight, way.events))
            into.best = max(into.best, known + weight)
            self.gain[node] = max(self.gain.get(node, -math.inf), weight)

    def _blind(self, node: Node, way: Way) -> bool:
        """Whether something happened of which this scene shows nothing: that is told by a later one."""
        moved = way.node.turn != node.turn and not way.node.over
        return moved and not any(turn in self._world.fixes for turn in range(node.turn, way.node.turn))

    def pruned(self) -> Layer:
        """The states that are likely enough, with what the best story of each has paid."""
        layer, before = self._layer, self._before
        top = max(cell.best for cell in layer.values())
        kept = sorted((n for n, c in layer.items() if c.best >= top - WORSE), key=lambda n: -layer[n].best)
        out = {}
        for node in kept[:WIDEST]:
            cell = layer[node]
            cell.ways = [w for w in cell.ways if before[w[0]].best + w[1] >= top - WORSE]
            cell.total = _sum(before[n].total + w for n, w, _ in cell.ways)
            came, _, _ = max(cell.ways, key=lambda w: before[w[0]].best + w[1])
            cell.paid = paid_for(self._world, node, self.sights[came])
            out[node] = cell
        return out


def paid_for(world: World, node: Node, sight: Sight) -> Paid:
    """What a story has paid after a scene that it explains by a state; what is explained by nothing is no
    news of any place.
    """
    _, counts = explained(world, node, sight)
    return sight.paid if counts is None else sight.after(counts)


def _men(world: World, node: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    turn = Turn(node.base, node.side, ())
    return checkers(world.table, turn), borne_off(world.table, turn)


def _sum(logs: Iterable[float]) -> float:
    rows = list(logs)
    top = max(rows, default=-math.inf)
    return top if top == -math.inf else top + math.log(sum(math.exp(x - top) for x in rows))


def ending(node: Node, turns: int) -> float:
    """What it costs to end in a state: a fix beyond the last turn was not heeded, a game was given up."""
    return (NOT_RESUMED if node.given_up else 0.0) + (0.0 if node.turn >= turns else 4 * NOT_RESUMED)


class Step(NamedTuple):
    """A scene of a story: the state, what happened before it, and the scene as it looks to the story."""

    node: Node
    events: tuple[Happened, ...]
    sight: Sight


def story(
    world: World, scenes: Sequence[Scene], layers: Sequence[Layer], turns: int, known: Sequence[Step] = ()
) -> list[Step]:
    """The best story, scene by scene; `known` is another one, which may have begun alike."""
    path = _path(layers, turns)
    if not path:
        return []
    told = _alike(known, path)
    paid = paid_for(world, told[-1].node, told[-1].sight) if told else Paid(world.counts(path[0][0]))
    for scene, (came, node, events) in zip(scenes[len(told) :], path[len(told) :], strict=True):
        sight = Sight(view_of(scene, *_men(world, came)), paid)
        paid = paid_for(world, node, sight)
        told.append(Step(node, events, sight))
    return told


def _alike(known: Sequence[Step], path: Sequence[tuple[Node, Node, tuple[Happened, ...]]]) -> list[Step]:
    same = takewhile(lambda row: row[0][:2] == row[1][1:], zip(known, path, strict=False))
    return [step for step, _ in same]


def _path(layers: Sequence[Layer], turns: int) -> list[tuple[Node, Node, tuple[Happened, ...]]]:
    """For each scene the state before, the state, and what happened between."""
    last = layers[-1]
    node = max(last, key=lambda n: last[n].best - ending(n, turns))
    told = []
    for number in range(len(layers) - 1, 0, -1):
        cell, before = layers[number][node], layers[number - 1]
        came, _, events = max(cell.ways, key=lambda w: before[w[0]].best + w[1])
        told.append((came, node, events))
        node = came
    return told[::-1]


Key = tuple[int, str, int, tuple[int, ...], tuple[object, ...], Counts]


def key_of(event: Happened) -> Key:
    """What makes two happenings the same one, whenever they happened: what is written down of them, and the
    table after. The same table reached by another play is another happening, and so is the same play from
    another table. The throw tells turns apart, not their number: an earlier turn may be in doubt.
    """
    what = () if event.play is None else event.play.hops
    return moment_of(event), event.kind, event.side, event.roll, what, event.after


def moment_of(event: Happened) -> int:
    """The throw that a turn was played with, or its number (counted down from -1) where nobody saw one."""
    return event.throw if event.throw >= 0 else -1 - event.turn


def shares(layers: Sequence[Layer], turns: int) -> dict[Key, tuple[float, Happened]]:
    """The share of all stories in which each thing happens."""
    last = layers[-1]
    for node, cell in last.items():
        cell.back = -ending(node, turns)
    for number in range(len(layers) - 1, 0, -1):
        _backwards(layers[number - 1], layers[number])
    whole = _sum(cell.total + cell.back for cell in last.values())
    found: dict[Key, tuple[float, Happened]] = {}
    for before, layer in pairwise(layers):
        for cell in layer.values():
            for came, weight, events in cell.ways:
                p = math.exp(min(before[came].total + weight + cell.back - whole, 0.0)) if events else 0.0
                for event in events:
                    known = found.get(key_of(event), (0.0, event))
                    found[key_of(event)] = (known[0] + p, known[1])
    return found


def _backwards(before: Layer, layer: Layer) -> None:
    into: dict[Node, list[float]] = defaultdict(list)
    for cell in layer.values():
        for came, weight, _ in cell.ways:
            into[came].append(weight + cell.back)
    for node, cell in before.items():
        cell.back = _sum(into[node])
