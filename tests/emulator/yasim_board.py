"""The same board on another emulator, yasimavr: a second opinion on the firmware.

Slower than simavr (the wires are Python here), so it is asked less. GPL: for tests only.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import yasimavr.lib.core as core
from yasimavr.device_library import load_device
from yasimavr.utils.uart import UART_IO

from hardware.describe import Board


class Chain:
    """Nine shift registers in a row."""

    def __init__(self, pin: Any, bits: int, idle: int) -> None:
        self.inputs = [idle] * bits
        self._pin = pin
        self._stages: deque[int] = deque(self.inputs)
        self._drive()

    def load(self) -> None:
        self._stages = deque(self.inputs)
        self._drive()

    def shift(self, far_bit: int) -> None:
        self._stages.popleft()
        self._stages.append(far_bit)
        self._drive()

    def _drive(self) -> None:
        self._pin.set_external_state("H" if self._stages[0] else "L")


class YasimBoard:
    """Powered; the calls of `EmulatedBoard` that a `Talker` and a smoke test need."""

    def __init__(self, elf: Path, board: Board, mcu: str = "atmega328p") -> None:
        self.board, self.hz = board, board.mcu[mcu].hz
        self._device = load_device(mcu)
        # Waiting for the watchdog in an endless loop is no end of the program.
        self._device.set_option(core.Device.Option.InfiniteLoopDetect, False)
        self._loop = core.SimLoop(self._device)
        self._loop.set_fast_mode(True)
        firmware = core.Firmware.read_elf(str(elf))
        firmware.frequency, firmware.vcc = self.hz, 5.0
        self._device.load_firmware(firmware)
        self._uart = UART_IO(self._device, 0)
        self._out: deque[tuple[float, int]] = deque()
        pins = board.mcu[mcu].pins
        self._chains = [
            Chain(self._pin(pins[chain.pin]), board.chain_bits, board.idle) for chain in board.chain
        ]
        self._buttons = {name: self._pin(pins[pin]) for name, pin in board.buttons.items()}
        self._levels = dict.fromkeys(board.pins, 0)
        self._hooks = [self._listen(role, pins[pin]) for role, pin in board.pins.items()]
        self._slots = {(slot.place, slot.level): slot for slot in board.slots}
        self._word, self._bits = 0, 0
        self.pictures: list[tuple[float, list[int]]] = []
        self._drawing: list[int] | None = None

    def _pin(self, name: str) -> Any:
        return self._device.find_pin(f"P{name}")

    def _listen(self, role: str, pin: str) -> Any:
        hook = core.CallableSignalHook(lambda data, _: self._changed(role, data))
        self._pin(pin).signal().connect(hook)
        return hook

    def _changed(self, role: str, data: Any) -> None:
        if data.sigid != core.Wire.SignalId.DigitalChange:
            return
        level, before = int(bool(data.data.value())), self._levels[role]
        self._levels[role] = level
        if role == "load" and before and not level:
            for chain in self._chains:
                chain.load()
        elif role == "clock" and level and not before:
            for chain in self._chains:
                chain.shift(self._levels["data"])
        elif role == "led_clock" and level and not before:
            self._take_bit(self._levels["data"])

    def _take_bit(self, bit: int) -> None:
        if self._drawing is not None and not self._drawing and not self._bits and not bit:
            return
        self._word, self._bits = (self._word << 1 | bit) & 0xFFFFFFFF, self._bits + 1
        if self._drawing is None:
            if self._bits >= 32 and not self._word:
                self._drawing, self._bits = [], 0
        elif self._bits == 32:
            self._bits = 0
            self._take_word()

    def _take_word(self) -> None:
        assert self._drawing is not None
        if self._word >> 29 == 7 and len(self._drawing) < len(self.board.leds.string):
            self._drawing.append(self._word)
            return
        if self._drawing:
            self.pictures.append((self.t, self._drawing))
        self._drawing = None

    @property
    def t(self) -> float:
        return int(self._loop.cycle()) / self.hz

    def run(self, seconds: float) -> None:
        before = self._loop.cycle()
        self._loop.run(round(seconds * self.hz))
        if self._loop.cycle() == before:
            raise RuntimeError(f"the chip stands still: {self._device.state()}")

    def send(self, data: bytes) -> None:
        self._uart.write(data)

    def received_timed(self) -> list[tuple[int, float]]:
        data = self._uart.read(4096) or b""
        return [(byte, self.t) for byte in data]

    def put(self, place: int, level: int, pole: int) -> None:
        slot = self._slots[place, level]
        felt = [pole >> 1 ^ self.board.idle, pole & 1 ^ self.board.idle]
        self._chains[slot.chain].inputs[slot.index * 2 : slot.index * 2 + 2] = felt

    def press(self, button: str, down: bool = True) -> None:
        self._buttons[button].set_external_state("L" if down else "Z")

    def lit(self) -> dict[int, tuple[int, int, int]]:
        """Lamps lit in the last picture: red, green, blue by lamp number."""
        words = zip(self.board.leds.string, self.pictures[-1][1], strict=True)
        return {lamp: (w & 255, w >> 8 & 255, w >> 16 & 255) for lamp, w in words if w >> 24 & 31}
