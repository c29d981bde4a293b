"""Films of a drawn board: dice are thrown, a hand moves the checkers, the dice are lifted.

>>> turn = Turn(side=0, dice=(3, 1), hops=((0,) * 27 + (0,),))
>>> script = FilmScript(start=(1,) + (0,) * 27, turns=(turn,))
>>> t, frame = next(film(script, Style(), Camera(width=320, height=180)))
>>> t, frame.shape
(0.0, (180, 320, 3))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from vision.geometry import Image
from vision.synth import Camera, Die, Hand, Light, Painter, Scene, Sensor, Style, tray_box
from vision.synth_checker import in_tray, on_bar, on_points
from vision.synth_look import Colour, Side
from vision.synth_surface import Rng

Table = tuple[int, ...]
Spot = tuple[float, float]


@dataclass(frozen=True)
class Player:
    """An arm and a pair of dice: colours, the dice's edge length, and how far from the middle line they may
    come to rest (above `NARROW` anywhere in the half where no checker lies).
    """

    skin: Colour
    sleeve: Colour
    die: Colour
    pips: Colour
    size: float = 0.42
    spread: float = 0.7


#: Light's player and dark's.
PLAYERS = (
    Player((140, 170, 215), (120, 70, 40), (235, 240, 240), (30, 30, 30)),
    Player((95, 125, 175), (60, 50, 150), (40, 40, 170), (240, 240, 240)),
)
NARROW, TRIES = 0.7, 40


@dataclass(frozen=True)
class Turn:
    """One turn on film. `side` 0: the light checkers' player, who sits at the near side; 1: dark, far side.

    `hops` is the table (28 signed counts) after each hop. `illegal`: the hops of a play that is made first
    and then
    put back, before `hops`. No hops: a player who cannot move.
    """

    side: int
    dice: tuple[int, ...]
    hops: tuple[Table, ...]
    illegal: tuple[Table, ...] = ()


@dataclass(frozen=True)
class FilmScript:
    """The table at the start and the turns that follow."""

    start: Table
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Shot:
    """A stretch of film: how long, the table, and hand and dice as functions of the share 0 … 1 that has
    passed.
    """

    seconds: float
    table: Table
    hand: Callable[[float], Hand | None] = lambda _: None
    dice: Callable[[float], tuple[Die, ...]] = lambda _: ()


def moves(before: Table, after: Table) -> list[tuple[int, int, int]]:
    """What went where between two tables: (owner, from, to); a hit checker leaves first."""
    out = []
    for owner in (1, -1):
        had = [max(0, owner * v) for v in before]
        has = [max(0, owner * v) for v in after]
        gone = [i for i in range(28) for _ in range(had[i] - has[i])]
        come = [i for i in range(28) for _ in range(has[i] - had[i])]
        out += [(owner, a, b) for a, b in zip(gone, come, strict=False)]
    return sorted(out, key=lambda m: m[2] not in (24, 25))


def moved(table: Table, owner: int, place: int, by: int) -> Table:
    """A table with one checker more (by 1) or less (by -1) at a place."""
    return tuple(v + owner * by if i == place else v for i, v in enumerate(table))


def spot(seed: int, style: Style, table: Table, place: int) -> Spot:
    """Where the uppermost checker of a place lies, field coordinates; the place's edge when it is empty."""
    if place < 24:
        discs = on_points(seed, style, table)[place]
    elif place < 26:
        light, dark = (table[24], 0) if place == 24 else (0, table[25])
        discs = on_bar(seed, style, light, dark)
    elif style.trays:
        owner = 1 if place == 26 else -1
        discs = in_tray(seed, style, tray_box(style, style.trays[0]), owner, table[place])
    else:
        return (13.6 + style.bar, style.height * (0.8 if place == 26 else 0.2))
    return (discs[-1].x, discs[-1].y) if discs else (6.0, style.height / 2)


def eased(share: float) -> float:
    """Speeds up, slows down."""
    return share * share * (3 - 2 * share)


def between(a: Spot, b: Spot, share: float) -> Spot:
    """A place on the way."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


class Director:
    """Turns a script into shots; knows the board and which arm belongs to whom."""

    def __init__(self, style: Style, seed: int, players: tuple[Player, Player] = PLAYERS) -> None:
        self.style, self.seed, self.players = style, seed, players
        self.rng: Rng = np.random.default_rng((seed, 11))

    def arm(self, side: int, at: Spot, held: int = 0) -> Hand:
        """The player's arm with its fingers at a place."""
        from_side: Side = "near" if side == 0 else "far"
        player = self.players[side]
        return Hand(at[0], at[1], from_side, held, player.skin, player.sleeve)

    def away(self, side: int, x: float) -> Spot:
        """Where an arm rests when it is not over the board."""
        return (x, self.style.height + 9.0 if side == 0 else -9.0)

    def reach(self, side: int, a: Spot, b: Spot, held: int = 0) -> Callable[[float], Hand]:
        """An arm moving from a to b."""
        return lambda share: self.arm(side, between(a, b, eased(share)), held)

    def thrown(self, turn: Turn, table: Table) -> tuple[Die, ...]:
        """The dice as they come to rest, in the mover's right-hand half, clear of each other."""
        player = self.players[turn.side]
        spots = self.row(turn) if player.spread <= NARROW else self.strewn(turn, table)
        return tuple(
            Die(v, x, y, float(self.rng.uniform(0, 90)), player.die, player.pips, player.size)
            for v, (x, y) in zip(turn.dice, spots, strict=True)
        )

    def row(self, turn: Turn) -> list[Spot]:
        """Places for the dice side by side along the middle line."""
        first = 7.0 + self.style.bar if turn.side == 0 else 1.2
        xs = first + np.arange(len(turn.dice)) * 1.3 + self.rng.uniform(0, 1.2)
        reach = self.players[turn.side].spread
        ys = self.style.height / 2 + self.rng.uniform(-reach, reach, len(turn.dice))
        return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]

    def strewn(self, turn: Turn, table: Table) -> list[Spot]:
        """Places anywhere in the half where no checker and no other die lies, or else side by side."""
        player, style = self.players[turn.side], self.style
        discs = [d for stack in on_points(self.seed, style, table) for d in stack]
        first, middle = 6.6 + style.bar if turn.side == 0 else 0.6, style.height / 2
        found: list[Spot] = []
        for _ in range(TRIES * len(turn.dice)):
            x = float(self.rng.uniform(first, first + 4.8))
            y = float(self.rng.uniform(middle - player.spread, middle + player.spread))
            free = all(math.hypot(x - d.x, y - d.y) > style.radius + 0.8 * player.size for d in discs)
            if free and all(math.hypot(x - u, y - v) > 1.5 * player.size for u, v in found):
                found.append((x, y))
            if len(found) == len(turn.dice):
                return found
        return self.row(turn)

    def rolling(self, turn: Turn, dice: tuple[Die, ...]) -> Callable[[float], tuple[Die, ...]]:
        """The dice on their way from the hand."""
        start = self.away(turn.side, dice[0].x)

        def at(share: float) -> tuple[Die, ...]:
            if share < 0.4:
                return ()
            way, out = (share - 0.4) / 0.6, []
            for k, die in enumerate(dice):
                x, y = between(start, (die.x, die.y), 0.6 + 0.4 * way)
                face = die.value if way > 0.85 else 1 + int(way * 40 + 3 * k) % 6
                out.append(replace(die, x=x, y=y, value=face, angle=die.angle + 400 * (1 - way)))
            return tuple(out)

        return at

    def throw(self, turn: Turn, table: Table, dice: tuple[Die, ...]) -> Iterator[Shot]:
        """The throw, and the dice lying still."""
        home = self.away(turn.side, dice[0].x)
        near = between(home, (dice[0].x, dice[0].y), 0.7)

        def swing(share: float) -> Hand:
            return self.arm(turn.side, between(home, near, math.sin(math.pi * share)))

        yield Shot(0.8, table, swing, self.rolling(turn, dice))
        yield Shot(1.1, table, dice=lambda _: dice)

    def carry(
        self, side: int, table: Table, move: tuple[int, int, int], dice: tuple[Die, ...]
    ) -> Iterator[Shot]:
        """One checker from place to place; the arm comes and goes."""
        owner, a, b = move
        lifted = moved(table, owner, a, -1)
        done = moved(lifted, owner, b, 1)
        start, end = spot(self.seed, self.style, table, a), spot(self.seed, self.style, done, b)
        yield Shot(0.35, table, self.reach(side, self.away(side, start[0]), start), lambda _: dice)
        yield Shot(0.45, lifted, self.reach(side, start, end, owner), lambda _: dice)
        yield Shot(0.3, done, self.reach(side, end, self.away(side, end[0])), lambda _: dice)

    def play(self, side: int, table: Table, hops: tuple[Table, ...], dice: tuple[Die, ...]) -> Iterator[Shot]:
        """Hop after hop."""
        for after in hops:
            for move in moves(table, after):
                yield from self.carry(side, table, move, dice)
                table = moved(moved(table, move[0], move[1], -1), move[0], move[2], 1)

    def turn(self, turn: Turn, table: Table) -> Iterator[Shot]:
        """A whole turn: throw, perhaps an illegal play that is put back, the play, the dice lifted."""
        dice = self.thrown(turn, table)
        yield from self.throw(turn, table, dice)
        if turn.illegal:
            yield from self.play(turn.side, table, turn.illegal, dice)
            yield Shot(1.6, turn.illegal[-1], dice=lambda _: dice)
            yield from self.play(turn.side, turn.illegal[-1], (table,), dice)
            yield Shot(0.6, table, dice=lambda _: dice)
        yield from self.play(turn.side, table, turn.hops, dice)
        after = turn.hops[-1] if turn.hops else table
        yield Shot(1.2, after, dice=lambda _: dice)
        at = (dice[0].x, dice[0].y)
        yield Shot(0.35, after, self.reach(turn.side, self.away(turn.side, at[0]), at), lambda _: dice)
        yield Shot(0.35, after, self.reach(turn.side, at, self.away(turn.side, at[0])))
        yield Shot(0.3, after)

    def shots(self, script: FilmScript) -> Iterator[Shot]:
        """The whole film."""
        table = script.start
        yield Shot(1.5, table)
        for turn in script.turns:
            yield from self.turn(turn, table)
            table = turn.hops[-1] if turn.hops else table
        yield Shot(1.5, table)


def film(
    game: FilmScript,
    style: Style,
    camera: Camera,
    fps: float = 15,
    seed: int = 0,
    pace: float = 1.0,
    light: Light | None = None,
    sensor: Sensor | None = None,
) -> Iterator[tuple[float, Image]]:
    """Yield (time in seconds, frame) of a whole game; a turn of two hops takes about five seconds at
    `pace` 1.

    A pace of 2 makes everything twice as fast. The same arguments give the same film.
    """
    light, sensor = light or Light(), sensor or Sensor()
    blank = Scene(game.start, style=style, camera=camera, light=light, sensor=sensor, seed=seed)

    @lru_cache(maxsize=4)
    def painted(table: Table) -> Painter:
        painter = Painter(replace(blank, table=table))
        painter.paint()
        return painter

    number = 0
    for shot in Director(style, seed).shots(game):
        frames = max(1, round(shot.seconds * fps / pace))
        for k in range(frames):
            share = k / frames
            frame = painted(shot.table).again(shot.dice(share), shot.hand(share), number)
            yield number / fps, frame
            number += 1
