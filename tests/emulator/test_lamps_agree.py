"""The firmware and the Raspberry Pi's own code put the same lights on the string at the same time."""

from __future__ import annotations

import pytest

from firmware_bridge import board
from firmware_bridge.apa102 import string_bytes
from tests.emulator.talker import Talker

DRAWN_EVERY_S = 0.024


@pytest.mark.parametrize("rhythm", range(len(board.RHYTHMS)))
def test_one_look_at_the_string(talker: Talker, rhythm: int) -> None:
    styles = bytes(rhythm << 4 | lamp % len(board.PALETTE) for lamp in range(board.LAMPS))
    talker.light(styles)
    begun = talker.heard[-1][0]  # its answer left within a millisecond
    talker.emulated.shown()
    talker.listen(2.2)
    pictures = talker.emulated.shown()
    assert pictures or not rhythm
    for picture in pictures:
        on_board = b"".join(
            bytes((0xE0 | picture.lamps[i][0], *picture.lamps[i][:0:-1])) for i in board.LED_STRING
        )
        near = {
            string_bytes(styles, picture.t - begun + d)[4:-8] for d in (-DRAWN_EVERY_S, 0.0, DRAWN_EVERY_S)
        }
        assert on_board in near
