"""`kibitz.memory`: big buffers are not fetched from the kernel each time."""

from __future__ import annotations

import subprocess
import sys

import pytest

FAULTS = """
import resource, sys
import numpy as np
from kibitz.memory import keep_freed
if sys.argv[1] == "kept":
    keep_freed()

def frame():  # what one frame needs at the same time
    return [np.ones(3_000_000, np.uint8) for _ in range(4)]

for _ in range(3):
    frame()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    frame()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(how: str) -> int:
    """Page faults of twenty frames' buffers."""
    return int(subprocess.run([sys.executable, "-c", FAULTS, how], capture_output=True, check=True).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="only the GNU C library is asked")
def test_freed_memory_is_kept_for_the_next_picture() -> None:
    assert faults("kept") < faults("given back") / 10
