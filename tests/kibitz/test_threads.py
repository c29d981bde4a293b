"""`kibitz.threads` and `kibitz.memory`: what is set for a reading is as before afterwards."""

from __future__ import annotations

import gc
import sys

import cv2
import pytest

from kibitz.memory import searched_seldom
from kibitz.threads import one_thread


def settings() -> tuple[object, ...]:
    return cv2.getNumThreads(), sys.getswitchinterval(), gc.get_threshold()


def torn_reading(before: tuple[object, ...]) -> None:
    with one_thread(), searched_seldom():
        assert all(now != then for now, then in zip(settings()[1:], before[1:], strict=True))
        assert cv2.getNumThreads() == 1
        raise ValueError("torn")


def test_all_is_as_before_even_after_an_error() -> None:
    before = settings()
    with pytest.raises(ValueError, match="torn"):
        torn_reading(before)
    assert settings() == before
