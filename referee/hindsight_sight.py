"""What a scene costs a story that has seen the same checkers before.

Looks at one place share their errors: a blot that is lost on a point of its own colour is lost in every look
until it moves. A misreading is therefore a state that lasts while the same checkers lie there. A story pays
for it when it begins, little for each scene in which it goes on, and not more than so much in all; a story in
which other checkers came to lie there pays anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import getitem
from typing import NamedTuple

from engine.position import Position
from referee.evidence import Evidence
from referee.hindsight_view import Row, Rows, Table, View
from referee.layout import LIGHT
from referee.observation import OFF_DARK, OFF_LIGHT, PLACES

#: The share of its cost that a misreading costs again in each scene; the most that one costs in all.
AGAIN, MOST_EVER = 0.1, 9.0


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
        self._own: dict[tuple[int, bool], Rows] = {}

    def fit(self, table: Table) -> float:
        """Log-likelihood of a table against the free reading's."""
        return sum(map(getitem, self.rows, table)) - self.view.free

    def fits(
        self, results: Sequence[Position], side: int, order: tuple[int, ...], *, whole: bool = True
    ) -> list[float]:
        """The same of many positions as `side` sees them (`order`: see `order_of`); not `whole`: only for its
        own checkers, for the other's may be gone by then.
        """
        if (side, whole) not in self._own:
            rows = self.rows if whole else tuple(_mine(row, 1 if side == LIGHT else -1) for row in self.rows)
            self._own[side, whole] = own_rows(rows, side, order)
        rows, free = self._own[side, whole], self.view.free
        trays = (*rows[26], *rows[27])
        if not any(trays):
            return [sum(map(getitem, rows, p.points)) - free for p in results]
        return [sum(map(getitem, rows, (*p.points, p.off[0], -p.off[1]))) - free for p in results]

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


def _mine(row: Row, sign: int) -> Row:
    """What one side's counts cost where the other may have hit its blot since."""
    others = max(row[0], *(row[-sign * n] for n in range(1, len(row) // 2 + 1)))
    mine = [others] * len(row)
    for n in range(1, len(row) // 2 + 1):
        mine[sign * n] = row[sign * n]
    mine[sign] = max(mine[sign], others)
    return mine


def own_rows(rows: Rows, side: int, order: Sequence[int]) -> Rows:
    """Rows in the order and with the signs of a side's own counts: 26 points, its tray, the other's."""
    turned = rows if side == LIGHT else tuple([row[0], *row[:0:-1]] for row in rows)
    found: list[Row] = [[]] * OFF_LIGHT
    for place, own in enumerate(order):
        found[own] = turned[place]
    mine, theirs = (OFF_LIGHT, OFF_DARK) if side == LIGHT else (OFF_DARK, OFF_LIGHT)
    return (*found, turned[mine], turned[theirs])
