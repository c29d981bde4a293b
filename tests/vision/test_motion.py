"""How much moves."""

from __future__ import annotations

import msgspec
import numpy as np

from vision.motion import changed_share


def test_the_share_that_changed_can_be_written_down() -> None:
    still = np.zeros((20, 30), np.float32)
    moved = still.copy()
    moved[:6, :10] = 90.0
    assert msgspec.json.decode(msgspec.json.encode(changed_share(still, moved))) == 0.1
