"""Learning a board from its start, then reading it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rules import BACKGAMMON
from referee.layout import LIGHT, Layout, table_of
from referee.start import start_tables
from vision.calibrate import Calibrated, calibrate
from vision.errors import NotTheStart
from vision.look import best_counts, board_beliefs
from vision.row_change import change
from vision.strips import ACROSS, ALONG, cells
from vision.synth import Camera, Drawn, Light, Scene, Style, render
from vision.synth_look import Checker

START = table_of(Layout(), BACKGAMMON, LIGHT, BACKGAMMON.start)
TABLES = [table for _, table in start_tables(BACKGAMMON)]


def drawn(table: tuple[int, ...], seed: int = 3) -> Drawn:
    return render(Scene(table, style=Style(), camera=Camera(), seed=seed))


@pytest.fixture(scope="module")
def learned() -> Calibrated:
    pictures = [drawn(START, 3), drawn(START, 4)]
    return calibrate([cells(p.image, p.board) for p in pictures], TABLES)


def moved(*changes: tuple[int, int]) -> tuple[int, ...]:
    table = list(START)
    for place, by in changes:
        table[place] += by
    return tuple(table)


@pytest.mark.parametrize("table", TABLES)
def test_the_start_is_learned_whichever_way_it_lies(table: tuple[int, ...]) -> None:
    picture = drawn(table)
    assert calibrate([cells(picture.image, picture.board)] * 2, TABLES).table == table[:24]


@pytest.mark.parametrize(
    "table",
    [
        START,
        moved((18, -2), (19, 1), (20, 1), (4, 1), (5, -1)),
        moved((16, -3), (13, 1), (14, 2), (12, 5), (11, -2), (10, -2), (9, -1)),
        moved((0, -1), (24, 1), (6, 1), (25, -1)),
    ],
)
def test_other_positions_are_read_exactly(learned: Calibrated, table: tuple[int, ...]) -> None:
    points, bar = board_beliefs(learned.learned, cells(drawn(table).image, learned.board))
    assert best_counts(points) + best_counts(bar) == table[:26]


def test_the_end_of_the_light_does_not_change_the_reading(learned: Calibrated) -> None:
    dim = (drawn(START).image * 0.8).astype(np.uint8)
    points, _ = board_beliefs(learned.learned, cells(dim, learned.board))
    assert best_counts(points) == START[:24]


def test_one_checker_out_of_place_is_named() -> None:
    picture = drawn(moved((16, -1), (14, 1)))
    with pytest.raises(NotTheStart, match=r"near row 3 .*near row 5"):
        calibrate([cells(picture.image, picture.board)] * 2, TABLES)


def test_a_checker_changes_a_point_of_its_own_colour_least() -> None:
    own = (30, 52, 34)
    style = replace(Style(), dark=Checker(own, "dish"), points=replace(Style().points, second=own))
    begun = render(Scene(START, style=style, camera=Camera(), seed=3, light=Light(hard=0.3, shade=0.3)))
    learned = calibrate([cells(begun.image, begun.board)] * 2, TABLES).learned
    # far points that are empty in the start
    same, other = learned.least_change[[2, 8, 10], :20].mean(), learned.least_change[[1, 3, 9], :20].mean()
    assert 0 < 2 * same < other


def test_that_a_row_looks_as_before_says_little_where_a_checker_would_hardly_change_it() -> None:
    rows, known = np.zeros((3, (2 * ALONG + 1) * (2 * ACROSS + 1)), np.float32), np.ones(3, bool)
    clear, faint, never = change(rows, rows, np.array([True, True, False]), 1.0, np.array([30.0, 1.0, 1.0]))
    assert clear < -2 < faint < 0 == never
    assert change(rows, rows, known, 1.0)[0] == clear


@pytest.mark.parametrize("row", [3, 4])
def test_where_five_do_not_fit_in_a_row_the_others_lie_on_top(row: int) -> None:
    begun = piled(START, row)
    learned = calibrate([cells(begun.image, begun.board)] * 2, TABLES)
    assert [disc.row for disc in learned.learned.discs] == [row, row]
    table = moved((18, -2), (19, 1), (20, 1), (4, 1), (5, -1))
    points, _ = board_beliefs(learned.learned, cells(piled(table, row).image, begun.board))
    for count, read in zip(table[:24], points, strict=True):
        assert read.p(count) > 0.05
        assert abs(count) >= row or read.best == count


def piled(table: tuple[int, ...], row: int) -> Drawn:
    """A board on which people put no more than `row` checkers in a row."""
    style = Style(row=row, height=10.0, mess=0.2)
    return render(Scene(table, style=style, camera=Camera(), seed=3))


def test_a_checker_that_is_missing_is_no_pile() -> None:
    picture = drawn(moved((0, 1), (11, -1)))
    with pytest.raises(NotTheStart, match=r"far row 12 "):
        calibrate([cells(picture.image, picture.board)] * 2, TABLES)


@pytest.mark.parametrize("bars", [(1, 0), (2, -1)])
def test_a_board_that_is_learned_with_checkers_on_the_bar(bars: tuple[int, int]) -> None:
    begin = moved((0, -bars[0]), (24, bars[0]), (5, -bars[1]), (25, bars[1]))
    picture = drawn(begin)
    learned = calibrate([cells(picture.image, picture.board)] * 2, [begin])
    assert learned.table == begin[:24]
    for table in (begin, START, moved((0, -1), (1, 1))):
        points, bar = board_beliefs(learned.learned, cells(drawn(table, 5).image, learned.board))
        assert best_counts(points) + best_counts(bar) == table[:26]
