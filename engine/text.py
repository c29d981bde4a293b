"""Bytes of a record as text."""

from __future__ import annotations

from engine.repairs import Mend, Repair


def decoded(data: str | bytes) -> tuple[str, tuple[Repair, ...]]:
    """The text without byte order mark; bytes that are not UTF-8 are taken for Latin-1, which is a repair."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), ()
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return data.decode("latin-1"), (Repair(Mend.LATIN_1),)
