"""What the text codecs share: bytes to text, lines, labels."""

from __future__ import annotations

import re

from engine.errors import RecordError
from engine.repairs import Mend, Repair

_HEADER = re.compile(r';\s*\[(?P<key>[^"\]]*)"(?P<value>.*)"\s*\]')


def decoded(data: str | bytes) -> tuple[str, tuple[Repair, ...]]:
    """The text without byte order mark; bytes that are not UTF-8 are taken for Latin-1, which is a repair."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), ()
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return data.decode("latin-1"), (Repair(Mend.LATIN_1),)


def lines_of(text: str) -> list[str]:
    """The lines, whatever system ended them; other separators may be part of a name."""
    return re.split(r"\r\n|\r|\n", text)


def header_of(line: str) -> tuple[str, str] | None:
    """The label and value of a line like `; [Event "Open"]`."""
    found = _HEADER.fullmatch(line.strip())
    return (found["key"].strip(), found["value"]) if found else None


def header_line(key: str, value: str) -> str:
    """The line that `header_of` reads back.

    Raises:
        RecordError: the label or value would break the line.
    """
    if not key or any(c in key for c in '"]') or key != key.strip():
        raise RecordError(f"the label {key!r} cannot be written; leave out quotes, brackets and outer blanks")
    return f'; [{checked_line(key)} "{checked_line(value)}"]'


def checked_line(text: str) -> str:
    """The text itself.

    Raises:
        RecordError: it holds a line break.
    """
    if any(c in text for c in "\r\n"):
        raise RecordError(f"{text[:40]!r} has a line break; this format needs it on one line")
    return text
