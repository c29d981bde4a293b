"""Short stretches of a video as small JPEG pictures, for a page that shows what happened."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import cv2
import numpy as np

from vision.errors import SourceError
from vision.geometry import Image
from vision.source import PICTURES, Frame, open_source

#: Width of the pictures; at most so many; seconds between them, at least.
WIDTH, MOST, STEP = 640, 40, 0.15
#: A film whose length differs so much from what was recorded of it is a time lapse.
LAPSED = 0.1
JPEG = [cv2.IMWRITE_JPEG_QUALITY, 75]


def clip(url: str, since: float, until: float) -> tuple[bytes, ...]:
    """Pictures from `since` to `until` (seconds of the source), evenly spaced.

    Raises:
        SourceError: the source cannot be opened.
    """
    _there(url)
    step = max(STEP, (until - since) / (MOST - 1))
    wanted, found = since, []
    for frame in takewhile(lambda frame: frame.t <= until + 1e-6, _from(url, since)):
        if frame.t >= wanted - 1e-6:
            found.append(_small(frame.image))
            wanted = max(wanted + step, frame.t)
    return tuple(found[:MOST])


def film_pace(url: str, seconds: float) -> float:
    """Seconds of film in a second of the recording: 1, but for a time lapse.

    Raises:
        SourceError: the source cannot be opened.
    """
    _there(url)
    length = open_source(url).seconds if seconds else None
    pace = length / seconds if length else 1.0
    return 1.0 if abs(pace - 1.0) < LAPSED else pace


def _there(url: str) -> None:
    kind, _, path = url.partition(":")
    if kind == "file" and not Path(path).is_file():
        raise SourceError(f"{path}: the video is not there any more; name its folder with --videos")


def _from(url: str, since: float) -> Iterator[Frame]:
    kind, _, path = url.partition(":")
    if kind != "file" or Path(path).suffix.lower() in PICTURES:
        return (frame for frame in open_source(url).frames() if frame.t >= since)
    return _sought(path, since)


def _sought(path: str, since: float) -> Iterator[Frame]:
    """Frames of a video file from a time on; the file's own times count, where it has them."""
    capture = cv2.VideoCapture(path)
    try:
        capture.set(cv2.CAP_PROP_POS_MSEC, max(0.0, since) * 1000)
        while True:
            t = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            ok, image = capture.read()
            if not ok:
                return
            yield Frame(t, np.asarray(image, np.uint8))
    finally:
        capture.release()


def _small(image: Image) -> bytes:
    height, width = image.shape[:2]
    scale = min(1.0, WIDTH / width)
    size = (round(width * scale), round(height * scale))
    return cv2.imencode(".jpg", cv2.resize(image, size, interpolation=cv2.INTER_AREA), JPEG)[1].tobytes()
