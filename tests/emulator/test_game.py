"""A whole game refereed on the emulated board: firmware, pty, pyserial, sensing, session, lamps."""

from __future__ import annotations

import threading
import time
from collections import deque
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
from referee.findings import Finding
from referee.layout import Layout, table_of
from referee.observation import Observation
from referee.session import begin, step
from tests.emulator.emulated import EmulatedBoard, Shown, put_counts
from tests.emulator.hands import Hands
from tests.emulator.misdeeds import Deed, backwards, bar_ignored, on_their_point, one_more, others_checker
from tests.emulator.player import Host, wait_for
from tests.emulator.pty_bridge import PtyBridge

LAYOUT, RULES = Layout(), BACKGAMMON
START = table_of(LAYOUT, RULES, 0, RULES.start)
MAT = Path(__file__).parents[1] / "data" / "board_game.mat"
GREEN, RED, WHITE = (0, 255, 0), (255, 0, 0), (255, 255, 255)
#: What has not come after so long never comes; nothing is measured by it.
PATIENCE_S = 60.0
DARK_S = 0.3


class Referee:
    """The session on the host's thread, its outputs, and the lamps it asks for.

    The board stands still while it thinks: on a busy machine that may be long.
    """

    def __init__(self, board: SerialBoard, bridge: PtyBridge) -> None:
        self._board, self._bridge = board, bridge
        self._state = begin(Setup("backgammon", LAYOUT, side=0, policy="legal"))
        self.outputs: list[Output] = []
        self._new = threading.Condition()

    def __repr__(self) -> str:
        return f"Referee({self.outputs[-6:]})"

    def on_event(self, event: BoardEvent) -> None:
        given = _input_of(event)
        if given is None:
            return
        with self._bridge.held():
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
    """What the string on the board really shows. Each picture is looked at once, so that none is missed."""

    def __init__(self, bridge: PtyBridge) -> None:
        self._bridge = bridge
        self._lit: dict[int, tuple[int, int, int]] = {}
        self._lit_at = 0.0
        self._new: deque[Shown] = deque()

    def wait(self, lamps: set[int], colour: tuple[int, int, int]) -> None:
        """Wait until these lamps are lit in this colour, and no other."""
        wanted = dict.fromkeys(lamps, colour)
        try:
            wait_for(lambda: self._shows(wanted), PATIENCE_S)
        except TimeoutError:
            pytest.fail(f"the string shows {self._lit}, not {colour} on {sorted(lamps)}")

    def wait_dark(self) -> None:
        """Wait until nothing is lit, for longer than between two blinks."""
        wait_for(self._dark, PATIENCE_S)

    def _dark(self) -> bool:
        self._shows(None)
        return not self._lit and self._bridge.clock() - self._lit_at > DARK_S

    def _shows(self, wanted: dict[int, tuple[int, int, int]] | None) -> bool:
        with self._bridge.held() as emulated:
            self._new += emulated.shown()
        while self._new and self._lit != wanted:
            picture = self._new.popleft()
            self._lit_at = picture.t
            self._lit = {i: (r, g, b) for i, (a, r, g, b) in enumerate(picture.lamps) if a}
        return self._lit == wanted


@pytest.fixture
def bridge(emulated: EmulatedBoard, tmp_path: Path) -> Iterator[PtyBridge]:
    put_counts(emulated, START)
    made = PtyBridge(emulated, tmp_path, patient=True)
    yield made
    made.close()


#: Turn number → what the mover does first, before it is put back and the right play made.
MISDEEDS = {5: bar_ignored, 17: on_their_point, 29: backwards, 41: others_checker, 53: one_more}


@pytest.mark.slow
def test_sixty_turns_are_refereed(bridge: PtyBridge) -> None:
    """60 turns of a record with 3 stacks above the sensors, and 5 illegal plays put right."""
    board = SerialBoard(f"serial:{bridge.port}", clock=bridge.clock)
    referee, lamps = Referee(board, bridge), Lamps(bridge)
    hands = Hands(bridge, LAYOUT, RULES, START)
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
    changed |= hands.guests
    assert set(seen.places) == changed
    assert (seen.finding == Finding.BOTH_COLOURS) == bool(hands.guests)
    lamps.wait(changed, RED)
    hands.put_back(table)
    referee.wait(PutRight, found + 1)
    lamps.wait_dark()


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
