"""The LED language: what the board says to its players. Sinks that show it live in `firmware_bridge`."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Sign(StrEnum):
    """One meaning each; colours and rhythm are in `LOOK`."""

    OFF = "off"
    YOUR_TURN = "your_turn"
    ACCEPTED = "accepted"
    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    HINT = "hint"
    NO_SIGHT = "no_sight"


class Look(msgspec.Struct, frozen=True):
    """How a sign is shown: colour name, rhythm (`steady`, `fast`, `slow`, `alternate`, `breathe`),
    seconds.
    """

    colour: str
    rhythm: str
    #: None: until the next signal
    seconds: float | None = None


LOOK: dict[Sign, Look] = {
    Sign.OFF: Look("off", "steady"),
    Sign.YOUR_TURN: Look("white", "steady"),
    Sign.ACCEPTED: Look("green", "steady", 1.0),
    Sign.ILLEGAL: Look("red", "fast"),
    Sign.AMBIGUOUS: Look("amber", "slow"),
    Sign.HINT: Look("blue", "alternate"),
    Sign.NO_SIGHT: Look("red", "breathe"),
}


class Signal(msgspec.Struct, frozen=True):
    """One change of what the LEDs say, at time `t` (seconds, the session's clock).

    `places` are table places (0-23 points, 24/25 bar, 26/27 trays: `referee.observation`). For `HINT` they
    come in
    pairs from, to. `side` (0 light, 1 dark) is whose turn it is for `YOUR_TURN`.
    """

    t: float
    sign: Sign
    places: tuple[int, ...] = ()
    side: int | None = None
