"""Signals → lamps: which LED shows what, and the sinks that need no hardware.

A sink is anything with `show(signal)` and `close()`. Which lamp a signal lights is worked out once, in
`lamps_of`; colours and rhythms come from `referee.signal.LOOK`.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, TextIO

from referee.observation import BAR_DARK, BAR_LIGHT, OFF_DARK, OFF_LIGHT, PLACES, POINTS
from referee.signal import LOOK, Sign, Signal

#: Lamps 0-27 stand at the table places of `referee.observation`; two status lamps follow, one a side.
STATUS_LIGHT, STATUS_DARK = PLACES, PLACES + 1
LAMPS = PLACES + 2

_NAMES = {
    BAR_LIGHT: "light's bar",
    BAR_DARK: "dark's bar",
    OFF_LIGHT: "light's tray",
    OFF_DARK: "dark's tray",
    STATUS_LIGHT: "light's lamp",
    STATUS_DARK: "dark's lamp",
}


class Lamp(NamedTuple):
    """One lit LED. `second` lamps of an `alternate` rhythm are dark while the others are lit."""

    colour: str
    rhythm: str
    second: bool = False


#: Lit lamps by number; a lamp that is not named is dark.
LedState = dict[int, Lamp]


class LedSink(Protocol):
    """Where signals are shown. `show` replaces all that was shown before."""

    def show(self, signal: Signal) -> None: ...

    def close(self) -> None: ...


def lamps_of(signal: Signal) -> LedState:
    """The lamps that a signal lights.

    A sign that is about no place in particular shows on the status lamp of its side, or on both.
    """
    look = LOOK[signal.sign]
    if signal.sign is Sign.OFF:
        return {}
    if signal.sign is Sign.NO_SIGHT:
        return dict.fromkeys(range(POINTS), Lamp(look.colour, look.rhythm))
    if look.rhythm == "alternate":
        return _alternating(signal.places, look.colour)
    return dict.fromkeys(signal.places or _status(signal.side), Lamp(look.colour, look.rhythm))


def _status(side: int | None) -> tuple[int, ...]:
    return (STATUS_LIGHT, STATUS_DARK) if side is None else (STATUS_LIGHT + side,)


def _alternating(places: tuple[int, ...], colour: str) -> LedState:
    """Pairs from, to: a place that is both (a checker that moves on) counts as where it started."""
    lamps = {place: Lamp(colour, "alternate", second=True) for place in places[1::2]}
    return lamps | {place: Lamp(colour, "alternate") for place in places[::2]}


def lamp_name(lamp: int) -> str:
    """A lamp in words: `point 0` … `point 23` in table order, bars, trays, status lamps."""
    return _NAMES.get(lamp, f"point {lamp}")


class RecordingLeds:
    """Remembers what was lit and when, for tests, journals and the web page.

    `states` holds (seconds, lamps) of each change on the signals' own clock; what a sign with a set time
    showed is followed by dark when its time had run out before the next signal.
    """

    def __init__(self) -> None:
        self.signals: list[Signal] = []
        self.states: list[tuple[float, LedState]] = []
        self._dark_at: float | None = None

    def show(self, signal: Signal) -> None:
        self._expire(signal.t)
        self.signals.append(signal)
        self.states.append((signal.t, lamps_of(signal)))
        seconds = LOOK[signal.sign].seconds
        self._dark_at = None if seconds is None else signal.t + seconds

    def close(self) -> None:
        self._expire(float("inf"))

    def at(self, t: float) -> LedState:
        """What was lit at time t, in seconds."""
        if self._dark_at is not None and t >= self._dark_at:
            return {}
        return next((lamps for since, lamps in reversed(self.states) if since <= t), {})

    def _expire(self, now: float) -> None:
        if self._dark_at is not None and self._dark_at <= now:
            self.states.append((self._dark_at, {}))
            self._dark_at = None


class ConsoleLeds:
    """One line a signal on a text stream: time, what is lit, where."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def show(self, signal: Signal) -> None:
        self._stream.write(f"{signal.t:9.2f} s  {describe(signal)}\n")
        self._stream.flush()

    def close(self) -> None:
        self._stream.flush()


def describe(signal: Signal) -> str:
    """`illegal: red, fast, on point 3, point 7`."""
    look = LOOK[signal.sign]
    if signal.sign is Sign.OFF:
        return "off: all dark"
    places = "all points" if signal.sign is Sign.NO_SIGHT else ", ".join(map(lamp_name, lamps_of(signal)))
    return f"{signal.sign.replace('_', ' ')}: {look.colour}, {look.rhythm}, on {places}"
