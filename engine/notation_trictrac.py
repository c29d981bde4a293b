"""Plays as the encyclopaedia writes them: `XII–7`, `борт–III`, `6–двор`.

Arabic 1-12 is the row of White's home, Roman I-XII the row of Black's; both players use the same names. A
number that a scanner damaged (`У1П` for VIII) is read, and the repair is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.errors import RulesError
from engine.notation import ways
from engine.plays import Hop, Play
from engine.position import BAR, OFF, POINTS
from engine.rules import BACKGAMMON, Ruleset

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
BAR_NAME, OFF_NAME = "борт", "двор"

#: White's own number of every named point.
_POINT = {str(n): n for n in range(1, 13)} | {name: POINTS + 1 - n for n, name in enumerate(ROMAN, 1)}
_NAME = {own: name for name, own in _POINT.items()}
_PLACE = {BAR_NAME: BAR, "bar": BAR, OFF_NAME: OFF, "off": OFF}
#: Letters that stand in for a numeral after a scan or on a Russian keyboard.
_ROMAN_LOOKS = str.maketrans({"У": "V", "Х": "X", "І": "I", "П": "II", "Ш": "III", "1": "I", "l": "I"})
_DIGIT_LOOKS = str.maketrans({"б": "6", "З": "3", "з": "3", "О": "0", "о": "0", "l": "1"})
_WORD = re.compile(r"(?P<way>[^\s()–—-]{1,6}(?:[–—-][^\s()–—-]{1,6}){1,6})(?:\((?P<times>[1-6])\))?")


class Step(NamedTuple):
    """One move of a text, in the mover's own numbers; `mended` when a damaged numeral was read."""

    src: int
    dst: int
    starred: bool
    mended: bool = False


def format_trictrac(
    play: Play | Sequence[Hop], side: int, rules: Ruleset = BACKGAMMON, joined: bool = True
) -> str:
    """A play in the seed's notation; `side` 0 is White, 1 Black. One word for one checker if `joined`.

    >>> format_trictrac([Hop(13, 8), Hop(24, 23)], 0)
    'I–II XII–8'
    """
    hops = play.hops if isinstance(play, Play) else play
    return " ".join(_way_text(way, times, side, rules) for way, times in ways(hops, joined))


def _way_text(way: Sequence[tuple[int, bool]], times: int, side: int, rules: Ruleset) -> str:
    text = "–".join(place_name(own, side, rules) + "*" * hit for own, hit in way)
    return text + (f"({times})" if times > 1 else "")


def place_name(own: int, side: int, rules: Ruleset = BACKGAMMON) -> str:
    """The name of a side's own point, bar or tray."""
    if own in (BAR, OFF):
        return BAR_NAME if own == BAR else OFF_NAME
    return _NAME[rules.mirror(own) if side else own]


def parse_trictrac(text: str, side: int, rules: Ruleset = BACKGAMMON) -> tuple[Step, ...]:
    """The moves that a text names, repeats written out.

    >>> [(s.src, s.dst) for s in parse_trictrac("XII–8 I–II", 0)]
    [(13, 8), (24, 23)]

    Raises:
        RulesError: a word is not a move in this notation.
    """
    words = text.replace(",", " ").split()
    return tuple(step for word in words for step in _steps(word, side, rules))


def _steps(word: str, side: int, rules: Ruleset) -> Iterable[Step]:
    found = _WORD.fullmatch(word)
    if found is None:
        raise RulesError(f"{word[:40]!r} is not a move; write it like XII–7, борт–III*, 6–двор or 4–1(2)")
    names = re.split("[–—-]", found["way"])
    places = [_place(name, side, rules, word) for name in names]
    if any(own == OFF for own, _, _ in places[:-1]) or any(own == BAR for own, _, _ in places[1:]):
        raise RulesError(f"{word!r}: {BAR_NAME} can only come first and {OFF_NAME} last")
    return [
        Step(src, dst, hit, from_mended or to_mended)
        for (src, _, from_mended), (dst, hit, to_mended) in pairwise(places)
    ] * int(found["times"] or 1)


def _place(name: str, side: int, rules: Ruleset, word: str) -> tuple[int, bool, bool]:
    text, star, _ = name.partition("*")
    if text.lower() in _PLACE:
        return _PLACE[text.lower()], bool(star), False
    for mended, reading in enumerate((text, text.translate(_ROMAN_LOOKS), text.translate(_DIGIT_LOOKS))):
        if reading in _POINT:
            own = _POINT[reading]
            return rules.mirror(own) if side else own, bool(star), mended > 0
    raise RulesError(f"{word!r} names no point {name!r}; they are 1-12, I-XII, {BAR_NAME} and {OFF_NAME}")


def mend_digits(text: str) -> str:
    """Digits that a scan made letters of, as digits again."""
    return text.translate(_DIGIT_LOOKS)
