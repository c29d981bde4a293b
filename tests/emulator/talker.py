"""A host in virtual time: asks the emulated board and waits for the answer on the chip's own clock."""

from __future__ import annotations

from firmware_bridge.frames import Broken, Decoder, Frame, encode
from firmware_bridge.messages import BoardState, Message, Styles, Type, led_payload, parse
from tests.emulator.emulated import EmulatedBoard

STEP_S = 0.001
PATIENCE_S = 0.5


class Talker:
    """Talks to one board; keeps every message with the second at which its last byte had left the chip."""

    def __init__(self, emulated: EmulatedBoard) -> None:
        self.emulated = emulated
        self.heard: list[tuple[float, int, Message]] = []
        self.broken = 0
        self._decoder = Decoder()
        self._seq = 0

    def listen(self, seconds: float) -> list[Message]:
        """Let time pass; what the board said in it."""
        before = len(self.heard)
        self.emulated.run(seconds)
        for byte, t in self.emulated.received_timed():
            for frame in self._decoder.feed(bytes((byte,))):
                message = None if isinstance(frame, Broken) else parse(frame)
                if message is None or isinstance(frame, Broken):
                    self.broken += 1
                else:
                    self.heard.append((t, frame.seq, message))
        return [message for _, _, message in self.heard[before:]]

    def ask(self, request: Type, payload: bytes = b"") -> Message:
        """The answer to a request.

        Raises:
            TimeoutError: there was none in half a second.
        """
        self._seq = self._seq % 255 + 1
        before = len(self.heard)
        self.emulated.send(encode(Frame(request, self._seq, payload)))
        until = self.emulated.t + PATIENCE_S
        while self.emulated.t < until:
            self.listen(STEP_S)
            for _, seq, message in self.heard[before:]:
                if seq == self._seq:
                    return message
        raise TimeoutError(f"{request.name} was not answered in {PATIENCE_S} s")

    def light(self, styles: bytes, ms: int = 0) -> Message:
        return self.ask(Type.LED, led_payload(Styles(styles, ms)))

    def state(self) -> BoardState:
        answer = self.ask(Type.GET)
        assert isinstance(answer, BoardState)
        return answer
