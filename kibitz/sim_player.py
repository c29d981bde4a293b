"""Two people who play at the simulated board: `sim:seed=3,turns=40,pace=4,wrong=0.1`.

They type their rolls on the board's buttons, move checker by checker and press their clock. As people do,
they go by the lamps: a turn is ended when green has shown, and the clock is pressed again if nothing came
of it. Now and then one of them plays what the rules forbid, sees the red lamps, puts the checkers back and
plays again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random
from urllib.parse import parse_qsl

from engine.plays import Play, legal_plays, partial_plays, result_of
from engine.position import Position, turned
from engine.resolve import apply_hops
from engine.rules import Ruleset
from firmware_bridge.leds import STATUS_LIGHT, LedState
from firmware_bridge.sim_board import SimBoard
from referee.layout import Layout, table_of
from vision.errors import SourceError

Table = tuple[int, ...]
#: Players who see no answer for so long do it once more.
LOOK_AGAIN_S = 15.0


@dataclass(frozen=True, slots=True)
class Manner:
    """How they play: `turns` at most, `pace` times as fast as people, `wrong` the share of illegal plays."""

    seed: int = 7
    turns: int = 400
    pace: float = 1.0
    wrong: float = 0.1


def manner_of(query: str) -> Manner:
    """`seed=3,turns=40` → Manner.

    Raises:
        SourceError: an unknown word or no number.
    """
    told = dict(parse_qsl(query.replace(",", "&")))
    unknown = set(told) - {"seed", "turns", "pace", "wrong"}
    if unknown:
        names = ", ".join(sorted(unknown))
        raise SourceError(f"sim: does not know {names}; it knows seed, turns, pace, wrong")
    try:
        return Manner(
            int(told.get("seed", "7")), int(told.get("turns", "400")), float(told.get("pace", "1")),
            float(told.get("wrong", "0.1")),
        )  # fmt: skip
    except ValueError as error:
        raise SourceError(f"sim:{query}: {error}; write it like sim:seed=3,turns=40") from error


class SimPlayer:
    """Plays one game on a thread of its own."""

    def __init__(self, board: SimBoard, rules: Ruleset, manner: Manner, layout: Layout | None = None) -> None:
        self._board, self._rules, self._manner = board, rules, manner
        self._layout = layout or Layout()
        self._rng = Random(manner.seed)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._play, name="players", daemon=True)

    def start(self) -> None:
        """Sit down and begin."""
        self._thread.start()

    def close(self) -> None:
        """Leave the table."""
        self._closed.set()
        self._thread.join(5.0)

    def _rest(self, seconds: float) -> None:
        self._closed.wait(seconds / self._manner.pace)

    def _play(self) -> None:
        position, side = self._rules.start, 0
        self._wait(self._white((0, 1)))
        self._rest(3.0)
        for number in range(self._manner.turns):
            if self._closed.is_set() or result_of(position, self._rules) is not None:
                return
            roll = self._roll(number)
            play = self._rng.choice(legal_plays(position, roll, self._rules))
            for die in roll:
                self._board.press(f"die_{die}")
                self._rest(0.3)
            self._perhaps_wrong(position, side, roll)
            self._hops(position, side, play)
            self._end_turn(side, play)
            self._rest(1.0)
            position, side = turned(play.result, self._rules), 1 - side

    def _end_turn(self, side: int, play: Play) -> None:
        """Press the clock, again and again until it is the other's turn or the game is over."""
        if play.hops:
            self._wait(lambda lit: _any_of(lit, "green", "amber"), LOOK_AGAIN_S)
        self._rest(1.5)
        over = result_of(play.result, self._rules) is not None
        while not self._closed.is_set():
            self._board.press(("clock_light", "clock_dark")[side])
            if over or self._wait(self._white((1 - side,)), LOOK_AGAIN_S):
                return

    def _roll(self, number: int) -> tuple[int, ...]:
        roll = tuple(self._rng.randint(1, 6) for _ in range(self._rules.dice))
        return self._roll(number) if number == 0 and len(set(roll)) == 1 else roll

    def _perhaps_wrong(self, position: Position, side: int, roll: tuple[int, ...]) -> None:
        """An illegal play that is put back when the red lamps have been seen."""
        if self._rng.random() >= self._manner.wrong:
            return
        wrong = wrong_play(self._rng, position, roll, self._rules)
        if wrong is None:
            return
        before = self._board.counts
        self._hops(position, side, wrong)
        self._wait(lambda lit: _any_of(lit, "red"), LOOK_AGAIN_S)
        self._rest(1.5)
        self._board.set_counts(before)
        self._wait(lambda lit: not _any_of(lit, "red"), LOOK_AGAIN_S)
        self._rest(1.0)

    def _white(self, sides: tuple[int, ...]) -> Callable[[LedState], bool]:
        """Whether the lamp is lit that says whose turn it is."""
        lamps = {STATUS_LIGHT + side for side in sides}
        return lambda lit: any(number in lamps and lamp.colour == "white" for number, lamp in lit.items())

    def _wait(self, wanted: Callable[[LedState], bool], seconds: float = inf) -> bool:
        """Look at the lamps until they show it; False when they did not in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._closed.is_set():
            if wanted(self._board.leds()):
                return True
            self._closed.wait(0.03)
        return False

    def _hops(self, position: Position, side: int, play: Play) -> None:
        for hop in play.hops:
            position = apply_hops(position, (hop,), self._rules)
            self._rest(0.8)
            self._board.set_counts(table_of(self._layout, self._rules, side, position))


def _any_of(lit: LedState, *colours: str) -> bool:
    return any(lamp.colour in colours for lamp in lit.values())


def wrong_play(rng: Random, position: Position, roll: tuple[int, ...], rules: Ruleset) -> Play | None:
    """A play of another roll whose result this roll neither reaches nor passes."""
    fine = {p.result for p in legal_plays(position, roll, rules) + partial_plays(position, roll, rules)}
    other = tuple(6 - d if d != 6 else 5 for d in roll)
    plays = [p for p in legal_plays(position, other, rules) if p.result not in fine and p.hops]
    return rng.choice(plays) if plays else None
