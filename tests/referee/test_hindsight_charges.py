"""Illegal plays in recordings: who is accused of what, and when nobody is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from engine.rules import BACKGAMMON
from referee.events import Seen, Setup
from referee.hindsight import Story, look_back
from referee.layout import DARK, Layout
from referee.observation import UNSEEN, Die
from tests.referee.tables import at, dice_at, shown, sights, went

START = shown(BACKGAMMON.start)
THROWN = dice_at((3, 2))


def story_of(lying: Sequence[Seen], then: str, dice: tuple[Die, ...] = THROWN) -> Story:
    """What is told of light's first turn, in which something lay there from 4 s on, and then another play."""
    right = went(then, START)
    dark = dice_at((6, 6), DARK)
    return look_back(
        [
            *sights(0.0, 1.0, START), *sights(2.0, 1.0, START, dice), *lying,
            *sights(8.0, 1.0, right, dice), *sights(10.0, 1.0, right), *sights(12.0, 1.0, right, dark),
        ],
        Setup(), Layout(),
    )  # fmt: skip


def hiding(given: Sequence[Seen], *own: int) -> list[Seen]:
    """Looks in which some of light's points are hidden."""

    def hidden(seen: Seen) -> Seen:
        points = list(seen.look.points)
        for point in own:
            points[at(point)] = UNSEEN
        return Seen(replace(seen.look, points=tuple(points)))

    return [hidden(each) for each in given]


def accused(story: Story) -> list[int]:
    return [charge.turn for charge in story.illegal]


def test_an_illegal_play_is_told_though_a_point_is_hidden_that_has_no_part_in_it() -> None:
    lying = hiding(sights(4.0, 2.0, went("8/5 6/5", START), THROWN), 19, 12)
    assert accused(story_of(lying, "24/21 13/11")) == [0]


def test_nobody_is_accused_where_hidden_points_may_make_it_legal() -> None:
    # 13/10 8/6 as it looks with the 10 and the 8 point hidden: 13/6, which is five pips and two too many
    lying = hiding(sights(4.0, 2.0, went("13/10 8/6", START), THROWN), 10, 8)
    assert not accused(story_of(lying, "24/21 13/11"))


def test_two_pictures_half_a_second_apart_show_an_illegal_play() -> None:
    wrong = went("8/5 6/5", START)
    assert accused(story_of(sights(4.0, 1.0, wrong, THROWN, fps=2.0), "24/21 13/11")) == [0]
    assert not accused(story_of(sights(4.0, 0.5, wrong, THROWN, fps=10.0), "24/21 13/11"))


def read(p: float, *faces: int) -> tuple[Die, ...]:
    """Dice of which nothing but their likeliest face is known."""
    return tuple(replace(die, p=p) for die in dice_at(faces))


def test_a_play_that_stood_accuses_nobody_while_other_dice_allow_it() -> None:
    sure, unsure = read(0.99, 6, 1), read(0.5, 6, 6)
    assert accused(story_of(sights(4.0, 2.0, went("13/5 13/10", START), sure), "13/5 13/10", sure)) == [0]
    assert not accused(story_of(sights(4.0, 2.0, went("13/10", START), unsure), "13/10", unsure))


def test_that_it_may_be_no_die_speaks_for_no_face() -> None:
    lying = went("24/23 13/9", START)
    unsure = read(0.5, 3, 2)
    faces = tuple(
        replace(d, faces=tuple(950 if face == d.value else 10 for face in range(1, 7))) for d in unsure
    )
    assert accused(story_of(sights(4.0, 2.0, lying, faces), "13/8", faces)) == [0]
    assert not accused(story_of(sights(4.0, 2.0, lying, unsure), "13/8", unsure))
