"""The memory that pictures and stories come from."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

#: Blocks up to the first come from the heap instead of from the kernel; the heap's end is given back from the
#: second on (bytes). The first is the most that the C library allows.
MOST_FROM_HEAP, LEAST_GIVEN_BACK = 32 << 20, 256 << 20
#: All threads take from one heap (usual: from heaps of their own): what a thread that has ended held is used
#: again. Looking for a board takes two threads, and left 80 MB behind.
HEAPS = 1
#: Their numbers in `mallopt`.
_MMAP_THRESHOLD, _TRIM_THRESHOLD, _HEAPS = -3, -1, -8
#: So many new objects before Python looks for circles among them that nobody holds (usual: 700).
SELDOM = 50_000


def keep_freed() -> None:
    """Have the C library keep what a picture frees for the next one.

    Else every frame's buffers go back to the kernel and come again page by page, which costs more than the
    arithmetic on them. Nothing happens where the C library is not the GNU one.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, MOST_FROM_HEAP)
        mallopt(_TRIM_THRESHOLD, LEAST_GIVEN_BACK)
        mallopt(_HEAPS, HEAPS)


def end_quickly() -> None:
    """Python is about to end: what it holds is freed as ever, but no circles are looked for, several times
    over, among all that a command has loaded.
    """
    gc.freeze()


@contextmanager
def searched_seldom() -> Iterator[None]:
    """Python seldom looks for garbage: stories are told with very many small objects, hardly one of them in a
    circle, and looking for those takes a twentieth of the telling.
    """
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
