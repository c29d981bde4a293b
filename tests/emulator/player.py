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
        self.error: Exception | None = None
        self._on_event = on_event
        self._thread = threading.Thread(target=self._run, name="host")
        self._thread.start()

    def _run(self) -> None:
        try:
            for event in self.board.events():
                self.events.append(event)
                self._on_event(event)
        except Exception as error:
            self.error = error

    def close(self) -> None:
        """Stop; raises what went wrong on the host's thread."""
        self.board.close()
        self._thread.join()
        if self.error is not None:
            raise self.error


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
