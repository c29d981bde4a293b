"""How fast the board answers and comes back, in real time (make bench-board; wants a quiet machine)."""

from __future__ import annotations

import statistics

from tests.emulator.measured import Answerer, replugs
from tests.emulator.pty_bridge import PtyBridge

CHANGES, REPLUGS = 300, 100


def test_sensor_to_lamp(bridge: PtyBridge) -> None:
    answerer = Answerer(bridge)
    try:
        delays = answerer.delays(CHANGES)
    finally:
        answerer.host.close()
    middle, most = statistics.median(delays), statistics.quantiles(delays, n=100)[98]
    print(
        f"sensor to lamp over the pty, {CHANGES} changes: median {middle * 1000:.1f} ms (at most 40), "
        f"99 % {most * 1000:.1f} ms (at most 80); the board's clock slipped {bridge.slipped:.2f} s"
    )
    assert middle <= 0.040
    assert most <= 0.080


def test_pulled_and_plugged(bridge: PtyBridge) -> None:
    times = replugs(bridge, REPLUGS)
    print(
        f"state and lamps right again after {REPLUGS} replugs: median {statistics.median(times):.2f} s, "
        f"longest {max(times):.2f} s (at most 2)"
    )
    assert max(times) <= 2.0
