"""Both colours on one place, as a sensor board feels it: named, but waited for while it is a hit."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.position import Position
from engine.rules import ruleset
from referee.events import (
    IllegalSeen,
    Input,
    LetStand,
    Lit,
    Noted,
    PutRight,
    Refused,
    RollGiven,
    Seen,
    Setup,
    Started,
    TurnEnd,
    TurnPlayed,
)  # fmt: skip
from referee.findings import Finding
from referee.layout import DARK, LIGHT
from referee.observation import Observation, belief
from referee.session import State, begin
from referee.signal import Sign
from tests.referee.tables import LAYOUT, look, of, play_out, shown

START = shown(ruleset("backgammon").start)
#: Light's 8 and 6 point, dark's 13, 8 and 6 point: their places in the usual layout.
EIGHT, SIX = 16, 18
THEIR_MID, THEIR_EIGHT, THEIR_SIX = 12, 4, 6


def blot_at(own: int) -> tuple[int, ...]:
    """Light on its 8 and 6 point, a single dark checker on `own`, the rest far away."""
    points = [0] * 26
    points[8], points[6], points[own], points[24] = 5, 10, -1, -14
    return shown(Position(tuple(points), (0, 0)))


def mixed(t: float, table: tuple[int, ...], place: int) -> Observation:
    """A look in which a checker of the other colour lies on a place, too."""
    n = table[place]
    seen = look(t, table, None)
    points = list(seen.points)
    points[place] = belief([(n, 0.5), (-1 if n > 0 else 1, 0.5)])
    return replace(seen, points=tuple(points), mixed=(place,))


def during(start: float, seconds: float, table: tuple[int, ...], place: int | None = None) -> list[Input]:
    times = [start + i / 5 for i in range(round(5 * seconds))]
    return [Seen(look(t, table, None) if place is None else mixed(t, table, place)) for t in times]


def game(table: tuple[int, ...] = START, side: int = LIGHT, policy: str = "legal") -> State:
    setup = Setup(policy=policy, layout=LAYOUT, start=None if table == START else table, side=side)
    state, outs = play_out(begin(setup), during(0, 1, table))
    assert of(Started, outs)
    return state


def lifted(table: tuple[int, ...], place: int) -> tuple[int, ...]:
    counts = list(table)
    counts[place] -= 1 if counts[place] > 0 else -1
    return tuple(counts)


@pytest.mark.parametrize(
    ("side", "src", "dst"), [(LIGHT, EIGHT, THEIR_MID), (DARK, THEIR_EIGHT, SIX), (LIGHT, THEIR_EIGHT, EIGHT)]
)
def test_a_checker_on_a_point_that_the_others_hold_is_named(side: int, src: int, dst: int) -> None:
    """The last of them is an opponent's checker on a point of the mover's own."""
    inputs = [RollGiven(2, (3, 1)), *during(2.2, 0.6, START), *during(3, 2, lifted(START, src), dst)]
    state, outs = play_out(game(side=side), inputs)
    (seen,) = of(IllegalSeen, outs)
    assert (seen.finding, set(seen.places), seen.side) == (Finding.BOTH_COLOURS, {src, dst}, side)
    assert set(of(Lit, outs)[-1].signal.places) == {src, dst}
    assert of(Lit, outs)[-1].signal.sign is Sign.ILLEGAL
    _, outs = play_out(state, during(6, 1, START))
    assert len(of(PutRight, outs)) == 1


@pytest.mark.parametrize("policy", ["legal", "responsible"])
def test_it_never_goes_into_the_record(policy: str) -> None:
    lying = lifted(START, EIGHT)
    inputs = [
        RollGiven(2, (3, 1)),
        *during(3, 2, lying, THEIR_SIX),
        LetStand(5.1),
        TurnEnd(5.2),
        *during(5.3, 2, lying, THEIR_SIX),
    ]
    _, outs = play_out(game(policy=policy), inputs)
    assert len(of(IllegalSeen, outs)) == len(of(Refused, outs)) == 1
    assert not of(TurnPlayed, outs)


def test_a_hit_in_the_making_may_take_its_time() -> None:
    table = blot_at(5)
    (blot,) = (place for place, n in enumerate(table) if n == -1)
    done = list(lifted(lifted(table, EIGHT), SIX))
    done[blot], done[25] = 2, -1
    inputs = [
        RollGiven(2, (3, 1)),
        *during(3, 4, lifted(table, EIGHT), blot),
        *during(7, 4, lifted(lifted(table, EIGHT), SIX), blot),
        *during(11, 1, tuple(done)),
        TurnEnd(12.1),
        *during(12.2, 1, tuple(done)),
    ]
    _, outs = play_out(game(table), inputs)
    assert [t.text for t in of(TurnPlayed, outs)] == ["8/5* 6/5"]
    assert not of(IllegalSeen, outs)
    assert not of(Noted, outs)


def test_a_turn_that_ends_with_the_hit_checker_still_there_is_named() -> None:
    table = blot_at(5)
    (blot,) = (place for place, n in enumerate(table) if n == -1)
    lying = lifted(table, EIGHT)
    inputs = [RollGiven(2, (3, 1)), *during(3, 2, lying, blot), TurnEnd(5), *during(5.1, 1, lying, blot)]
    _, outs = play_out(game(table), inputs)
    assert [i.finding for i in of(IllegalSeen, outs)] == [Finding.BOTH_COLOURS]


def test_before_the_roll_it_is_named_and_put_right() -> None:
    state, outs = play_out(game(), during(2, 3, lifted(START, EIGHT), THEIR_SIX))
    assert [n.finding for n in of(Noted, outs)] == [Finding.BOTH_COLOURS]
    assert set(of(Noted, outs)[0].places) == {EIGHT, THEIR_SIX}
    _, outs = play_out(state, during(6, 1, START))
    assert len(of(PutRight, outs)) == 1


def test_a_game_does_not_begin_so() -> None:
    _, outs = play_out(begin(Setup(layout=LAYOUT)), during(0, 2, START, THEIR_SIX))
    assert not of(Started, outs)
