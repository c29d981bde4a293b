"""The full sensor board straight on a Raspberry Pi: registers and lamps on its SPI port, no microcontroller.

All chains are one row of 45 registers. What goes out on the data line enters the row at its far end and must
come back behind the sensors: that proves the row whole at every scan. The lamps share the lines but for the
select.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from gpiozero import DigitalOutputDevice, SPIDevice

from firmware_bridge import board
from firmware_bridge.apa102 import moves, string_bytes
from firmware_bridge.gpio_buttons import GpioButtons
from firmware_bridge.messages import DARK, BoardState, Styles
from firmware_bridge.reporter import Report, Reporter
from firmware_bridge.sensing import Sensing
from firmware_bridge.serial_board import styles_of
from firmware_bridge.steady import Steady, sampled, settled
from referee.signal import Signal

SCAN_S = 0.01
#: Moving lights are redrawn so often, still ones each second: a spike on the string heals.
DRAW_S, REFRESH_S = 0.03, 1.0
#: A 74HC165 shifts when the clock rises; sampled when it falls, a bit has had half a period to settle.
SENSOR_MODE, LAMP_MODE = 2, 0
_SENSOR_BYTES = board.CHAINS * board.CHAIN_BITS // 8
_IDLE = (1 << 8 * _SENSOR_BYTES) - 1 if board.SENSOR_IDLE else 0
_PROBES = (0xA5, 0x5A)
_ALL_CHAINS = (1 << board.CHAINS) - 1


class _Bus(SPIDevice):  # type: ignore[misc] # gpiozero has no types
    """One device on SPI 0, for whole transfers in its own clock mode."""

    def __init__(self, device: int, mode: int, factory: Any) -> None:
        super().__init__(port=0, device=device, pin_factory=factory)
        self._mode = mode

    def transfer(self, data: bytes) -> bytes:
        """What comes in while `data` goes out."""
        if (
            self._spi.clock_mode != self._mode
        ):  # where both devices share a bus made in software, they share it
            self._spi.clock_mode = self._mode
        return bytes(self._spi.transfer(list(data)))


class PiBoard:
    """A board on SPI; the same calls and events as `SerialBoard`, without a link that can be lost."""

    def __init__(
        self,
        checkers: tuple[int, int] = (15, 15),
        dice: int = 2,
        factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
        eaten: bool = False,
    ) -> None:
        """`factory` is a gpiozero pin factory, None its own choice; the rest as for `SerialBoard`."""
        self._clock = clock
        self._closed = threading.Event()
        self._load = DigitalOutputDevice(board.PI_LOAD, initial_value=True, pin_factory=factory)
        self._sensors = _Bus(board.PI_SENSORS, SENSOR_MODE, factory)
        self._lamps = _Bus(board.PI_LAMPS, LAMP_MODE, factory)
        self._buttons = GpioButtons(board.PI_BUTTONS, factory)
        self._reporter = Reporter(checkers, dice, eaten)
        self._bits: Steady | None = None
        self._probe = 0
        self._lock = threading.RLock()
        self._styles, self._set_at, self._drawn_at = DARK, clock(), float("-inf")

    def show(self, signal: Signal) -> None:
        """Light the lamps, now; rhythms go on while `events` is read."""
        self.light(styles_of(signal))

    def light(self, styles: Styles) -> None:
        """Light each lamp on its own."""
        with self._lock:
            self._styles, self._set_at = styles, self._clock()
            self._draw(self._set_at)

    @property
    def sensing(self) -> Sensing:
        """The sensors as they are now, for a look behind the observations."""
        return self._reporter.sensing

    def events(self) -> Iterator[Report]:
        """What the board says, until `close`."""
        while not self._closed.wait(SCAN_S):
            yield from self._scanned()

    def _scanned(self) -> list[Report]:
        """A scan that `close` waits for."""
        with self._lock:
            return [] if self._closed.is_set() else list(self.scan())

    def scan(self) -> Iterator[Report]:
        """One scan of sensors and buttons, and what there is to say of it."""
        state, t = self._read(), self._clock()
        self._keep_time(t)
        yield from self._reporter.heard(state, t)
        yield from self._reporter.passed(t)

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            for device in (self._sensors, self._lamps, self._load, self._buttons):
                device.close()

    def _read(self) -> BoardState:
        self._load.off()
        self._load.on()
        self._probe = 1 - self._probe
        words = self._sensors.transfer(bytes((_PROBES[self._probe],)) + bytes(_SENSOR_BYTES))
        whole = words[-1] == _PROBES[self._probe]
        sample = int.from_bytes(words[:-1], "big") ^ _IDLE
        self._bits = settled(sample) if self._bits is None else sampled(self._bits, sample)
        self._buttons.scan()
        edges = [count % 16 for count in self._buttons.edges] + [0] * (
            len(board.BUTTONS) - len(board.PI_BUTTONS)
        )
        sensors = self._bits.state.to_bytes(_SENSOR_BYTES, "big")
        return BoardState(sensors, tuple(edges), 0 if whole else _ALL_CHAINS)

    def _keep_time(self, t: float) -> None:
        with self._lock:
            if self._styles.ms and (t - self._set_at) * 1000 >= self._styles.ms:
                self._styles = DARK
                self._draw(t)
            elif t - self._drawn_at >= (DRAW_S if moves(self._styles.styles) else REFRESH_S):
                self._draw(t)

    def _draw(self, t: float) -> None:
        self._lamps.transfer(string_bytes(self._styles.styles, t - self._set_at))
        self._drawn_at = t
