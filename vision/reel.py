"""A video's frames a few times a second, decoded by a thread of its own while others are read.

Frames between are only passed over, which is cheaper; those that no other frame is made from are not even
decoded, where enough remain. Times are the file's own, so that a frame rate that varies does no harm.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from queue import Full, Queue
from threading import Event, Thread, main_thread

import cv2
import numpy as np

from vision.source import FRAMES_LACKING, PICTURES, Frame, Source, check_whole, frame_rate

#: Seconds between frames that are looked at; seconds between looks at the stop sign.
EVERY = 0.2
PATIENCE = 0.2
#: Bytes of the frames that wait to be read (30 of 1280 × 720), and how many these are at least and at most.
#: Some take twenty times as long to read as others: with few waiting, reader and decoder wait for each other.
WAITING, FEWEST_WAITING, MOST_WAITING = 80 << 20, 3, 32
#: Pictures farther apart than this are a time lapse.
LAPSE = 0.35
#: Where OpenCV finds options for FFmpeg, and the frames that may be left out: those that no other is made
#: from. (Leaving out more would spoil those that remain.)
OPTIONS, SKIP = "OPENCV_FFMPEG_CAPTURE_OPTIONS", "avdiscard;nonref"
#: So many steps at the beginning tell how far apart those are that are left: at most so many seconds, and so
#: many times as far as all frames are.
PROBED, FARTHEST, WORTH = 16, 0.28, 1.5


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
    frames = decoded(path, lapse, after, skip=not lapse and skippable(path))
    first = next(frames, None)
    if first is None:
        return
    waiting = min(max(WAITING // first.image.nbytes, FEWEST_WAITING), MOST_WAITING)
    queue, stop = Queue[Frame | Exception | None](waiting), Event()
    thread = Thread(target=_feed, args=(chain([first], frames), queue, stop))
    thread.start()
    try:
        while (item := queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()


def _feed(frames: Iterator[Frame], queue: Queue[Frame | Exception | None], stop: Event) -> None:
    last: Exception | None = None
    try:
        for frame in frames:
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


def opened(path: str, *, skip: bool = False) -> cv2.VideoCapture:
    """A video; `skip`: frames that no other is made from are not decoded. Options that a person set for
    OpenCV are left alone.
    """
    cores = os.cpu_count() or 1
    if not skip or OPTIONS in os.environ:
        return _opened(path, cores)
    os.environ[OPTIONS] = SKIP
    try:
        return _opened(path, max(cores - 1, 1))
    finally:
        del os.environ[OPTIONS]


def _opened(path: str, threads: int) -> cv2.VideoCapture:
    """A video, decoded by so many threads. Two of FFmpeg's take up to a sixth more of the processor for the
    same frames than one. Where frames are left out, those who read the others have more to do and get that
    core; where all are decoded, everybody waits for the decoder.
    """
    capture = cv2.VideoCapture(path, cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, threads])
    return capture if capture.isOpened() else cv2.VideoCapture(path)


def skippable(path: str) -> bool:
    """Whether frames that no other is made from need not be decoded: there are some, the others come often
    enough, and their times are known.
    """
    steps, usual = _steps(path)
    # frames that are only counted seem to follow each other without a gap
    fewer = sum(steps) >= WORTH * usual * PROBED
    return len(steps) == PROBED and max(steps) <= FARTHEST and fewer


def _steps(path: str) -> tuple[list[float], float]:
    """Seconds between the first frames that are left, up to one that is too long, and between all frames."""
    capture, steps, before = opened(path, skip=True), list[float](), None
    while len(steps) < PROBED and max(steps, default=0.0) <= FARTHEST and capture.grab():
        t = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0
        steps += [] if before is None else [t - before]
        before = t
    usual = 1 / frame_rate(capture)
    capture.release()
    return steps, usual


def decoded(path: str, lapse: float | None, after: float, *, skip: bool = False) -> Iterator[Frame]:
    """The frames themselves, in this thread; `skip`: frames that no other is made from are left out.

    Raises:
        SourceError: the video breaks off.
    """
    capture = opened(path, skip=skip)
    count, fps = capture.get(cv2.CAP_PROP_FRAME_COUNT), frame_rate(capture)
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
    if not skip:
        check_whole(path, number, count, fps)
    elif before < (count - FRAMES_LACKING) / fps - FARTHEST:
        # only decoding all of them tells whether frames are missing or come at an uneven rate
        yield from decoded(path, lapse, max(wanted, before + 1e-3))


def _time(capture: cv2.VideoCapture, number: int, fps: float, before: float) -> float:
    """The frame's own time; its number tells it where the file does not."""
    t = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0
    return t if t > before else max(number / fps, before + 1e-3)
