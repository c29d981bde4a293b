"""How tables are compared with a scene: many at once, and a bound that spares the comparison."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.plays import legal_plays, partial_plays
from engine.position import Position
from engine.rules import BACKGAMMON
from referee.evidence import Evidence
from referee.hindsight_scenes import Scene
from referee.hindsight_sight import Paid, Sight
from referee.hindsight_view import view_of
from referee.hindsight_world import tables_after
from referee.layout import Layout, order_of, table_of
from referee.observation import PLACES
from tests.strategies import positions, rolls

LAYOUT = Layout("left", "top")
SIDES = st.sampled_from((0, 1))
RANDOM = st.integers(0, 9999).map(Random)


def sight_of(random: Random, paid: tuple[int, ...]) -> Sight:
    """Any scene as a story sees it that has paid for all sorts of misreadings."""
    logs = tuple(
        tuple(
            (n, random.uniform(-8.0, 0.0)) for n in sorted(random.sample(range(-15, 16), random.randrange(5)))
        )
        for _ in range(PLACES)
    )
    view = view_of(Scene(0.0, 1.0, Evidence(logs, 2), 0), (15, 15), (0, 0))
    return Sight(view, Sight(view, Paid(paid)).after(paid))


def table(side: int, position: Position) -> tuple[int, ...]:
    return table_of(LAYOUT, BACKGAMMON, side, position)


@given(RANDOM, positions(), rolls(), SIDES)
def test_many_tables_fit_as_each_of_them_does(
    random: Random, base: Position, roll: tuple[int, ...], side: int
) -> None:
    sight, found = sight_of(random, table(side, base)), legal_plays(base, roll)
    fits = sight.fits(tables_after(found), side, order_of(LAYOUT, BACKGAMMON, side))
    assert fits.tolist() == pytest.approx([sight.fit(table(side, play.result)) for play in found])


@given(RANDOM, positions(), rolls(), SIDES)
def test_nothing_on_the_way_of_a_play_fits_better_than_the_bound(
    random: Random, base: Position, roll: tuple[int, ...], side: int
) -> None:
    sight = sight_of(random, table(side, base))
    for found, hops in ((partial_plays(base, roll), 3), (legal_plays(base, roll), 4)):
        bound = sight.near(table(side, base), 2 * (hops if roll[0] == roll[1] else hops - 2) + 1)
        assert all(sight.fit(table(side, play.result)) <= bound for play in found)
