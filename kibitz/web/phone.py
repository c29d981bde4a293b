"""The phone as a camera: JPEG frames that its browser sends, as a source like any other."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np

from vision.errors import SourceError
from vision.geometry import Image
from vision.source import Frame, Source

#: Seconds without a frame after which the phone is taken for gone.
SILENT = 5.0


class Phone:
    """Keeps the newest frame that a phone sent; hand `source` to whoever opens sources."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._jpeg = b""
        #: How many pictures have come.
        self.number = 0

    def put(self, jpeg: bytes) -> bool:
        """Take a frame; False when it is no JPEG."""
        if not jpeg.startswith(b"\xff\xd8\xff"):
            return False
        with self._news:
            self._jpeg, self.number = jpeg, self.number + 1
            self._news.notify_all()
        return True

    def source(self) -> Source:
        """The phone's frames, `phone:`; reading raises SourceError when they stop."""
        return Source("phone:", self._frames)

    def _frames(self) -> Iterator[Frame]:
        began, seen = time.monotonic(), self.number
        while True:
            seen, jpeg = self._newer_than(seen)
            image = _decoded(jpeg)
            if image is not None:
                yield Frame(time.monotonic() - began, image)

    def _newer_than(self, seen: int) -> tuple[int, bytes]:
        with self._news:
            if not self._news.wait_for(lambda: self.number > seen, SILENT):
                raise SourceError("phone: sends no pictures; open the page /camera on it and press start")
            return self.number, self._jpeg


def _decoded(jpeg: bytes) -> Image | None:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, np.uint8)
