"""The one root of every error that Kibitz raises on purpose."""

from __future__ import annotations


class KibitzError(Exception):
    """What went wrong and the mend, in one line that a user can read."""


class RulesError(KibitzError, ValueError):
    """A play, roll or position that the ruleset cannot take."""


class RecordError(KibitzError, ValueError):
    """A match record that cannot be read or written."""
