"""Recorded matches: looks that were cached once, and what is inferred from them as often as wanted.

>>> from pathlib import Path
>>> def again(looks: Path) -> int:
...     recording = Recording.load(looks)
...     fixed = infer(recording, {3: Fix(dice=(6, 1), play="13/7 8/7")})
...     return len(fixed.turns)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from engine.plays import result_of
from engine.position import pip_count
from engine.record import Act, Game, Match, Turn
from engine.rules import Ruleset, ruleset
from kibitz.looks import Done, Head, Item, Looks, Recording
from kibitz.record import (
    GapLine,
    IllegalLine,
    Transcript,
    TurnLine,
    gap_line,
    illegal_line,
    moment,
    rounded_time,
)
from kibitz.restless import restless
from referee.events import Seen, Setup, Still
from referee.hindsight import Fix, Hindsight, Story, Telling, Told, first_telling
from referee.hindsight_cube import CubeAct, Glance, Stretch, acts_of, steady
from referee.hindsight_prints import without_prints
from referee.layout import LAYOUTS, LIGHT, Layout, position_of, table_of
from referee.observation import POINTS

__all__ = [
    "Done",
    "Fix",
    "GameLine",
    "Head",
    "Inference",
    "Inferred",
    "Recording",
    "infer",
    "match_of",
    "transcript_of",
]

#: Looks from which the board's layout is told at first, and by how much (natural log) one must lead; with a
#: smaller lead than the last number at the end it is in doubt.
FIRST, LEADS, TOLD = 40, 20.0, 12.0
#: What a transcript says where the plays do not tell which way the board lies, and where hardly anything lay
#: still: a fast time lapse, most likely.
DIRECTION, LAPSE = "direction", "lapse"


class PlayLine(TurnLine, frozen=True):
    """A turn with how its dice are known (`seen`, `inferred`, `typed`) and the number of its game."""

    how: str = "seen"
    game: int = 0


class GameLine(msgspec.Struct, frozen=True):
    """One game of a recording: its turns are `first` up to, without it, `until`. `winner` None: unfinished.

    `how` tells by what it ended: `played`, or `given_up`: the checkers were set up again before the end, and
    the side that was ahead in pips is taken for the winner. `score` is the match's before it.
    """

    first: int
    until: int
    winner: int | None
    points: int
    name: str
    how: str
    score: tuple[int, int]


class Inferred(msgspec.Struct, frozen=True):
    """What was inferred: `turns` number through all games, `acts` are the cube's; `result` is the last
    finished game's. `other_layouts`: the plays do not tell well that the board does not lie so; `restless`:
    hardly anything lay still, so that little was read.
    """

    turns: tuple[PlayLine, ...]
    illegal: tuple[IllegalLine, ...]
    gaps: tuple[GapLine, ...]
    games: tuple[GameLine, ...]
    acts: tuple[CubeAct, ...]
    result: dict[str, Any] | None
    layout: Layout
    story: Story
    other_layouts: tuple[Layout, ...] = ()
    restless: bool = False

    @property
    def doubts(self) -> tuple[str, ...]:
        """Those about the whole of it."""
        told = {DIRECTION: bool(self.other_layouts), LAPSE: self.restless}
        return tuple(doubt for doubt, holds in told.items() if holds)


class Inference:
    """A recording from which a record is inferred, again as more is known of single turns.

    `setup` replaces the recording's own: other rules, names, or a start that is known by now.
    """

    def __init__(
        self, recording: Recording, setup: Setup | None = None, first: Telling | None = None
    ) -> None:
        """Judge the looks, in seconds; `first` has heard all of them.

        Raises:
            RulesError: an unknown ruleset.
        """
        setup = setup or recording.head.setup
        self._rules = ruleset(setup.rules)
        looks = without_prints(recording.looks, self._rules.dice)
        layout = setup.layout or layout_of(recording.head, self._rules)
        if layout is None:
            self._judged = played(looks, setup)
        else:
            heard = first if isinstance(looks, Looks) else None
            self._judged = Directed(Hindsight(looks, setup, layout, heard))
        cubes = steady(Glance(look.t, look.value, look.where) for look in recording.cubes)
        self._cubes = cubes if self._rules.doubling_cube else []
        self._restless = restless(recording)

    def infer(self, fixes: Mapping[int, Fix] = MappingProxyType({})) -> Inferred:
        """The likeliest record. `fixes` says how single turns were, by their number in `turns`: what comes
        after them is inferred again.
        """
        judged = self._judged
        story = judged.story(fixes)
        games, acts = _games(story, self._rules, self._cubes)
        over = [game for game in games if game.winner is not None]
        result = (
            {"winner": over[-1].winner, "points": over[-1].points, "name": over[-1].name} if over else None
        )
        return Inferred(
            tuple(_turn_line(told) for told in story.turns),
            tuple(map(illegal_line, story.illegal)),
            tuple(gap_line(gap, resumed=gap.resumed) for gap in story.gaps),
            games, acts, result, story.layout, story, judged.others, self._restless,
        )  # fmt: skip


class Ahead:
    """A record that is inferred while its pictures are still read, where it is known which way the board
    lies: where dice turn out to be prints, all is judged anew in the end.
    """

    def __init__(self) -> None:
        self._telling: Telling | None = None

    def hear(self, item: Head | Item) -> None:
        """The head of the recording, then its items."""
        if isinstance(item, Head):
            layout = item.setup.layout or layout_of(item, ruleset(item.setup.rules))
            self._telling = None if layout is None else first_telling(item.setup, layout)
        elif self._telling is not None and isinstance(item, Seen | Still):
            self._telling.take(item)

    def inference(self, recording: Recording) -> Inference:
        """All of the recording whose items were heard."""
        return Inference(recording, first=self._telling)


def infer(
    recording: Recording, fixes: Mapping[int, Fix] = MappingProxyType({}), setup: Setup | None = None
) -> Inferred:
    """The likeliest record of what was seen: `Inference`, once.

    Raises:
        RulesError: an unknown ruleset.
    """
    return Inference(recording, setup).infer(fixes)


def layout_of(head: Head, rules: Ruleset) -> Layout | None:
    """Which way round the board lies, from the start position that it was learned from; None: the plays must
    tell.
    """
    for layout in LAYOUTS:
        if table_of(layout, rules, LIGHT, rules.start)[:POINTS] == head.table:
            return layout
    return None


class Directed(NamedTuple):
    """A recording judged for one way in which the board may lie; `share` says how likely it lies so, `others`
    are ways that explain it about as well.
    """

    hindsight: Hindsight
    share: float = 1.0
    others: tuple[Layout, ...] = ()

    def story(self, fixes: Mapping[int, Fix]) -> Story:
        """What happened; no turn is surer than the way the board lies."""
        told = self.hindsight.story(fixes)
        if not self.others:
            return told
        turns = (replace(turn, confidence=round(turn.confidence * self.share, 4)) for turn in told.turns)
        return replace(told, turns=tuple(turns))


def played(looks: Iterable[Seen | Still], setup: Setup) -> Directed:
    """Which way round the board lies, told by the first plays: as many of them as it takes."""
    first, left, every = FIRST, LAYOUTS, sum(1 for _ in looks)
    while True:
        begin = tuple(islice(looks, first))
        found = {layout: Hindsight(begin, setup, layout) for layout in left}
        best = max(left, key=lambda layout: found[layout].score)
        behind = {layout: found[best].score - judged.score for layout, judged in found.items()}
        left = tuple(layout for layout in left if behind[layout] < LEADS)
        if first >= every:
            share = 1 / sum(math.exp(-by) for by in behind.values())
            others = tuple(layout for layout in left if layout != best and behind[layout] < TOLD)
            return Directed(found[best], share, others)
        if len(left) == 1:
            return Directed(Hindsight(looks, setup, best))
        first *= 2


def _turn_line(told: Told) -> PlayLine:
    e = told.event
    return PlayLine(
        e.side, e.roll, told.text, e.after[:POINTS], (e.after[24], -e.after[25]), told.confidence,
        (rounded_time(told.t[0]), rounded_time(told.t[1])), told.others, e.kind == "stood", e.how, e.game,
    )  # fmt: skip


def _games(
    story: Story, rules: Ruleset, cubes: Sequence[Glance]
) -> tuple[tuple[GameLine, ...], tuple[CubeAct, ...]]:
    """How the games ended, and what was done with the cube."""
    ends = (*story.games[1:], len(story.turns))
    score, found, acts = (0, 0), list[GameLine](), list[CubeAct]()
    for first, until in zip(story.games, ends, strict=True):
        resumed = until < len(story.turns) or bool(story.left and story.left.over)
        line = _game(story, rules, first, until, score, resumed=resumed)
        made = acts_of(cubes, _stretch(story, line), story.layout)
        line = _with_cube(line, made)
        acts += made
        found.append(line)
        if line.winner is not None:
            score = (score[0] + line.points * (line.winner == 0), score[1] + line.points * (line.winner == 1))
    return tuple(found), tuple(acts)


def _stretch(story: Story, game: GameLine) -> Stretch:
    turns = [(n, story.turns[n].event.side, story.turns[n].t[0]) for n in range(game.first, game.until)]
    since = story.turns[game.first - 1].t[1] if game.first else 0.0
    until = story.turns[game.until].t[0] if game.until < len(story.turns) else math.inf
    return Stretch(turns, game.how == "played", since, until)


def _with_cube(game: GameLine, acts: Sequence[CubeAct]) -> GameLine:
    """The game's worth with the cube; a dropped double ends it."""
    if acts and acts[-1].act == "drop":
        return replace(game, winner=1 - acts[-1].side, points=acts[-1].value, name="dropped", how="dropped")
    stake = max((a.value for a in acts if a.act == "take"), default=1)
    return replace(game, points=game.points * stake)


def _game(
    story: Story, rules: Ruleset, first: int, until: int, score: tuple[int, int], *, resumed: bool
) -> GameLine:
    """How one game ended; `resumed`: another one followed, or nothing more could be played."""
    turns = story.turns[first:until]
    open_ = GameLine(first, until, None, 0, "", "", score)
    if not turns:
        return open_
    event = turns[-1].event
    result = position_of(story.layout, rules, event.side, event.after)
    ended = result_of(result, rules, 0)
    if ended is not None and ended.winner is not None:
        winner = (event.side, 1 - event.side)[ended.winner]
        return replace(open_, winner=winner, points=ended.points, name=ended.name, how="played")
    if not resumed:
        return open_
    mine, theirs = pip_count(result, rules)
    ahead = event.side if mine <= theirs else 1 - event.side
    return replace(open_, winner=ahead, points=1, name="resigned", how="given_up")


def transcript_of(inferred: Inferred, source: str, rules: str) -> Transcript:
    """The transcript that `--json` writes."""
    i = inferred
    return Transcript(source, rules, i.turns, i.illegal, i.gaps, i.result, i.doubts)


def match_of(inferred: Inferred, setup: Setup) -> Match:
    """The record of the match, for every codec."""
    rules, story = ruleset(setup.rules), inferred.story
    crawford = crawford_games(inferred.games, setup.length)
    games = tuple(
        Game(
            _turns(inferred, rules, g), g.score, g.winner, g.points, _begin(story, rules, g),
            crawford=g.first in crawford,
        )
        for g in inferred.games
    )  # fmt: skip
    return Match(setup.names, setup.length, rules.name, games)


def crawford_games(games: Sequence[GameLine], length: int) -> tuple[int, ...]:
    """The first turn of the game without the cube: the first in which somebody stands one point short."""
    short = [g.first for g in games if length > 1 and max(g.score) == length - 1]
    return tuple(short[:1])


def _turns(inferred: Inferred, rules: Ruleset, game: GameLine) -> tuple[Turn, ...]:
    """The turns of a game with the cube's acts before them and, where it was given up, that at the end."""
    last = game is inferred.games[-1]
    acts = [
        a
        for a in inferred.acts
        if game.first <= a.turn < game.until or (a.turn == game.until and a.act != "take")
    ]
    lines = [(a.turn, 0, Turn(a.side, act=Act(a.act), value=a.value, t=moment(a.t))) for a in acts]
    told = inferred.story.turns[game.first : game.until]
    lines += [(t.event.turn, 1, _turn(t, rules, inferred.layout)) for t in told]
    turns = [turn for _, _, turn in sorted(lines, key=lambda line: line[:2])]
    if game.how == "given_up" and game.winner is not None and not last:
        turns.append(Turn(1 - game.winner, act=Act.RESIGN, value=game.points))
    return tuple(turns)


def _begin(story: Story, rules: Ruleset, game: GameLine) -> Any:
    position = position_of(story.layout, rules, LIGHT, story.start)
    return position if game.first == 0 and position != rules.start else None


def _turn(told: Told, rules: Ruleset, layout: Layout) -> Turn:
    e = told.event
    t = (rounded_time(told.t[0]), rounded_time(told.t[1]))
    if e.play is not None:
        return Turn(e.side, e.roll, e.play.hops, t=t, confidence=told.confidence)
    after = position_of(layout, rules, e.side, e.after)
    return Turn(e.side, e.roll, None, stood_illegal=True, after=after, t=t, confidence=told.confidence)
