"""The best reading of a table when nothing but the number of checkers is known."""

from __future__ import annotations

from referee.evidence import Evidence
from referee.observation import BAR_LIGHT, OFF_DARK, OFF_LIGHT, PLACES, POINTS, totals

#: Alternatives less likely than this (natural log, against the place's best) are not looked at.
DEEP = 7.5
#: What each checker costs (natural log) that must have gone to, or come from, a tray that nobody watches: one
#: more on a full point is likelier.
GONE = 3.0
#: The same on a table that has shown the same in look after look: what is not on its points is gone.
GONE_STEADY = 0.5


#: Place by place, the counts that are looked at with their log-probabilities.
Options = list[list[tuple[int, float]]]


def free_reading(
    evidence: Evidence, checkers: tuple[int, int], off: tuple[int, int], gone: float = GONE
) -> tuple[tuple[int, ...] | None, float]:
    """The likeliest 28 counts with exactly `checkers` (light, dark), `off` of them borne off before; and
    their fit. `gone`: what each checker costs that went to a tray unseen.

    Places that nobody could see take what is missing, trays first. None (and the plain best score) when no
    reading adds up.
    """
    options = [_options(evidence, place) for place in range(PLACES)]
    plain = _plain(options, evidence, checkers, off)
    if plain is not None:
        return plain
    rows: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for place in range(PLACES):
        rows = _extended(rows, options[place], checkers)
    whole = {key: row for key, row in rows.items() if _can_close(key, checkers, evidence)}
    if not whole:
        return None, sum(max(p for _, p in row) for row in options)
    fits = {key: score - gone * _gone(key, checkers, off, evidence) for key, (score, _) in whole.items()}
    key = max(fits, key=lambda k: (fits[k], k))
    return _closed(whole[key][1], (checkers[0] - key[0], checkers[1] - key[1])), fits[key]


def _plain(
    options: list[list[tuple[int, float]]],
    evidence: Evidence,
    checkers: tuple[int, int],
    off: tuple[int, int],
) -> tuple[tuple[int, ...], float] | None:
    """The likeliest count of every place, where these add up: then nothing can be likelier."""
    best = [max(row, key=lambda pair: pair[1]) for row in options]
    counts = tuple(n for n, _ in best)
    key = totals(counts)
    if not (key[0] <= checkers[0] and key[1] <= checkers[1] and _can_close(key, checkers, evidence)):
        return None
    if _gone(key, checkers, off, evidence):
        return None
    return _closed(counts, (checkers[0] - key[0], checkers[1] - key[1])), sum(p for _, p in best)


def _gone(key: tuple[int, int], checkers: tuple[int, int], off: tuple[int, int], evidence: Evidence) -> int:
    """By how many checkers the trays would have changed unseen."""
    return sum(
        abs(checkers[side] - key[side] - off[side]) for side in (0, 1) if not evidence.seen(OFF_LIGHT + side)
    )


def _options(evidence: Evidence, place: int) -> list[tuple[int, float]]:
    pairs = evidence.logs[place]
    if not pairs:
        return [(0, 0.0)]
    best = max(p for _, p in pairs)
    return [(n, p) for n, p in pairs if best - p < DEEP]


def _extended(
    rows: dict[tuple[int, int], tuple[float, tuple[int, ...]]],
    options: list[tuple[int, float]],
    most: tuple[int, int],
) -> dict[tuple[int, int], tuple[float, tuple[int, ...]]]:
    grown: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
    for (light, dark), (score, counts) in rows.items():
        for n, p in options:
            key = (light + max(n, 0), dark + max(-n, 0))
            if key[0] <= most[0] and key[1] <= most[1] and score + p > grown.get(key, (-1e9, ()))[0]:
                grown[key] = (score + p, (*counts, n))
    return grown


def _can_close(key: tuple[int, int], checkers: tuple[int, int], evidence: Evidence) -> bool:
    """Missing checkers may only hide where nobody looked: under a hand, in a tray or on a bar not watched."""
    if not all(evidence.seen(point) for point in range(POINTS)):
        return True
    return all(
        key[side] == checkers[side]
        or not (evidence.seen(OFF_LIGHT + side) and evidence.seen(BAR_LIGHT + side))
        for side in (0, 1)
    )


def _closed(counts: tuple[int, ...], missing: tuple[int, int]) -> tuple[int, ...]:
    table = list(counts)
    table[OFF_LIGHT] += missing[0]
    table[OFF_DARK] -= missing[1]
    return tuple(table)
