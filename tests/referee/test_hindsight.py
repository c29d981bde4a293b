"""What a whole recording tells that its moments do not."""

from __future__ import annotations

import pytest

from engine.rules import BACKGAMMON
from referee.events import Setup
from referee.hindsight import Fix, Story, look_back
from referee.layout import Layout
from tests.referee.recorded import Camera, Looks, game, later, without_dice
from tests.referee.tables import shown

START = shown(BACKGAMMON.start)


def told(looks: Looks, fixes: dict[int, Fix] | None = None) -> Story:
    return look_back(looks, Setup(), Layout(), fixes or {})


def turns(story: Story) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    return [(t.event.side, t.event.roll, t.event.after) for t in story.turns]


def cut(looks: Looks, begin: float, end: float) -> Looks:
    """Looks but for those between two times."""
    return [look for look in looks if not begin <= look.t <= end]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_recording_in_which_all_is_seen_is_exact(seed: int) -> None:
    recorder = game(seed, 12, Camera())
    story = told(recorder.looks)
    assert turns(story) == recorder.truth
    # nothing on the table tells the dice of a dance
    danced = [t.event.play is not None and not t.event.play.hops for t in story.turns]
    assert all(t.confidence > (0.9 if no else 0.99) for t, no in zip(story.turns, danced, strict=True))
    assert all(t.event.how == "seen" for t in story.turns)
    assert not story.gaps
    assert not story.illegal


def test_a_picture_every_half_second_is_enough() -> None:
    recorder = game(3, 10, Camera(looks=1, gap=0.5))
    assert turns(told(recorder.looks)) == recorder.truth


def test_dice_nobody_saw_are_inferred_with_all_that_they_may_have_been() -> None:
    recorder = game(4, 8, Camera())
    third = [look.t for look in recorder.looks][22:34]
    story = told([without_dice(x) if third[0] <= x.t <= third[-1] else x for x in recorder.looks])
    assert [t[2] for t in turns(story)] == [t[2] for t in recorder.truth]
    inferred = [t for t in story.turns if t.event.how == "inferred"]
    assert inferred
    assert all(t.confidence < 1 for t in inferred)


def test_a_table_nobody_saw_after_the_play_is_told_by_the_next_throw() -> None:
    recorder = game(5, 8, Camera(no_result=1.0))
    found = turns(told(recorder.looks))
    assert found == recorder.truth[: len(found)]
    assert len(found) >= 7


def test_a_cut_is_a_gap_and_the_game_goes_on_after_it() -> None:
    recorder = game(6, 24, Camera())
    story = told(cut(recorder.looks, recorder.t * 0.3, recorder.t * 0.7))
    assert len(story.gaps) == 1
    assert turns(story)[-4:] == recorder.truth[-4:]
    assert turns(story)[:4] == recorder.truth[:4]


def test_a_game_given_up_early_is_followed_by_the_next() -> None:
    first, second = game(7, 6, Camera()), game(8, 6, Camera())
    story = told([*first.looks, *(later(look, first.t + 5) for look in second.looks)])
    assert turns(story) == first.truth + second.truth
    assert story.games == (0, 6)


def test_what_a_person_fixes_stays_and_the_rest_follows() -> None:
    recorder = game(9, 8, Camera())
    before = told(recorder.looks)
    other = before.turns[3].event.roll
    story = told(recorder.looks, {3: Fix(dice=other, play=before.turns[3].text)})
    assert turns(story) == recorder.truth
    assert story.turns[3].event.how == "typed"
    assert story.turns[4].event.how == "seen"


def test_the_story_of_nothing_is_empty() -> None:
    assert told([]).turns == ()
