"""The real firmware on an emulated ATmega328P, in the chip's own time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_bridge import board as tables
from firmware_bridge.frames import Frame, encode
from firmware_bridge.messages import (
    BOTH,
    NORTH,
    SOUTH,
    Ack,
    BoardState,
    Boot,
    Feature,
    Hello,
    Refusal,
    Stats,
    Type,
)
from hardware.describe import Board
from tests.emulator.conftest import sizes
from tests.emulator.emulated import EmulatedBoard, Shown
from tests.emulator.talker import Talker

SCAN_S = 0.003
POWER, PIN, WATCHDOG, ASKED = 1, 2, 8, 0x80
RED_FAST, GREEN, AMBER_SLOW, BLUE, BLUE_SECOND = 0x13, 0x02, 0x24, 0x35, 0x45


def _styles(**lamps: int) -> bytes:
    styles = bytearray(tables.LAMPS)
    for lamp, style in lamps.items():
        styles[int(lamp[1:])] = style
    return bytes(styles)


def _lit(emulated: EmulatedBoard) -> dict[int, tuple[int, int, int, int]]:
    """Lamps lit in the last picture on the string."""
    return {i: lamp for i, lamp in enumerate(emulated.shown()[-1].lamps) if lamp[0]}


def test_it_boots_and_introduces_itself(talker: Talker, board: Board) -> None:
    assert talker.heard[0][2] == Boot(POWER, board.protocol)
    hello = talker.ask(Type.HELLO)
    everything = (
        Feature.SENSORS | Feature.LAMPS | Feature.BUTTONS | Feature.DICE_BUTTONS | Feature.CHAIN_CHECK
    )
    assert hello == Hello(board.protocol, tables.FIRMWARE, 180, 30, everything)


def test_every_slot_reads_both_poles_one_by_one(talker: Talker, board: Board) -> None:
    read = []
    for number, slot in enumerate(board.slots):
        for pole in (NORTH, SOUTH):
            talker.emulated.put(slot.place, slot.level, pole)
            poles = [m for m in talker.listen(0.03) if isinstance(m, BoardState)][-1].poles()
            read.append((number, pole) == (poles.index(pole), pole) and sum(poles) == pole)
        talker.emulated.put(slot.place, slot.level, 0)
    assert len(read) == 360
    assert all(read)


def test_what_lies_there_at_power_on_is_known_at_once(emulated: EmulatedBoard) -> None:
    emulated.put(3, 0, NORTH)
    emulated.put(27, 14, SOUTH)
    talker = Talker(emulated)
    talker.listen(0.005)
    talker.ask(Type.HELLO)
    poles = talker.state().poles()
    assert (poles[18], poles[179]) == (NORTH, SOUTH)


def test_a_signal_of_both_poles_is_passed_on_for_the_host_to_judge(talker: Talker) -> None:
    talker.emulated.put(0, 0, BOTH)
    talker.listen(0.05)
    assert talker.state().poles()[0] == BOTH


@pytest.mark.parametrize("samples", [1, 2, 3])
def test_bounce_shorter_than_four_scans_is_not_seen(talker: Talker, samples: int) -> None:
    for _ in range(20):
        talker.emulated.put(5, 0, NORTH)
        talker.listen(samples * SCAN_S)
        talker.emulated.put(5, 0, 0)
        talker.listen(SCAN_S)
    assert not [m for m in talker.listen(0.1) if isinstance(m, BoardState)]
    assert not any(isinstance(message, BoardState) for _, _, message in talker.heard)


def test_a_steady_change_is_seen_after_four_scans(talker: Talker) -> None:
    put = talker.emulated.t
    talker.emulated.put(5, 0, NORTH)
    talker.listen(0.05)
    t = next(t for t, _, message in talker.heard if isinstance(message, BoardState))
    assert 3 * SCAN_S <= t - put <= 0.025


def test_a_press_is_counted_although_nobody_heard_of_it(talker: Talker) -> None:
    for _ in range(3):
        talker.emulated.press("confirm")
        talker.emulated.run(0.05)
        talker.emulated.press("confirm", False)
        talker.emulated.run(0.05)
    talker.emulated.received()
    assert talker.state().edges == (6, 0, 0, 0, 0, 0, 0, 0, 0)


def test_every_button_has_its_own_count(talker: Talker, board: Board) -> None:
    for button in board.buttons:
        talker.emulated.press(button)
        talker.listen(0.05)
        assert talker.state().edges[list(board.buttons).index(button)] == 1
    assert talker.state().edges == (1,) * len(board.buttons)


def test_the_string_shows_what_was_commanded(talker: Talker, board: Board) -> None:
    colours = list(board.palette.values())
    styles = bytes(lamp % len(colours) for lamp in range(tables.LAMPS))
    assert talker.light(styles) == Ack(Type.LED, Refusal.OK)
    talker.listen(0.02)
    shown = talker.emulated.shown()[-1].lamps
    for lamp, (brightness, *rgb) in enumerate(shown):
        assert (brightness, tuple(rgb)) == (
            board.leds.brightness if styles[lamp] else 0,
            colours[styles[lamp]],
        )


def test_no_lamp_is_ever_brighter_than_the_cap(talker: Talker, board: Board) -> None:
    talker.light(bytes([0x51] * tables.LAMPS))  # white, breathing
    talker.listen(4)
    assert (
        max(lamp[0] for picture in talker.emulated.shown() for lamp in picture.lamps) == board.leds.brightness
    )


def _changes(talker: Talker, lamp: int) -> list[tuple[float, bool]]:
    """Times at which a lamp went on or off."""
    changes: list[tuple[float, bool]] = []
    for picture in talker.emulated.shown():
        on = picture.lamps[lamp][0] > 0
        if not changes or changes[-1][1] != on:
            changes.append((picture.t, on))
    return changes


@pytest.mark.parametrize(("style", "half"), [(RED_FAST, 0.12), (AMBER_SLOW, 0.48), (BLUE, 0.48)])
def test_rhythms_keep_time(talker: Talker, style: int, half: float) -> None:
    talker.emulated.shown()
    talker.light(_styles(_7=style))
    talker.listen(6 * half)
    changes = [change for change in _changes(talker, 7) if change[1] or change[0] > 0.1][-5:]
    times = [t for t, _ in changes]
    assert len(times) >= 5
    assert [b - a for a, b in pairwise(times)] == pytest.approx([half] * 4, abs=0.004)


def test_from_and_to_of_a_hint_are_never_lit_together(talker: Talker) -> None:
    talker.light(_styles(_3=BLUE, _9=BLUE_SECOND))
    talker.listen(0.02)
    talker.emulated.shown()
    talker.listen(2.5)
    lit = {(picture.lamps[3][0] > 0, picture.lamps[9][0] > 0) for picture in talker.emulated.shown()}
    assert lit == {(True, False), (False, True)}


def test_a_sign_with_an_end_goes_dark_by_itself(talker: Talker) -> None:
    talker.light(_styles(_4=GREEN), ms=1000)
    talker.listen(0.02)
    begun = talker.emulated.shown()[-1].t
    assert begun
    talker.listen(1.5)
    ended = talker.emulated.shown()[-1]
    assert not any(lamp[0] for lamp in ended.lamps)
    assert ended.t - begun == pytest.approx(1.0, abs=0.01)


def test_it_sweeps_all_lamps_once_when_it_starts(emulated: EmulatedBoard) -> None:
    emulated.run(1.0)
    lit = [[i for i, lamp in enumerate(picture.lamps) if lamp[0]] for picture in emulated.shown()]
    assert [lamps[0] for lamps in lit if lamps] == list(range(tables.LAMPS))
    assert lit[-1] == []


def test_without_a_host_it_says_so_and_a_host_ends_that(talker: Talker) -> None:
    talker.light(_styles(_4=GREEN))
    talker.listen(2.9)
    assert _lit(talker.emulated) == {4: (8, 0, 255, 0)}
    talker.listen(2.0)
    lit = [picture for picture in talker.emulated.shown() if any(lamp[0] for lamp in picture.lamps)]
    assert {i for i, lamp in enumerate(lit[-1].lamps) if lamp[0]} == set(range(24))
    assert {lamp[1:] for lamp in lit[-1].lamps[:24]} == {(255, 0, 0)}
    assert len({picture.lamps[0][0] for picture in lit}) > 4, "it breathes"
    talker.ask(Type.GET)
    talker.listen(0.05)
    assert _lit(talker.emulated) == {4: (8, 0, 255, 0)}


def test_the_watchdog_ends_an_endless_loop(talker: Talker) -> None:
    talker.emulated.put(8, 2, SOUTH)
    talker.listen(0.1)
    talker.emulated.hang()
    hung = talker.emulated.t
    heard = talker.listen(0.6)
    assert Boot(WATCHDOG, tables.PROTOCOL) in heard
    booted = next(t for t, _, message in talker.heard if message == Boot(WATCHDOG, tables.PROTOCOL))
    assert booted - hung < 0.35
    assert talker.emulated.resets == 1
    assert not talker.state().greeted, "a host that missed BOOT can tell"
    assert talker.state().poles()[8 * 6 + 2] == SOUTH
    stats = talker.ask(Type.STATS)
    assert isinstance(stats, Stats)
    assert stats.watchdog_resets == 1


def test_a_reset_that_was_asked_for_is_answered_and_is_no_fault(talker: Talker) -> None:
    assert talker.ask(Type.RESET) == Ack(Type.RESET, Refusal.OK)
    assert Boot(WATCHDOG | ASKED, tables.PROTOCOL) in talker.listen(0.6)
    stats = talker.ask(Type.STATS)
    assert isinstance(stats, Stats)
    assert stats.watchdog_resets == 0


def test_the_reset_pin_is_named_as_the_cause(talker: Talker) -> None:
    talker.emulated.reset()
    assert Boot(PIN, tables.PROTOCOL) in talker.listen(0.1)


@pytest.mark.parametrize("byte", [1, 3, 5])
def test_a_broken_frame_is_answered(talker: Talker, byte: int) -> None:
    frame = bytearray(encode(Frame(Type.GET, 9)))
    frame[byte] ^= 0x40
    talker.emulated.send(bytes(frame))
    assert talker.listen(0.05) == [Ack(0, Refusal.BROKEN_FRAME)]


@pytest.mark.parametrize(
    ("frame", "refusal"),
    [
        (Frame(0x7F, 5), Refusal.UNKNOWN),
        (Frame(Type.LED, 5, b"\0\0\1"), Refusal.BAD_PAYLOAD),
        (Frame(Type.LED, 5, bytes((0, 0, 0x0F, *[0] * 29))), Refusal.BAD_PAYLOAD),
        (Frame(Type.LED, 5, bytes((0, 0, 0x61, *[0] * 29))), Refusal.BAD_PAYLOAD),
    ],
)
def test_what_it_does_not_know_is_refused_and_nothing_else_happens(
    talker: Talker, frame: Frame, refusal: Refusal
) -> None:
    talker.emulated.send(encode(frame))
    assert talker.listen(0.05) == [Ack(frame.type, refusal)]
    assert isinstance(talker.ask(Type.HELLO), Hello)


def test_bytes_that_overrun_the_receiver_cost_one_frame(talker: Talker) -> None:
    talker.emulated.send(encode(Frame(Type.GET, 9)) * 3, together=True)
    talker.listen(0.1)
    assert talker.emulated.overruns > 0
    assert isinstance(talker.ask(Type.HELLO), Hello)
    stats = talker.ask(Type.STATS)
    assert isinstance(stats, Stats)
    assert stats.overruns > 0


def test_a_flood_of_rubbish_is_survived(talker: Talker) -> None:
    talker.emulated.send(bytes(range(1, 256)) * 8)
    talker.listen(0.3)
    talker.emulated.send(b"\0")
    assert isinstance(talker.ask(Type.HELLO), Hello)


def test_states_faster_than_the_line_end_with_the_newest(talker: Talker) -> None:
    for i in range(40):
        talker.emulated.put(i % 24, 0, NORTH if i % 2 else SOUTH)
        talker.listen(SCAN_S)
    talker.listen(0.1)
    last = [message for _, _, message in talker.heard if isinstance(message, BoardState)][-1]
    assert last.poles() == talker.emulated.poles()


@pytest.mark.parametrize(("chain", "stage"), [(0, 0), (2, 40), (4, 71)])
def test_a_broken_chain_is_named_and_mended(talker: Talker, chain: int, stage: int) -> None:
    talker.emulated.break_chain(chain, stage)
    talker.listen(0.1)
    assert talker.state().faults == 1 << chain
    talker.emulated.break_chain(chain)
    talker.listen(0.1)
    assert talker.state().faults == 0


def test_it_sleeps_between_scans(talker: Talker) -> None:
    talker.listen(1)
    begun, slept = talker.emulated.t, talker.emulated.slept
    talker.listen(1)
    assert (talker.emulated.slept - slept) / (talker.emulated.t - begun) > 0.9


def test_sensor_to_lamp_takes_at_most_25_ms_of_the_chips_time(talker: Talker) -> None:
    worst = 0.0
    for i in range(60):
        talker.listen(0.1 + i * 0.00005)  # at another moment between two scans each time
        talker.emulated.shown()
        put, before = talker.emulated.t, len(talker.heard)
        talker.emulated.put(i % 24, 0, NORTH if talker.emulated.poles()[i % 24 * 6] == 0 else 0)
        while not any(isinstance(message, BoardState) for _, _, message in talker.heard[before:]):
            talker.listen(0.0001)
        talker.light(_styles(**{f"_{i % 24}": (GREEN, RED_FAST)[i // 24 % 2]}))
        talker.listen(0.005)
        worst = max(worst, talker.emulated.shown()[0].t - put)
    print(f"sensor to lamp, worst of 60: {worst * 1000:.1f} ms")
    assert worst <= 0.025


def _life(emulated: EmulatedBoard) -> tuple[list[tuple[int, float]], list[Shown]]:
    said: list[tuple[int, float]] = []
    shown: list[Shown] = []
    for i in range(40):
        emulated.put(i % 24, i % 6, 1 + i % 2)
        emulated.press(tables.BUTTONS[i % 9], i % 3 == 0)
        emulated.send(encode(Frame(Type.LED, i + 1, bytes((0, 0, *[0x10 + i % 6] * tables.LAMPS)))))
        emulated.run(0.0371)
        said += emulated.received_timed()
        shown += emulated.shown()
    return said, shown


def test_two_runs_are_the_same_to_the_byte_and_the_cycle(power: Callable[[], EmulatedBoard]) -> None:
    first, second = _life(power()), _life(power())
    assert len(first[0]) > 1000
    assert first == second


def test_flash_and_ram_are_at_most_three_quarters_full(talker: Talker, elf: Path, board: Board) -> None:
    chip = board.mcu["atmega328p"]
    flash, variables = sizes(elf, "atmega328p")
    for request in (Type.HELLO, Type.GET, Type.LED, Type.STATS):
        talker.ask(request, bytes(2 + tables.LAMPS))
    stats = talker.ask(Type.STATS)
    assert isinstance(stats, Stats)
    ram = chip.ram - stats.never_used
    print(f"flash {flash} B = {flash / chip.flash:.1%} of a 328P")
    print(f"RAM {variables} B of variables, {ram} B = {ram / chip.ram:.1%} with the deepest stack")
    assert flash <= 0.75 * chip.flash
    assert ram <= 0.75 * chip.ram


def test_the_same_source_builds_for_a_mega_and_runs_there(
    build: Callable[[str, Path], Path], library: Path, board: Board, tmp_path: Path
) -> None:
    emulated = EmulatedBoard(library, build("atmega2560", tmp_path), board, "atmega2560")
    talker = Talker(emulated)
    emulated.put(13, 4, NORTH)
    talker.listen(0.05)
    assert isinstance(talker.ask(Type.HELLO), Hello)
    assert talker.state().poles()[13 * 6 + 4] == NORTH
    assert talker.light(_styles(_2=GREEN)) == Ack(Type.LED, Refusal.OK)
    talker.listen(0.02)
    assert _lit(emulated) == {2: (8, 0, 255, 0)}
    emulated.close()
