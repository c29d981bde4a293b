"""Hypothesis strategies of the wire."""

from __future__ import annotations

from hypothesis import strategies as st

from firmware_bridge import board
from firmware_bridge.frames import Frame
from firmware_bridge.messages import BoardState, Feature, Hello, Stats, Styles

bytes_of = st.integers(0, 255)
words = st.integers(0, 65535)

frames = st.builds(Frame, bytes_of, bytes_of, st.binary(max_size=60))
states = st.builds(
    BoardState,
    st.binary(min_size=45, max_size=45),
    st.tuples(*[st.integers(0, 15)] * len(board.BUTTONS)),
    st.integers(0, 31),
    st.booleans(),
)
hellos = st.builds(
    Hello, bytes_of, st.tuples(bytes_of, bytes_of, bytes_of), words, bytes_of, st.integers(0, 31).map(Feature)
)
stats = st.builds(Stats, words, words, words, words, st.integers(0, 2**32 - 1), words, bytes_of, bytes_of)
styles = st.builds(Styles, st.binary(min_size=board.LAMPS, max_size=board.LAMPS), words)
