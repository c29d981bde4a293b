"""A sensor board on a port: keeps the link up, gives observations, shows signals."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from firmware_bridge import board, ports
from firmware_bridge.leds import lamps_of
from firmware_bridge.link import Connected, Disconnected, Event, Link, StateSeen, StatsSeen, Unanswered
from firmware_bridge.messages import Stats, Styles, Type
from firmware_bridge.ports import Port
from firmware_bridge.reporter import Report, Reporter
from firmware_bridge.sensing import Sensing
from referee.signal import LOOK, Signal

#: Seconds before the next try to open the port: doubled from the first to the last.
BACKOFF_S, MOST_BACKOFF_S = 0.05, 0.4
_DOUBLINGS = 3
#: A port that stays silent for so long is tried anew, or the next one (an Arduino's bootloader takes up to 2
#: s).
SILENT_S = 3.0

_COLOURS = {name: number for number, name in enumerate(board.PALETTE)}
_RHYTHMS = {name: number for number, name in enumerate(board.RHYTHMS)}


def backoff(tries: int) -> float:
    """Seconds to wait after so many tries in vain, which may be any number."""
    return BACKOFF_S * 2**tries if tries < _DOUBLINGS else MOST_BACKOFF_S


class LinkNews(NamedTuple):
    """The board came or went, or did not do as asked; in words."""

    t: float
    up: bool
    words: str


#: What a board has to say.
BoardEvent = Report | LinkNews


def styles_of(signal: Signal) -> Styles:
    """A signal as the board's lamp command."""
    styles = bytearray(board.LAMPS)
    for lamp, (colour, rhythm, second) in lamps_of(signal).items():
        styles[lamp] = _RHYTHMS["second" if second else rhythm] << 4 | _COLOURS[colour]
    seconds = LOOK[signal.sign].seconds
    return Styles(bytes(styles), round(seconds * 1000) if seconds else 0)


class SerialBoard:
    """One board by URL. `events` runs in one thread; `show` and `close` may be called from others.

    Errors of the port never come out: it is closed, waited for and opened again, and `LinkNews` says so.
    """

    def __init__(
        self,
        url: str,
        checkers: tuple[int, int] = (15, 15),
        dice: int = 2,
        clock: Callable[[], float] = time.monotonic,
        open_port: Callable[[str], Port] = ports.open_port,
        eaten: bool = False,
    ) -> None:
        """`checkers` of light and dark are in the game; `eaten`: some may leave it for good.

        Raises `PortError` when the URL is of no known kind.
        """
        ports.candidates(url)
        self._url, self._clock, self._open_port = url, clock, open_port
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._port: Port | None = None
        self._link = Link(clock())
        self._styles: Styles | None = None
        self._reporter = Reporter(checkers, dice, eaten)
        self._tries = 0
        self._said = ""
        self.stats: Stats | None = None

    def show(self, signal: Signal) -> None:
        """Light the lamps; kept, and shown again, when the board is away just now."""
        self.light(styles_of(signal))

    def light(self, styles: Styles) -> None:
        """Light each lamp on its own (for tests of the board)."""
        with self._lock:
            self._styles = styles
            self._link.show(styles, self._clock())
            self._flush()

    def ask_stats(self) -> None:
        """Have `stats` brought up to date."""
        with self._lock:
            self._link.ask(Type.STATS, self._clock())
            self._flush()

    def close(self) -> None:
        """End `events` and let go of the port."""
        self._closed.set()

    @property
    def sensing(self) -> Sensing:
        """The sensors as they are now, for a look behind the observations."""
        return self._reporter.sensing

    @property
    def broken_frames(self) -> int:
        """Frames that came damaged since the port was opened."""
        return self._link.broken

    def events(self) -> Iterator[BoardEvent]:
        """What the board says, until `close`; while it is up, an observation at least every `STILL_S`."""
        try:
            while not self._closed.is_set():
                yield from self._session()
        finally:
            self._drop_port()

    # --- the port ---

    def _session(self) -> Iterator[BoardEvent]:
        """One life of the port, from opening it to losing it."""
        try:
            port = self._opened()
        except OSError as error:
            yield from self._missing(error)
            self._wait()
            return
        opened = self._clock()
        try:
            while not self._closed.is_set() and (self._link.up or self._clock() - opened < SILENT_S):
                opened = self._clock() if self._link.up else opened
                yield from self._exchange(port)
            if not self._said and not self._link.up and not self._closed.is_set():
                yield from self._down(self._clock(), f"what is at {self._url} does not answer as a board")
        except OSError as error:
            yield from self._lost(f"the port is gone: {error}")
        self._drop_port()
        self._wait()

    def _opened(self) -> Port:
        """The next port that may be the board; raises OSError when there is none or it cannot be opened."""
        names = ports.candidates(self._url)
        if not names:
            raise OSError("no USB port looks like a board")
        port = self._open_port(names[self._tries % len(names)])
        with self._lock:
            self._port, self._link = port, Link(self._clock())
            if self._styles is not None:
                self._link.show(self._styles, self._clock())
            self._flush()
        return port

    def _missing(self, error: OSError) -> Iterator[BoardEvent]:
        """Say why there is no board, once for each reason."""
        words = f"no board at {self._url}: {error}"
        if isinstance(error, PermissionError) or "Permission denied" in str(error):
            words += "; as root: adduser YOU dialout, then log in again"
        yield from self._down(self._clock(), words)

    def _down(self, t: float, words: str) -> Iterator[BoardEvent]:
        """No board, and why; not again until there has been one or the reason is another."""
        if words != self._said:
            self._said = words
            yield LinkNews(t, False, words)

    def _wait(self) -> None:
        self._closed.wait(backoff(self._tries))
        self._tries += 1

    def _drop_port(self) -> None:
        with self._lock:
            port, self._port = self._port, None
        if port is not None:
            port.close()

    def _flush(self) -> None:
        """Write what the link wants to say; a port that fails here fails at the next read too."""
        if self._port is not None:
            data = self._link.to_send()
            if data:
                try:
                    self._port.write(data)
                except OSError:
                    return

    def _exchange(self, port: Port) -> Iterator[BoardEvent]:
        data = port.read()
        with self._lock:
            now = self._clock()
            events = self._link.receive(data, now) + self._link.tick(now)
            self._flush()
        for event in events:
            yield from self._heard(event)
        if self._link.up:
            yield from self._reporter.passed(now)

    # --- what it says ---

    def _heard(self, event: Event) -> Iterator[BoardEvent]:
        if isinstance(event, StateSeen):
            yield from self._reporter.heard(event.state, event.t)
        elif isinstance(event, Connected):
            self._tries, self._said = 0, ""
            self._reporter.restart()
            version = ".".join(map(str, event.hello.firmware))
            yield LinkNews(event.t, True, "; ".join((f"board connected, firmware {version}", *event.notes)))
        elif isinstance(event, Disconnected):
            yield from self._down(event.t, event.why)
        elif isinstance(event, StatsSeen):
            self.stats = event.stats
        elif isinstance(event, Unanswered) and event.request is not Type.HELLO:
            yield LinkNews(event.t, self._link.up, f"{event.request.name}: {event.why}")

    def _lost(self, words: str) -> Iterator[BoardEvent]:
        if self._link.up:
            yield LinkNews(self._clock(), False, words)
