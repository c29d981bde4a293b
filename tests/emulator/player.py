"""A host on a thread, and the moments to wait for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from firmware_bridge.serial_board import BoardEvent, SerialBoard


class Host:
    """Reads a board's events on a thread of its own; `on_event` sees each as it comes."""

    def __init__(self, board: SerialBoard, on_event: Callable[[BoardEvent], None] = lambda _: None) -> None:
        self.board = board
        self.events: list[BoardEvent] = []
        self._on_event = on_event
        self._thread = threading.Thread(target=self._run, name="host")
        self._thread.start()

    def _run(self) -> None:
        for event in self.board.events():
            self.events.append(event)
            self._on_event(event)

    def close(self) -> None:
        self.board.close()
        self._thread.join()


def wait_for(condition: Callable[[], bool], seconds: float) -> float:
    """Seconds until a condition held.

    Raises:
        TimeoutError: it did not in time.
    """
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > seconds:
            raise TimeoutError(f"not within {seconds} s")
        time.sleep(0.002)
    return time.monotonic() - begun
