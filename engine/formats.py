"""All record formats by name: how each is known, read, written, and what it leaves out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import RecordError
from engine.jsonl import FORMAT, read_jsonl, write_jsonl
from engine.mat import read_mat, write_mat
from engine.mat_write import losses
from engine.ogxm_codec import MAGIC, losses_ogxm, read_ogxm, write_ogxm
from engine.record import Match
from engine.repairs import Loss
from engine.sgf import losses_sgf, read_sgf, write_sgf
from engine.text import decoded
from engine.trictrac_record import looks_like, losses_trictrac, read_trictrac, write_trictrac


def _nothing_lost(_match: Match) -> tuple[Loss, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Format:
    """One record format; `endings` of file names, the usual one first."""

    name: str
    endings: tuple[str, ...]
    read: Callable[[bytes], Match]
    write: Callable[[Match], str | bytes]
    losses: Callable[[Match], tuple[Loss, ...]]
    begins: Callable[[bytes], bool]

    def encode(self, match: Match) -> bytes:
        """The record as bytes."""
        written = self.write(match)
        return written if isinstance(written, bytes) else written.encode()


def _starts(*openings: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(openings)


FORMATS = (
    Format("ogxm", (".ogxm",), read_ogxm, write_ogxm, losses_ogxm, _starts(MAGIC)),
    Format("sgf", (".sgf",), read_sgf, write_sgf, losses_sgf, _starts(b"(;")),
    Format("jsonl", (".jsonl", ".json"), read_jsonl, write_jsonl, _nothing_lost, _starts(b"{")),
    Format(
        "trictrac",
        (".trictrac", ".txt"),
        read_trictrac,
        write_trictrac,
        losses_trictrac,
        lambda data: looks_like(decoded(data)[0]),
    ),
    Format("mat", (".mat",), read_mat, write_mat, losses, lambda _: True),
)
ENDINGS = tuple(ending for fmt in FORMATS for ending in fmt.endings)
#: Endings that all kinds of files have.
SHARED_ENDINGS = (".jsonl", ".json", ".txt")


def is_ours(beginning: bytes) -> bool:
    """Whether a file with a shared ending begins like a record of ours."""
    whole_lines = beginning.rpartition(b"\n")[0] or beginning
    text = decoded(whole_lines)[0]
    return f'"{FORMAT}"' in text[:200] or looks_like(text)


def format_of(data: bytes) -> Format:
    """The format that the content looks like; .mat, which may begin anyhow, when it looks like no other."""
    return next(fmt for fmt in FORMATS if fmt.begins(data))


def format_named(name: str) -> Format:
    """The format by its name or by the ending of a file's name.

    Raises:
        RecordError: there is none.
    """
    for fmt in FORMATS:
        if name == fmt.name or name.lower().endswith(fmt.endings):
            return fmt
    raise RecordError(f"{name!r} says no record format; end it with one of {', '.join(ENDINGS)}")


def read_record(data: bytes) -> Match:
    """The match of a record in any format.

    Raises:
        RecordError: it cannot be read.
    """
    return format_of(data).read(data)
