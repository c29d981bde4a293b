"""How well tables fit one scene, relative to the best reading that knows no rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from referee.counting import free_reading
from referee.evidence import FLOOR, Evidence
from referee.hindsight_scenes import Scene
from referee.observation import POINTS

#: What a scene of a single look weighs against one of several.
ONE_LOOK = 0.6
#: No place costs more (natural log) in one scene: a shadow or a sleeve misleads any reading now and then.
MOST_ONCE = 6.0
#: What it costs (natural log) that a scene is explained by nothing, at once and for each second, and the
#: most: in the middle of a turn, and between turns, when nothing should move.
BUSY_COST, IDLE_COST = (1.0, 2.5, 5.0), (2.0, 4.0, 10.0)
#: No count is larger.
MOST = 15
#: Looks far apart weigh as much as this many seconds of rest each.
EACH_LOOK = 0.25

Table = tuple[int, ...]
Pairs = tuple[tuple[int, float], ...]
Row = list[float]
Rows = tuple[Row, ...]
#: Rows as an array: 28 places, 31 counts.
Costs = npt.NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """A scene ready to be compared. `rows`: for each place what each count costs (natural log, 0 for the
    likeliest, less for others), indexed by the signed count, negative ones from the list's end; all 0 where
    nothing could be seen. `free`: the same of the best reading with the right number of checkers, `seen` that
    reading; `watched` how many points could be seen.
    """

    scene: Scene
    rows: Rows
    free: float
    seen: Table | None
    watched: int

    @cached_property
    def costs(self) -> Costs:
        """The rows as an array, where many tables are compared at once."""
        return np.array(self.rows)

    def unexplained(self, *, busy: bool, last: bool = False) -> float:
        """The score of explaining the scene by nothing; `last`: no later one will show that it passed."""
        at_once, each, most = BUSY_COST if busy else IDLE_COST
        rested = max(self.scene.rested, EACH_LOOK * (self.scene.evidence.looks - 1))
        return -most if last else -min(at_once + each * rested, most)


def view_of(scene: Scene, checkers: tuple[int, int], off: tuple[int, int]) -> View:
    """A scene prepared for a game with so many checkers (light, dark), `off` of them borne off by now."""
    logs = scene.evidence.logs
    weight = 1.0 if scene.evidence.looks > 1 else ONE_LOOK
    rows = tuple(_row(pairs, weight) for pairs in logs)
    seen, free = _free(scene.evidence, checkers, off)
    best = sum(max((p for _, p in pairs), default=0.0) for pairs in logs)
    watched = sum(1 for pairs in logs[:POINTS] if pairs)
    return View(scene, rows, weight * (free - best), seen, watched)


@lru_cache(maxsize=512)
def _free(evidence: Evidence, checkers: tuple[int, int], off: tuple[int, int]) -> tuple[Table | None, float]:
    """The free reading, which is asked for as scenes come and again when a story is told of them."""
    return free_reading(evidence, checkers, off)


def _row(pairs: Pairs, weight: float) -> Row:
    best = max((p for _, p in pairs), default=FLOOR)
    row = [weight * max(FLOOR - best, -MOST_ONCE)] * (2 * MOST + 1)
    for count, p in pairs:
        row[count] = weight * max(p - best, -MOST_ONCE)
    return row
