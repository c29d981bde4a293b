"""Files that one process at a time writes: the system keeps the lock and frees it however a process ends."""

from __future__ import annotations

import errno
import os
import sys
from typing import BinaryIO

#: What the systems say of a lock that somebody else holds.
_HELD = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})

if sys.platform == "win32":
    import msvcrt

    #: Windows keeps others from reading what is locked: a byte that no file of ours reaches.
    _FAR = 2**31 - 2

    def _lock(file: BinaryIO) -> None:
        at = file.tell()
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(at)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def locked(file: BinaryIO) -> bool:
    """Lock an open file until it is closed; False: another process, or another opening of it, has done so.

    A file system that knows no locks is taken as it is.
    """
    try:
        _lock(file)
    except OSError as error:
        return error.errno not in _HELD
    return True


def opened_alone(path: os.PathLike[str]) -> BinaryIO | None:
    """A file to read and write, made if it is not there, emptied by nobody; None: it is being written."""
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
    if locked(file):
        return file
    file.close()
    return None
