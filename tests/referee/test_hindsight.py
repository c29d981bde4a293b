"""What a whole recording tells that its moments do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.position import Position
from engine.rules import BACKGAMMON
from referee.events import Seen, Setup, Still
from referee.evidence import Evidence, add
from referee.hindsight import Fix, Hindsight, Story, look_back
from referee.hindsight_faces import Learning, stubborn
from referee.hindsight_scenes import Scene, Throw
from referee.hindsight_sight import Paid, Sight
from referee.hindsight_view import view_of
from referee.layout import DARK, LIGHT, Layout, table_of
from referee.observation import UNSEEN, Die, Observation, belief
from tests.accuracy.reliability import HARD, drawn
from tests.referee.recorded import Camera, Looks, game, later, reread, without_dice
from tests.referee.tables import dice_at, look, moved, shown, sights, went

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


def unwatched(looks: Looks) -> Looks:
    """Looks by a camera that does not see the bar."""
    nothing = (UNSEEN, UNSEEN)
    return [Seen(replace(x.look, bar=nothing)) if isinstance(x, Seen) else x for x in looks]


def seen_with(looks: Looks, since: float, condition: Callable[[Observation], bool]) -> float:
    """The time of the first look from a time on that fulfils a condition."""
    return next(
        x.t for x in looks if isinstance(x, Seen) and x.t > since and not x.look.hand and condition(x.look)
    )


def test_a_cut_ends_where_a_checker_lies_on_a_bar_that_nobody_sees() -> None:
    recorder = game(20, 24, Camera())
    begin = recorder.t * 0.25
    end = seen_with(recorder.looks, recorder.t / 2, lambda x: x.bar[0].best != 0 or x.bar[1].best != 0)
    story = told(cut(unwatched(recorder.looks), begin, end - 0.01))
    assert [gap.t for gap in story.gaps] == [end]
    assert turns(story)[-11:] == recorder.truth[-11:]


def test_a_cut_ends_though_points_stay_hidden() -> None:
    recorder = game(6, 24, Camera())
    begin, end = recorder.t * 0.3, recorder.t * 0.7
    last = recorder.truth[-1][2]
    hidden = [place for place in range(24) if last[place]][:2]
    unseen = dict.fromkeys(hidden, UNSEEN)
    looks = [reread(x, unseen) if x.t > begin else x for x in cut(recorder.looks, begin, end)]
    story = told(looks)
    assert [gap.resumed for gap in story.gaps] == [True]
    assert len(story.turns) - story.gaps[0].turn >= 6
    wrong = {n for n, turn in enumerate(turns(story)) if turn not in recorder.truth}
    assert all(story.turns[n].confidence < 0.95 for n in wrong)


def doubtful(looks: Looks, since: float, until: float, doubt: float) -> Looks:
    """Looks between two of which one of light's checkers may lie on the next place that light holds, while
    nothing moves there; `doubt`: how likely that is.
    """
    first = next(x.look for x in looks if isinstance(x, Seen) and x.look.t >= since and not x.look.hand)
    a, b = [place for place, seen in enumerate(first.points) if seen.best > 0][-2:]

    def seen(given: Seen | Still) -> Seen | Still:
        if isinstance(given, Still) or not since <= given.t < until or given.look.hand:
            return given
        counts = ((place, first.points[place].best, by) for place, by in ((a, -1), (b, 1)))
        return reread(given, {
            place: belief([(count, 1 - doubt), (count + by, doubt)])
            for place, count, by in counts
            if given.look.points[place].best == count
        })  # fmt: skip

    return [seen(look) for look in looks]


def test_no_turn_after_a_cut_is_surer_than_the_table_that_it_began_from() -> None:
    recorder = game(6, 24, Camera())
    begin, end = recorder.t * 0.5, recorder.t * 0.9
    looks = cut(recorder.looks, begin, end)
    clear, story = told(looks), told(doubtful(looks, end, recorder.t, 0.45))
    gap = story.gaps[0].turn
    assert turns(story)[:gap] == turns(clear)[:gap]
    assert all(t.confidence > 0.9 for t in story.turns[:gap])
    assert all(t.confidence < 0.9 for t in story.turns[gap:])
    assert any(t.confidence > 0.9 for t in clear.turns[gap:])


def test_after_a_cut_the_game_goes_on_from_any_table_that_was_seen_then() -> None:
    recorder = game(6, 24, Camera())
    begin, end = recorder.t * 0.3, recorder.t * 0.7
    looks = cut(recorder.looks, begin, end)
    misread = told(doubtful(looks, end, end + 3.5, 0.7))
    assert turns(misread) == turns(told(looks))
    assert len(misread.gaps) == 1


def test_checkers_borne_off_in_a_cut_are_not_looked_for() -> None:
    race = Position((0, 4, 4, 4, 1, 1, 1, *[0] * 12, -1, -1, -1, -4, -4, -4, 0))
    recorder = game(21, 14, Camera(), race)
    start = table_of(Layout(), BACKGAMMON, LIGHT, race)
    looks = cut(recorder.looks, recorder.t * 0.2, recorder.t * 0.6)
    story = look_back(looks, Setup(start=start, side=LIGHT), Layout())
    assert len(story.gaps) == 1
    assert story.turns[-1].event.after == recorder.truth[-1][2]


def test_of_dice_that_are_unsure_every_face_is_thought_of() -> None:
    vote = (0.5, 0.1, 0.1, 0.1, 0.1, 0.1)
    rolls = dict(Throw(((0.1, 0.5), (0.2, 0.5)), (vote, vote), 0.0, 1.0, 4).rolls(2))
    assert len(rolls) == 21
    assert sum(rolls.values()) == pytest.approx(1.0)


def test_dice_that_no_table_tells_from_others_stay_in_doubt() -> None:
    dice = tuple(replace(die, p=0.9) for die in dice_at((2, 2)))
    eight, dark = went("13/5", START), dice_at((6, 6), DARK)
    first = told(
        [
            *sights(0.0, 1.0, START), *sights(2.0, 1.0, START, dice), *sights(4.0, 1.0, eight, dice),
            *sights(6.0, 1.0, eight), *sights(8.0, 1.0, eight, dark),
        ]
    ).turns[0]  # fmt: skip
    assert first.event.roll == (2, 2)
    assert 0.8 < first.confidence < 0.99
    assert first.others == ("6-2: 13/5",)


def test_a_misread_die_is_thought_of_where_counts_are_misread_too() -> None:
    recorder = game(2000, 16, HARD[0])
    assert turns(told(recorder.looks)) == recorder.truth


def test_a_game_given_up_early_is_followed_by_the_next() -> None:
    first, second = game(7, 6, Camera()), game(8, 6, Camera())
    story = told([*first.looks, *(later(look, first.t + 5) for look in second.looks)])
    assert turns(story) == first.truth + second.truth
    assert story.games == (0, 6)


def test_checkers_set_up_anew_are_a_new_game_and_no_gap_though_a_point_is_hidden() -> None:
    first, second = game(7, 6, Camera()), game(8, 6, Camera())
    pile = max(range(24), key=lambda place: START[place])
    hand = Seen(look(first.t + 2.5, START, None, hand=True))
    resting = [*sights(first.t + 1, 1.4, START), hand, *sights(first.t + 3, 2.0, START)]
    setting_up = [reread(x, {pile: UNSEEN}) for x in resting]
    # the last throw was not played any more
    throws = [x.t for x in first.looks if isinstance(x, Seen) and x.look.dice]
    last = max(t for t, before in zip(throws[1:], throws, strict=False) if t - before > 2)
    begun = cut(first.looks, last + 0.5, first.t + 1)
    story = told([*begun, *setting_up, *(later(look, first.t + 6) for look in second.looks)])
    assert [t for t in turns(story) if t in second.truth] == second.truth
    assert (len(story.games), story.gaps) == (2, ())


@pytest.mark.parametrize("place", [place for place in range(24) if START[place]])
def test_a_new_game_is_known_though_a_point_stays_hidden_until_a_play_was_made(place: int) -> None:
    first, second = game(7, 6, Camera()), game(8, 6, Camera())
    throws = [x.t for x in second.looks if isinstance(x, Seen) and x.look.dice]
    next_throw = min(t for t, before in zip(throws[1:], throws, strict=False) if t - before > 2)
    begun = [reread(x, {place: UNSEEN}) if x.t < next_throw else x for x in second.looks]
    story = told([*first.looks, *(later(look, first.t + 5) for look in begun)])
    assert turns(story) == first.truth + second.truth
    assert (story.games, story.gaps) == ((0, 6), ())


def misread_from(looks: Looks, since: float) -> Looks:
    """Looks in which the first die of a throw is read as another from a time on."""

    def read(seen: Seen | Still) -> Seen | Still:
        if isinstance(seen, Still) or seen.t < since or not seen.look.dice:
            return seen
        first, *others = seen.look.dice
        wrong = replace(first, value=first.value % 6 + 1, p=0.97)
        return Seen(replace(seen.look, dice=(wrong, *others)))

    return [read(look) for look in looks]


@pytest.mark.parametrize("seed", [7, 10])
def test_the_last_play_before_the_next_game_is_told_though_its_dice_were_misread(seed: int) -> None:
    first, second = game(seed, 6, Camera()), game(8, 6, Camera())
    throws = [x.t for x in first.looks if isinstance(x, Seen) and x.look.dice]
    last = max(t for t, before in zip(throws[1:], throws, strict=False) if t - before > 2)
    looks = misread_from(first.looks, last)
    story = told([*looks, *(later(look, first.t + 5) for look in second.looks)])
    assert [t[2] for t in turns(story)] == [t[2] for t in first.truth + second.truth]


def test_what_a_person_fixes_stays_and_the_rest_follows() -> None:
    recorder = game(9, 8, Camera())
    before = told(recorder.looks)
    other = before.turns[3].event.roll
    story = told(recorder.looks, {3: Fix(dice=other, play=before.turns[3].text)})
    assert turns(story) == recorder.truth
    assert story.turns[3].event.how == "typed"
    assert story.turns[4].event.how == "seen"


def misread_at(looks: Looks, since: float, *places: tuple[int, int]) -> Looks:
    """Looks in which places are rather read as other counts from a time on."""

    def read(seen: Seen | Still) -> Seen | Still:
        if isinstance(seen, Still) or seen.t < since:
            return seen
        points = seen.look.points
        return reread(seen, {k: belief([(count, 0.9), (points[k].best, 0.1)]) for k, count in places})

    return [read(look) for look in looks]


def ending_with(table: tuple[int, ...], dice: tuple[Die, ...]) -> Looks:
    """A throw of 3-1, the table as it lies afterwards, and the dice lifted: the end."""
    return [
        *sights(0.0, 1.0, START), *sights(2.0, 1.0, START, dice), *sights(4.0, 0.4, table, dice),
        *sights(5.0, 0.4, table),
    ]  # fmt: skip


def test_a_last_play_of_which_a_place_is_misread_is_told_in_doubt() -> None:
    after = went("8/5 6/5", START)
    # the second checker of the point that was made is read as one of the pile that it came from
    pile, made = (next(p for p in range(24) if (START[p], after[p]) == x) for x in ((5, 4), (0, 2)))
    looks = misread_at(ending_with(after, dice_at((3, 1))), 4.0, (pile, 5), (made, 1))
    (turn,) = told(looks).turns
    assert turn.event.after == after
    assert turn.confidence < 0.8


def test_a_last_play_that_is_not_understood_is_said() -> None:
    elsewhere = moved(START, (0, -1), (3, 1), (5, 1), (6, -1), (11, -1), (14, 1))
    story = told(ending_with(elsewhere, dice_at((3, 1))))
    assert not story.turns
    (end,) = story.gaps
    assert (end.turn, end.t, end.resumed) == (0, 4.0, False)
    assert {d.place for d in end.difference} == {0, 3, 5, 6, 11, 14}


def test_an_end_in_the_middle_of_a_play_is_no_play_and_no_gap() -> None:
    dice, half = dice_at((3, 1)), went("8/5", START)
    begun = [*sights(0.0, 1.0, START), *sights(2.0, 1.0, START, dice)]
    for end in ([], sights(4.0, 1.0, half, dice)):
        story = told([*begun, *end])
        assert (story.turns, story.gaps) == ((), ())


def test_the_story_of_nothing_is_empty() -> None:
    assert told([]).turns == ()


def test_stubborn_misreadings_make_no_wrong_play_sure() -> None:
    plays = [play for told in drawn(range(1000, 1004), 8) for play in told]
    assert sum(play.right for play in plays) >= 0.95 * 4 * 8
    assert all(play.right for play in plays if play.confidence >= 0.95)


@pytest.mark.parametrize("seed", [44, 48])
def test_a_face_that_is_taken_for_another_all_game_is_learnt(seed: int) -> None:
    recorder = game(seed, 12, Camera(confused=1.0))
    story = told(recorder.looks)
    assert turns(story) == recorder.truth
    assert min(t.confidence for t in story.turns) > 0.7


def read_as(*faces: int) -> Throw:
    votes = tuple(tuple(0.95 if face == k else 0.01 for k in range(1, 7)) for face in faces)
    return Throw(((0.1, 0.5), (0.2, 0.5)), votes, 0.0, 1.0, 4)


def test_what_is_learnt_of_dice_is_learnt_of_one_side_and_of_what_differs() -> None:
    wrong = [(1.0, DARK, (6, 2), read_as(4, 6)), (1.0, DARK, (5, 2), read_as(5, 4))]
    right = [(1.0, LIGHT, (5, 2), read_as(5, 2)), (1.0, LIGHT, (6, 2), read_as(2, 6))]
    learning = Learning()
    learning.take(wrong)
    learning.take(right)
    light, dark = learning.faces
    assert not stubborn(light)
    assert stubborn(dark)
    assert dark[1][3] > 0.4
    assert dark[4][4] > 0.9
    assert all(sum(row) == pytest.approx(1) for row in (*light, *dark))
    likeliest, second, *_ = read_as(4, 6).rolls(2, dark)
    assert (likeliest[0], second[0]) == ((6, 4), (6, 2))
    assert second[1] > 0.2


def corrected(first: str, then: str, *sure: float) -> Story:
    """What is told of a 3-2 that was played in one way, and then in another; so sure were the dice."""
    dice = tuple(replace(die, p=p) for die, p in zip(dice_at((3, 2)), sure, strict=True))
    wrong, right = went(first, START), went(then, START)
    dark = dice_at((6, 6), DARK)
    return told(
        [
            *sights(0.0, 1.0, START), *sights(2.0, 1.0, START, dice), *sights(4.0, 2.0, wrong, dice),
            *sights(7.0, 1.0, right, dice), *sights(9.0, 1.0, right), *sights(11.0, 1.0, right, dark),
        ]
    )  # fmt: skip


def test_what_was_played_in_the_end_tells_the_dice_of_an_illegal_play() -> None:
    story = corrected("8/5 6/5", "24/21 13/11", 0.98, 0.8)
    assert [t.event.roll for t in story.turns] == [(3, 2)]
    assert [(x.turn, "3-2" in x.reason) for x in story.illegal] == [(0, True)]


def test_nobody_is_accused_while_other_dice_explain_both() -> None:
    story = corrected("24/23 13/9", "13/8", 0.5, 0.5)
    assert [t.event.after for t in story.turns] == [went("13/8", START)]
    assert not story.illegal


def test_a_fix_gives_what_judging_all_anew_gives() -> None:
    turn, recorder = 20, game(12, 40, Camera(stubborn=0.03, half_way=0.3))
    judged = Hindsight(recorder.looks, Setup(), Layout())
    before = judged.story()
    other = next(roll for roll in ((1, 1), (6, 5)) if roll != recorder.truth[turn][1])
    fixes = {turn: Fix(dice=other)}
    fixed = judged.story(fixes)
    assert fixed.turns[turn].event.roll == other
    assert_alike(fixed, from_the_beginning(recorder.looks, fixes))
    assert_alike(judged.story(), before)


def from_the_beginning(looks: Looks, fixes: dict[int, Fix]) -> Story:
    """A story in which nothing is left of one without the fixes: all turns were fixed before."""
    judged = Hindsight(looks, Setup(), Layout())
    judged.story({turn: Fix(dice=(5, 5)) for turn in range(40)})
    return judged.story(fixes)


def assert_alike(one: Story, other: Story) -> None:
    """The same happened, about as surely."""
    assert turns(one) == turns(other)
    assert [t.event.how for t in one.turns] == [t.event.how for t in other.turns]
    sure, also = ([t.confidence for t in story.turns] for story in (one, other))
    assert sure == pytest.approx(also, abs=0.002)


def test_a_blot_that_is_read_wrongly_all_the_time_is_paid_for_once() -> None:
    seen = look(0.0, START)
    points = (*seen.points[:23], belief([(-1, 0.95), (START[23], 0.05)]))
    seen = replace(seen, points=points)
    view = view_of(Scene(0.0, 1.0, add(add(Evidence(), seen), seen), -1), (15, 15), (0, 0))
    first = Sight(view, Paid(START))
    again = Sight(view, first.after(START))
    elsewhere = Sight(view, first.after(moved(START, (23, 1), (22, -1))))
    assert first.fit(START) < again.fit(START) - 2
    assert elsewhere.fit(START) == pytest.approx(first.fit(START))
    assert again.evidence.log_p(23, START[23]) > view.scene.evidence.log_p(23, START[23]) + 2
