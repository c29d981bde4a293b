"""A whole game refereed on the emulated board: firmware, pty, pyserial, sensing, session, lamps."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.mat import read_mat
from engine.position import Position
from engine.record import Game, Turn, after_turn, walk
from engine.rules import BACKGAMMON
from firmware_bridge.buttons import Pressed, RollEntered
from firmware_bridge.leds import STATUS_LIGHT
from firmware_bridge.serial_board import BoardEvent, SerialBoard
from referee.events import (
    Gap,
    IllegalSeen,
    Input,
    Lit,
    Output,
    PutRight,
    RollGiven,
    Seen,
    Setup,
    Started,
    TurnEnd,
    TurnPlayed,
)
from referee.layout import Layout, table_of
from referee.observation import Observation
from referee.session import begin, step
from tests.emulator.emulated import EmulatedBoard
from tests.emulator.hands import Hands
from tests.emulator.misdeeds import Deed, backwards, bar_ignored, one_more, others_checker, too_far
from tests.emulator.player import Host, wait_for
from tests.emulator.pty_bridge import PtyBridge

LAYOUT, RULES = Layout(), BACKGAMMON
MAT = Path(__file__).parents[1] / "data" / "board_game.mat"
GREEN, RED, WHITE = (0, 255, 0), (255, 0, 0), (255, 255, 255)
PATIENCE_S = 8.0


class Referee:
    """The session on the host's thread, its outputs, and the lamps it asks for."""

    def __init__(self, board: SerialBoard) -> None:
        self._board = board
        self._state = begin(Setup("backgammon", LAYOUT, side=0, policy="legal"))
        self.outputs: list[Output] = []
        self._new = threading.Condition()

    def __repr__(self) -> str:
        return f"Referee({self.outputs[-6:]})"

    def on_event(self, event: BoardEvent) -> None:
        given = _input_of(event)
        if given is None:
            return
        self._state, outputs = step(self._state, given)
        for output in outputs:
            if isinstance(output, Lit):
                self._board.show(output.signal)
        with self._new:
            self.outputs += outputs
            self._new.notify_all()

    def of(self, kind: type[Output]) -> list[Output]:
        return [output for output in self.outputs if isinstance(output, kind)]

    def wait(self, kind: type[Output], count: int) -> Output:
        """The count-th output of a kind."""
        with self._new:
            assert self._new.wait_for(lambda: len(self.of(kind)) >= count, PATIENCE_S), self.outputs[-4:]
        return self.of(kind)[count - 1]


def _input_of(event: BoardEvent) -> Input | None:
    if isinstance(event, Observation):
        return Seen(event)
    if isinstance(event, RollEntered):
        return RollGiven(event.t, event.roll)
    return TurnEnd(event.t) if isinstance(event, Pressed) else None


class Lamps:
    """What the string on the board really shows."""

    def __init__(self, bridge: PtyBridge) -> None:
        self._bridge = bridge
        self._last: dict[int, tuple[int, int, int]] = {}

    def lit(self) -> dict[int, tuple[int, int, int]]:
        with self._bridge.held() as emulated:
            for picture in emulated.shown():
                self._last = {i: (r, g, b) for i, (a, r, g, b) in enumerate(picture.lamps) if a}
        return self._last

    def wait(self, lamps: set[int], colour: tuple[int, int, int]) -> None:
        try:
            wait_for(lambda: self.lit() == dict.fromkeys(lamps, colour), PATIENCE_S)
        except TimeoutError:
            pytest.fail(f"the string shows {self.lit()}, not {colour} on {sorted(lamps)}")


@pytest.fixture
def bridge(emulated: EmulatedBoard, tmp_path: Path) -> Iterator[PtyBridge]:
    made = PtyBridge(emulated, tmp_path)
    yield made
    made.close()


#: Turn number → what the mover does first, before it is put back and the right play made.
MISDEEDS = {5: bar_ignored, 17: too_far, 29: backwards, 41: others_checker, 53: one_more}


@pytest.mark.slow
def test_sixty_turns_are_refereed(bridge: PtyBridge) -> None:
    """60 turns of a record with 3 stacks above the sensors, and 5 illegal plays put right."""
    board = SerialBoard(f"serial:{bridge.port}")
    referee, lamps = Referee(board), Lamps(bridge)
    hands = Hands(bridge, LAYOUT, RULES, table_of(LAYOUT, RULES, 0, RULES.start))
    host, game, begun = Host(board, referee.on_event), _game(), time.monotonic()
    try:
        referee.wait(Started, 1)
        for number, (turn, before) in enumerate(walk(game, RULES)):
            _turn(number, turn, before, hands, referee, lamps)
    finally:
        host.close()
    seconds = time.monotonic() - begun
    print(f"{len(game.turns)} turns in {seconds:.0f} s; the board's clock slipped {bridge.slipped:.2f} s")
    _is_the_record(referee, game)


def _turn(number: int, turn: Turn, before: Position, hands: Hands, referee: Referee, lamps: Lamps) -> None:
    for die in turn.roll:
        hands.press(f"die_{die}")
    if number in MISDEEDS:
        _misdeed(MISDEEDS[number](before, turn, RULES), turn.side, hands, referee, lamps)
    places = set(hands.play(turn.side, turn.play or ()))
    if places:
        lamps.wait(places, GREEN)
    hands.press(("clock_light", "clock_dark")[turn.side])
    referee.wait(TurnPlayed, number + 1)
    lamps.wait({STATUS_LIGHT + 1 - turn.side}, WHITE)


def _misdeed(deeds: list[Deed], side: int, hands: Hands, referee: Referee, lamps: Lamps) -> None:
    """Red until it is put back, then dark."""
    table, found = list(hands.table), len(referee.of(IllegalSeen))
    for hop, others in deeds:
        hands.hop(side, hop, others)
    seen = referee.wait(IllegalSeen, found + 1)
    assert isinstance(seen, IllegalSeen)
    changed = {i for i, (now, then) in enumerate(zip(hands.table, table, strict=True)) if now != then}
    assert set(seen.places) == changed
    lamps.wait(changed, RED)
    hands.put_back(table)
    referee.wait(PutRight, found + 1)
    lamps.wait(set(), RED)


def _is_the_record(referee: Referee, game: Game) -> None:
    played = [output for output in referee.outputs if isinstance(output, TurnPlayed)]
    tables = [
        table_of(LAYOUT, RULES, t.side, after_turn(before, t, RULES)) for t, before in walk(game, RULES)
    ]
    assert len(played) == 60
    assert [(t.side, t.roll, t.after) for t in played] == [
        (t.side, t.roll, after) for t, after in zip(game.turns, tables, strict=True)
    ]
    assert len(referee.of(IllegalSeen)) == len(referee.of(PutRight)) == len(MISDEEDS)
    assert not referee.of(Gap)
    assert _stacks(game) >= 3


def _game() -> Game:
    return read_mat(MAT.read_bytes()).games[0]


def _stacks(game: Game) -> int:
    """How often a stack above the six sensors of a point arises."""
    grown, high = 0, set[int]()
    for turn, before in walk(game, RULES):
        table = table_of(LAYOUT, RULES, turn.side, before)
        now = {place for place in range(24) if abs(table[place]) > 6}
        grown, high = grown + len(now - high), now
    return grown
