"""Beliefs gathered over time, as log-probabilities that can be added and compared."""

from __future__ import annotations

import math

import msgspec

from referee.observation import PLACES, Belief, Observation

#: No single place may weigh more than this (natural log): one misread point must never decide alone.
FLOOR = math.log(1e-4)
#: So many looks weigh as much as all that came before: what is seen now must be able to win.
MEMORY = 8


class Evidence(msgspec.Struct, frozen=True):
    """What several agreeing looks say of the 28 places.

    `logs` holds, place by place, (count, mean log-probability) pairs of the counts that any look named;
    empty where
    no look could see. `looks` is how many observations were merged.
    """

    logs: tuple[tuple[tuple[int, float], ...], ...] = ((),) * PLACES
    looks: int = 0

    def seen(self, place: int) -> bool:
        """False where every look was blocked."""
        return bool(self.logs[place])

    def log_p(self, place: int, count: int) -> float:
        """Mean log-probability of a count, not below `FLOOR`; 0 where nothing is known."""
        pairs = self.logs[place]
        if not pairs:
            return 0.0
        return next((p for n, p in pairs if n == count), FLOOR)

    def fit(self, table: tuple[int, ...]) -> float:
        """Log-likelihood of a whole table of 28 signed counts."""
        return sum(self.log_p(i, n) for i, n in enumerate(table))

    def best(self, place: int) -> int:
        """The likeliest count of a place, 0 where nothing is known."""
        pairs = self.logs[place]
        return max(pairs, key=lambda x: x[1])[0] if pairs else 0


def _log(p: float) -> float:
    return max(math.log(p), FLOOR) if p > 0 else FLOOR


def _merged(old: tuple[tuple[int, float], ...], new: Belief, looks: int) -> tuple[tuple[int, float], ...]:
    if not new.seen:
        return old
    if not old:
        return tuple((c.checkers, round(_log(c.p), 6)) for c in new.counts)
    known = dict(old)
    counts = sorted(known.keys() | {c.checkers for c in new.counts})
    return tuple((n, round((known.get(n, FLOOR) * looks + _log(new.p(n))) / (looks + 1), 6)) for n in counts)


def add(evidence: Evidence, seen: Observation) -> Evidence:
    """Evidence with one more look in it: log-probabilities are averaged, for looks are never independent."""
    pairs, weight = zip(evidence.logs, seen.places, strict=True), min(evidence.looks, MEMORY)
    return Evidence(tuple(_merged(old, new, weight) for old, new in pairs), evidence.looks + 1)


def contradicts(evidence: Evidence, seen: Observation, doubt: float = 0.02) -> bool:
    """True when what the look reads otherwise leaves the evidence, all places together, no chance."""
    odds = 0.0
    for place, new in enumerate(seen.places):
        if not (new.seen and evidence.seen(place)):
            continue
        old = evidence.best(place)
        if new.best != old:
            odds += _log(new.p(old)) - _log(new.p(new.best))
    return odds < math.log(doubt)
