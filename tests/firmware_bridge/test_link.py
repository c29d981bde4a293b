"""The conversation: greeting, retries, restarts, silence, versions that differ. Time is a number here."""

from __future__ import annotations

import pytest

from firmware_bridge import board
from firmware_bridge.frames import Broken, Decoder, Frame, encode
from firmware_bridge.link import (
    LOST_S,
    PING_S,
    RETRY_S,
    TRIES,
    Connected,
    Disconnected,
    Event,
    Link,
    StateSeen,
    StatsSeen,
    Unanswered,
)
from firmware_bridge.messages import DARK, Feature, Hello, Refusal, Styles, Type
from firmware_bridge.sim_board import SimProtocol

GREEN = Styles(bytes([2] * board.LAMPS))


class Pair:
    """A link and a board's protocol with a line between them that can be cut; time is stepped by hand."""

    def __init__(self, peer: SimProtocol | None = None) -> None:
        self.t = 100.0
        self.link = Link(self.t)
        self.peer = peer or SimProtocol()
        self.events: list[Event] = []
        self.asked: list[Frame] = []
        self.deaf = self.mute = False

    def run(self, seconds: float, step: float = 0.01) -> list[Event]:
        """Events of that time."""
        before, until = len(self.events), self.t + seconds
        while self.t < until:
            self.t += step
            self._say(self.link.to_send())
            self.events += self.link.tick(self.t)
        return self.events[before:]

    def _say(self, data: bytes) -> None:
        self.asked += [frame for frame in Decoder().feed(data) if isinstance(frame, Frame)]
        answer = b"" if self.deaf else self.peer.receive(data)
        self.hear(b"" if self.mute else answer)

    def hear(self, data: bytes) -> None:
        self.events += self.link.receive(data, self.t)

    def types(self) -> list[int]:
        return [frame.type for frame in self.asked]


def test_it_greets_and_gets_the_state() -> None:
    pair = Pair()
    events = pair.run(0.1)
    assert [type(event) for event in events] == [Connected, StateSeen]
    assert pair.types() == [Type.HELLO, Type.GET]
    assert pair.link.up


def test_it_pings_each_second_and_stays_up() -> None:
    pair = Pair()
    pair.run(0.1)
    events = pair.run(10 * PING_S)
    assert [type(event) for event in events] == [StateSeen] * 10


def test_a_request_is_tried_three_times_with_one_seq_and_then_reported() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.mute, pair.asked = True, []
    pair.link.ask(Type.STATS, pair.t)
    events = pair.run((TRIES + 1) * RETRY_S)
    assert pair.types() == [Type.STATS] * TRIES
    assert len({frame.seq for frame in pair.asked}) == 1
    assert [(event.request, event.why) for event in events if isinstance(event, Unanswered)] == [
        (Type.STATS, "no answer to 3 tries")
    ]


def test_an_answer_to_the_third_try_counts() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.mute = True
    pair.link.ask(Type.STATS, pair.t)
    pair.run(1.5 * RETRY_S)
    pair.mute = False
    assert any(isinstance(event, StatsSeen) for event in pair.run(RETRY_S))
    assert not any(isinstance(event, Unanswered) for event in pair.events)


def test_a_board_that_got_a_broken_frame_is_asked_again_at_once() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.link.ask(Type.STATS, pair.t)
    pair.link.to_send()  # lost
    pair.hear(encode(Frame(Type.ACK, 0, bytes((0, Refusal.BROKEN_FRAME)))))
    assert [frame.type for frame in Decoder().feed(pair.link.to_send()) if isinstance(frame, Frame)] == [
        Type.STATS
    ]


def test_silence_is_noticed_and_the_greeting_begins_anew() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.deaf = True
    gone = [event for event in pair.run(LOST_S + PING_S) if isinstance(event, Disconnected)]
    assert [event.why for event in gone] == ["no answer for 2 s"]
    pair.deaf = False
    assert any(isinstance(event, Connected) for event in pair.run(1))


def test_a_board_that_restarts_is_greeted_and_lit_as_before() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.link.show(GREEN, pair.t)
    pair.run(0.1)
    pair.peer = SimProtocol()
    pair.hear(pair.peer.boot())
    events = pair.run(0.2)
    assert [type(event) for event in pair.events[-len(events) - 1 :]][:2] == [Disconnected, Connected]
    assert pair.peer.styles == GREEN


def test_a_restart_whose_boot_was_lost_is_found_by_the_next_state() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.link.show(GREEN, pair.t)
    pair.run(0.1)
    pair.peer = SimProtocol()
    pair.run(PING_S + 0.2)
    assert any(isinstance(event, Disconnected) for event in pair.events)
    assert pair.link.up
    assert pair.peer.styles == GREEN


def test_lamps_set_while_the_board_is_away_are_lit_when_it_comes() -> None:
    pair = Pair()
    pair.link.show(GREEN, pair.t)
    pair.run(0.1)
    assert pair.peer.styles == GREEN


def test_the_newest_lamps_win() -> None:
    pair = Pair()
    pair.run(0.1)
    for colour in range(6):
        pair.link.show(Styles(bytes([colour] * board.LAMPS)), pair.t)
    pair.run(0.1)
    assert pair.peer.styles.styles == bytes([5] * board.LAMPS)


def test_lamps_do_not_wait_for_an_answer_to_something_else() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.link.ask(Type.STATS, pair.t)
    pair.link.to_send()  # lost
    pair.link.show(GREEN, pair.t)
    pair.run(0.05)
    assert pair.peer.styles == GREEN
    assert any(isinstance(event, StatsSeen) for event in pair.events)


def test_lamps_that_nobody_confirmed_are_sent_again_with_the_next_ping() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.deaf = True
    pair.link.show(GREEN, pair.t)
    pair.run(0.5)
    pair.deaf = False
    pair.run(PING_S + 0.1)
    assert pair.peer.styles == GREEN


def test_a_sign_that_has_run_out_is_not_lit_again() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.link.show(GREEN._replace(ms=1000), pair.t)
    pair.run(2)
    pair.peer = SimProtocol()
    pair.hear(pair.peer.boot())
    pair.run(0.2)
    assert pair.peer.styles == DARK


def test_a_sign_half_over_is_lit_for_the_rest() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.link.show(GREEN._replace(ms=1000), pair.t)
    pair.run(0.4)
    pair.peer = SimProtocol()
    pair.hear(pair.peer.boot())
    pair.run(0.2)
    assert pair.peer.styles.styles == GREEN.styles
    assert 500 <= pair.peer.styles.ms <= 600


@pytest.mark.parametrize("missing", [Feature.LAMPS, Feature.SENSORS])
def test_a_board_is_never_sent_what_it_does_not_have(missing: Feature) -> None:
    everything = Feature(31)
    peer = SimProtocol(Hello(board.PROTOCOL, board.FIRMWARE, 180, 30, everything & ~missing))
    pair = Pair(peer)
    pair.link.show(GREEN, pair.t)
    pair.run(0.1)
    pair.link.show(GREEN, pair.t)
    pair.run(3 * PING_S)
    forbidden = {Feature.LAMPS: Type.LED, Feature.SENSORS: Type.GET}[missing]
    assert forbidden not in pair.types()
    assert pair.link.up
    notes = next(event.notes for event in pair.events if isinstance(event, Connected))
    assert notes == (f"the board has no {str(missing.name).lower()}",)


def test_another_protocol_is_refused_once_in_words_and_nothing_more_is_sent() -> None:
    pair = Pair(SimProtocol(Hello(9, (3, 1, 4), 180, 30, Feature(31))))
    events = pair.run(5)
    assert [event.why for event in events if isinstance(event, Disconnected)] == [
        "the board's firmware 3.1.4 speaks protocol 9, this Kibitz 1: "
        "flash the firmware that came with it (make flash)"
    ]
    assert pair.types() == [Type.HELLO]
    assert not pair.link.up


def test_another_firmware_of_the_same_protocol_works_and_is_named() -> None:
    pair = Pair(SimProtocol(Hello(board.PROTOCOL, (0, 0, 9), 180, 30, Feature(31))))
    pair.run(0.1)
    notes = next(event.notes for event in pair.events if isinstance(event, Connected))
    assert notes == ("the board runs firmware 0.0.9, 0.1.0 came with this Kibitz: they work together",)


def test_a_command_that_the_board_refuses_is_reported() -> None:
    pair = Pair()
    pair.run(0.1)
    pair.link.show(Styles(bytes([0x0F] * board.LAMPS)), pair.t)
    events = pair.run(0.2)
    assert [event.why for event in events if isinstance(event, Unanswered)] == [
        "the board refused it: bad_payload"
    ]


def test_broken_frames_are_counted() -> None:
    pair = Pair()
    pair.hear(b"\x07rubbish\0")
    assert pair.link.broken == 1
    assert isinstance(Decoder().feed(b"\x07rubbish\0")[0], Broken)
