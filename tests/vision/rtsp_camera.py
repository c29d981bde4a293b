"""A network camera for tests: RTSP with pictures as RTP/JPEG (RFC 2435) inside its own connection."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from io import BufferedRWPair
from itertools import count

LONGEST = 1200
SDP = ("v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=-", "t=0 0", "m=video 0 RTP/AVP 26", "a=control:1", "")
#: 90 kHz, as RTP counts for video.
TICKS = 90_000 // 10


def parts(jpeg: bytes) -> tuple[bytes, bytes, int, int]:
    """Quantisation tables, scan data, width and height of a baseline JPEG (4:2:0)."""
    at, tables, size = 2, b"", (0, 0)
    while True:
        marker, length = struct.unpack(">HH", jpeg[at : at + 4])
        body = jpeg[at + 4 : at + 2 + length]
        if marker == 0xFFDB:
            tables += b"".join(body[i + 1 : i + 65] for i in range(0, len(body), 65))
        elif marker == 0xFFC0:
            size = struct.unpack(">HH", body[1:5])
        elif marker == 0xFFDA:
            return tables, jpeg[at + 2 + length : -2], size[1], size[0]
        at += 2 + length


def packets(jpeg: bytes, number: int, sequence: Iterator[int]) -> Iterator[bytes]:
    """RTP packets of picture `number`, each in its frame of the RTSP connection."""
    tables, scan, width, height = parts(jpeg)
    for offset in range(0, len(scan), LONGEST):
        piece = scan[offset : offset + LONGEST]
        last = offset + LONGEST >= len(scan)
        head = struct.pack(">I", offset) + bytes([1, 255, width // 8, height // 8])
        if offset == 0:
            head += struct.pack(">BBH", 0, 0, len(tables)) + tables
        rtp = struct.pack(
            ">BBHII", 0x80, 26 | (0x80 if last else 0), next(sequence) & 0xFFFF, number * TICKS, 7
        )
        packet = rtp + head + piece
        yield b"$\0" + struct.pack(">H", len(packet)) + packet


def answer(method: str, head: dict[str, str]) -> bytes:
    """What the camera says to a request; it sends pictures inside the connection only."""
    lines, body, status = [f"CSeq: {head.get('cseq', '0')}", "Session: 1"], "", "200 OK"
    if method == "DESCRIBE":
        body = "\r\n".join(SDP)
        lines += ["Content-Type: application/sdp", f"Content-Length: {len(body)}"]
    elif method == "SETUP" and "interleaved" not in head.get("transport", ""):
        status = "461 Unsupported Transport"
    elif method == "SETUP":
        lines.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1")
    elif method == "OPTIONS":
        lines.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN")
    return (f"RTSP/1.0 {status}\r\n" + "\r\n".join(lines) + "\r\n\r\n" + body).encode()


class RtspCamera:
    """Serves one viewer after the other; `pictures` are sent over and over, `times` in all."""

    def __init__(self, pictures: Sequence[bytes], times: int) -> None:
        self._pictures, self._times = pictures, times
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"rtsp://127.0.0.1:{self._door.getsockname()[1]}/live"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                viewer, _ = self._door.accept()
            except OSError:
                return
            with viewer, viewer.makefile("rwb") as talk:
                try:
                    self._talk(talk)
                except OSError:
                    continue

    def _talk(self, talk: BufferedRWPair) -> None:
        while request := self._request(talk):
            method, head = request
            talk.write(answer(method, head))
            talk.flush()
            if method == "PLAY":
                self._play(talk)
                return

    def _request(self, talk: BufferedRWPair) -> tuple[str, dict[str, str]] | None:
        first = talk.readline().decode()
        if not first:
            return None
        head = {}
        while line := talk.readline().decode().strip():
            name, _, value = line.partition(":")
            head[name.lower()] = value.strip()
        return first.split()[0], head

    def _play(self, talk: BufferedRWPair) -> None:
        sequence = count()
        for number in range(self._times * len(self._pictures)):
            for packet in packets(self._pictures[number % len(self._pictures)], number, sequence):
                talk.write(packet)
            talk.flush()
            time.sleep(0.02)
