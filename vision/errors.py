"""What can go wrong between a camera and a reading."""

from __future__ import annotations

from engine.errors import KibitzError


class SourceError(KibitzError, OSError):
    """A camera, video or picture that cannot be opened or breaks off."""


class NoBoard(KibitzError, LookupError):
    """No board could be found in the picture."""


class NotTheStart(KibitzError, ValueError):
    """The board does not show the position that it should."""


class CalibrationError(KibitzError, ValueError):
    """A calibration that cannot be used."""
