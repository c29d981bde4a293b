"""All places together: totals settle what is open, and only that."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.observation import UNSEEN, Belief, belief
from vision.joint import MOST, doubted, exchanged, placed, there, together, usual

EMPTY = belief([(0, 1.0)])


def table(*places: Belief) -> list[Belief]:
    return [*places, *[EMPTY] * (24 - len(places))]


def test_fifteen_settle_an_open_point() -> None:
    open_point = belief([(5, 0.5), (6, 0.45), (4, 0.05)])
    read = together(table(open_point, belief([(9, 1.0)]), belief([(-15, 1.0)])))
    assert read.beliefs[0].best == 6
    assert read.sure > 0.7


def test_clear_pixels_are_not_overruled() -> None:
    twelve = [belief([(3, 0.995), (6, 0.005)]), *[belief([(3, 0.999)])] * 3, belief([(-12, 0.999)])]
    assert together(table(*twelve)).beliefs[0].best == 3


def test_no_side_has_sixteen() -> None:
    read = together(table(belief([(8, 0.7), (7, 0.3)]), belief([(8, 1.0)]), belief([(-15, 1.0)])))
    assert read.beliefs[0].best == 7


def test_an_owner_is_settled_too() -> None:
    whose = belief([(5, 0.5), (-5, 0.5)])
    read = together(table(whose, belief([(10, 1.0)]), belief([(-15, 1.0)])))
    assert read.beliefs[0].best == 5


def test_a_hidden_place_stays_unknown_and_leaves_no_certainty() -> None:
    read = together(table(UNSEEN, belief([(10, 1.0)]), belief([(-15, 1.0)])))
    assert not read.beliefs[0].seen
    assert read.sure == 0


def test_an_empty_board_is_read_with_certainty() -> None:
    assert together(table()).sure > 0.99


def test_more_checkers_than_anybody_has_are_left_as_read() -> None:
    heaps = [belief([(15, 1.0)])] * 3
    read = together(table(*heaps))
    assert [b.best for b in read.beliefs[:3]] == [15, 15, 15]
    assert read.sure == 0


places = st.lists(
    st.dictionaries(st.integers(-15, 15), st.floats(0.01, 1.0), min_size=1, max_size=4),
    min_size=2,
    max_size=6,
)


@given(places)
def test_it_agrees_with_weighing_every_board(drawn: list[dict[int, float]]) -> None:
    read = [belief(place.items()) for place in drawn]
    weights: dict[tuple[int, ...], float] = {}
    for counts in product(*([c.checkers for c in b.counts] for b in read)):
        light, dark = sum(n for n in counts if n > 0), -sum(n for n in counts if n < 0)
        if max(light, dark) <= MOST:
            chance = prod(b.p(n) for b, n in zip(read, counts, strict=True))
            weights[counts] = chance * float(usual()[light, dark])
    whole = sum(weights.values())
    said = together(read)
    if not whole > 1e-12:
        return
    for k, place in enumerate(said.beliefs):
        for count in place.counts:
            share = sum(w for counts, w in weights.items() if counts[k] == count.checkers) / whole
            assert abs(count.p - share) < 1e-4
    best = tuple(b.best for b in said.beliefs)
    assert abs(said.sure - weights.get(best, 0.0) / whole) < 1e-4


def test_doubt_about_the_names_of_the_sides_is_one_doubt_however_many_places_there_are() -> None:
    men = [belief([(n, 1.0)]) for n in (3, 3, 3, 3, 2, -5, -5, -5)]
    places = [*men, *[EMPTY] * 16, belief([(1, 0.9), (0, 0.1)]), EMPTY]
    sure, doubtful = together(places), together(places, 0.8)
    assert abs(doubtful.sure - 0.8 * sure.sure) < 1e-9
    assert [b.best for b in doubtful.beliefs] == [b.best for b in sure.beliefs]
    assert abs(doubtful.beliefs[0].p(-3) - 0.2) < 1e-6
    # The light side's checker on the bar is the dark side's if it is the other way round.
    assert doubtful.beliefs[25].p(-1) > 0.15


def test_exchanged_twice_is_as_before() -> None:
    places = [belief([(n - 12, 0.7), (0, 0.3)]) for n in range(24)] + [belief([(2, 1.0)]), UNSEEN]
    assert exchanged(exchanged(places)) == tuple(places)
    assert doubted(places, 1.0) == tuple(places)


def test_the_better_the_spikes_agree_the_surer_it_is_that_the_board_is_there() -> None:
    said = [there(score / 20) for score in range(21)]
    assert said == sorted(said)
    assert said[0] < 0.05
    assert said[9] > 0.9
    assert there(0.7) > 0.999


def test_a_board_that_may_lie_elsewhere_leaves_doubt_in_every_place_and_no_other_reading() -> None:
    read = table(belief([(5, 0.7), (6, 0.3)]), UNSEEN)
    assert placed(read, 1.0) == tuple(read)
    doubtful, sure = placed(read, 0.4), placed(read, 0.9)
    assert [b.best for b in doubtful] == [b.best for b in read]
    assert not doubtful[1].seen
    assert doubtful[2].p(0) < 0.95 < sure[2].p(0)
    for place in (doubtful[0], doubtful[2]):
        assert sum(place.p(n) for n in range(-15, 16)) == pytest.approx(1, abs=0.01)
