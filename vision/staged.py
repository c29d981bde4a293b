"""A short game of chance, played legally but for one play that is put right: what `synth:` shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine.plays import Hop, Play, legal_plays, partial_plays
from engine.position import Position, turned
from engine.rules import BACKGAMMON, Ruleset
from referee.layout import LIGHT, Layout, table_of
from vision.film import Director, FilmScript, Turn, film
from vision.geometry import Image
from vision.synth import Camera, Style

Table = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Staged:
    """A film to be and the truth about it: the script, and the index of the turn with the illegal play."""

    script: FilmScript
    illegal_turn: int | None
    seconds: float
    seed: int
    pace: float
    fps: float

    def frames(self) -> Iterator[tuple[float, Image]]:
        """(seconds, picture) in order; the same each time."""
        return film(self.script, Style(), Camera(), self.fps, self.seed, self.pace)


def staged_game(
    seed: int, turns: int, pace: float, fps: float, rules: Ruleset = BACKGAMMON, layout: Layout | None = None
) -> Staged:
    """Play `turns` random turns; the one in the middle is first played wrongly.

    Raises:
        ValueError: `turns`, `pace` or `fps` is not positive.
    """
    if turns < 1 or pace <= 0 or fps <= 0:
        raise ValueError("turns, pace and fps must be above zero")
    rng, layout = Random(seed), layout or Layout()
    position, side, played, wrong_at = rules.start, LIGHT, [], None
    for number in range(turns):
        roll = _opening(rng) if number == 0 else _roll(rng, rules)
        play = rng.choice(legal_plays(position, roll, rules))
        wrong = _wrong(rng, position, roll, rules) if wrong_at is None and number >= turns // 2 else None
        wrong_at = number if wrong is not None else wrong_at
        illegal = tables_of(position, wrong, layout, rules, side) if wrong is not None else ()
        played.append(Turn(side, roll, tables_of(position, play, layout, rules, side), illegal))
        position, side = turned(play.result, rules), 1 - side
    script = FilmScript(table_of(layout, rules, LIGHT, rules.start), tuple(played))
    seconds = sum(shot.seconds for shot in Director(Style(), seed).shots(script)) / pace
    return Staged(script, wrong_at, seconds, seed, pace, fps)


def _roll(rng: Random, rules: Ruleset) -> tuple[int, ...]:
    return tuple(rng.randint(1, 6) for _ in range(rules.dice))


def _opening(rng: Random) -> tuple[int, ...]:
    return tuple(sorted(rng.sample(range(1, 7), 2), reverse=True))


def _wrong(rng: Random, position: Position, roll: tuple[int, ...], rules: Ruleset) -> Play | None:
    """A play of another roll whose result this roll can neither reach nor pass."""
    fine = {p.result for p in legal_plays(position, roll, rules) + partial_plays(position, roll, rules)}
    other = tuple(6 - d if d != 6 else 5 for d in roll)
    plays = [p for p in legal_plays(position, other, rules) if p.result not in fine and p.hops]
    return rng.choice(plays) if plays else None


def tables_of(position: Position, play: Play, layout: Layout, rules: Ruleset, side: int) -> tuple[Table, ...]:
    """The table after each hop of a play."""
    tables = []
    for hop in play.hops:
        position = _after(position, hop)
        tables.append(table_of(layout, rules, side, position))
    return tuple(tables)


def _after(position: Position, hop: Hop) -> Position:
    points, off = list(position.points), position.off
    points[hop.src] -= 1
    if hop.dst == 0:
        return Position(tuple(points), (off[0] + 1, off[1]))
    if hop.hit:
        points[hop.dst] = 0
        points[0] -= 1
    points[hop.dst] += 1
    return Position(tuple(points), off)
