"""Serial ports by URL: `serial:/dev/ttyUSB0`, `serial:COM3`, `serial:auto`, `socket://host:port`.

Reads and writes end in finite time, and a port is never shared.
"""

from __future__ import annotations

import os
from typing import Protocol
from urllib.parse import urlsplit

import serial
from serial.tools import list_ports

from engine.errors import KibitzError
from firmware_bridge import board

READ_S, WRITE_S = 0.02, 0.5
#: USB maker and product numbers of the boards and adapters that Arduinos come with; None: any product.
KNOWN_USB = ((0x2341, None), (0x2A03, None), (0x1A86, None), (0x0403, 0x6001), (0x10C4, 0xEA60))


class PortError(KibitzError, OSError):
    """A port that cannot be found or opened."""


class Port(Protocol):
    """What the link needs of a port; calls raise OSError (pyserial's errors are such) when it is gone."""

    def read(self) -> bytes:
        """What has come, after at most `READ_S`."""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class SerialPort:
    """A pyserial port behind `Port`."""

    def __init__(self, port: serial.SerialBase) -> None:
        self._port = port

    def read(self) -> bytes:
        first = bytes(self._port.read(1))
        return first + bytes(self._port.read(self._port.in_waiting)) if first else first

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def close(self) -> None:
        self._port.close()


def candidates(url: str) -> list[str]:
    """The ports a URL may mean, most likely first.

    Raises:
        PortError: the URL is of no known kind.
    """
    if _is_socket(url):
        return [url]
    if not url.startswith("serial:") or url == "serial:":
        ways = "serial:auto, serial:/dev/ttyUSB0, socket://host:port or gpio:"
        raise PortError(f"{url}: not a board's address; use {ways}")
    name = url.removeprefix("serial:")
    return _by_usb() if name == "auto" else [name]


def _is_socket(url: str) -> bool:
    """Whether it is `socket://host:port` with a port that there is."""
    try:
        parts = urlsplit(url)
        return parts.scheme == "socket" and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        return False


def _by_usb() -> list[str]:
    """Ports of known makers; where the system has names that stay the same after replugging, those."""
    found = [port for port in list_ports.comports() if _known(port.vid, port.pid)]
    return [_lasting_name(port.device) for port in found]


def _known(vid: int | None, pid: int | None) -> bool:
    return any(vid == maker and product in (None, pid) for maker, product in KNOWN_USB)


def _lasting_name(device: str, folder: str = "/dev/serial/by-id") -> str:
    if not os.path.isdir(folder):
        return device
    names = (os.path.join(folder, name) for name in sorted(os.listdir(folder)))
    return next((name for name in names if os.path.realpath(name) == os.path.realpath(device)), device)


def open_port(name: str) -> Port:
    """Open one of `candidates`.

    Raises:
        OSError: it is not there, is in use, or may not be opened (pyserial's message says which).
    """
    if name.startswith("socket://"):
        return SerialPort(serial.serial_for_url(name, timeout=READ_S))
    exclusive = True if os.name == "posix" else None  # elsewhere ports are never shared
    return SerialPort(
        serial.Serial(name, board.BAUD, timeout=READ_S, write_timeout=WRITE_S, exclusive=exclusive)
    )
