"""Lamp styles → the bytes of an APA102 string, for boards without a microcontroller.

The firmware does the same by itself (hardware/firmware/lamps.c); a test compares the two.
"""

from __future__ import annotations

from firmware_bridge import board

_PALETTE = tuple(board.PALETTE.values())
_HALVES = tuple(board.RHYTHMS.values())
_NAMES = tuple(board.RHYTHMS)
_BEGIN, _END = bytes(4), bytes(8)


def string_bytes(styles: bytes, elapsed: float) -> bytes:
    """The whole string `elapsed` seconds after the styles were set."""
    return _BEGIN + b"".join(_lamp(styles[lamp], elapsed) for lamp in board.LED_STRING) + _END


def moves(styles: bytes) -> bool:
    """True when the string changes by itself."""
    return any(style & 15 and style >> 4 for style in styles)


def _lamp(style: int, elapsed: float) -> bytes:
    red, green, blue = _PALETTE[style & 15]
    level = _level(style >> 4, elapsed) if style & 15 else 0
    return bytes((0xE0 | level, blue, green, red))


def _level(rhythm: int, elapsed: float) -> int:
    """Brightness 0-31 of a rhythm, never above the board's cap."""
    half, name = _HALVES[rhythm], _NAMES[rhythm]
    if not half:
        return board.LED_BRIGHTNESS
    phase = elapsed % (2 * half) / half
    if name == "breathe":
        return round(board.LED_BRIGHTNESS * min(phase, 2 - phase))
    return board.LED_BRIGHTNESS if (phase < 1) != (name == "second") else 0
