"""Matches to be filmed: what happens at the table, and pictures of it, for measuring the recorder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import pi, sin
from random import Random

from engine.plays import Play, legal_plays, result_of
from engine.position import Position, pip_count, turned
from engine.rules import BACKGAMMON
from referee.layout import LIGHT, table_of
from tests.accuracy.filmed_looks import Room, room_of, wild_room_of
from vision.film import Director, Shot, Turn, between
from vision.geometry import Image
from vision.staged import tables_of
from vision.synth import Camera, Painter, Scene, Thing

FPS, PACE = 8.0, 1.6

#: The recordings on boards by chance.
WILD = frozenset({101, 103, 105, 111, 113, 121, 133, 134, 141, 142})

Table = tuple[int, ...]


@dataclass(frozen=True)
class Spec:
    """One recording: how many games of how many turns, and what makes it hard. `wild`: a board by chance."""

    seed: int
    turns: int = 12
    games: int = 1
    jump: bool = False
    cut: bool = False
    midgame: bool = False
    cube: str = ""
    wild: bool = False

    @property
    def room(self) -> Room:
        """Where it is filmed."""
        return wild_room_of(self.seed) if self.wild else room_of(self.seed)


@dataclass
class Truth:
    """What really happened: (side, roll, 28 counts after) of the turns on film, each game's winner and points
    (None: unfinished), what was done with the cube by whom, how many turns were cut out, and the table at
    the beginning.
    """

    start: Table = ()
    turns: list[tuple[int, tuple[int, ...], Table]] = field(default_factory=list)
    results: list[tuple[int, int] | None] = field(default_factory=list)
    acts: list[tuple[int, str]] = field(default_factory=list)
    cut: int = 0
    seconds: float = 0.0


def recordings() -> list[Spec]:
    """The twenty of the target: two jumps, two cuts, two from mid-game, five with the cube, three matches;
    half of them on boards by chance.
    """
    plain = [Spec(100 + n) for n in range(6)]
    hard = [Spec(110, jump=True), Spec(111, jump=True), Spec(112, 24, cut=True), Spec(113, 24, cut=True)]
    mid = [Spec(120, midgame=True), Spec(121, midgame=True)]
    cube = [Spec(130 + n, 10, cube="take" if n % 2 else "drop", games=2) for n in range(5)]
    every = [*plain, *hard, *mid, *cube, *(Spec(140 + n, 7, games=3) for n in range(3))]
    return [replace(spec, wild=spec.seed in WILD) for spec in every]


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
        self.rng_hand = Random(spec.seed + 1000)
        self.room = spec.room
        self.camera = self.room.camera
        self.start = self._table(LIGHT, BACKGAMMON.start)
        self.director = Director(self.room.style, spec.seed, self.room.players)
        # light's player sits at the near side unless light's home is the far row
        self.swapped = self.room.layout.light == "top"
        self.cube = self._cube(64, "middle") if spec.cube else None

    def _table(self, side: int, position: Position) -> Table:
        return table_of(self.room.layout, BACKGAMMON, side, position)

    def _sits(self, side: int) -> int:
        """0: a side's player sits at the near side of the picture."""
        return 1 - side if self.swapped else side

    def _cube(self, value: int, where: str) -> Thing:
        """The cube on the frame's left side."""
        y = {"far": 0.06, "middle": 0.5, "near": 0.94}[where] * self.room.style.height
        x, z = -self.room.style.frame_width / 2, self.room.style.frame_height
        return Thing("cube", x, y, 1.0, 0.0, (235, 240, 240), str(value), z)

    def stagings(self) -> Iterator[Staging]:
        """The whole film."""
        base, side = self._begin()
        yield from self._still(self._table(side, base), 2.0)
        for number in range(self.spec.games):
            if number:
                base, side = BACKGAMMON.start, self.rng.randint(0, 1)
                self.cube = self._cube(64, "middle") if self.spec.cube else None
                yield from self._still(self.start, 2.5)
            yield from self._game(base, side, last=number == self.spec.games - 1)

    def _begin(self) -> tuple[Position, int]:
        base, side = BACKGAMMON.start, 0
        for _ in range(14 if self.spec.midgame else 0):
            base, side = turned(self._chosen(base, self._roll()).result, BACKGAMMON), 1 - side
        self.truth.start = self._table(side, base)
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
                table = self._table(side, base)
                owner = 1 - side
                self.cube = self._cube(2, ("near", "far")[self._sits(owner)])
                self.truth.acts += [(side, "double"), (owner, self.spec.cube)]
                yield from self._still(table, 3.0)
                if self.spec.cube == "drop":
                    self.truth.results.append((side, 1))
                    return
            if self.spec.jump and number == self.spec.turns // 2:
                self.camera = replace(self.camera, shift=(0.03, -0.02), roll=1.2)
            roll = self._roll()
            out = self.spec.cut and self.spec.turns // 3 <= number < 2 * self.spec.turns // 3
            play = self._chosen(base, roll)
            hops = tables_of(base, play, self.room.layout, BACKGAMMON, side)
            before = self._table(side, base)
            for shot in self._turn(Turn(self._sits(side), roll, hops), before):
                yield Staging(shot, self.cube, self.camera, out)
            self._write(side, roll, self._table(side, play.result), out)
            if result_of(play.result, BACKGAMMON) is not None:
                break
            base, side = turned(play.result, BACKGAMMON), 1 - side
        mine, theirs = pip_count(base, BACKGAMMON)
        stake = 2 if owner is not None else 1
        self.truth.results.append(None if last else ((side if mine < theirs else 1 - side), stake))
        if last:
            yield from self._still(self._table(side, base), 1.5)

    def _turn(self, turn: Turn, before: Table) -> Iterator[Shot]:
        """A turn's shots, as slow as people are here; at times a hand comes first and does nothing."""
        if self.rng_hand.random() < self.room.dithers:
            yield self._dither(turn.side, before)
        for shot in self.director.turn(turn, before):
            yield replace(shot, seconds=shot.seconds * self.room.tempo)

    def _dither(self, side: int, table: Table) -> Shot:
        x, y = self.rng_hand.uniform(1, 11), self.room.style.height * self.rng_hand.uniform(0.2, 0.8)
        away = self.director.away(side, x)
        return Shot(
            1.4, table, lambda share: self.director.arm(side, between(away, (x, y), sin(pi * share)))
        )  # fmt: skip

    def _write(self, side: int, roll: tuple[int, int], after: Table, out: bool) -> None:
        self.truth.cut += out
        if not out:
            self.truth.turns.append((side, tuple(sorted(roll, reverse=True)), after))


def pictures(play: Staged) -> Iterator[tuple[float, Image]]:
    """(seconds, picture) in order; what was cut is not drawn."""
    room = play.room
    blank = Scene(play.start, style=room.style, light=room.light, sensor=room.sensor, seed=play.spec.seed)

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
