"""Writing results so that a torn file never passes for a whole one."""

from __future__ import annotations

import os
from pathlib import Path

from engine.errors import KibitzError


class OutputError(KibitzError, OSError):
    """A result that cannot be written."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: it is either there, whole, or not there.

    Raises:
        OutputError: the folder is missing, write-protected or full.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written ({error.strerror}); choose another folder") from error
