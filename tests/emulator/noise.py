"""A bad line: bytes lost, flipped, doubled and inserted."""

from __future__ import annotations

import random


class NoisyLine:
    """Damages bytes with a probability; which of the four ways is chance too. The same seed does the same."""

    def __init__(self, seed: int, rate: float) -> None:
        self._chance = random.Random(seed)
        self._rate = rate
        self.damaged = 0

    def carry(self, data: bytes) -> bytes:
        """The bytes as they arrive."""
        if self._rate <= 0:
            return data
        out = bytearray()
        at = 0
        while (hit := at + int(self._chance.expovariate(self._rate))) < len(data):
            out += data[at:hit] + self._damage(data[hit])
            at = hit + 1
        return bytes(out + data[at:])

    def _damage(self, byte: int) -> bytes:
        self.damaged += 1
        way = self._chance.randrange(4)
        other = self._chance.randrange(256)
        return (b"", bytes((byte ^ (1 << other % 8),)), bytes((byte, byte)), bytes((byte, other)))[way]
