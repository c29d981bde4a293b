"""What is sent to a page: the snapshot and what a page needs to know of the game's rules to draw it."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engine.rules import ruleset
from kibitz.snapshot import Snapshot
from referee.layout import DARK, LIGHT, Layout, place_of
from referee.observation import POINTS


class Stake(msgspec.Struct, frozen=True):
    """What a game may be worth, for the resignation dialog."""

    points: int
    name: str


class Shown(msgspec.Struct, frozen=True):
    """A snapshot and its game. `numbers`: each side's own number of the 24 table points, None while
    the layout is not known.
    """

    snapshot: Snapshot
    numbers: tuple[tuple[int, ...], tuple[int, ...]] | None
    eats: bool
    dice: int
    stakes: tuple[Stake, ...]


class Message(msgspec.Struct, frozen=True):
    """What goes over the socket. `t`: session time; `shown` None: only the camera picture is new."""

    t: float
    picture: int
    shown: msgspec.Raw | None = None


def shown(snapshot: Snapshot) -> Shown:
    """A snapshot with what belongs to it."""
    rules = ruleset(snapshot.match.rules)
    stakes = {s.points: Stake(s.points, s.name) for s in rules.stakes} or {1: Stake(1, "single")}
    usual = Layout() if snapshot.phase == "setup" else None  # what a wrong start is described by
    layout = snapshot.layout or usual
    numbers = None if layout is None else own_numbers(snapshot.match.rules, layout)
    worth = tuple(stakes[points] for points in sorted(stakes))
    return Shown(snapshot, numbers, rules.eats, rules.dice, worth)


@lru_cache(maxsize=64)
def own_numbers(rules: str, layout: Layout) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The number that light and dark each give to the 24 table points."""
    game = ruleset(rules)
    both = []
    for side in (LIGHT, DARK):
        at = {place_of(layout, game, side, own): own for own in range(1, POINTS + 1)}
        both.append(tuple(at[place] for place in range(POINTS)))
    return both[0], both[1]


def same_but_picture(a: Snapshot, b: Snapshot) -> bool:
    """Whether two snapshots differ in nothing but time and camera picture."""
    return _still(a) == _still(b)


def _still(snapshot: Snapshot) -> Snapshot:
    return msgspec.structs.replace(snapshot, revision=0, t=0.0, picture=0)
