"""A video's frames a few times a second, decoded by a thread of its own while others are read.

Frames between are only passed over, which is cheaper. Times are the file's own, so that a frame rate that
varies does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import Full, Queue
from threading import Event, Thread, main_thread

import cv2
import numpy as np

from vision.source import PICTURES, Frame, Source, check_whole

#: Seconds between frames that are looked at; frames that wait to be read; seconds between looks at the stop
#: sign.
EVERY = 0.2
WAITING = 6
PATIENCE = 0.2
#: Pictures farther apart than this are a time lapse.
LAPSE = 0.35


def reel(source: Source, lapse: float | None = None, after: float = 0.0) -> Iterator[Frame]:
    """Frames of any source; of a video file every `EVERY` seconds. `lapse`: the seconds of real time between
    two pictures of a time lapse, each of which is wanted. `after`: begin at that time.

    Raises:
        SourceError: the video breaks off.
    """
    kind, _, path = source.url.partition(":")
    if kind != "file" or Path(path).suffix.lower() in PICTURES:
        return (frame for frame in source.frames() if frame.t >= after)
    return _threaded(path, lapse, after)


def _threaded(path: str, lapse: float | None, after: float) -> Iterator[Frame]:
    queue: Queue[Frame | Exception | None] = Queue(WAITING)
    stop = Event()
    thread = Thread(target=_feed, args=(path, lapse, after, queue, stop))
    thread.start()
    try:
        while (item := queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()


def _feed(
    path: str, lapse: float | None, after: float, queue: Queue[Frame | Exception | None], stop: Event
) -> None:
    last: Exception | None = None
    try:
        for frame in decoded(path, lapse, after):
            if not _put(queue, frame, stop):
                return
    except Exception as error:  # handed to whoever reads
        last = error
    _put(queue, last, stop)


def _put(queue: Queue[Frame | Exception | None], item: Frame | Exception | None, stop: Event) -> bool:
    # a reader that was never closed must not keep the program from ending
    while not stop.is_set() and main_thread().is_alive():
        try:
            queue.put(item, timeout=PATIENCE)
        except Full:
            continue
        return True
    return False


def decoded(path: str, lapse: float | None, after: float) -> Iterator[Frame]:
    """The frames themselves, in this thread.

    Raises:
        SourceError: the video breaks off.
    """
    capture = cv2.VideoCapture(path)
    count, fps = capture.get(cv2.CAP_PROP_FRAME_COUNT), capture.get(cv2.CAP_PROP_FPS)
    fps = fps if 0 < fps < 1000 else 25.0
    number, wanted, before = 0, after, -1.0
    try:
        while capture.grab():
            t = number * lapse if lapse else _time(capture, number, fps, before)
            number, before = number + 1, t
            if t < wanted - 1e-6:
                continue
            ok, image = capture.retrieve()
            if not ok:
                break
            wanted = max(wanted + EVERY, t + EVERY / 2) if not lapse else t
            yield Frame(t, np.asarray(image, np.uint8))
    finally:
        capture.release()
    check_whole(path, number, count, fps)


def _time(capture: cv2.VideoCapture, number: int, fps: float, before: float) -> float:
    """The frame's own time; its number tells it where the file does not."""
    t = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0
    return t if t > before else max(number / fps, before + 1e-3)
