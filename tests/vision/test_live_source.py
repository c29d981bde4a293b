"""Streams of pictures: a stand-in for the Pi camera's program, a phone's MJPEG, torn and foreign bytes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.rtsp_camera import RtspCamera
from vision.errors import SourceError
from vision.live_source import jpegs
from vision.source import open_source

PICTURES = 4


def jpeg(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((48, 64, 3), grey, np.uint8))[1].tobytes()


@pytest.mark.parametrize("chunk", [1, 7, 4096])
def test_pictures_are_cut_out_whatever_stands_between_them(chunk: int) -> None:
    data = b"--b\r\nContent-Type: image/jpeg\r\n\r\n".join([b"", jpeg(10), jpeg(20), jpeg(30)])
    pieces = iter([data[i : i + chunk] for i in range(0, len(data), chunk)])
    assert list(jpegs(lambda _: next(pieces, b""))) == [jpeg(10), jpeg(20), jpeg(30)]


def test_a_stream_without_pictures_is_named() -> None:
    with pytest.raises(SourceError, match="no JPEG"):
        list(jpegs(lambda n: b"\0" * n))


def test_a_pi_camera_through_a_program_that_writes_the_same_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(PICTURES):
        (tmp_path / f"{number}.jpg").write_bytes(jpeg(40 * number))
    program = tmp_path / "rpicam-vid"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\ncat {tmp_path}/*.jpg\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    frames = open_source("rpicam:--hflip").frames()
    shown = [float(frame.image.mean()) for frame in islice(frames, PICTURES)]
    assert shown == pytest.approx([0, 40, 80, 120], abs=3)
    with pytest.raises(SourceError, match="stopped"):
        next(frames)
    assert (tmp_path / "asked").read_text().split()[:2] == ["--codec", "mjpeg"]


def test_a_missing_program_is_named_with_the_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="apt install"):
        open_source("rpicam:")


class _Phone(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=b")
        self.end_headers()
        for number in range(PICTURES):
            self.wfile.write(b"--b\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg(40 * number) + b"\r\n")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def phone() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Phone)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/video"
    server.shutdown()
    server.server_close()


def test_a_phones_stream(phone: str) -> None:
    frames = open_source(phone).frames()
    assert len(list(islice(frames, PICTURES))) == PICTURES
    with pytest.raises(SourceError, match="ended"):
        next(frames)


def test_nobody_at_the_address() -> None:
    with pytest.raises(SourceError, match="check the address"):
        next(open_source("http://127.0.0.1:9/video").frames())


def test_a_network_camera_by_rtsp_until_it_stops() -> None:
    grey = [cv2.imencode(".jpg", np.full((240, 320, 3), 40 * n, np.uint8))[1].tobytes() for n in range(5)]
    camera = RtspCamera(grey, 3)
    try:
        frames = open_source(camera.url).frames()
        shown = [float(frame.image.mean()) for frame in islice(frames, 6)]
        assert [round(mean / 40) for mean in shown] == [(round(shown[0] / 40) + k) % 5 for k in range(6)]
        with pytest.raises(SourceError, match="stopped"):
            list(frames)
    finally:
        camera.close()


def test_no_network_camera_at_the_address() -> None:
    with pytest.raises(SourceError, match="no camera answers"):
        next(open_source("rtsp://127.0.0.1:9/live").frames())
