"""The real firmware on an emulated chip, with the board's wires around it, in virtual time."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hardware.describe import Board

_CHAIN, _CLOCK, _LOAD, _DATA, _LED_CLOCK, _BUTTON = range(6)
_MOST_LAMPS = 64
_ROOM = 4096


class Shown(NamedTuple):
    """One picture on the LED string: seconds, then (brightness, red, green, blue) by lamp number."""

    t: float
    lamps: tuple[tuple[int, int, int, int], ...]


class _Picture(ctypes.Structure):
    _fields_ = (("when", ctypes.c_uint64), ("lamps", (ctypes.c_uint8 * 4) * _MOST_LAMPS))


class EmulatedBoard:
    """A powered board. Times are seconds of the chip's own clock since power came."""

    def __init__(self, library: Path, elf: Path, board: Board, mcu: str = "atmega328p") -> None:
        self.board = board
        self.hz = board.mcu[mcu].hz
        self._lib = _load(library)
        bits, lamps = board.chain_bits, len(board.leds.string)
        arguments = (self.hz, len(board.chain), bits, lamps, len(board.buttons))
        self._chip = self._lib.board_new(str(elf).encode(), mcu.encode(), *arguments)
        if not self._chip:
            raise RuntimeError(f"simavr does not take {elf} for {mcu}")
        self._wire(mcu)
        self._slot = {(slot.place, slot.level): slot for slot in board.slots}
        self._poles: dict[tuple[int, int], int] = {}
        for place, level in self._slot:
            self.put(place, level, 0)
        self._lib.board_power(self._chip, round(self.hz * 10 / board.link.baud))
        self._pictures = 0

    def _wire(self, mcu: str) -> None:
        pins = self.board.mcu[mcu].pins
        wires = [(_CHAIN, i, pins[chain.pin]) for i, chain in enumerate(self.board.chain)]
        roles = {"clock": _CLOCK, "load": _LOAD, "data": _DATA, "led_clock": _LED_CLOCK}
        wires += [(role, 0, pins[self.board.pins[name]]) for name, role in roles.items()]
        wires += [(_BUTTON, i, pins[pin]) for i, pin in enumerate(self.board.buttons.values())]
        for role, index, pin in wires:
            self._lib.board_wire(self._chip, role, index, pin[0].encode(), int(pin[1]))

    def close(self) -> None:
        self._lib.board_free(self._chip)
        self._chip = None

    @property
    def t(self) -> float:
        return int(self._lib.board_cycle(self._chip)) / self.hz

    def run(self, seconds: float) -> None:
        """Let time pass.

        Raises:
            RuntimeError: the chip ran into nowhere.
        """
        until = self._lib.board_cycle(self._chip) + round(seconds * self.hz)
        if not self._lib.board_run(self._chip, until):
            raise RuntimeError(f"the chip crashed at {self.t:.6f} s")

    def put(self, place: int, level: int, pole: int) -> None:
        """A magnet on a slot: 0 none, 1 south, 2 north, 3 both outputs (which only a fault gives)."""
        self._poles[place, level] = pole
        slot = self._slot[place, level]
        for offset, on in enumerate((pole >> 1, pole & 1)):
            self._lib.board_set_input(self._chip, slot.chain, slot.index * 2 + offset, on ^ self.board.idle)

    def poles(self) -> list[int]:
        """What lies on each slot, in the order of the board's slots."""
        return [self._poles.get((slot.place, slot.level), 0) for slot in self.board.slots]

    def press(self, button: str, down: bool = True) -> None:
        self._lib.board_press(self._chip, list(self.board.buttons).index(button), down)

    def break_chain(self, chain: int, stage: int = -1) -> None:
        """From that bit on nothing gets through any more; -1 mends it."""
        self._lib.board_break_chain(self._chip, chain, stage)

    def send(self, data: bytes, together: bool = False) -> None:
        """Bytes to the chip at the line's speed; `together`: all at one moment, so that it must lose some."""
        self._lib.board_send(self._chip, data, len(data), together)

    def received(self) -> bytes:
        """Bytes that the chip has sent since the last call."""
        return bytes(byte for byte, _ in self.received_timed())

    def received_timed(self) -> list[tuple[int, float]]:
        """The same with the second at which each had left."""
        data, when = (ctypes.c_uint8 * _ROOM)(), (ctypes.c_uint64 * _ROOM)()
        count = self._lib.board_receive(self._chip, data, when, _ROOM)
        return [(data[i], when[i] / self.hz) for i in range(count)]

    def shown(self) -> list[Shown]:
        """Changes of the LED string since the last call."""
        room = (_Picture * 256)()
        total = self._lib.board_pictures(self._chip, self._pictures, room, 256)
        count = min(total - self._pictures, 256)
        self._pictures += count
        return [Shown(picture.when / self.hz, self._by_lamp(picture)) for picture in room[:count]]

    def _by_lamp(self, picture: _Picture) -> tuple[tuple[int, int, int, int], ...]:
        along = [tuple(picture.lamps[i]) for i in range(len(self.board.leds.string))]
        by_lamp = dict(zip(self.board.leds.string, along, strict=True))
        return tuple((a, r, g, b) for a, b, g, r in (by_lamp[i] for i in range(len(along))))

    @property
    def drawn(self) -> int:
        """How often the LED string has been written, changed or not."""
        return int(self._lib.board_drawn(self._chip))

    @property
    def slept(self) -> float:
        """Seconds asleep."""
        return int(self._lib.board_slept(self._chip)) / self.hz

    @property
    def resets(self) -> int:
        return int(self._lib.board_resets(self._chip))

    @property
    def overruns(self) -> int:
        """Bytes that the chip's two-byte buffer lost."""
        return int(self._lib.board_overruns(self._chip))

    def reset(self) -> None:
        """The reset pin."""
        self._lib.board_reset(self._chip)

    def hang(self) -> None:
        """Caught in an endless loop, interrupts off."""
        if not self._lib.board_hang(self._chip):
            raise RuntimeError("the firmware has no endless loop to be caught in")


def put_counts(emulated: EmulatedBoard, counts: Iterable[int], guests: Iterable[int] = ()) -> None:
    """28 signed counts (light +) on the board; what is above a place's slots cannot be sensed.

    On each place of `guests` one checker of the other colour lies above them.
    """
    light, dark = (2, 1) if emulated.board.light_pole == "north" else (1, 2)
    table, also = tuple(counts), set(guests)
    for slot in emulated.board.slots:
        count = table[slot.place]
        own, other = (light, dark) if count > 0 else (dark, light)
        above = other if slot.place in also and slot.level == abs(count) else 0
        emulated.put(slot.place, slot.level, own if slot.level < abs(count) else above)


def _load(path: Path) -> ctypes.CDLL:
    lib = ctypes.CDLL(str(path))
    chip, u64 = ctypes.c_void_p, ctypes.c_uint64
    bytes_in = ctypes.c_char_p
    signatures: dict[str, tuple[object, list[object]]] = {
        "board_new": (chip, [bytes_in, bytes_in, ctypes.c_uint32, *[ctypes.c_int] * 4]),
        "board_free": (None, [chip]),
        "board_wire": (None, [chip, ctypes.c_int, ctypes.c_int, ctypes.c_char, ctypes.c_int]),
        "board_power": (None, [chip, u64]),
        "board_run": (ctypes.c_int, [chip, u64]),
        "board_set_input": (None, [chip, ctypes.c_int, ctypes.c_int, ctypes.c_int]),
        "board_break_chain": (None, [chip, ctypes.c_int, ctypes.c_int]),
        "board_press": (None, [chip, ctypes.c_int, ctypes.c_int]),
        "board_send": (None, [chip, bytes_in, ctypes.c_uint32, ctypes.c_int]),
        "board_receive": (ctypes.c_uint32, [chip, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]),
        "board_pictures": (u64, [chip, u64, ctypes.c_void_p, ctypes.c_uint32]),
        "board_cycle": (u64, [chip]),
        "board_slept": (u64, [chip]),
        "board_drawn": (u64, [chip]),
        "board_resets": (ctypes.c_uint32, [chip]),
        "board_overruns": (ctypes.c_uint32, [chip]),
        "board_reset": (None, [chip]),
        "board_hang": (ctypes.c_int, [chip]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib
