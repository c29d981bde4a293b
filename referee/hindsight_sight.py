"""What a scene costs a story that has seen the same checkers before.

Looks at one place share their errors: a blot that is lost on a point of its own colour is lost in every look
until it moves. A misreading is therefore a state that lasts while the same checkers lie there. A story pays
for it when it begins, little for each scene in which it goes on, and not more than so much in all; a story in
which other checkers came to lie there pays anew.
"""

from __future__ import annotations

from functools import lru_cache
from operator import getitem
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from referee.evidence import Evidence
from referee.hindsight_view import MOST, Costs, Row, Rows, Table, View
from referee.hindsight_world import Tables
from referee.layout import LIGHT
from referee.observation import OFF_DARK, OFF_LIGHT, PLACES

#: The share of its cost that a misreading costs again in each scene; the most that one costs in all.
AGAIN, MOST_EVER = 0.1, 9.0
#: Sums of the same costs in another order differ by less.
ROUNDING = 1e-6
PLACE = np.arange(PLACES)

Fits = npt.NDArray[np.float64]
Cells = npt.NDArray[np.intp]


class Paid(NamedTuple):
    """What a story has paid by now for the checkers that lie on each place of `table`: for the `worst` scene,
    and in all.
    """

    table: Table
    worst: tuple[float, ...] = (0.0,) * PLACES
    whole: tuple[float, ...] = (0.0,) * PLACES


NOTHING = Paid(())


class Sight:
    """A scene as it looks to one story; `rows` as those of `View`. `spared`: by how much a table may fit
    better than 0, thanks to misreadings that are paid for; `most`: no explanation of the scene scores better.
    """

    def __init__(self, view: View, paid: Paid) -> None:
        self.view, self.paid = view, paid
        self.scene, self.seen, self.watched = view.scene, view.seen, view.watched
        self.unexplained = view.unexplained
        self.rows: Rows = tuple(map(_amended, view.rows, *paid))
        self.spared = min(_gained(self.rows, view.rows, paid.table), max(-view.free, 0.0))
        self.most = max(-view.free, 0.0)
        self._own: dict[tuple[int, bool], Costs] = {}

    def fit(self, table: Table) -> float:
        """Log-likelihood of a table against the free reading's."""
        return sum(map(getitem, self.rows, table)) - self.view.free

    def near(self, table: Table, places: int) -> float:
        """No table that differs from this one in so many places fits better, but for rounding."""
        costs = sorted(map(getitem, self.rows, table))
        return sum(costs[places:]) - self.view.free + ROUNDING

    def fits(self, tables: Tables, side: int, order: tuple[int, ...], *, whole: bool = True) -> Fits:
        """The same of many tables as `side` counts (`order`: see `order_of`); not `whole`: only for its own
        checkers, for the other's may be gone by then.
        """
        costs = self._own.get((side, whole))
        if costs is None:
            costs = self._costs()[own_cells(side, order)]
            self._own[side, whole] = costs = costs if whole else _mine(costs)
        # place by place, as `fit` adds them up: numpy's own sums are rounded otherwise
        found: Fits = costs[PLACE, tables].cumsum(axis=1)[:, -1] - self.view.free
        return found

    def _costs(self) -> Costs:
        """The rows as an array."""
        costs = self.view.costs.copy()
        costs[PLACE, self.paid.table] = list(map(getitem, self.rows, self.paid.table))
        return costs

    def after(self, table: Table) -> Paid:
        """What is paid when this scene is explained by `table`."""
        rows = [self._paid(place, count) for place, count in enumerate(table)]
        return Paid(table, tuple(worst for worst, _ in rows), tuple(whole for _, whole in rows))

    def _paid(self, place: int, count: int) -> tuple[float, float]:
        cost, now = -self.view.rows[place][count], -self.rows[place][count]
        if count != self.paid.table[place]:
            return cost, cost
        return max(cost, self.paid.worst[place]), self.paid.whole[place] + now

    @property
    def evidence(self) -> Evidence:
        """The scene's evidence, without the misreadings that the story has paid for."""
        found = list(self.view.scene.evidence.logs)
        for place, count in enumerate(self.paid.table):
            gained = self.rows[place][count] - self.view.rows[place][count]
            if gained > 0 and found[place]:
                known = dict(found[place])
                top = max(known.values())
                known[count] = top + self.rows[place][count]
                found[place] = tuple(sorted(known.items()))
        return Evidence(tuple(found), self.view.scene.evidence.looks)


def _amended(row: Row, count: int, worst: float, whole: float) -> Row:
    cost = -row[count]
    if cost == 0:
        return row
    price = max(cost - worst, 0.0) + AGAIN * min(cost, worst)
    amended = row.copy()
    amended[count] = -min(price, max(MOST_EVER - whole, 0.0))
    return amended


def _gained(rows: Rows, plain: Rows, table: Table) -> float:
    return sum(row[n] - full[n] for row, full, n in zip(rows, plain, table, strict=True))


def _mine(costs: Costs) -> Costs:
    """What one side's counts cost where the other may have hit its blot since."""
    others = np.maximum(costs[:, 0], costs[:, MOST + 1 :].max(axis=1))
    mine = np.repeat(others[:, None], costs.shape[1], axis=1)
    mine[:, 1 : MOST + 1] = costs[:, 1 : MOST + 1]
    mine[:, 1] = np.maximum(mine[:, 1], others)
    return mine


@lru_cache(maxsize=16)
def own_cells(side: int, order: tuple[int, ...]) -> tuple[Cells, Cells]:
    """Where rows in the order and with the signs of a side's own counts are found: 26 points, its tray, the
    other's.
    """
    trays = (OFF_LIGHT, OFF_DARK) if side == LIGHT else (OFF_DARK, OFF_LIGHT)
    counts = np.arange(2 * MOST + 1)
    return np.array([*np.argsort(order), *trays])[:, None], counts if side == LIGHT else -counts
