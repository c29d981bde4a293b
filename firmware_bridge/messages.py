"""Frames ↔ what they mean. `hardware/firmware/protocol.c` is the other side.

A request's answer carries its seq; what the board says by itself has seq 0. All numbers are big-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from enum import IntEnum, IntFlag
from typing import NamedTuple

from firmware_bridge import board
from firmware_bridge.frames import Frame

NAME = b"kibitz"
NONE, SOUTH, NORTH, BOTH = 0, 1, 2, 3
_SENSOR_BYTES = board.CHAINS * board.CHAIN_BITS // 8
_BUTTON_BYTES = (len(board.BUTTONS) + 1) // 2
_CHECKED = _SENSOR_BYTES + _BUTTON_BYTES + 1
_GREETED = 0x80


class Type(IntEnum):
    HELLO = 0x01
    GET = 0x02
    LED = 0x03
    STATS = 0x04
    RESET = 0x05
    IS_HELLO = 0x81
    IS_STATE = 0x82
    ACK = 0x83
    IS_STATS = 0x84
    BOOT = 0x85


class Refusal(IntEnum):
    OK = 0
    BROKEN_FRAME = 1
    UNKNOWN = 2
    BAD_PAYLOAD = 3


class Feature(IntFlag):
    SENSORS = 1
    LAMPS = 2
    BUTTONS = 4
    DICE_BUTTONS = 8
    CHAIN_CHECK = 16


class Hello(NamedTuple):
    """Who the board is. `firmware` is (major, minor, patch)."""

    protocol: int
    firmware: tuple[int, int, int]
    slots: int
    lamps: int
    features: Feature


class BoardState(NamedTuple):
    """All sensors and buttons.

    `sensors` 45 bytes, chain by chain; `edges` how often each button went down or up, modulo 16 (odd: it is
    down); `faults` a bit for each chain that does not pass its far end's bit through; `greeted`: a host has
    said HELLO since the board started.
    """

    sensors: bytes
    edges: tuple[int, ...]
    faults: int = 0
    greeted: bool = True

    def poles(self) -> list[int]:
        """Each slot's NONE, SOUTH, NORTH or BOTH (which no magnet gives), in the board's slot order."""
        return [byte >> shift & 3 for byte in self.sensors for shift in (6, 4, 2, 0)]


class Ack(NamedTuple):
    of: int
    refusal: Refusal


class Stats(NamedTuple):
    """Counters since the board started; `never_used`: bytes of RAM that the stack never reached."""

    good_frames: int
    broken_frames: int
    overruns: int
    dropped_states: int
    scans: int
    never_used: int
    watchdog_resets: int
    faults: int


class Boot(NamedTuple):
    """The board has just started. `cause` is the chip's MCUSR, and 0x80 when it was asked to."""

    cause: int
    protocol: int

    @property
    def words(self) -> str:
        names = {1: "power", 2: "reset pin", 4: "low voltage", 8: "watchdog"}
        if self.cause & 0x80:
            return "asked to"
        return ", ".join(name for bit, name in names.items() if self.cause & bit) or "unknown"


Message = Hello | BoardState | Ack | Stats | Boot


class Styles(NamedTuple):
    """All lamps: colour number + 16 · rhythm number each, for `ms` milliseconds (0: until the next)."""

    styles: bytes
    ms: int = 0


DARK = Styles(bytes(board.LAMPS))


def led_payload(styles: Styles) -> bytes:
    return struct.pack(">H", styles.ms) + styles.styles


def state_payload(state: BoardState) -> bytes:
    """A STATE as a board would send it."""
    edges = bytes(
        (state.edges[i] & 15) << 4 | (state.edges[i + 1] & 15 if i + 1 < len(state.edges) else 0)
        for i in range(0, len(state.edges), 2)
    )
    checked = state.sensors + edges + bytes((state.faults | (_GREETED if state.greeted else 0),))
    return checked + struct.pack(">H", fletcher16(checked))


def hello_payload(hello: Hello) -> bytes:
    return (
        struct.pack(">B3BHBB", hello.protocol, *hello.firmware, hello.slots, hello.lamps, hello.features)
        + NAME
    )


def stats_payload(stats: Stats) -> bytes:
    return struct.pack(">4HIHBB", *stats)


def fletcher16(data: bytes) -> int:
    """The STATE's own check, independent of the frame's CRC.

    A CRC of 16 bits lets one broken frame in 65,536 pass; on a bad line that is a wrong position an evening.
    """
    low = high = 0
    for byte in data:
        low = (low + byte) % 255
        high = (high + low) % 255
    return high << 8 | low


def parse(frame: Frame) -> Message | None:
    """What a board's frame says; None when it is of no known type or does not have that type's form."""
    reader = _READERS.get(frame.type)
    try:
        return reader(frame.payload) if reader else None
    except (struct.error, ValueError):
        return None


def _hello(payload: bytes) -> Hello:
    protocol, *version, slots, lamps, features = struct.unpack_from(">B3BHBB", payload)
    if not payload.endswith(NAME):
        raise ValueError("another device")
    return Hello(protocol, (version[0], version[1], version[2]), slots, lamps, Feature(features))


def _state(payload: bytes) -> BoardState:
    *checked, check = struct.unpack(f">{_SENSOR_BYTES}s{_BUTTON_BYTES}sBH", payload)
    if check != fletcher16(payload[:_CHECKED]):
        raise ValueError("second check")
    sensors, buttons, flags = checked
    edges = [half for byte in buttons for half in (byte >> 4, byte & 15)][: len(board.BUTTONS)]
    return BoardState(sensors, tuple(edges), flags & ~_GREETED, bool(flags & _GREETED))


def _ack(payload: bytes) -> Ack:
    of, refusal = struct.unpack(">BB", payload)
    return Ack(of, Refusal(refusal))


def _stats(payload: bytes) -> Stats:
    return Stats(*struct.unpack(">4HIHBB", payload))


def _boot(payload: bytes) -> Boot:
    return Boot(*struct.unpack(">BB", payload))


_READERS: dict[int, Callable[[bytes], Message]] = {
    Type.IS_HELLO: _hello,
    Type.IS_STATE: _state,
    Type.ACK: _ack,
    Type.IS_STATS: _stats,
    Type.BOOT: _boot,
}
