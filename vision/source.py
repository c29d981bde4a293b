"""Pictures over time, opened by URL: `file:game.mp4`, `images:folder`, `usb:0`, `synth:seed=7`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from urllib.parse import parse_qsl

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.geometry import Image
from vision.picture_file import torn

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
#: Frames that a video may lack at its end against what it promises: containers round.
FRAMES_LACKING = 3
#: Seconds between pictures of a folder: long enough for each to count as a settled look.
PICTURE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture (H × W × 3, BGR) and when it was taken, in seconds on the source's own clock."""

    t: float
    image: Image


@dataclass(frozen=True, slots=True)
class Source:
    """Frames in order. `seconds` is how long they last, None for a live camera. Reading may raise
    SourceError.
    """

    url: str
    frames: Callable[[], Iterator[Frame]]
    seconds: float | None = None


def open_source(url: str) -> Source:
    """Open a source; a bare path is a `file:` or, for a folder, `images:`.

    Raises:
        SourceError: no such kind, no such file, or nothing in it that can be read.
    """
    kind, _, rest = url.partition(":")
    if kind not in OPENERS or len(kind) == 1:
        kind, rest = ("images" if Path(url).is_dir() else "file"), url
    return OPENERS[kind](rest)


def read_picture(path: str | Path) -> Image:
    """One picture file as H × W × 3 BGR; works with any file name that the system knows.

    Raises:
        SourceError: the file is missing or is no picture.
    """
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    if torn(data.tobytes()):
        raise SourceError(f"{path}: the picture breaks off or is damaged; copy it again")
    image = _decoded(data)
    if image is None:
        raise SourceError(f"{path}: not a picture that can be read; give a whole JPEG or PNG file")
    return image


def _decoded(data: NDArray[np.uint8]) -> Image | None:
    """The picture in 8-bit colour, upright as its EXIF says; None where OpenCV gives up or finds it too
    large.
    """
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _open_file(path: str) -> Source:
    if Path(path).suffix.lower() in PICTURES:
        image = read_picture(path)
        return Source(
            f"file:{path}", lambda: iter([Frame(0.0, image), Frame(0.5, image), Frame(1.0, image)]), 1.0
        )
    if not Path(path).is_file():
        raise SourceError(f"{path}: no such file; check the path")
    told = Path(path).stat()
    count, rate, readable = _tried(path, told.st_size, told.st_mtime_ns)
    if not readable:
        raise SourceError(
            f"{path}: not a video that can be read (torn or another kind of file); try playing it first"
        )
    return Source(
        f"file:{path}", lambda: _video_frames(path, rate, count), count / rate if count > 0 else None
    )


@lru_cache(maxsize=8)
def _tried(path: str, _size: int, _changed: int) -> tuple[float, float, bool]:
    """Frames and frames a second that a video tells, and whether its first can be read; asked once a file."""
    capture = cv2.VideoCapture(path)
    count, rate = float(capture.get(cv2.CAP_PROP_FRAME_COUNT)), frame_rate(capture)
    readable = capture.isOpened() and capture.read()[0]
    capture.release()
    return count, rate, readable


def frame_rate(capture: cv2.VideoCapture) -> float:
    """Frames a second that a video tells, or the usual number where it tells none that can be."""
    fps = float(capture.get(cv2.CAP_PROP_FPS))
    return fps if 0 < fps < 1000 else 25.0


def _video_frames(path: str, fps: float, count: float) -> Iterator[Frame]:
    capture = cv2.VideoCapture(path)
    number = 0
    try:
        while True:
            ok, image = capture.read()
            if not ok:
                break
            yield Frame(number / fps, np.asarray(image, np.uint8))
            number += 1
    finally:
        capture.release()
    check_whole(path, number, count, fps)


def check_whole(path: str, number: int, count: float, fps: float) -> None:
    """Raises SourceError where `number` frames could be read of a video that should hold `count`."""
    if number < count - FRAMES_LACKING:
        at, whole = number / fps, count / fps
        raise SourceError(f"{path}: the video breaks off after {at:.1f} s of {whole:.1f} s; copy it again")


def _open_images(folder: str) -> Source:
    paths = sorted(p for p in Path(folder).glob("*") if p.suffix.lower() in PICTURES)
    if not paths:
        raise SourceError(f"{folder}: no pictures in this folder; give a folder of JPEG or PNG files")

    def frames() -> Iterator[Frame]:
        for number, path in enumerate(paths):
            image = read_picture(path)
            for part in (0.0, 0.4, 0.8):
                yield Frame((number + part) * PICTURE_SECONDS, image)

    return Source(f"images:{folder}", frames, len(paths) * PICTURE_SECONDS)


def _open_usb(number: str) -> Source:
    if not number.isdigit():
        raise SourceError(f"usb:{number}: the camera's number is missing; try usb:0")
    capture = cv2.VideoCapture(int(number))
    if not capture.isOpened():
        raise SourceError(f"usb:{number}: no camera answers; see `kibitz doctor` for those that do")

    def frames() -> Iterator[Frame]:
        began = time.monotonic()
        try:
            while True:
                ok, image = capture.read()
                if not ok:
                    raise SourceError(f"usb:{number}: the camera stopped sending pictures; check its cable")
                yield Frame(time.monotonic() - began, np.asarray(image, np.uint8))
        finally:
            capture.release()

    return Source(f"usb:{number}", frames)


def _open_synth(query: str) -> Source:
    from vision.staged import staged_game  # drawing is only loaded when somebody asks for it

    options = dict(parse_qsl(query.replace(",", "&")))
    unknown = set(options) - {"seed", "turns", "pace", "fps"}
    if unknown:
        raise SourceError(
            f"synth: does not know {', '.join(sorted(unknown))}; it knows seed, turns, pace, fps"
        )
    try:
        game = staged_game(
            seed=int(options.get("seed", "7")),
            turns=int(options.get("turns", "8")),
            pace=float(options.get("pace", "2")),
            fps=float(options.get("fps", "10")),
        )
    except ValueError as error:
        raise SourceError(f"synth:{query}: {error}; write it like synth:seed=7,turns=8") from error
    return Source(f"synth:{query}", lambda: (Frame(t, image) for t, image in game.frames()), game.seconds)


def _open_stream(kind: str) -> Callable[[str], Source]:
    """Opener of a network or Pi camera; its module is only loaded when somebody asks for it."""

    def opened(rest: str) -> Source:
        from vision import live_source

        if kind == "rpicam":
            return live_source.open_rpicam(rest)
        url = f"{kind}:{rest}"
        return live_source.open_rtsp(url) if kind == "rtsp" else live_source.open_http(url)

    return opened


OPENERS: Mapping[str, Callable[[str], Source]] = MappingProxyType(
    {
        "file": _open_file,
        "images": _open_images,
        "usb": _open_usb,
        "synth": _open_synth,
        **{kind: _open_stream(kind) for kind in ("rtsp", "http", "https", "rpicam")},
    }
)
