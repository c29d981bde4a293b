"""Recognising the start position, and which way round it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rules import Ruleset
from referee.evidence import Evidence
from referee.inference import CLEAR, differences
from referee.layout import LAYOUTS, LIGHT, Layout, table_of
from referee.observation import POINTS
from referee.verdict import Difference


@dataclass(frozen=True, slots=True)
class StartFit:
    """The start position that fits best, and where the table differs from it."""

    layout: Layout
    table: tuple[int, ...]
    difference: tuple[Difference, ...]


def start_tables(rules: Ruleset, layouts: Sequence[Layout] = LAYOUTS) -> list[tuple[Layout, tuple[int, ...]]]:
    """The 28 signed counts of the ruleset's start, once for each way the board can lie."""
    return [(layout, table_of(layout, rules, LIGHT, rules.start)) for layout in layouts]


def fit_start(evidence: Evidence, tables: Sequence[tuple[Layout, tuple[int, ...]]]) -> StartFit:
    """The best of several start tables; its difference is empty when the table shows that start."""
    layout, table = max(tables, key=lambda row: evidence.fit(row[1]))
    best = [evidence.best(i) for i in range(len(table))]
    clear = [
        d
        for d in differences(table, best, evidence)
        if evidence.log_p(d.place, d.seen) - evidence.log_p(d.place, d.expected) >= CLEAR / 2
    ]
    return StartFit(layout, table, tuple(clear))


def all_points_seen(evidence: Evidence) -> bool:
    """A start is only judged when no point is hidden."""
    return all(evidence.seen(i) for i in range(POINTS))
