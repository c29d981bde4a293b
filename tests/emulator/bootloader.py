"""An Arduino's bootloader as avrdude knows it (STK500 version 1), behind a pty: it keeps what it is given."""

from __future__ import annotations

import os
import pty
import threading
import tty

#: Arguments of each command, in bytes, before its end mark.
_ARGUMENTS = {
    0x30: 0,
    0x41: 1,
    0x42: 20,
    0x45: 4,
    0x50: 0,
    0x51: 0,
    0x55: 2,
    0x56: 4,
    0x64: 3,
    0x74: 3,
    0x75: 0,
}
_PARAMETER, _UNIVERSAL, _ADDRESS, _PROGRAM, _READ, _SIGNATURE = 0x41, 0x56, 0x55, 0x64, 0x74, 0x75
_END, _IN_SYNC, _OK = 0x20, 0x14, 0x10


class Bootloader:
    """Answers at `port` until `close`; `flash` is what has been programmed."""

    def __init__(self, signature: bytes, flash: int) -> None:
        self.flash = bytearray(b"\xff" * flash)
        self._signature, self._address = signature, 0
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._thread = threading.Thread(target=self._serve, name="bootloader")
        self._thread.start()

    def close(self) -> None:
        os.write(self._slave, b"\0")  # wakes the reader, which knows no such command
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)

    def _serve(self) -> None:
        while (command := self._take(1)[0]) in _ARGUMENTS:
            arguments = self._take(_ARGUMENTS[command])
            data = self._take(arguments[0] << 8 | arguments[1]) if command == _PROGRAM else b""
            if self._take(1)[0] != _END:
                return
            os.write(self._master, bytes((_IN_SYNC, *self._answer(command, arguments, data), _OK)))

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self._master, count - len(data))
        return data

    def _answer(self, command: int, arguments: bytes, data: bytes) -> bytes:
        if command == _ADDRESS:
            self._address = 2 * int.from_bytes(arguments, "little")
        elif command == _PROGRAM:
            self.flash[self._address : self._address + len(data)] = data
        elif command == _READ:
            length = arguments[0] << 8 | arguments[1]
            return bytes(self.flash[self._address : self._address + length])
        return {_PARAMETER: b"\x01", _UNIVERSAL: b"\0", _SIGNATURE: self._signature}.get(command, b"")
