"""Recordings of games of chance, as looks at the table: what a camera would tell, with all that it misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from msgspec.structs import replace

from engine.plays import legal_plays, result_of
from engine.position import Position, turned
from engine.resolve import apply_hops
from engine.rules import BACKGAMMON
from referee.events import Seen, Still
from referee.observation import UNSEEN, Belief, Die, Observation, belief, certain
from tests.referee.tables import shown

Table = tuple[int, ...]
Looks = list[Seen | Still]


@dataclass(frozen=True)
class Camera:
    """What is missed: a throw altogether, the table after a play, a face of a die, a count; shares of all.

    `hidden`: places that a look does not see. `stubborn`: what lies on a point is misread in every look until
    it changes; `stubborn_face`: a die in every look at its throw; `confused`: a side whose dice have a face
    that is mostly taken for a certain other one, all game. `unsure`: dice are read with any probability
    instead of surely; `one_die`: only one is seen. `half_way`: the table lies still in the middle of a play.
    `no_bar`: nobody watches it. `looks` at each sight.
    """

    no_throw: float = 0.0
    no_result: float = 0.0
    wrong_face: float = 0.0
    wrong_count: float = 0.0
    hidden: float = 0.0
    stubborn: float = 0.0
    stubborn_face: float = 0.0
    confused: float = 0.0
    unsure: float = 0.0
    one_die: float = 0.0
    half_way: float = 0.0
    no_bar: bool = False
    looks: int = 2
    gap: float = 0.4


@dataclass
class Recorder:
    """Looks as they come; `truth` holds (side, roll, table after) of each turn."""

    rng: Random
    camera: Camera
    t: float = 0.0
    looks: Looks = field(default_factory=list)
    truth: list[tuple[int, tuple[int, ...], Table]] = field(default_factory=list)
    lying: dict[int, tuple[int, Belief]] = field(default_factory=dict)
    taken_for: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for side in (0, 1):
            if self._happens(self.camera.confused):
                face, other = self.rng.sample(range(1, 7), 2)
                self.taken_for[side, face] = other

    def _happens(self, share: float) -> bool:
        """By chance; what never happens takes no number from the stream of chance."""
        return share > 0 and self.rng.random() < share

    def moves(self) -> None:
        """A hand comes and goes."""
        self.t += 0.3
        self.looks.append(Seen(Observation(self.t, (UNSEEN,) * 24, hand=True)))
        self.t += 0.5

    def sees(self, table: Table, dice: tuple[Die, ...] | None) -> None:
        """The table lies still for some looks."""
        for _ in range(self.camera.looks):
            beliefs = [self._belief(n, place) for place, n in enumerate(table)]
            read = None if dice is None else tuple(self._die(d) for d in dice)
            self.looks.append(Seen(Observation(self.t, tuple(beliefs[:24]), self._bar(beliefs), dice=read)))
            self.t += self.camera.gap
        self.looks.append(Still(self.t))

    def _bar(self, beliefs: Sequence[Belief]) -> tuple[Belief, Belief]:
        return (UNSEEN, UNSEEN) if self.camera.no_bar else (beliefs[24], beliefs[25])

    def _belief(self, count: int, place: int) -> Belief:
        if place < 24 and self.rng.random() < self.camera.hidden:
            return UNSEEN
        if place < 24 and self.camera.stubborn:
            return self._stubborn(count, place)
        if place < 24 and self.rng.random() < self.camera.wrong_count and count:
            other = count + (1 if count > 0 else -1)
            return belief([(other, 0.8), (count, 0.2)])
        return certain(count)

    def _stubborn(self, count: int, place: int) -> Belief:
        """What this place is read as for as long as so many checkers lie there."""
        if place not in self.lying or self.lying[place][0] != count:
            wrong = self.rng.random() < self.camera.stubborn
            other = count + self.rng.choice((1, -1)) if count else self.rng.choice((1, -1))
            sure = self.rng.uniform(0.55, 0.97)
            read = belief([(other, sure), (count, 1 - sure)]) if wrong else certain(count, 0.97)
            self.lying[place] = count, read
        return self.lying[place][1]

    def _die(self, die: Die) -> Die:
        if self.rng.random() < self.camera.wrong_face:
            return Die(die.value % 6 + 1, 0.6, die.x, die.y)
        return die

    def turn(self, base: Position, side: int, roll: tuple[int, ...]) -> Position:
        """A whole turn: thrown, played by chance, dice lifted."""
        play = self.rng.choice(legal_plays(base, roll, BACKGAMMON))
        dice = self._thrown(roll, side)
        after = shown(play.result, side)
        throw_seen = self.rng.random() >= self.camera.no_throw
        result_seen = self.rng.random() >= self.camera.no_result
        if throw_seen:
            self.sees(shown(base, side), dice)
        self.moves()
        if len(play.hops) > 1 and self._happens(self.camera.half_way):
            middle = apply_hops(base, play.hops[:1], BACKGAMMON)
            self.sees(shown(middle, side), dice if throw_seen else None)
            self.moves()
        if result_seen:
            self.sees(after, dice if throw_seen else None)
            self.moves()
            self.sees(after, ())
        self.moves()
        self.truth.append((side, tuple(sorted(roll, reverse=True)), after))
        return play.result

    def _thrown(self, roll: Sequence[int], side: int) -> tuple[Die, ...]:
        left = 0.6 if side == 0 else 0.1
        x, y = left + self.rng.uniform(0, 0.2), self.rng.uniform(0.4, 0.6)
        seen = roll[:1] if self._happens(self.camera.one_die) else roll
        return tuple(Die(self._face(v, side), self._sure(), x + 0.08 * k, y) for k, v in enumerate(seen))

    def _face(self, value: int, side: int) -> int:
        """The face that is read in every look at a die."""
        if (side, value) in self.taken_for and self._happens(0.8):
            return self.taken_for[side, value]
        return self.rng.randint(1, 6) if self._happens(self.camera.stubborn_face) else value

    def _sure(self) -> float:
        return self.rng.uniform(0.5, 0.98) if self._happens(self.camera.unsure) else 0.98


def game(seed: int, turns: int, camera: Camera, base: Position = BACKGAMMON.start) -> Recorder:
    """The beginning of a game, light first."""
    rng = Random(seed)
    recorder = Recorder(rng, camera)
    side = 0
    recorder.sees(shown(base, side), ())
    recorder.moves()
    for _ in range(turns):
        roll = (rng.randint(1, 6), rng.randint(1, 6))
        result = recorder.turn(base, side, roll)
        if result_of(result, BACKGAMMON) is not None:
            break
        base, side = turned(result, BACKGAMMON), 1 - side
    return recorder


def reread(given: Seen | Still, read: Mapping[int, Belief]) -> Seen | Still:
    """The same look, in which some points are read as something else."""
    if isinstance(given, Still):
        return given
    points = tuple(read.get(place, seen) for place, seen in enumerate(given.look.points))
    return Seen(replace(given.look, points=points))


def later(look: Seen | Still, by: float) -> Seen | Still:
    """A look at another time."""
    if isinstance(look, Seen):
        return Seen(replace(look.look, t=look.look.t + by))
    return Still(look.t + by)


def without_dice(look: Seen | Still) -> Seen | Still:
    """A look in which nobody could tell whether there were dice."""
    return Seen(replace(look.look, dice=None)) if isinstance(look, Seen) else look
