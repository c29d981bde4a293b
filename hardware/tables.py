"""The board description as a C header for the firmware and as Python tables for the host."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable

from hardware.describe import Board, Mcu

_MADE = "Made from hardware/board.toml by hardware/generate.py (make board): change that, not this."
_MCU_MACRO = {"atmega328p": "__AVR_ATmega328P__", "atmega2560": "__AVR_ATmega2560__"}


def c_header(board: Board) -> str:
    """`board.h`: sizes, times and look-up tables, and the pins of the chip it is compiled for."""
    parts = ["\n".join(_common(board)), *(_chip(board, name, mcu) for name, mcu in board.mcu.items())]
    return "\n\n".join(parts) + "\n\n#endif\n"


def _common(board: Board) -> list[str]:
    major, minor, patch = board.firmware.split(".")
    lamps = len(board.leds.string)
    return [
        f"/* {_MADE} */",
        "#ifndef BOARD_H",
        "#define BOARD_H",
        "",
        f"#define PROTOCOL {board.protocol}",
        f"#define FIRMWARE_VERSION {major}, {minor}, {patch}",
        f"#define BAUD {board.link.baud}UL",
        f"#define LINK_LOST_TICKS {_ticks(board, board.link.lost_ms)}",
        f"#define TICK_US {board.scan.period_us}UL",
        f"#define CHAINS {len(board.chain)}",
        f"#define CHAIN_BITS {board.chain_bits}",
        "/* The chains' bits when no sensor feels anything. */",
        f"#define SENSORS_IDLE {(1 << len(board.chain)) - 1 if board.idle else 0}",
        f"#define SLOTS {len(board.slots)}",
        f"#define LAMPS {lamps}",
        "#define POINT_LAMPS 24",
        f"#define LED_BRIGHTNESS {board.leds.brightness}",
        f"#define BUTTONS {len(board.buttons)}",
        f"#define COLOURS {len(board.palette)}",
        f"#define RHYTHMS {len(board.rhythms)}",
        *(f"#define COLOUR_{name.upper()} {i}" for i, name in enumerate(board.palette)),
        *(f"#define RHYTHM_{name.upper()} {i}" for i, name in enumerate(board.rhythms)),
        "/* Lamp numbers in the order of the string. */",
        f"#define LED_STRING {{{', '.join(map(str, board.leds.string))}}}",
        "/* Red, green, blue by colour number. */",
        f"#define PALETTE {{{', '.join(f'{{{r}, {g}, {b}}}' for r, g, b in board.palette.values())}}}",
        "/* After so many ticks all rhythms begin anew together. */",
        f"#define RHYTHM_CYCLE_TICKS {_cycle(board)}",
        "/* Ticks of half a period by rhythm number. */",
        f"#define RHYTHM_TICKS {{{', '.join(str(_ticks(board, ms)) for ms in board.rhythms.values())}}}",
    ]


def _ticks(board: Board, ms: int) -> int:
    return round(ms * 1000 / board.scan.period_us)


def _cycle(board: Board) -> int:
    return math.lcm(*(2 * _ticks(board, ms) for ms in board.rhythms.values() if ms))


def _chip(board: Board, name: str, mcu: Mcu) -> str:
    port = mcu.pins[board.chain[0].pin][0]
    bits = [int(mcu.pins[chain.pin][1]) for chain in board.chain]
    buttons = " ".join(_button(mcu, i, pin) for i, pin in enumerate(board.buttons.values()))
    lines = [
        f"#ifdef {_MCU_MACRO[name]} /* {mcu.boards} */",
        f"#define CHAIN_PIN PIN{port}",
        f"#define CHAIN_SHIFT {min(bits)}",
        *(line for role, pin in board.pins.items() for line in _pin(role.upper(), mcu.pins[pin])),
        "/* X(bit on the wire, port letter, bit of the port) */",
        f"#define EACH_BUTTON(X) {buttons}",
        "#endif",
    ]
    if bits != list(range(min(bits), min(bits) + len(bits))):
        raise ValueError(f"{name}: the chains' port bits must follow each other, not {bits}")
    return "\n".join(lines)


def _pin(role: str, pin: str) -> Iterable[str]:
    port, bit = pin[0], pin[1]
    return f"#define {role}_PORT PORT{port}", f"#define {role}_DDR DDR{port}", f"#define {role}_BIT {bit}"


def _button(mcu: Mcu, index: int, pin: str) -> str:
    port, bit = mcu.pins[pin][0], mcu.pins[pin][1]
    return f"X({index}, {port}, {bit})"


def python_tables(board: Board) -> str:
    """`firmware_bridge/board.py`: what the host must know of the board."""
    version = ", ".join(board.firmware.split("."))
    pi = board.pi
    lines = [
        f'"""{_MADE}"""',
        "",
        "# fmt: off",
        "from __future__ import annotations",
        "",
        f'NAME = "{board.name}"',
        f"PROTOCOL = {board.protocol}",
        f"FIRMWARE = ({version})",
        f"BAUD = {board.link.baud}",
        f"LIGHT_IS_NORTH = {board.light_pole == 'north'}",
        f"SENSOR_IDLE = {board.idle}",
        f"CHAINS = {len(board.chain)}",
        f"CHAIN_BITS = {board.chain_bits}",
        f"LAMPS = {len(board.leds.string)}",
        f"LED_BRIGHTNESS = {board.leds.brightness}",
        "",
        f"BUTTONS = {tuple(board.buttons)!r}".replace("'", '"'),
        "#: Lamp numbers in the order of the string.",
        *_wrapped("LED_STRING", board.leds.string),
        "#: Red, green, blue; the position is the colour's number on the wire.",
        "PALETTE = {",
        *(f'    "{name}": {rgb},' for name, rgb in board.palette.items()),
        "}",
        "#: Seconds of half a period; the position is the rhythm's number on the wire.",
        "RHYTHMS = {" + ", ".join(f'"{name}": {ms / 1000}' for name, ms in board.rhythms.items()) + "}",
        "",
        "#: Each slot's place on the table and its level there, 0 at the rim; chain by chain, as wired.",
        *_wrapped("SLOT_PLACE", (slot.place for slot in board.slots)),
        *_wrapped("SLOT_LEVEL", (slot.level for slot in board.slots)),
        "",
        "#: Raspberry Pi without a microcontroller: devices on SPI 0, BCM pins.",
        f"PI_SENSORS, PI_LAMPS = {pi.sensor_device}, {pi.led_device}",
        f"PI_LOAD = {pi.load}",
        f"PI_BUTTONS = ({pi.confirm}, {pi.clock_light}, {pi.clock_dark})",
        f"PI_GREEN, PI_AMBER, PI_RED = {pi.green}, {pi.amber}, {pi.red}",
    ]
    return "\n".join(lines) + "\n"


def _wrapped(name: str, values: Iterable[int]) -> list[str]:
    rows = textwrap.wrap(", ".join(map(str, values)) + ",", 100)
    return [f"{name} = (", *(f"    {row}" for row in rows), ")"]
