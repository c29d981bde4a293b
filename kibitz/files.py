"""Writing results so that a torn file never passes for a whole one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from engine.errors import KibitzError


class OutputError(KibitzError, OSError):
    """A result that cannot be written."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: it is either there, whole, or not there.

    Raises:
        OutputError: the folder is missing, write-protected or full.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror}); choose another folder") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written ({error.strerror}); make room and try again") from error
