"""Recordings of any length: what is settled is written down and forgotten."""

from __future__ import annotations

import gc
from collections.abc import Iterator

from referee.events import Seen, Setup, Still
from referee.hindsight import Fix, Hindsight, Story
from referee.hindsight_scenes import Scene
from referee.hindsight_telling import AGO, EVERY
from referee.layout import Layout
from tests.referee.recorded import Camera, game, later

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
            for look in recorder.looks:
                self.gone_through += 1
                yield later(look, t)
            t += recorder.t + 5
            self.scenes.append(sum(isinstance(thing, Scene) for thing in gc.get_objects()))


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
