"""Plays in standard notation: `13/7 8/7*`, `bar/20`, `6/off`, `8/5(2)`, a chain as `24/13`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from engine.errors import RulesError
from engine.plays import Hop, Play
from engine.position import BAR, OFF, Position
from engine.rules import BACKGAMMON, Ruleset

_NAMES = {BAR: "bar", OFF: "off"}
_STEP = re.compile(
    r"(?P<way>[a-z0-9*]{1,4}(?:/[a-z0-9*]{1,4}){1,6})(?:\((?P<times>[1-6])\))?", re.IGNORECASE | re.ASCII
)

#: One checker's way: the places it touches, with whether it hit there.
Way = tuple[tuple[int, bool], ...]


def format_play(play: Play | Sequence[Hop], joined: bool = True) -> str:
    """A play in standard notation; "" for a dance. Not `joined`: hop by hop, in their own order.

    >>> format_play([Hop(24, 18), Hop(18, 13, True)])
    '24/13*'
    """
    hops = play.hops if isinstance(play, Play) else play
    return " ".join(_way_text(way, times) for way, times in ways(hops, joined))


def ways(hops: Iterable[Hop], joined: bool = True) -> list[tuple[Way, int]]:
    """The ways that checkers went and how many went so, rearmost first; the first to land made a hit."""
    if not joined:
        return [(((hop.src, False), (hop.dst, hop.hit)), 1) for hop in hops]
    alike: dict[tuple[int, ...], list[Way]] = {}
    for way in _joined(hops):
        alike.setdefault(tuple(-place for place, _ in way), []).append(way)
    return [(_with_stars(same), len(same)) for _, same in sorted(alike.items())]


def _joined(hops: Iterable[Hop]) -> list[Way]:
    """Join hops of one checker; a place in between is named only where it hit."""
    found: list[Way] = []
    for hop in hops:
        before = next((way for way in found if way[-1][0] == hop.src), ((hop.src, False),))
        if before in found:
            found.remove(before)
        kept = before[:-1] + (before[-1:] if len(before) == 1 or before[-1][1] else ())
        found.append((*kept, (hop.dst, hop.hit)))
    return found


def _with_stars(same: Sequence[Way]) -> Way:
    stars = (any(hits) for hits in zip(*((hit for _, hit in way) for way in same), strict=True))
    return tuple((place, star) for (place, _), star in zip(same[0], stars, strict=True))


def _way_text(way: Way, times: int) -> str:
    word = "/".join(_NAMES.get(place, str(place)) + "*" * hit for place, hit in way)
    return word + (f"({times})" if times > 1 else "")


def merged(hops: Iterable[Hop]) -> tuple[Hop, ...]:
    """One hop for each checker that moved, from where it stood to where it came to rest."""
    return tuple(Hop(way[0][0], *way[-1]) for way in _joined(hops))


def parse_play(text: str, position: Position, rules: Ruleset = BACKGAMMON) -> tuple[Hop, ...]:
    """The hops that a text names, in order; the position, not the stars, says what was hit.

    A chain stays one hop: `24/13` is Hop(24, 13). Whether it is legal is not asked (see `engine.faults`).

    >>> parse_play("24/18/13*", BACKGAMMON.start)
    (Hop(src=24, dst=18, hit=False), Hop(src=18, dst=13, hit=False))

    Raises:
        RulesError: a word is not a move.
    """
    counts = list(position.points)
    hops: list[Hop] = []
    for word in text.split():
        for src, dst, _ in parse_word(word):
            hops.append(Hop(src, dst, _play_on(counts, src, dst, rules)))
    return tuple(hops)


def _play_on(counts: list[int], src: int, dst: int, rules: Ruleset) -> bool:
    """Move one checker on the counts; True when it hits."""
    counts[src] -= 1
    hit = dst != OFF and 0 > counts[dst] > -rules.closed_at
    if hit:
        counts[dst] = 0
    if dst != OFF:
        counts[dst] += 1
    return hit


def parse_word(word: str) -> list[tuple[int, int, bool]]:
    """One word as (from, to, starred), repeats written out.

    Raises:
        RulesError: it is not a move.
    """
    step = _STEP.fullmatch(word)
    if step is None:
        raise RulesError(f"{word[:40]!r} is not a move; write it like 13/7, bar/20*, 6/off or 8/5(2)")
    names = step["way"].split("/")
    named = [_place(name, last=i == len(names) - 1, word=word) for i, name in enumerate(names)]
    return [(src, dst, hit) for (src, _), (dst, hit) in pairwise(named)] * int(step["times"] or 1)


def _place(name: str, *, last: bool, word: str) -> tuple[int, bool]:
    text, star, _ = name.lower().partition("*")
    place = {"bar": BAR, "off": OFF}.get(text, int(text) if text.isdecimal() else -1)
    if not OFF <= place <= BAR or place == (BAR if last else OFF):
        raise RulesError(f"{word!r}: {name!r} is no place there; use 1-24, bar (25) first, off (0) last")
    return place, bool(star)
