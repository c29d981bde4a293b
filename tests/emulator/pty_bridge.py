"""The emulated board in real time behind a pty: for pyserial a serial port, with a plug to pull."""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import pty
import termios
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

from tests.emulator.emulated import EmulatedBoard

STEP_S = 0.001
#: Behind by more than this (a busy machine), the board's clock is let slip instead of being chased.
MOST_BEHIND_S = 0.05
#: What lies in the port for so long has a host that gets no processor; after the longer time, none at all.
UNHEARD_S, GONE_S = 0.02, 20.0


class PtyBridge:
    """Runs a board on its own thread; `port` is its port's name, `held()` the right to touch the board.

    A `patient` board stands still while what it said has not been read. Together with a host on the board's
    clock (`clock`) that makes a test of what is said and done, at whatever speed the machine can: on a quiet
    one in real time. Nothing that measures delays may use it.
    """

    def __init__(self, emulated: EmulatedBoard, folder: Path, patient: bool = False) -> None:
        self.emulated = emulated
        self._patient, self._heard_at = patient, time.monotonic()
        self.port = folder / "ttyKibitz"
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._ends: tuple[int, int] | None = None
        self.slipped = 0.0
        self.plug()
        self._thread = threading.Thread(target=self._run, name="emulated board")
        self._thread.start()

    @contextlib.contextmanager
    def held(self) -> Iterator[EmulatedBoard]:
        """The board, standing still."""
        with self._lock:
            yield self.emulated

    def clock(self) -> float:
        """Seconds of the board's own clock."""
        return self.emulated.t

    def wait(self, seconds: float) -> None:
        """Until so much time has passed on the board, which on a busy machine may be late."""
        until = self.emulated.t + seconds
        while self.emulated.t < until:
            time.sleep(STEP_S)

    def plug(self, reset: bool = False) -> None:
        """The port is there (again); `reset`: the board had no power without it."""
        with self._lock:
            master, slave = pty.openpty()
            tty.setraw(slave)
            os.set_blocking(master, False)
            self._ends = (master, slave)
            self.port.unlink(missing_ok=True)
            self.port.symlink_to(os.ttyname(slave))
            if reset:
                self.emulated.reset()

    def unplug(self) -> None:
        """The port is gone; what is said meanwhile nobody hears."""
        with self._lock:
            ends, self._ends = self._ends, None
            self.port.unlink(missing_ok=True)
            for end in ends or ():
                os.close(end)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.unplug()

    def _run(self) -> None:
        begun = time.monotonic() - self.emulated.t
        while not self._stop.is_set():
            with self._lock:
                behind = time.monotonic() - begun - self.emulated.t
                due = 0.0 if self._unheard() else STEP_S if behind > MOST_BEHIND_S else behind
                if behind > due:
                    begun, self.slipped = begun + behind - due, self.slipped + behind - due
                if due > 0:
                    self._step(due)
            time.sleep(STEP_S)

    def _unheard(self) -> bool:
        """True while the host is so late that a patient board waits for it."""
        now = time.monotonic()
        if not self._patient or self._ends is None or not _waiting(self._ends[1]):
            self._heard_at = now
        return UNHEARD_S < now - self._heard_at < GONE_S

    def _step(self, seconds: float) -> None:
        data = self._read()
        if data:
            self.emulated.send(data)
        self.emulated.run(seconds)
        said = self.emulated.received()
        if said and self._ends:
            with contextlib.suppress(BlockingIOError):  # nobody reads: a full port loses, as a real one does
                os.write(self._ends[0], said)

    def _read(self) -> bytes:
        if self._ends is None:
            return b""
        try:
            return os.read(self._ends[0], 4096)
        except BlockingIOError:
            return b""


def _waiting(port: int) -> int:
    """Bytes that lie in a port and have not been read."""
    count = array.array("i", [0])
    fcntl.ioctl(port, termios.FIONREAD, count)
    return count[0]
