"""Game clocks: simple delay and Fischer. Pure: time comes in, a new clock comes out."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace


class ClockRule(msgspec.Struct, frozen=True):
    """`delay`: each turn's first `extra` seconds are free; `fischer`: `extra` seconds are added after each
    turn.
    """

    kind: Literal["none", "delay", "fischer"] = "none"
    seconds: float = 0.0
    extra: float = 0.0


class Clock(msgspec.Struct, frozen=True):
    """Seconds left of (light, dark) at `since`; `running` is whose time goes by, None while it is stopped.

    `stopped_for` remembers whose turn it was while the game is adjourned; `flag` the side that ran out.
    """

    rule: ClockRule = ClockRule()
    left: tuple[float, float] = (0.0, 0.0)
    running: int | None = None
    since: float = 0.0
    stopped_for: int | None = None
    flag: int | None = None


def fresh(rule: ClockRule) -> Clock:
    """A clock before the match."""
    return Clock(rule, (rule.seconds, rule.seconds))


def left_at(clock: Clock, t: float) -> tuple[float, float]:
    """Seconds left of both sides at time t, not below 0."""
    left = list(clock.left)
    if clock.running is not None:
        free = clock.rule.extra if clock.rule.kind == "delay" else 0.0
        left[clock.running] = max(0.0, round(left[clock.running] - max(0.0, t - clock.since - free), 3))
    return (left[0], left[1])


def falls_at(clock: Clock) -> float | None:
    """The time at which the running side's flag falls; None while none runs or it has fallen."""
    if clock.running is None or clock.flag is not None or clock.rule.kind == "none":
        return None
    free = clock.rule.extra if clock.rule.kind == "delay" else 0.0
    return clock.since + free + clock.left[clock.running]


def run(clock: Clock, side: int, t: float) -> Clock:
    """The clock with `side`'s time going by from t on."""
    if clock.rule.kind == "none" or clock.running == side:
        return clock
    return replace(clock, left=left_at(clock, t), running=side, since=t, stopped_for=None)


def pressed(clock: Clock, side: int, t: float) -> Clock:
    """The clock after `side` pressed it; pressing while the other's time goes by does nothing."""
    if clock.rule.kind == "none" or clock.running == 1 - side:
        return clock
    left = list(left_at(clock, t))
    if clock.rule.kind == "fischer" and clock.running == side:
        left[side] = round(left[side] + clock.rule.extra, 3)
    return replace(clock, left=(left[0], left[1]), running=1 - side, since=t, stopped_for=None)


def stopped(clock: Clock, t: float) -> Clock:
    """The clock standing still; `started_again` goes on with the same side."""
    return replace(clock, left=left_at(clock, t), running=None, since=t, stopped_for=clock.running)


def started_again(clock: Clock, t: float) -> Clock:
    """The clock after a stop."""
    return clock if clock.stopped_for is None else run(clock, clock.stopped_for, t)


def with_flag(clock: Clock, t: float) -> Clock:
    """The clock with the flag down, if it has fallen by now."""
    falls = falls_at(clock)
    return clock if falls is None or t < falls - 1e-6 else replace(clock, flag=clock.running)
