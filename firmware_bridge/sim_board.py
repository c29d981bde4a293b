"""A board in software that speaks the board's protocol over a local socket: for people without one.

`SimBoard` is the same to the host as the real board, down to the bytes; checkers are put on it by calls. A
socket, not a pty: it is the same on every system, and other programs (`kibitz doctor --board socket://…`) may
listen at the same time, which a serial port never allows.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterable
from contextlib import suppress

from firmware_bridge import board
from firmware_bridge.frames import Broken, Decoder, Frame, encode
from firmware_bridge.leds import Lamp, LedState
from firmware_bridge.messages import (
    DARK,
    NORTH,
    SOUTH,
    BoardState,
    Feature,
    Hello,
    Refusal,
    Stats,
    Styles,
    Type,
    hello_payload,
    state_payload,
    stats_payload,
)
from referee.observation import PLACES

_COLOURS, _RHYTHMS = tuple(board.PALETTE), tuple(board.RHYTHMS)
_LIGHT, _DARK = (NORTH, SOUTH) if board.LIGHT_IS_NORTH else (SOUTH, NORTH)
#: Seconds that one host may keep the board from the others by not reading.
PATIENCE_S = 0.2
_ALL = Feature.SENSORS | Feature.LAMPS | Feature.BUTTONS | Feature.DICE_BUTTONS | Feature.CHAIN_CHECK


class SimProtocol:
    """The board's side of the conversation, without a socket: bytes in, bytes out."""

    def __init__(self, hello: Hello | None = None) -> None:
        self.hello = hello or Hello(board.PROTOCOL, board.FIRMWARE, len(board.SLOT_PLACE), board.LAMPS, _ALL)
        self.counts = [0] * PLACES
        self.edges = [0] * len(board.BUTTONS)
        self.styles = DARK
        self._decoder = Decoder()
        self._greeted = False
        self._good = self._broken = 0

    def boot(self) -> bytes:
        """What the board says when it starts."""
        self._greeted = False
        return encode(Frame(Type.BOOT, 0, bytes((1, self.hello.protocol))))

    def state(self, seq: int = 0) -> bytes:
        """The STATE frame as things are."""
        state = BoardState(sensors_of(self.counts), tuple(e % 16 for e in self.edges), 0, self._greeted)
        return encode(Frame(Type.IS_STATE, seq, state_payload(state)))

    def receive(self, data: bytes) -> bytes:
        """Answers to what these bytes ask."""
        return b"".join(self._answer(frame) for frame in self._decoder.feed(data))

    def _answer(self, frame: Frame | Broken) -> bytes:
        if isinstance(frame, Broken):
            self._broken += 1
            return _ack(0, 0, Refusal.BROKEN_FRAME)
        self._good += 1
        if frame.type == Type.HELLO:
            self._greeted = True
            return encode(Frame(Type.IS_HELLO, frame.seq, hello_payload(self.hello)))
        if frame.type == Type.GET:
            return self.state(frame.seq)
        if frame.type == Type.STATS:
            stats = Stats(self._good, self._broken, 0, 0, 0, 0, 0, 0)
            return encode(Frame(Type.IS_STATS, frame.seq, stats_payload(stats)))
        if frame.type == Type.RESET:
            return _ack(frame.seq, frame.type, Refusal.OK) + self.boot()
        return _ack(frame.seq, frame.type, self._obey(frame))

    def _obey(self, frame: Frame) -> Refusal:
        if frame.type != Type.LED:
            return Refusal.UNKNOWN
        if len(frame.payload) != 2 + board.LAMPS or not all(map(_known_style, frame.payload[2:])):
            return Refusal.BAD_PAYLOAD
        self.styles = Styles(frame.payload[2:], int.from_bytes(frame.payload[:2], "big"))
        return Refusal.OK


def _ack(seq: int, of: int, refusal: Refusal) -> bytes:
    return encode(Frame(Type.ACK, seq, bytes((of, refusal))))


def _known_style(style: int) -> bool:
    return style & 15 < len(_COLOURS) and style >> 4 < len(_RHYTHMS)


def sensors_of(counts: Iterable[int]) -> bytes:
    """Sensor bits of 28 signed counts; checkers above a place's slots are not felt."""
    table = tuple(counts)
    poles = [
        (_LIGHT if table[place] > 0 else _DARK) if level < abs(table[place]) else 0
        for place, level in zip(board.SLOT_PLACE, board.SLOT_LEVEL, strict=True)
    ]
    return bytes(
        poles[i] << 6 | poles[i + 1] << 4 | poles[i + 2] << 2 | poles[i + 3] for i in range(0, len(poles), 4)
    )


class _Host:
    """One connection: its own conversation about the one board."""

    def __init__(self, line: socket.socket, counts: list[int], edges: list[int]) -> None:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.settimeout(PATIENCE_S)
        self.line, self.protocol = line, SimProtocol()
        self.protocol.counts, self.protocol.edges = counts, edges

    def send(self, data: bytes) -> None:
        with suppress(OSError):  # gone (its own thread finds out), or it does not read: a full port loses
            self.line.sendall(data)

    def heard(self) -> bytes:
        """What came next, b"" at the end; raises OSError when the line is gone."""
        while True:
            with suppress(TimeoutError):
                return self.line.recv(4096)


class SimBoard:
    """A running software board. Open `url` with `SerialBoard`; several calls may come from any thread."""

    def __init__(self, counts: Iterable[int] = (0,) * PLACES) -> None:
        """`counts` 28 signed counts in table order, light positive."""
        self._counts, self._edges, self._styles = list(counts), [0] * len(board.BUTTONS), DARK
        self._lock = threading.Lock()
        self._lit_at = 0.0
        self._hosts: list[_Host] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"socket://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._serve, name="sim board", daemon=True).start()

    def set_point(self, place: int, count: int) -> None:
        """Put a signed count of checkers (light positive) on a place 0-27.

        Raises:
            ValueError: there is no such place.
        """
        if not 0 <= place < PLACES:
            raise ValueError(f"place {place}: a board has places 0 to {PLACES - 1}")
        with self._lock:
            self._counts[place] = count
            self._tell()

    def set_counts(self, counts: Iterable[int]) -> None:
        """Put all 28 counts at once."""
        with self._lock:
            self._counts[:] = counts
            self._tell()

    @property
    def counts(self) -> tuple[int, ...]:
        """The 28 signed counts that lie on the board."""
        with self._lock:
            return tuple(self._counts)

    def press(self, button: str) -> None:
        """Press and let go of a button of `board.BUTTONS`.

        Raises:
            ValueError: the board has no such button.
        """
        if button not in board.BUTTONS:
            raise ValueError(f"no button {button!r}: the board has {', '.join(board.BUTTONS)}")
        with self._lock:
            self._edges[board.BUTTONS.index(button)] += 2
            self._tell()

    def leds(self) -> LedState:
        """What is lit now, by lamp number."""
        with self._lock:
            styles, lit_for = self._styles, time.monotonic() - self._lit_at
        if styles.ms and lit_for * 1000 >= styles.ms:
            return {}
        return {lamp: _lamp(style) for lamp, style in enumerate(styles.styles) if style & 15}

    def close(self) -> None:
        self._server.close()
        with self._lock:
            for host in self._hosts:
                host.line.close()

    def _tell(self) -> None:
        for host in self._hosts:
            host.send(host.protocol.state())

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._server.accept()
            except OSError:
                return
            host = _Host(line, self._counts, self._edges)
            with self._lock:
                self._hosts.append(host)
                host.send(host.protocol.boot())
            threading.Thread(target=self._talk, args=(host,), name="sim board's host", daemon=True).start()

    def _talk(self, host: _Host) -> None:
        with suppress(OSError):
            while data := host.heard():
                self._heard(host, data)
        with self._lock:
            self._hosts.remove(host)
        host.line.close()

    def _heard(self, host: _Host, data: bytes) -> None:
        with self._lock:
            before = host.protocol.styles
            host.send(host.protocol.receive(data))
            if host.protocol.styles is not before:
                self._styles, self._lit_at = host.protocol.styles, time.monotonic()


def _lamp(style: int) -> Lamp:
    rhythm = _RHYTHMS[style >> 4]
    if rhythm == "second":
        return Lamp(_COLOURS[style & 15], "alternate", second=True)
    return Lamp(_COLOURS[style & 15], rhythm)
