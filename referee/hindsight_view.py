"""How well tables fit one scene, relative to the best reading that knows no rules."""

from __future__ import annotations

from dataclasses import dataclass
from operator import getitem

from referee.counting import free_reading
from referee.evidence import FLOOR
from referee.hindsight_scenes import Scene
from referee.observation import POINTS

#: What a scene of a single look weighs against one of several.
ONE_LOOK = 0.6
#: What it costs (natural log) that a scene is explained by nothing, at once and for each second, and the
#: most: in the middle of a turn, and between turns, when nothing should move.
BUSY_COST, IDLE_COST = (1.0, 2.5, 5.0), (2.0, 4.0, 10.0)

Table = tuple[int, ...]
Pairs = tuple[tuple[int, float], ...]
Rows = tuple[list[float], ...]
#: No count is larger.
MOST = 15
#: Looks far apart weigh as much as this many seconds of rest each.
EACH_LOOK = 0.25


@dataclass(frozen=True, slots=True)
class View:
    """A scene ready to be compared: for each place a list of log-probabilities, indexed by the signed count
    (negative ones from its end): `rows` for both sides' checkers, `mine` for light's and dark's alone, which
    the other side may have hit since. `free` is the best fit with the right number of checkers, `seen` that
    reading, `watched` how many places could be seen.
    """

    scene: Scene
    rows: Rows
    mine: tuple[Rows, Rows]
    free: float
    seen: Table | None
    weight: float
    watched: int

    def fit(self, table: Table) -> float:
        """Log-likelihood of a table against the free reading's: about 0 or less."""
        return self.weight * (sum(map(getitem, self.rows, table)) - self.free)

    def mover_fit(self, table: Table, side: int) -> float:
        """The same for one side's checkers only."""
        return self.weight * (sum(map(getitem, self.mine[side], table)) - self.free)

    def unexplained(self, busy: bool) -> float:
        """The score of explaining the scene by nothing."""
        at_once, each, most = BUSY_COST if busy else IDLE_COST
        return -min(
            at_once + each * max(self.scene.rested, EACH_LOOK * (self.scene.evidence.looks - 1)), most
        )


def view_of(scene: Scene, checkers: tuple[int, int], off: tuple[int, int]) -> View:
    """A scene prepared for a game with so many checkers (light, dark), `off` of them borne off by now."""
    logs = scene.evidence.logs
    seen, free = free_reading(scene.evidence, checkers, off)
    weight = 1.0 if scene.evidence.looks > 1 else ONE_LOOK
    mine = (tuple(_mine(pairs, 1) for pairs in logs), tuple(_mine(pairs, -1) for pairs in logs))
    watched = sum(1 for pairs in logs[:POINTS] if pairs)
    return View(scene, tuple(_row(pairs) for pairs in logs), mine, free, seen, weight, watched)


def _row(pairs: Pairs) -> list[float]:
    row = [FLOOR if pairs else 0.0] * (2 * MOST + 1)
    for count, p in pairs:
        row[count] = p
    return row


def _mine(pairs: Pairs, sign: int) -> list[float]:
    if not pairs:
        return _row(pairs)
    others = max((p for count, p in pairs if sign * count <= 0), default=FLOOR)
    row = [others] * (2 * MOST + 1)
    for n in range(1, MOST + 1):
        row[sign * n] = FLOOR
    for count, p in pairs:
        if sign * count > 0:
            row[count] = p
    row[sign] = max(row[sign], others)
    return row
