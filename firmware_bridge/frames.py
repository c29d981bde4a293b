"""Bytes ↔ frames on the serial line: COBS(type, seq, payload, CRC-16/CCITT-FALSE) and a closing zero.

No port and no clock: feed what came, send what `encode` gives.
"""

from __future__ import annotations

import binascii
from typing import NamedTuple

from cobs import cobs

#: Longer runs without a zero are noise (the longest frame of either side has 64 bytes).
LONGEST = 128
_CRC_START = 0xFFFF
_OVERHEAD = 4


class Frame(NamedTuple):
    """One frame; type, seq 0-255."""

    type: int
    seq: int
    payload: bytes = b""


class Broken(NamedTuple):
    """Bytes between two zeros that are no frame, and why."""

    data: bytes
    why: str


def encode(frame: Frame) -> bytes:
    """A frame as it goes on the line. A zero goes first too: it ends what noise may have begun."""
    body = bytes((frame.type, frame.seq)) + frame.payload
    crc = binascii.crc_hqx(body, _CRC_START).to_bytes(2, "big")
    return b"\0" + bytes(cobs.encode(body + crc)) + b"\0"


class Decoder:
    """Cuts a byte stream into frames; whatever it is fed, it never raises."""

    def __init__(self) -> None:
        self._open = bytearray()

    def feed(self, data: bytes) -> list[Frame | Broken]:
        """Frames and broken ones that these bytes complete, in order."""
        *closed, rest = (bytes(self._open) + data).split(b"\0")
        found = [_decode(part) for part in closed if part]
        if len(rest) > LONGEST:
            found.append(Broken(rest, "no end"))
            rest = b""
        self._open = bytearray(rest)
        return found


def _decode(data: bytes) -> Frame | Broken:
    try:
        body = cobs.decode(data)
    except cobs.DecodeError:
        return Broken(data, "no COBS")
    if len(body) < _OVERHEAD:
        return Broken(data, "too short")
    if binascii.crc_hqx(body, _CRC_START):
        return Broken(data, "CRC")
    return Frame(body[0], body[1], bytes(body[2:-2]))
