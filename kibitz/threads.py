"""One thread for arithmetic, while another one decodes."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

#: How long (seconds) a thread waits for Python before the one that has it must give way (usual: 0.005).
GIVES_WAY = 0.0005
#: What numpy's own OpenBLAS calls these.
_GET, _SET = "scipy_openblas_get_num_threads64_", "scipy_openblas_set_num_threads64_"


@contextmanager
def one_thread() -> Iterator[None]:
    """OpenCV and numpy compute in the caller's thread only.

    Our matrices and pictures are small: helpers mostly wait for each other, and while they do they keep the
    cores busy that decode the video. Of numpy only its usual builds (with OpenBLAS) are told.

    The decoder asks for Python several times a frame, each time for an instant: with Python's usual patience
    it would stand still while stories are told.
    """
    blas = _openblas()
    before = cv2.getNumThreads(), getattr(blas, _GET)() if blas else 1
    patience = sys.getswitchinterval()
    try:
        sys.setswitchinterval(GIVES_WAY)
        _set(1, blas, 1)
        yield
    finally:
        _set(before[0], blas, before[1])
        sys.setswitchinterval(patience)


def _set(opencv: int, blas: ctypes.CDLL | None, numpy: int) -> None:
    cv2.setNumThreads(opencv)
    if blas is not None:
        getattr(blas, _SET)(numpy)


def _openblas() -> ctypes.CDLL | None:
    """The library that numpy has loaded; None where it is another one."""
    for path in (Path(np.__file__).parent.parent / "numpy.libs").glob("*openblas*"):
        library = ctypes.CDLL(str(path))
        if hasattr(library, _SET) and hasattr(library, _GET):
            return library
    return None
