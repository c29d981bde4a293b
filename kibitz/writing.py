"""Writing a match: the ending of the file's name says the format. Subtitles are one that is only written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from engine.errors import RecordError
from engine.formats import ENDINGS, FORMATS, format_named
from engine.mat import read_mat
from engine.record import VIDEO, Match
from engine.repairs import Loss
from kibitz.files import write_whole
from kibitz.lang import Language, choose
from kibitz.record import Transcript
from kibitz.subtitles import write_vtt

VTT = "vtt"
#: What may be written, by name.
NAMES = (*(fmt.name for fmt in FORMATS), VTT)


def write_record(path: Path, match: Match, language: Language, kind: str | None = None) -> tuple[Loss, ...]:
    """Write a match, the whole file or nothing; tells what the format could not hold.

    `kind` names the format where the ending of the path does not. Subtitles leave out, without a word, what
    has no time.

    Raises:
        RecordError: no such format, it cannot hold the match at all, or subtitles of a match without times.
        OutputError: the file cannot be written.
    """
    data, losses = encoded(match, language, kind or path.name)
    write_whole(path, data)
    return losses


def write_results(
    transcript: Transcript, match: Match, record: Path | None, json: Path | None
) -> tuple[str, ...]:
    """Write what is wanted of a recording (None: not), each file whole or not at all; the record names the
    video. Says in words what the record cannot hold.

    Raises:
        RecordError: as for `write_record`; also a `.mat` that would not be read again as it is written.
        OutputError: a file cannot be written.
    """
    if json is not None:
        write_whole(json, msgspec.json.format(msgspec.json.encode(transcript), indent=1) + b"\n")
    if record is None:
        return ()
    language = choose()
    named = replace(match, headers=((VIDEO, Path(transcript.source).name),))
    data, losses = encoded(named, language, record.name)
    if record.suffix == ".mat":
        read_mat(data)
    write_whole(record, data)
    return tuple(dict.fromkeys(map(language.loss, losses)))


def encoded(match: Match, language: Language, kind: str) -> tuple[bytes, tuple[Loss, ...]]:
    """A match in the format that a name or the ending of a file's name says, and what that leaves out.

    Raises:
        RecordError: as for `write_record`.
    """
    if kind == VTT or kind.lower().endswith(f".{VTT}"):
        return write_vtt(match, language).encode(), ()
    fmt = format_named(kind)
    return fmt.encode(match), fmt.losses(match)


def check_ending(path: Path) -> None:
    """Raises RecordError for a path whose ending says no format; asked before hours are spent."""
    if not path.name.lower().endswith((*ENDINGS, f".{VTT}")):
        raise RecordError(f"{path}: says no format; end it with one of {', '.join(ENDINGS)}, .{VTT}")
