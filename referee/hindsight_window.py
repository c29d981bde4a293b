"""The part of a recording of which several stories are still told: the likeliest, and the share of all.

Scenes come in at its end. Forwards the best story of every state is known, backwards the share that each
turn has of all stories. Where all stories that count passed through one state long ago, the window is cut:
what came before is written down and forgotten, so that any length fits into memory.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from referee.hindsight_lattice import Cell, Counts, Layer, explained, following, men, paid_for, summed
from referee.hindsight_scenes import Scene
from referee.hindsight_sight import NOTHING, Paid, Sight
from referee.hindsight_view import view_of
from referee.hindsight_world import Happened, Node, World

#: What was given up must be followed by another game: it costs so much (natural log) where none does.
NOT_RESUMED = 15.0
#: After so many scenes the dead ends are left out.
TIDIED = 16


class Step(NamedTuple):
    """A scene of a story: the state, what happened before it, and the scene as it looks to the story."""

    node: Node
    events: tuple[Happened, ...]
    sight: Sight


Key = tuple[int, str, int, tuple[int, ...], tuple[object, ...], Counts]
Shares = dict[Key, tuple[float, Happened]]
Path = list[tuple[Node, Node, tuple[Happened, ...]]]


class Window:
    """Scenes and, from the state before the first one on, the layer of states at each; `throw` is that of the
    scene before the first.
    """

    def __init__(self, world: World, begin: Layer, throw: int) -> None:
        self.world = world
        self.layers: list[Layer] = [begin]
        self.scenes: list[Scene] = []
        self.told: list[Step] = []
        self._throw = throw
        self._whole = 0.0

    def grow(self, scene: Scene) -> None:
        """One more scene."""
        fresh = scene.throw != (self.scenes[-1].throw if self.scenes else self._throw)
        self.scenes.append(scene)
        self.layers.append(following(self.world, self.layers[-1], scene, fresh=fresh))
        for cell in self.layers[-2].values() if len(self.layers) > 2 else ():
            cell.paid, cell.sight = NOTHING, None  # nothing more is compared with it
        if len(self.layers) % TIDIED == 0:
            _forget(self.layers)

    def tell(self, turns: int | None = None) -> None:
        """The best story and the weight of each state, as far as is known by now; `turns`: the recording ends
        here, and so many turns at least are known of.
        """
        for node, cell in self.layers[-1].items():
            cell.back = 0.0 if turns is None else -ending(node, turns) - self._left_over(node, cell)
        for before, layer in zip(self.layers[-2::-1], self.layers[:0:-1], strict=True):
            _backwards(before, layer)
        self._whole = summed(cell.total + cell.back for cell in self.layers[-1].values())
        self._story()

    def _story(self) -> None:
        path = _path(self.layers)
        if not path:
            return
        self.told = told = _alike(self.told, path)
        begin = self.layers[0]
        paid = paid_for(self.world, told[-1].node, told[-1].sight) if told else begin[path[0][0]].paid
        for scene, (came, node, events) in zip(self.scenes[len(told) :], path[len(told) :], strict=True):
            sight = Sight(view_of(scene, *men(self.world, came)), paid)
            paid = paid_for(self.world, node, sight)
            told.append(Step(node, events, sight))

    def _left_over(self, node: Node, cell: Cell) -> float:
        """What it costs, besides, that the last scene of all is explained by nothing, or, though the dice are
        lifted, by part of a play.
        """
        if cell.sight is None or node.over:
            return 0.0
        score, _ = explained(self.world, node, cell.sight)
        return score - explained(self.world, node, cell.sight, last=True)[0]

    def passing(self) -> list[float]:
        """For each scene the share (natural log) of all stories that pass the best one's state there, or one
        that differs in the numbers of turn and game only: the same follows from these.
        """
        layers = zip(self.layers[1:], self.told, strict=True)
        return [_passing(layer, step.node) - self._whole for layer, step in layers]

    def shares(self, scenes: int | None = None) -> Shares:
        """The share of all stories in which each thing happens; `scenes`: up to the last of so many."""
        found: Shares = {}
        layers = self.layers if scenes is None else self.layers[: scenes + 1]
        for p, event in _happenings(layers, self._whole):
            known = found.get(key_of(event), (0.0, event))
            found[key_of(event)] = (known[0] + p, known[1])
        return found

    def paid(self, scenes: int) -> Paid:
        """What the best story has paid after so many scenes, which are not all."""
        return self.told[scenes].sight.paid

    def cut(self, scenes: int) -> None:
        """Forget so many scenes, and all stories but those that pass the best one's state then."""
        node = self.told[scenes - 1].node
        kept = self.layers[scenes][node]
        begin = {node: Cell(best=kept.best, total=kept.total, paid=self.paid(scenes))}
        self.layers = [begin, *self.layers[scenes + 1 :]]
        self._throw = self.scenes[scenes - 1].throw
        self.scenes, self.told = self.scenes[scenes:], self.told[scenes:]
        for before, layer in pairwise(self.layers):
            _continue(before, layer)


def ending(node: Node, turns: int) -> float:
    """What it costs to end in a state: a fix beyond the last turn was not heeded, a game was given up."""
    return (NOT_RESUMED if node.given_up else 0.0) + (0.0 if node.turn >= turns else 4 * NOT_RESUMED)


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


def _passing(layer: Layer, node: Node) -> float:
    alike = (c for n, c in layer.items() if n._replace(turn=node.turn, game=node.game) == node)
    return summed(cell.total + cell.back for cell in alike)


def _forget(layers: Sequence[Layer]) -> None:
    """Leave out dead ends between the first layer and the last."""
    for before, layer in zip(layers[-2:0:-1], layers[:1:-1], strict=True):
        used = {id(came) for cell in layer.values() for came, _, _ in cell.ways}
        dead = [node for node in before if id(node) not in used]
        for node in dead:
            del before[node]
        if not dead:
            return


def _continue(before: Layer, layer: Layer) -> None:
    """Leave out what is not reached any more, and weigh the rest anew."""
    for node, cell in list(layer.items()):
        cell.ways = [way for way in cell.ways if way[0] in before]
        if not cell.ways:
            del layer[node]
            continue
        cell.best = max(before[came].best + weight for came, weight, _ in cell.ways)
        cell.total = summed(before[came].total + weight for came, weight, _ in cell.ways)


def _alike(known: Sequence[Step], path: Path) -> list[Step]:
    same = takewhile(lambda row: row[0][:2] == row[1][1:], zip(known, path, strict=False))
    return [step for step, _ in same]


def _path(layers: Sequence[Layer]) -> Path:
    """For each scene the state before, the state, and what happened between."""
    last = layers[-1]
    node = max(last, key=lambda n: last[n].best + last[n].back)
    told = []
    for before, layer in zip(layers[-2::-1], layers[:0:-1], strict=True):
        came, _, events = max(layer[node].ways, key=lambda w: before[w[0]].best + w[1])
        told.append((came, node, events))
        node = came
    return told[::-1]


def _backwards(before: Layer, layer: Layer) -> None:
    into: dict[Node, list[float]] = defaultdict(list)
    for cell in layer.values():
        for came, weight, _ in cell.ways:
            into[came].append(weight + cell.back)
    for node, cell in before.items():
        cell.back = summed(into[node])


def _happenings(layers: Sequence[Layer], whole: float) -> Iterator[tuple[float, Happened]]:
    """All that happens in any story, with its share."""
    for before, layer in pairwise(layers):
        for cell in layer.values():
            for came, weight, events in cell.ways:
                p = math.exp(min(before[came].total + weight + cell.back - whole, 0.0)) if events else 0.0
                for event in events:
                    yield p, event
