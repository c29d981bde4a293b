"""Cameras that send a stream: a Pi camera through `rpicam-vid`, phones and network cameras by MJPEG, RTSP."""

from __future__ import annotations

import http.client
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import IO

import cv2
import numpy as np

from vision.errors import SourceError
from vision.geometry import Image
from vision.source import Frame, Source

#: Seconds without a byte after which a stream is taken for dead.
TIMEOUT = 5.0
CHUNK = 1 << 16
#: A JPEG longer than this is none (bytes): the stream is something else.
LONGEST = 8 << 20
BEGIN, END = b"\xff\xd8\xff", b"\xff\xd9"
RPICAM = ("--codec", "mjpeg", "--timeout", "0", "--nopreview", "--output", "-")
SIZE = ("--width", "1280", "--height", "720", "--framerate", "30")


def jpegs(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The JPEG pictures of a byte stream, whatever stands between them (multipart heads, nothing).

    Ends where the stream ends.

    Raises:
        SourceError: this is no stream of JPEGs.
    """
    held = b""
    while data := read(CHUNK):
        held += data
        while (start := held.find(BEGIN)) >= 0 and (end := held.find(END, start + 3)) >= 0:
            yield held[start : end + 2]
            held = held[end + 2 :]
        if len(held) > LONGEST:
            raise SourceError("the stream holds no JPEG pictures; set the camera to MJPEG")


def _decoded(jpeg: bytes) -> Image | None:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, np.uint8)


def _timed(pictures: Iterator[bytes]) -> Iterator[Frame]:
    """Frames with the time of their coming; torn pictures are left out."""
    began = time.monotonic()
    for jpeg in pictures:
        image = _decoded(jpeg)
        if image is not None:
            yield Frame(time.monotonic() - began, image)


def open_http(url: str) -> Source:
    """An MJPEG stream over http(s), as phones and network cameras serve it."""

    def frames() -> Iterator[Frame]:
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:  # the user's own camera
                yield from _timed(jpegs(answer.read1))
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise SourceError(f"{url}: {error}; check the address in a browser") from error
        raise SourceError(f"{url}: the stream has ended")

    return Source(url, frames)


def open_rtsp(url: str) -> Source:
    """A network camera by RTSP."""

    def frames() -> Iterator[Frame]:
        patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(TIMEOUT * 1000), cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
        capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, patience)
        try:
            if not capture.isOpened():
                raise SourceError(f"{url}: no camera answers; check address, name and password")
            began = time.monotonic()
            while True:
                ok, image = capture.read()
                if not ok:
                    raise SourceError(f"{url}: the camera stopped sending pictures; check its network")
                yield Frame(time.monotonic() - began, np.asarray(image, np.uint8))
        finally:
            capture.release()

    return Source(url, frames)


def open_rpicam(options: str) -> Source:
    """A Raspberry Pi camera; `rpicam:--hflip --vflip` hands options on to `rpicam-vid`.

    Raises:
        SourceError: the program is not installed.
    """
    program = shutil.which("rpicam-vid") or shutil.which("libcamera-vid")
    if program is None:
        raise SourceError("rpicam: rpicam-vid is missing; install it with: sudo apt install rpicam-apps")
    command = [program, *RPICAM, *SIZE, *options.split()]

    def frames() -> Iterator[Frame]:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
            try:
                yield from _timed(jpegs(_reader(running.stdout)))
            finally:
                running.kill()
        raise SourceError("rpicam: the camera stopped sending pictures; check its cable, then `rpicam-hello`")

    return Source(f"rpicam:{options}", frames)


def _reader(pipe: IO[bytes] | None) -> Callable[[int], bytes]:
    assert pipe is not None
    return pipe.read1  # type: ignore[attr-defined,no-any-return]  # pipes are buffered readers
