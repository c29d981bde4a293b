"""A phone's pictures as a source."""

import threading

import cv2
import numpy as np
import pytest

from kibitz.web import phone
from kibitz.web.phone import Phone
from vision.errors import SourceError


def jpeg(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((48, 64, 3), grey, np.uint8))[1].tobytes()


def test_frames_come_as_they_are_sent_and_only_the_newest() -> None:
    camera = Phone()
    frames = camera.source().frames()
    threading.Timer(0.1, camera.put, [jpeg(10)]).start()
    first = next(frames)
    camera.put(jpeg(100))
    camera.put(jpeg(200))
    second = next(frames)
    assert first.image.shape == (48, 64, 3)
    assert [round(float(f.image.mean()), -1) for f in (first, second)] == [10, 200]
    assert second.t > first.t


def test_what_is_no_jpeg_is_not_taken() -> None:
    assert not Phone().put(b"GIF89a")
    assert not Phone().put(b"")


def test_a_torn_picture_is_left_out() -> None:
    camera = Phone()
    frames = camera.source().frames()
    torn = threading.Timer(0.05, camera.put, [b"\xff\xd8\xff nothing"])
    whole = threading.Timer(0.3, camera.put, [jpeg(70)])
    torn.start()
    whole.start()
    assert abs(float(next(frames).image.mean()) - 70) < 3


def test_a_phone_that_falls_silent_is_said_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone, "SILENT", 0.05)
    with pytest.raises(SourceError, match="open the page /camera"):
        next(Phone().source().frames())
