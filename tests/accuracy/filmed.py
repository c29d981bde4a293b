"""Matches to be filmed: what happens at the table, and pictures of it, for measuring the recorder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

import numpy as np

from engine.plays import Play, legal_plays, result_of
from engine.position import Position, pip_count, turned
from engine.rules import BACKGAMMON
from referee.layout import LIGHT, Layout, table_of
from vision.film import Director, Shot, Turn
from vision.geometry import Image
from vision.staged import tables_of
from vision.synth import Camera, Painter, Scene, Sensor, Style, Thing
from vision.synth_look import Checker, Points, Surface

LAYOUT = Layout()
START = table_of(LAYOUT, BACKGAMMON, LIGHT, BACKGAMMON.start)
FPS, PACE = 8.0, 1.6
SIZE = (960, 540)

Table = tuple[int, ...]

#: Boards of the kinds that people play on: colours, bars, shapes of points, checkers.
BOARDS = (
    Style(trays=()),
    Style(
        ground=Surface((60, 90, 150), "wood", 0.3), points=Points((40, 60, 90), (120, 170, 210)),
        light=Checker((200, 220, 235), "flat"), dark=Checker((40, 40, 150), "flat"), bar=0.8, trays=(),
    ),
    Style(
        ground=Surface((120, 60, 30), "felt", 0.2), points=Points((200, 200, 200), (160, 110, 50), "round"),
        light=Checker((225, 225, 225), "flat"), dark=Checker((60, 30, 20), "rings"), bar=1.2, trays=(),
    ),
    Style(
        ground=Surface((45, 45, 45), "felt", 0.2), points=Points((60, 60, 170), (190, 200, 210)),
        light=Checker((215, 228, 238), "rings"), dark=Checker((120, 60, 30), "flat"), height=12.4, trays=(),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Spec:
    """One recording: how many games of how many turns, and what makes it hard."""

    seed: int
    turns: int = 12
    games: int = 1
    jump: bool = False
    cut: bool = False
    midgame: bool = False
    cube: str = ""


@dataclass
class Truth:
    """What really happened: (side, roll, 28 counts after) of the turns on film, each game's winner and points
    (None: unfinished), how many turns were cut out, and the table at the beginning.
    """

    start: Table = START
    turns: list[tuple[int, tuple[int, ...], Table]] = field(default_factory=list)
    results: list[tuple[int, int] | None] = field(default_factory=list)
    cut: int = 0
    seconds: float = 0.0


def recordings() -> list[Spec]:
    """The twenty of the target: two jumps, two cuts, two from mid-game, five with the cube, three matches."""
    plain = [Spec(100 + n) for n in range(6)]
    hard = [Spec(110, jump=True), Spec(111, jump=True), Spec(112, 24, cut=True), Spec(113, 24, cut=True)]
    mid = [Spec(120, midgame=True), Spec(121, midgame=True)]
    cube = [Spec(130 + n, 10, cube="take" if n % 2 else "drop", games=2) for n in range(5)]
    return [*plain, *hard, *mid, *cube, *(Spec(140 + n, 7, games=3) for n in range(3))]


@dataclass(frozen=True)
class Staging:
    """A shot with the cube and the camera of its moment; `left_out`: it was cut from the film."""

    shot: Shot
    cube: Thing | None
    camera: Camera
    left_out: bool = False


class Staged:
    """Plays a recording's games and says, shot by shot, what there is to see."""

    def __init__(self, spec: Spec) -> None:
        self.spec, self.truth, self.rng = spec, Truth(), Random(spec.seed)
        chance = np.random.default_rng(spec.seed)
        self.style: Style = replace(BOARDS[spec.seed % len(BOARDS)], seed=spec.seed)
        self.camera = Camera(
            *SIZE, tilt=float(chance.uniform(2, 22)), azimuth=float(chance.normal(0, 5)),
            distance=float(chance.uniform(20, 32)), fill=float(chance.uniform(0.72, 0.86)),
        )  # fmt: skip
        self.director = Director(self.style, spec.seed)
        self.cube = self._cube(64, "middle") if spec.cube else None

    def _cube(self, value: int, where: str) -> Thing:
        """The cube on the frame's left side."""
        y = {"far": 0.06, "middle": 0.5, "near": 0.94}[where] * self.style.height
        x, z = -self.style.frame_width / 2, self.style.frame_height
        return Thing("cube", x, y, 1.0, 0.0, (235, 240, 240), str(value), z)

    def stagings(self) -> Iterator[Staging]:
        """The whole film."""
        base, side = self._begin()
        yield from self._still(table_of(LAYOUT, BACKGAMMON, side, base), 2.0)
        for number in range(self.spec.games):
            if number:
                base, side = BACKGAMMON.start, self.rng.randint(0, 1)
                self.cube = self._cube(64, "middle") if self.spec.cube else None
                yield from self._still(START, 2.5)
            yield from self._game(base, side, last=number == self.spec.games - 1)

    def _begin(self) -> tuple[Position, int]:
        base, side = BACKGAMMON.start, 0
        for _ in range(14 if self.spec.midgame else 0):
            base, side = turned(self._chosen(base, self._roll()).result, BACKGAMMON), 1 - side
        self.truth.start = table_of(LAYOUT, BACKGAMMON, side, base)
        return base, side

    def _roll(self) -> tuple[int, int]:
        return self.rng.randint(1, 6), self.rng.randint(1, 6)

    def _chosen(self, base: Position, roll: tuple[int, int]) -> Play:
        return self.rng.choice(legal_plays(base, roll, BACKGAMMON))

    def _still(self, table: Table, seconds: float) -> Iterator[Staging]:
        yield Staging(Shot(seconds, table), self.cube, self.camera)

    def _game(self, base: Position, side: int, *, last: bool) -> Iterator[Staging]:
        owner = None
        for number in range(self.spec.turns):
            if self.spec.cube and number == 5 and not last:
                table = table_of(LAYOUT, BACKGAMMON, side, base)
                owner = 1 - side
                self.cube = self._cube(2, "near" if owner == LIGHT else "far")
                yield from self._still(table, 3.0)
                if self.spec.cube == "drop":
                    self.truth.results.append((side, 1))
                    return
            if self.spec.jump and number == self.spec.turns // 2:
                self.camera = replace(self.camera, shift=(0.03, -0.02), roll=1.2)
            roll = self._roll()
            out = self.spec.cut and self.spec.turns // 3 <= number < 2 * self.spec.turns // 3
            play = self._chosen(base, roll)
            hops = tables_of(base, play, LAYOUT, BACKGAMMON, side)
            before = table_of(LAYOUT, BACKGAMMON, side, base)
            for shot in self.director.turn(Turn(side, roll, hops), before):
                yield Staging(shot, self.cube, self.camera, out)
            self._write(side, roll, table_of(LAYOUT, BACKGAMMON, side, play.result), out)
            if result_of(play.result, BACKGAMMON) is not None:
                break
            base, side = turned(play.result, BACKGAMMON), 1 - side
        mine, theirs = pip_count(base, BACKGAMMON)
        stake = 2 if owner is not None else 1
        self.truth.results.append(None if last else ((side if mine < theirs else 1 - side), stake))
        if last:
            yield from self._still(table_of(LAYOUT, BACKGAMMON, side, base), 1.5)

    def _write(self, side: int, roll: tuple[int, int], after: Table, out: bool) -> None:
        self.truth.cut += out
        if not out:
            self.truth.turns.append((side, tuple(sorted(roll, reverse=True)), after))


def pictures(play: Staged) -> Iterator[tuple[float, Image]]:
    """(seconds, picture) in order; what was cut is not drawn."""
    blank = Scene(START, style=play.style, sensor=Sensor(), seed=play.spec.seed)

    @lru_cache(maxsize=3)
    def painted(table: Table, camera: Camera, cube: Thing | None) -> Painter:
        things = () if cube is None else (cube,)
        painter = Painter(replace(blank, table=table, camera=camera, things=things))
        painter.paint()
        return painter

    number = 0
    for staged in play.stagings():
        if staged.left_out:
            continue
        frames = max(1, round(staged.shot.seconds * FPS / PACE))
        for k in range(frames):
            painter = painted(staged.shot.table, staged.camera, staged.cube)
            share = k / frames
            yield number / FPS, painter.again(staged.shot.dice(share), staged.shot.hand(share), number)
            number += 1
    play.truth.seconds = number / FPS
