"""The cube's story: what its places and numbers tell of doubles, takes and drops."""

from __future__ import annotations

from collections.abc import Sequence

from referee.hindsight_cube import Glance, Stretch, acts_of, steady
from referee.layout import Layout

TURNS = [(n, n % 2, 10.0 * n + 10) for n in range(6)]
GAME = Stretch(TURNS, True, 0.0, 100.0)


def told(glances: Sequence[Glance], game: Stretch = GAME) -> list[tuple[int, int, str, int]]:
    twice = [again for g in glances for again in (g, g._replace(t=g.t + 0.5))]
    return [(a.turn, a.side, a.act, a.value) for a in acts_of(steady(twice), game, Layout())]


def test_a_cube_that_stays_where_it_is_was_never_offered() -> None:
    assert told([Glance(t, 64, "middle") for t in (5.0, 25.0, 45.0)]) == []


def test_a_double_is_by_the_side_to_roll_and_taken_by_the_cubes_owner() -> None:
    seen = [Glance(5.0, 64, "middle"), Glance(35.0, 2, "near")]
    assert told(seen) == [(3, 1, "double", 2), (3, 0, "take", 2)]


def test_a_cube_seen_only_after_the_next_throw_belongs_to_the_turn_before() -> None:
    assert told([Glance(41.0, 2, "near")]) == [(3, 1, "double", 2), (3, 0, "take", 2)]


def test_a_redouble_needs_twice_the_number() -> None:
    seen = [Glance(15.0, 2, "near"), Glance(25.0, 8, "far"), Glance(45.0, 4, "far")]
    assert told(seen) == [(1, 1, "double", 2), (1, 0, "take", 2), (4, 0, "double", 4), (4, 1, "take", 4)]


def test_a_double_that_no_turn_follows_was_dropped() -> None:
    game = Stretch(TURNS, False, 0.0, 100.0)
    assert told([Glance(70.0, 2, "middle")], game) == [(6, 0, "double", 2), (6, 1, "drop", 1)]


def test_a_cube_turned_after_the_end_says_nothing() -> None:
    assert told([Glance(70.0, 2, "middle")]) == []


def test_one_odd_look_is_none() -> None:
    assert steady([Glance(1, 64, "middle"), Glance(2, 2, "near"), Glance(3, 64, "middle")]) == []
