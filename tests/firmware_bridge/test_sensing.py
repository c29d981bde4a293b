"""Sensor states → observations: what is certain, what is doubtful, what is kept out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import board, sensing
from firmware_bridge.messages import BOTH, NORTH, BoardState
from firmware_bridge.sensing import (
    FLICKER_S,
    HAND_S,
    QUIET_S,
    SURE_S,
    Sensing,
    hand_empty,
    observation,
    passed,
    seen,
)
from firmware_bridge.sim_board import sensors_of
from referee.observation import OFF_DARK, OFF_LIGHT, PLACES, Observation

START = (-5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0, 0, 0, 0)
EDGES = (0,) * len(board.BUTTONS)


def _state(counts: tuple[int, ...], faults: int = 0) -> BoardState:
    return BoardState(sensors_of(counts), EDGES, faults)


def _with(counts: tuple[int, ...], **changes: int) -> tuple[int, ...]:
    """Counts with p3=… for place 3."""
    table = list(counts)
    for place, count in changes.items():
        table[int(place[1:])] = count
    return tuple(table)


def _after(*steps: tuple[float, tuple[int, ...]], until: float | None = None) -> tuple[Sensing, Observation]:
    """Sensing after counts at times, and what it says at the last of them (or at `until`)."""
    now = Sensing()
    for t, counts in steps:
        now = seen(now, _state(counts), t)
    t = steps[-1][0] if until is None else until
    now = passed(now, t)
    return now, observation(now, t)


def _best(look: Observation) -> tuple[int, ...]:
    return tuple(belief.best for belief in look.places)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, ...]:
    """15 checkers a side, at most one stack of each colour above its sensors."""
    counts = [0] * PLACES
    for sign, tray in ((1, OFF_LIGHT), (-1, OFF_DARK)):
        left, tall = 15, False
        for point in draw(st.permutations(range(24))):
            most = left if not tall else min(left, 5)
            if counts[point] or not most:
                continue
            n = draw(st.integers(0, most))
            counts[point], left, tall = sign * n, left - n, tall or n >= 6
        counts[tray] = sign * left
    return tuple(counts)


@given(tables())
def test_every_table_with_one_tall_stack_a_side_is_read_exactly(counts: tuple[int, ...]) -> None:
    _, look = _after((1.0, counts))
    assert _best(look) == counts
    assert all(belief.counts[0].p > 0.99 for belief in look.places)
    assert not look.hand


def test_two_tall_stacks_are_left_to_the_rules() -> None:
    counts = _with((0,) * PLACES, p0=7, p5=8, p23=-15)
    _, look = _after((1.0, counts))
    assert {c.checkers for c in look.points[0].counts} == set(range(6, 10))
    assert {c.checkers for c in look.points[5].counts} == set(range(6, 10))
    assert look.points[0].p(7) == look.points[0].p(9) == pytest.approx(0.25)
    assert look.points[23].best == -15


def test_a_checker_in_the_hand_is_not_on_the_stack() -> None:
    before = _with(START, p6=8, p12=2)
    lifted = _with(before, p4=2)
    now, look = _after((1.0, before), (2.0, lifted))
    assert look.hand
    look = observation(passed(now, 2.01 + HAND_S), 2.01 + HAND_S)
    assert not look.hand
    assert {c.checkers for c in look.points[6].counts} == {8, 9}
    look = observation(passed(now, 2.0 + SURE_S), 2.0 + SURE_S)
    assert [c.checkers for c in look.points[6].counts] == [9]


def test_a_press_says_that_the_hand_is_empty() -> None:
    before = _with(START, p6=8, p12=2)
    now, _ = _after((1.0, before), (2.0, _with(before, p4=2)))
    look = observation(hand_empty(now), 2.0)
    assert not look.hand
    assert [c.checkers for c in look.points[6].counts] == [9]


def test_a_checker_from_the_top_of_a_stack_is_known_when_it_lands() -> None:
    before = _with(START, p6=8, p12=2)
    after = _with(before, p6=7, p5=1)
    _, look = _after((1.0, before), (3.0, after))
    assert _best(look) == after
    assert not look.hand


def test_a_checker_that_moves_between_sensors_is_never_on_the_stack() -> None:
    before = _with(START, p6=8, p12=2)
    lifted, landed = _with(before, p4=2), _with(before, p4=2, p5=1)
    _, look = _after((1.0, before), (2.0, lifted), (2.5, landed))
    assert _best(look) == landed
    assert [c.checkers for c in look.points[6].counts] == [8]


def test_a_hit_in_the_making_is_a_hand_and_two_colours_that_stay_are_doubt() -> None:
    state = _state(START)
    poles = list(state.poles())
    poles[11 * 6 + 2] = NORTH
    mixed = BoardState(
        bytes(poles[i] << 6 | poles[i + 1] << 4 | poles[i + 2] << 2 | poles[i + 3] for i in range(0, 180, 4)),
        EDGES,
    )
    now = seen(seen(Sensing(), state, 1.0), mixed, 2.0)
    assert observation(now, 2.0).hand
    look = observation(passed(now, 9.0), 9.0)
    assert not look.hand
    assert {c.checkers for c in look.points[11].counts} == {1, -2}
    assert look.mixed == (11,)
    assert observation(seen(now, state, 10.0), 10.0).mixed == ()


def _flicker(period: float, times: int) -> tuple[Sensing, float, list[Observation]]:
    """A slot of point 4 that comes and goes; the looks after the first four changes."""
    now, t, looks = seen(Sensing(), _state(START), 1.0), 1.0, []
    for turn in range(times):
        t += period
        now = seen(now, _state(START if turn % 2 else _with(START, p4=2)), t)
        if turn >= 4:
            looks.append(observation(now, t))
    return now, t, looks


@pytest.mark.parametrize("period", [0.02, 0.1, 0.3])
def test_a_weak_magnet_that_toggles_counts_as_there(period: float) -> None:
    _, _, looks = _flicker(period, 40)
    assert {look.points[4].best for look in looks} == {3}
    assert not any(look.hand for look in looks[4:])


def test_a_weak_magnet_that_is_taken_away_is_gone_after_a_second() -> None:
    now, t, _ = _flicker(0.1, 41)
    later = t + QUIET_S + 0.01
    assert observation(passed(now, later), later).points[4].best == 2


def test_weak_slots_are_named() -> None:
    now, t, _ = _flicker(0.1, 40)
    assert [board.SLOT_PLACE[slot] for slot in sensing.weak_slots(now, t)] == [4]
    assert sensing.weak_slots(now, t + FLICKER_S + QUIET_S) == ()


def test_a_checker_that_is_played_at_leisure_is_no_weak_magnet() -> None:
    steps = [(1.0 + i * 0.8, START if i % 2 else _with(START, p4=2, p3=1)) for i in range(8)]
    for upto in range(1, len(steps) + 1):
        _, look = _after(*steps[:upto])
        assert _best(look) == steps[upto - 1][1]


def test_a_broken_chain_hides_its_places_and_makes_stacks_doubtful() -> None:
    counts = _with(START, p6=8, p12=2)
    now = seen(Sensing(), _state(counts, faults=0b00100), 1.0)
    look = observation(now, 1.0)
    assert look.unseen == (12, 13, 14, 15, 16, 17)
    assert {c.checkers for c in look.points[6].counts} >= {6, 7, 8, 10}
    assert look.points[0].best == -5


def test_a_slot_that_feels_both_poles_is_doubt_not_a_checker() -> None:
    sensors = bytearray(sensors_of(START))
    slot = 3 * 6  # point 3, empty
    sensors[slot // 4] |= BOTH << (6 - 2 * (slot % 4))
    look = observation(seen(Sensing(), BoardState(bytes(sensors), EDGES), 1.0), 1.0)
    assert look.points[3].best == 0
    assert look.points[3].counts[0].p < 0.95


def test_checkers_in_a_tray_may_stand_either_way_round() -> None:
    sensors = bytearray(sensors_of((0,) * 26 + (4, -3)))
    sensors[39] ^= 0b11110000  # two of light's show their other pole
    look = observation(seen(Sensing(), BoardState(bytes(sensors), EDGES), 1.0), 1.0)
    assert (look.off[0].best, look.off[1].best) == (4, -3)


def test_a_game_with_fewer_checkers() -> None:
    counts = _with((0,) * PLACES, p0=7, p5=5, p23=-12)
    look = observation(seen(Sensing((12, 12)), _state(counts), 1.0), 1.0)
    assert _best(look) == counts


def test_where_checkers_are_eaten_the_missing_ones_need_not_be_on_the_stack() -> None:
    counts = _with((0,) * PLACES, p0=7, p5=5, p23=-12)
    look = observation(seen(Sensing((15, 15), eaten=True), _state(counts), 1.0), 9.0)
    assert {c.checkers for c in look.points[0].counts} == set(range(6, 11))
    assert {c.checkers for c in look.points[23].counts} == {-n for n in range(6, 16)}
    assert look.points[5].best == 5
