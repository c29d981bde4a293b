"""What can go wrong between a camera and a reading."""

from __future__ import annotations

from engine.errors import KibitzError


class SourceError(KibitzError, OSError):
    """A camera, video or picture that cannot be opened or breaks off."""


class NoBoard(KibitzError, LookupError):
    """No board could be found in the picture."""


class NotTheStart(KibitzError, ValueError):
    """The board does not show the position that it should: `table`, as it was given, comes nearest, and
    `wrong` says where it differs: (point, expected, seen).
    """

    def __init__(
        self, message: str, table: tuple[int, ...] = (), wrong: tuple[tuple[int, int, int], ...] = ()
    ) -> None:
        super().__init__(message)
        self.table, self.wrong = table, wrong


class CalibrationError(KibitzError, ValueError):
    """A calibration that cannot be used."""


class Mirrored(KibitzError, ValueError):
    """A picture in which left and right are exchanged."""
