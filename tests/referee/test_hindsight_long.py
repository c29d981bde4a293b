"""Recordings of any length: what is settled is written down and forgotten."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence

import pytest

from engine.rules import BACKGAMMON
from referee.events import Seen, Setup, Still
from referee.hindsight import Fix, Hindsight, Story, first_telling
from referee.hindsight_scenes import Scene
from referee.hindsight_telling import AGO, EVERY, LONGEST, PATIENCE
from referee.layout import DARK, Layout
from referee.observation import belief
from tests.referee.recorded import Camera, Looks, game, later, reread
from tests.referee.tables import dice_at, look, moved, shown, sights, went

#: Nothing is missed, each sight is one look: as many scenes as possible for their price.
CAMERA = Camera(looks=1)
TURNS, GAMES = 12, 5


class Evening:
    """Games, each given up after some turns, as looks that are made anew whenever they are gone through."""

    def __init__(self) -> None:
        self.truth: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
        self.gone_through = 0
        #: scenes in memory after each game
        self.scenes: list[int] = []

    def __iter__(self) -> Iterator[Seen | Still]:
        self.truth, t = [], 0.0
        for number in range(GAMES):
            recorder = game(number % 2, TURNS, CAMERA)
            self.truth += recorder.truth
            for given in recorder.looks:
                self.gone_through += 1
                yield later(given, t)
            t += recorder.t + 5
            self.scenes.append(scenes_in_memory())


def scenes_in_memory() -> int:
    return sum(isinstance(thing, Scene) for thing in gc.get_objects())


def turns(story: Story) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    return [(t.event.side, t.event.roll, t.event.after) for t in story.turns]


def test_a_long_recording_is_told_piece_by_piece_and_again_only_where_a_fix_changes_it() -> None:
    evening = Evening()
    judged = Hindsight(evening, Setup(), Layout())
    before, all_looks = judged.story(), evening.gone_through
    assert turns(before) == evening.truth
    assert before.games == tuple(range(0, TURNS * GAMES, TURNS))
    # each turn has three scenes here: much longer than what is held
    assert max(evening.scenes) <= 2 * AGO + EVERY < 3 * TURNS * GAMES

    told = before.turns[1]
    fixed = judged.story({1: Fix(dice=told.event.roll, play=told.text)})
    assert fixed.turns[1].event.how == "typed"
    assert turns(fixed) == turns(before)
    assert evening.gone_through - all_looks < 0.9 * all_looks
    assert judged.story() == before


class Counted:
    """Looks that count how many of them were gone through."""

    def __init__(self, looks: Looks) -> None:
        self.looks, self.gone_through = looks, 0

    def __iter__(self) -> Iterator[Seen | Still]:
        for given in self.looks:
            self.gone_through += 1
            yield given


def test_a_fix_that_takes_turns_away_is_judged_where_it_is_and_the_rest_is_renumbered() -> None:
    evening = Evening()
    # from the throw of turn 3 to the table after turn 5 nothing is seen
    looks, truth = Counted([given for given in evening if not 12.5 < given.t < 20.3]), evening.truth
    judged, late = Hindsight(looks, Setup(), Layout()), Fix(dice=truth[57][1])
    before, known = judged.story({57: late}), looks.gone_through
    assert turns(before) == truth
    assert before.turns[57].event.how == "typed"
    # a person says that it was one turn
    merged = Fix(after=truth[5][2])
    fixed = judged.story({3: merged, 57: late})
    assert looks.gone_through - known < 0.9 * len(looks.looks)
    assert turns(fixed)[4:] == truth[6:]
    assert [told.event.turn for told in fixed.turns] == list(range(TURNS * GAMES - 2))
    assert fixed.games == (0, *(first - 2 for first in before.games[1:]))
    assert [n for n, told in enumerate(fixed.turns) if told.event.how == "typed"] == [3, 55]
    known = looks.gone_through
    assert judged.story({3: merged, 55: late}) == fixed
    assert looks.gone_through == known


def either(looks: Sequence[Seen], one: tuple[int, ...], other: tuple[int, ...]) -> Looks:
    """Looks at a table that differs as two tables do, and may just as well be the one as the other."""
    differ = [place for place in range(24) if one[place] != other[place]]
    read = {place: belief([(one[place], 0.5), (other[place], 0.5)]) for place in differ}
    return [reread(seen, read) for seen in looks]


def doubtful(scenes: int, one: tuple[int, ...], other: tuple[int, ...]) -> Looks:
    """A first play that nothing ever tells from another one, so many scenes in which it lies there, dark's
    play, and the next game.
    """
    start, throw, dark = shown(BACKGAMMON.start), dice_at((2, 1)), dice_at((5, 1), DARK)
    looks: Looks = [*sights(0.0, 1.0, start), *sights(2.0, 1.0, start, throw)]
    for t in range(4, 4 + scenes):
        looks += [*either(sights(t, 0.2, one), one, other), Seen(look(t + 0.5, one, None, hand=True))]
    then, answer = 4.0 + scenes, moved(one, (12, 1), (4, -1), (6, 1), (7, -1))
    for since, table, dice in ((0, one, dark), (2, answer, dark), (4, answer, ())):
        looks += either(sights(then + since, 1.0, table, dice), one, other)
    again = ((6, start, ()), (8, start, throw), (10, one, throw), (12, one, ()), (14, one, dark))
    return [
        *looks,
        *(seen for since, table, dice in again for seen in sights(then + since, 1.0, table, dice)),
    ]


def test_what_is_never_settled_is_cut_in_the_end_and_its_game_stays_in_doubt() -> None:
    start = shown(BACKGAMMON.start)
    one, other = went("13/11 6/5", start), went("13/11 24/23", start)
    looks = doubtful(LONGEST + PATIENCE + 2 * EVERY, one, other)
    telling, most = first_telling(Setup(), Layout()), 0
    for number, given in enumerate(looks):
        telling.take(given)
        most = max(most, scenes_in_memory() if number % 100 == 0 else 0)
    assert most <= LONGEST + PATIENCE + 4
    story = Hindsight(looks, Setup(), Layout(), telling).story()
    first, answer, again = story.turns
    assert first.confidence == pytest.approx(0.5, abs=0.05)
    assert first.event.after in (one, other)
    assert first.others
    assert answer.event.roll == (5, 1)
    assert answer.confidence <= first.confidence
    assert story.games == (0, 2)
    assert again.confidence > 0.95
