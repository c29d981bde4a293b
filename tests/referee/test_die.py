"""What a reading of a die says, and that readings of earlier versions are still understood."""

from __future__ import annotations

import msgspec
import pytest

from referee.observation import Die

FACES = range(1, 7)


def test_a_die_read_two_or_one_says_both() -> None:
    die = Die(2, 0.51, faces=(480, 510, 5, 0, 5, 0))
    assert die.shows(2) == 0.51
    assert die.shows(1) == pytest.approx(0.48)
    assert sum(map(die.shows, FACES)) == pytest.approx(1.0)


def test_what_may_be_no_die_shows_each_face_less() -> None:
    die = Die(2, 0.4, faces=(200, 800, 0, 0, 0, 0))
    assert sum(map(die.shows, FACES)) == pytest.approx(0.5)


def test_of_earlier_readings_the_other_faces_share_alike_what_is_left() -> None:
    for decode in (msgspec.json.decode, msgspec.msgpack.decode):
        encode = msgspec.json.encode if decode is msgspec.json.decode else msgspec.msgpack.encode
        die = decode(encode([3, 0.9, 0.5, 0.5, False]), type=Die)
        assert die == Die(3, 0.9)
        assert [die.shows(face) for face in FACES] == pytest.approx([0.02, 0.02, 0.9, 0.02, 0.02, 0.02])


def test_a_die_is_the_same_after_it_was_written() -> None:
    die = Die(2, 0.51, 0.3, 0.6, False, (480, 510, 5, 0, 5, 0))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(die), type=Die) == die
    assert msgspec.json.decode(msgspec.json.encode(die), type=Die) == die
