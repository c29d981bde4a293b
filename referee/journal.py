"""The journal: what went into the session and what came out, as JSON lines that replay to the same bytes.

The first line is a header with the set-up; each further line holds one input and its outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from engine.errors import RecordError
from referee.events import Input, Output, Setup
from referee.session import State, begin, step

SCHEMA = 1


class Header(msgspec.Struct, frozen=True, tag="kibitz"):
    """First line: schema, the program that wrote it, where the looks came from, how the session was set
    up.
    """

    schema: int
    version: str
    source: str
    setup: Setup


class Entry(msgspec.Struct, frozen=True, tag="step"):
    """One input and what the session made of it."""

    given: Input
    made: tuple[Output, ...] = ()


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Header | Entry)


def line(item: Header | Entry) -> bytes:
    """One journal line, newline included."""
    return _encoder.encode(item) + b"\n"


class Replay(msgspec.Struct, frozen=True):
    """What re-stepping a journal gave: entries, the final state, and the first line that came out
    otherwise.
    """

    header: Header
    entries: tuple[Entry, ...]
    state: State
    differs_at: int | None = None
    torn: bool = False


def parse(lines: Iterable[bytes]) -> Iterator[Header | Entry]:
    """Lines → items. A last line without its newline (the power went) is left out.

    Raises:
        RecordError: a line in the middle is damaged; names its number.
    """
    for number, raw in enumerate(lines, 1):
        if not raw.endswith(b"\n"):
            return
        try:
            yield _decoder.decode(raw)
        except msgspec.DecodeError as error:
            raise RecordError(
                f"journal line {number} is damaged ({error}); keep the file and report it"
            ) from error


def replay(lines: Iterable[bytes]) -> Replay:
    """Step a journal's inputs again and compare each line with what was written, byte for byte.

    Raises:
        RecordError: no header, another schema, or a damaged line.
    """
    kept = list(lines)
    items = parse(kept)
    header = next(items, None)
    if not isinstance(header, Header):
        raise RecordError("this is not a Kibitz journal: its first line is no header")
    if header.schema != SCHEMA:
        raise RecordError(
            f"journal schema {header.schema} is not {SCHEMA}: use Kibitz {header.version} to replay it"
        )
    state, entries, differs = begin(header.setup), [], None
    for number, item in enumerate(items, 2):
        if not isinstance(item, Entry):
            raise RecordError(f"journal line {number} is a second header; two journals were joined")
        state, made = step(state, item.given)
        entries.append(Entry(item.given, made))
        if differs is None and line(entries[-1]) != kept[number - 1]:
            differs = number
    torn = bool(kept) and not kept[-1].endswith(b"\n")
    return Replay(header, tuple(entries), state, differs, torn)
