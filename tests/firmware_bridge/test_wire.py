"""Frames and messages: round trips, rubbish, and a bad line."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import board
from firmware_bridge.frames import LONGEST, Broken, Decoder, Frame, encode
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
    hello_payload,
    parse,
    state_payload,
    stats_payload,
)
from tests.emulator.noise import NoisyLine
from tests.firmware_bridge import strategies as own


@given(st.lists(own.frames), st.lists(st.integers(1, 40), min_size=1))
def test_frames_come_back_however_the_bytes_are_cut(frames: list[Frame], cuts: list[int]) -> None:
    data, decoder, found, at, turn = b"".join(map(encode, frames)), Decoder(), [], 0, 0
    while at < len(data):
        step = cuts[turn % len(cuts)]
        found += decoder.feed(data[at : at + step])
        at, turn = at + step, turn + 1
    assert found == frames


@given(st.binary(max_size=400), own.frames)
def test_rubbish_before_a_frame_costs_nothing_but_itself(rubbish: bytes, frame: Frame) -> None:
    assert Decoder().feed(rubbish + encode(frame))[-1] == frame


@given(own.frames, st.data())
def test_one_flipped_bit_is_always_noticed(frame: Frame, data: st.DataObject) -> None:
    line = bytearray(encode(frame))
    at = data.draw(st.integers(1, len(line) - 2))
    line[at] ^= 1 << data.draw(st.integers(0, 7))
    assert not any(isinstance(found, Frame) for found in Decoder().feed(bytes(line)))


def test_a_line_without_an_end_does_not_fill_the_memory() -> None:
    decoder = Decoder()
    found = [broken for _ in range(100) for broken in decoder.feed(b"\x55" * LONGEST)]
    assert found
    assert all(isinstance(broken, Broken) for broken in found)
    assert decoder.feed(b"\0" + encode(Frame(1, 2)))[-1] == Frame(1, 2)


@given(own.states)
def test_states_come_back(state: BoardState) -> None:
    assert parse(Frame(Type.IS_STATE, 0, state_payload(state))) == state


@given(own.hellos)
def test_hellos_come_back(hello: Hello) -> None:
    assert parse(Frame(Type.IS_HELLO, 3, hello_payload(hello))) == hello


@given(own.stats)
def test_stats_come_back(stats: Stats) -> None:
    assert parse(Frame(Type.IS_STATS, 3, stats_payload(stats))) == stats


@given(own.frames)
def test_any_frame_is_a_message_or_none(frame: Frame) -> None:
    parse(frame)
    parse(frame._replace(type=Type.IS_STATE))
    parse(frame._replace(type=Type.IS_HELLO))
    parse(frame._replace(type=Type.ACK))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (Frame(Type.ACK, 4, b"\x03\x00"), Ack(Type.LED, Refusal.OK)),
        (Frame(Type.BOOT, 0, b"\x08\x01"), Boot(8, 1)),
        (Frame(Type.ACK, 4, b"\x03\x09"), None),
        (Frame(0x99, 4, b"\x03"), None),
    ],
)
def test_small_messages(frame: Frame, message: object) -> None:
    assert parse(frame) == message


def test_a_newer_board_with_a_longer_hello_is_still_understood() -> None:
    longer = (
        hello_payload(Hello(9, (1, 2, 3), 180, 30, Feature.LAMPS)).removesuffix(b"kibitz") + b"more kibitz"
    )
    hello = parse(Frame(Type.IS_HELLO, 1, longer))
    assert isinstance(hello, Hello)
    assert hello.protocol == 9


def test_poles_are_in_the_boards_slot_order() -> None:
    sensors = bytearray(45)
    sensors[0], sensors[9], sensors[44] = NORTH << 6, SOUTH << 4, BOTH
    poles = BoardState(bytes(sensors), (0,) * 9).poles()
    assert {i: pole for i, pole in enumerate(poles) if pole} == {0: NORTH, 37: SOUTH, 179: BOTH}
    assert (board.SLOT_PLACE[0], board.SLOT_PLACE[37], board.SLOT_PLACE[179]) == (0, 6, 27)


def test_reset_causes_have_words() -> None:
    assert [Boot(cause, 1).words for cause in (1, 2, 8, 0x88, 0)] == [
        "power",
        "reset pin",
        "watchdog",
        "asked to",
        "unknown",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.01, 0.04])
def test_a_hundred_thousand_states_over_a_bad_line_and_not_one_wrong(rate: float) -> None:
    chance, line, decoder = random.Random(8), NoisyLine(9, rate), Decoder()
    accepted = wrong = only_second_check = 0
    sent = [BoardState(bytes(45), (0,) * 9)] * 2
    for _ in range(100_000):
        sent = [sent[1], BoardState(chance.randbytes(45), (0,) * 9)]
        for frame in decoder.feed(line.carry(encode(Frame(Type.IS_STATE, 0, state_payload(sent[1]))))):
            if isinstance(frame, Frame):
                got = parse(frame)
                only_second_check += got is None
                accepted += got in sent  # the one before, when its end was lost
                wrong += got is not None and got not in sent
    print(f"{rate:.0%}: {accepted} of 100000 accepted, {wrong} wrong, {only_second_check} past the CRC only")
    assert wrong == 0
    assert accepted > 0.05 * 100_000
