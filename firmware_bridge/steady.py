"""Many bits debounced at once, as the firmware does it: four samples that differ change a bit."""

from __future__ import annotations

from typing import NamedTuple


class Steady(NamedTuple):
    """Debounced bits in one integer, with two counter bits for each."""

    state: int = 0
    low: int = 0
    high: int = 0


def settled(sample: int) -> Steady:
    """Bits that are believed at once."""
    return Steady(sample)


def sampled(steady: Steady, sample: int) -> Steady:
    """The bits after one more sample."""
    differs = steady.state ^ sample
    flips = differs & steady.low & steady.high
    differs &= ~flips
    return Steady(steady.state ^ flips, ~steady.low & differs, (steady.high ^ steady.low) & differs)
