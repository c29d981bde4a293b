"""The conversation with one board, without a port and without a clock.

Feed it what came (`receive`) and the time (`tick`); write what `to_send` gives; act on the events. Every
request has a seq and is answered by one frame with that seq; it is tried three times and then reported as
unanswered. All requests may be repeated without harm.
"""

from __future__ import annotations

from typing import NamedTuple

from firmware_bridge import board
from firmware_bridge.frames import Broken, Decoder, Frame, encode
from firmware_bridge.messages import (
    DARK,
    Ack,
    BoardState,
    Boot,
    Feature,
    Hello,
    Message,
    Refusal,
    Stats,
    Styles,
    Type,
    led_payload,
    parse,
)

TRIES = 3
#: Seconds until a request is tried again; an answer takes about 10 ms, a USB adapter's own delay 16 ms.
RETRY_S = 0.1
PING_S = 1.0
#: Silence after which the board counts as lost.
LOST_S = 2.0


class Connected(NamedTuple):
    """The board has introduced itself. `notes`: what a person should know, in words."""

    t: float
    hello: Hello
    notes: tuple[str, ...] = ()


class StateSeen(NamedTuple):
    t: float
    state: BoardState


class StatsSeen(NamedTuple):
    t: float
    stats: Stats


class Disconnected(NamedTuple):
    """The board restarted, fell silent or cannot be talked to; why, in words."""

    t: float
    why: str


class Unanswered(NamedTuple):
    """A request that failed three times, or that the board refused."""

    t: float
    request: Type
    why: str


Event = Connected | StateSeen | StatsSeen | Disconnected | Unanswered

_ANSWERS = {Type.HELLO: Hello, Type.GET: BoardState, Type.STATS: Stats, Type.LED: Ack, Type.RESET: Ack}


class _Request(NamedTuple):
    frame: Frame
    tries: int
    due: float


class Link:
    """State of the conversation; all times are seconds of one monotonic clock."""

    def __init__(self, now: float) -> None:
        self.hello: Hello | None = None
        self.broken = 0
        self._refused = False
        self._decoder = Decoder()
        self._out = bytearray()
        self._seq = 0
        self._asked: _Request | None = None
        self._waiting: list[Type] = [Type.HELLO]
        self._styles: Styles | None = None
        self._styles_pending = False
        self._shown_at = now
        self._heard = now
        self._ping = now + PING_S
        self._advance(now)

    @property
    def up(self) -> bool:
        """True when the board has introduced itself and speaks our protocol."""
        return self.hello is not None

    def show(self, styles: Styles, now: float) -> None:
        """Light the lamps so, now and after every reconnection until told otherwise."""
        self._styles, self._shown_at = styles, now
        if self.hello is not None and Feature.LAMPS in self.hello.features:
            self._interrupt()
            self._want(Type.LED)
            self._advance(now)

    def ask(self, request: Type, now: float) -> None:
        """Ask for STATS or RESET (or STATE, which comes by itself too)."""
        if self.up:
            self._want(request)
            self._advance(now)

    def to_send(self) -> bytes:
        """Bytes for the port, once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def receive(self, data: bytes, now: float) -> list[Event]:
        """What these bytes from the port mean."""
        events: list[Event] = []
        for frame in self._decoder.feed(data):
            message = None if isinstance(frame, Broken) else parse(frame)
            if message is None or isinstance(frame, Broken):
                self.broken += 1
                continue
            self._heard = now
            events += self._heed(message, frame.seq, now)
        self._advance(now)
        return events

    def tick(self, now: float) -> list[Event]:
        """What the passing of time means; call it at least every 50 ms."""
        events: list[Event] = []
        if self._asked is not None and now >= self._asked.due:
            events += self._retry(now)
        if self.up and now - self._heard >= LOST_S:
            events.append(self._begin_anew(now, f"no answer for {LOST_S:g} s"))
        if self.up and now >= self._ping:
            self._ping = now + PING_S
            self._ping_board()
        self._advance(now)
        return events

    def _ping_board(self) -> None:
        assert self.hello is not None
        self._want(Type.GET if Feature.SENSORS in self.hello.features else Type.HELLO)
        if self._styles_pending:
            self._want(Type.LED)

    # --- what comes in

    def _heed(self, message: Message, seq: int, now: float) -> list[Event]:
        if isinstance(message, Boot):
            return self._restarted(message.words, now)
        if isinstance(message, Ack) and message.refusal is Refusal.BROKEN_FRAME:
            return self._retry(now) if self._asked else []
        answers = self._settle(message, seq)
        if isinstance(message, Hello):
            return self._greet(message, now) if answers and not self.up else []
        if isinstance(message, BoardState):
            return self._state(message, now)
        if isinstance(message, Stats):
            return [StatsSeen(now, message)]
        if answers and message.refusal is not Refusal.OK:
            return [
                Unanswered(now, Type(message.of), f"the board refused it: {message.refusal.name.lower()}")
            ]
        return []

    def _settle(self, message: Message, seq: int) -> bool:
        """True when this is the answer that is waited for."""
        if self._asked is None or self._asked.frame.seq != seq:
            return False
        asked = Type(self._asked.frame.type)
        if not isinstance(message, _ANSWERS[asked]) or (isinstance(message, Ack) and message.of != asked):
            return False
        if asked is Type.LED:
            self._styles_pending = False
        self._asked = None
        return True

    def _greet(self, hello: Hello, now: float) -> list[Event]:
        if hello.protocol != board.PROTOCOL:
            if self._refused:
                return []
            self._refused = True
            return [Disconnected(now, _other_protocol(hello))]
        self.hello, self._refused = hello, False
        self._ping = now + PING_S
        self._waiting = [Type.GET] if Feature.SENSORS in hello.features else []
        if self._styles is not None and Feature.LAMPS in hello.features:
            self._styles_pending = True
            self._want(Type.LED)
        return [Connected(now, hello, _notes(hello))]

    def _state(self, state: BoardState, now: float) -> list[Event]:
        if not self.up:
            return []
        if not state.greeted:
            return self._restarted("unknown", now)
        return [StateSeen(now, state)]

    def _restarted(self, cause: str, now: float) -> list[Event]:
        was_up = self.up
        gone = self._begin_anew(now, f"the board restarted ({cause})")
        return [gone] if was_up else []

    def _begin_anew(self, now: float, why: str) -> Disconnected:
        self.hello = None
        self._asked, self._waiting = None, [Type.HELLO]
        return Disconnected(now, why)

    # --- what goes out

    def _want(self, request: Type) -> None:
        if request is Type.LED:
            self._styles_pending = True
        if request not in self._waiting:
            self._waiting.append(request)

    def _interrupt(self) -> None:
        """Lamps are waited for by people: a question that is out is asked again afterwards."""
        if self._asked is not None and self._asked.frame.type != Type.HELLO:
            asked, self._asked = Type(self._asked.frame.type), None
            if asked is not Type.LED:
                self._want(asked)
        if Type.LED in self._waiting:
            self._waiting.remove(Type.LED)
        self._waiting.insert(0, Type.LED)

    def _advance(self, now: float) -> None:
        if self._asked is None and self._waiting:
            request = self._waiting.pop(0)
            self._seq = self._seq % 255 + 1
            self._asked = _Request(Frame(request, self._seq, self._payload(request, now)), 0, now)
            self._send(now)

    def _payload(self, request: Type, now: float) -> bytes:
        if request is Type.HELLO:
            return bytes((board.PROTOCOL,))
        return led_payload(self._lamps_left(now)) if request is Type.LED else b""

    def _lamps_left(self, now: float) -> Styles:
        """What is to be lit from now on: less time for a sign that has an end, dark after it."""
        styles = self._styles or DARK
        if not styles.ms:
            return styles
        left = styles.ms - round((now - self._shown_at) * 1000)
        return Styles(styles.styles, left) if left > 0 else DARK

    def _send(self, now: float) -> None:
        assert self._asked is not None
        self._asked = _Request(self._asked.frame, self._asked.tries + 1, now + RETRY_S)
        self._out += encode(self._asked.frame)

    def _retry(self, now: float) -> list[Event]:
        assert self._asked is not None
        if self._asked.tries < TRIES:
            self._send(now)
            return []
        request, self._asked = Type(self._asked.frame.type), None
        if request is Type.HELLO:
            self._want(Type.HELLO)
        return [Unanswered(now, request, f"no answer to {TRIES} tries")]


def _other_protocol(hello: Hello) -> str:
    version = ".".join(map(str, hello.firmware))
    return (
        f"the board's firmware {version} speaks protocol {hello.protocol}, this Kibitz {board.PROTOCOL}: "
        "flash the firmware that came with it (make flash)"
    )


def _notes(hello: Hello) -> tuple[str, ...]:
    notes = []
    if hello.firmware != board.FIRMWARE:
        ours, theirs = (".".join(map(str, v)) for v in (board.FIRMWARE, hello.firmware))
        notes.append(f"the board runs firmware {theirs}, {ours} came with this Kibitz: they work together")
    missing = [f.name.lower().replace("_", " ") for f in Feature if f not in hello.features and f.name]
    if missing:
        notes.append(f"the board has no {', '.join(missing)}")
    return tuple(notes)
