"""The board description as a wiring diagram (SVG), a netlist and a parts list (CSV)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import pairwise

from hardware.describe import BITS_PER_CHIP, BITS_PER_SLOT, Board, Slot

_SLOTS_PER_CHIP = BITS_PER_CHIP // BITS_PER_SLOT
_CHIP_PINS = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}
_SER, _QH, _CLK, _LOAD, _INHIBIT = 10, 9, 2, 1, 15


def netlist(board: Board) -> str:
    """One line a connection: net, from part, pin, to part, pin. Supply pins are in the README, not here."""
    return _csv(("net", "from", "pin", "to", "pin"), _nets(board))


def _nets(board: Board) -> Iterator[tuple[str, str, str, str, str]]:
    for slot in board.slots:
        for output, register_input in zip(("OUT1 north", "OUT2 south"), slot.inputs, strict=True):
            net = f"{_sensor(slot)}_{output[-5].upper()}"
            yield net, _sensor(slot), output, _chip(slot), f"{register_input} ({_CHIP_PINS[register_input]})"
    for index, chain in enumerate(board.chain):
        yield from _chain_nets(board, index, chain.pin)
    yield from _lamp_nets(board)
    for name, pin in board.buttons.items():
        yield f"BUTTON_{name.upper()}", "MCU", pin, f"SW_{name}", "to ground"


def _chain_nets(board: Board, index: int, pin: str) -> Iterator[tuple[str, str, str, str, str]]:
    chips = [f"U{index}{chip}" for chip in range(board.chain_bits // BITS_PER_CHIP)]
    yield f"CHAIN{index}", chips[0], f"QH ({_QH})", "MCU", pin
    for near, far in pairwise(chips):
        yield f"SHIFT_{far}", far, f"QH ({_QH})", near, f"SER ({_SER})"
    yield "DATA", "MCU", board.pins["data"], chips[-1], f"SER ({_SER})"
    for chip in chips:
        yield "CLOCK", "MCU", board.pins["clock"], chip, f"CLK ({_CLK})"
        yield "LOAD", "MCU", board.pins["load"], chip, f"SH/LD ({_LOAD})"
        yield "GND", "supply", "GND", chip, f"CLK INH ({_INHIBIT})"


def _lamp_nets(board: Board) -> Iterator[tuple[str, str, str, str, str]]:
    string = [f"LED{lamp}" for lamp in board.leds.string]
    yield "DATA", "MCU", board.pins["data"], string[0], "DI"
    yield "LED_CLOCK", "MCU", board.pins["led_clock"], string[0], "CI"
    for before, after in pairwise(string):
        yield f"DATA_{after}", before, "DO", after, "DI"
        yield f"CLOCK_{after}", before, "CO", after, "CI"


def _sensor(slot: Slot) -> str:
    return f"S{slot.place}_{slot.level}"


def _chip(slot: Slot) -> str:
    return f"U{slot.chain}{slot.chip}"


def parts_list(board: Board) -> str:
    """What to buy: count, price each and together; prices are estimates."""
    uses = {
        "slot": len(board.slots),
        "chip": board.chips,
        "lamp": len(board.leds.string),
        "button": len(board.buttons),
    }
    counted = [(part, part.use if isinstance(part.use, int) else uses[part.use]) for part in board.part]
    rows = [
        (str(n), part.what, part.number, f"{part.price:.2f}", f"{n * part.price:.2f}") for part, n in counted
    ]
    total = sum(n * part.price for part, n in counted)
    header = ("count", "part", "number", "estimate each EUR", "estimate EUR")
    return _csv(header, [*rows, ("", "together", "", "", f"{total:.2f}")])


def _csv(header: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


_CHIP_WIDTH, _CHIP_HEIGHT, _GAP, _LEFT, _TOP, _ROW = 96, 74, 14, 250, 130, 130


def wiring_diagram(board: Board) -> str:
    """Microcontroller, chains chip by chip with the sensors on each input, LED string, buttons."""
    width = _LEFT + (_CHIP_WIDTH + _GAP) * (board.chain_bits // BITS_PER_CHIP) + 150
    height = _TOP + _ROW * len(board.chain) + 190
    body = [
        *_text(20, 34, f"{board.name}: wiring (made from board.toml)", 20),
        *_text(20, 56, "S3_0 = sensor of place 3, level 0 (rim); n, s = its north and south output.", 12),
        *_bus(board, width),
        *(line for index in range(len(board.chain)) for line in _chain_row(board, index)),
        *_controller(board),
        *_lamps(board, _TOP + _ROW * len(board.chain) + 30),
    ]
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">'
    return "\n".join([head, _rect(0, 0, width, height, "#ffffff", "none"), *body, "</svg>"]) + "\n"


def _bus(board: Board, width: int) -> list[str]:
    """The lines that every chip shares."""
    names = f"CLOCK {board.pins['clock']} and LOAD {board.pins['load']} go to CLK and SH/LD of every chip"
    return [
        _line(_LEFT - 60, 100, width - 150, 100),
        *_text(_LEFT, 92, f"{names}; CLK INH to ground; 100 nF at every chip and sensor", 12),
    ]


def _chain_row(board: Board, index: int) -> list[str]:
    chain, y = board.chain[index], _TOP + _ROW * index
    chips = board.chain_bits // BITS_PER_CHIP
    slots = [slot for slot in board.slots if slot.chain == index]
    lines = [*_text(_LEFT, y - 6, f"chain {index}: {chain.name}", 13), _line(190, y + 20, _LEFT, y + 20)]
    for chip in range(chips):
        x = _LEFT + (_CHIP_WIDTH + _GAP) * chip
        lines += _chip_box(x, y, f"U{index}{chip}", slots[chip * _SLOTS_PER_CHIP :][:_SLOTS_PER_CHIP])
        lines.append(_line(x + _CHIP_WIDTH, y + 20, x + _CHIP_WIDTH + _GAP, y + 20))
    end = _LEFT + (_CHIP_WIDTH + _GAP) * chips
    return [*lines, *_text(end + 4, y + 24, f"SER from DATA {board.pins['data']}", 11)]


def _chip_box(x: int, y: int, name: str, slots: list[Slot]) -> list[str]:
    lines = [
        _rect(x, y, _CHIP_WIDTH, _CHIP_HEIGHT, "#eef4fb", "#345"),
        *_text(x + 4, y + 14, f"{name} 74HC165", 10),
    ]
    for row, slot in enumerate(slots):
        north, south = slot.inputs
        lines += _text(x + 4, y + 30 + 12 * row, f"{_sensor(slot)}: n {north}, s {south}", 10)
    return lines


def _controller(board: Board) -> list[str]:
    height = _ROW * len(board.chain)
    lines = [_rect(20, _TOP, 170, height, "#fdf6e3", "#543"), *_text(30, _TOP + 60, "Nano / Uno / Mega", 13)]
    for index, chain in enumerate(board.chain):
        lines += _text(140, _TOP + _ROW * index + 24, f"{chain.pin} ←", 12)
    for row, (name, pin) in enumerate(board.pins.items()):
        lines += _text(30, _TOP + 90 + 18 * row, f"{pin}: {name.replace('_', ' ')}", 12)
    for row, (name, pin) in enumerate(board.buttons.items()):
        lines += _text(30, _TOP + 190 + 18 * row, f"{pin}: button {name.replace('_', ' ')}", 12)
    return lines


def _lamps(board: Board, y: int) -> list[str]:
    lines = [
        *_text(
            20, y, f"LED string: DATA {board.pins['data']} → DI, LED CLOCK {board.pins['led_clock']} → CI", 13
        ),
        *_text(
            20,
            y + 18,
            "numbers are lamps: places 0-27, status of light 28 and of dark 29; DO → DI, CO → CI",
            12,
        ),
    ]
    for index, lamp in enumerate(board.leds.string):
        x = 20 + 42 * index
        lines += [_rect(x, y + 34, 34, 26, "#e8ffe8", "#363"), *_text(x + 9, y + 52, str(lamp), 12)]
    note = "5 V at both ends of the string, 470 µF each; one common ground; buttons from pin to ground"
    return [*lines, *_text(20, y + 86, note, 12)]


def _text(x: int, y: int, words: str, size: int) -> list[str]:
    return [f'<text x="{x}" y="{y}" font-size="{size}">{words}</text>']


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#345" stroke-width="1.5"/>'


def _rect(x: int, y: int, width: int, height: int, fill: str, stroke: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" stroke="{stroke}"/>'
