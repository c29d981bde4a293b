"""A recording's looks on disk, and what is inferred from them: pictures are read once, plays as often as
wanted.

The file (`.looks`) is a head and then one item after the other, each with its length before it, written as
the pictures are read: a torn end loses the last item only. It holds no pictures; an hour is a few megabytes.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec
from msgspec.structs import replace

from engine.errors import RecordError
from kibitz import __version__
from kibitz.locks import opened_alone
from referee.events import Seen, Setup, Still
from referee.observation import Belief, Count, Observation
from vision.geometry import BoardGeometry

SCHEMA = 1
#: Digits of a probability that are kept, and the least one that is.
DIGITS, LEAST = 3, 0.0005
#: Bytes of a file's beginning and end that, with its size, tell it from others.
SAMPLE = 1 << 16


class Head(msgspec.Struct, frozen=True, tag="head"):
    """What was read and how: `identity` of the video, the board, the 24 counts it was learned from and when.

    `setup` is the game as it was known when the pictures were read; inference may be given another. `asked`:
    how the reading was asked for; looks are only used again when it is the same.
    """

    schema: int
    version: str
    source: str
    identity: str
    setup: Setup
    board: BoardGeometry
    table: tuple[int, ...]
    learned_at: float
    asked: str = ""


class CubeLook(msgspec.Struct, frozen=True, tag="cube"):
    """The doubling cube as seen at `t`: 2-64, how sure, `far`, `middle` or `near`; value 0: none is there."""

    t: float
    value: int
    p: float
    where: str


class BoardMoved(msgspec.Struct, frozen=True, tag="moved"):
    """From `t` on the board lies elsewhere in the picture."""

    t: float
    board: BoardGeometry


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The pictures ended at `t`: nothing is missing."""

    t: float


Item = Seen | Still | CubeLook | BoardMoved | Done
_decoder: msgspec.msgpack.Decoder[Head | Item] = msgspec.msgpack.Decoder(Head | Item)
_encoder = msgspec.msgpack.Encoder()


class Kept:
    """The items of a file after its head, decoded anew whenever they are gone through: only the bytes of the
    file stay in memory, a megabyte an hour.
    """

    def __init__(self, data: bytes, path: Path) -> None:
        """`data`: the whole file; a torn end is left out.

        Raises:
            RecordError: it is none of looks, or of another version, or damaged.
        """
        self._data, self._path = data, path
        head: Head | Item | None = None
        self.last: Item | None = None
        for number, item in enumerate(self._all()):
            if number == 0:
                head = item
            elif not isinstance(item, Head):
                self.last = item
        if not isinstance(head, Head):
            raise RecordError(f"{path}: not a file of looks; make it with `kibitz transcribe`")
        if head.schema != SCHEMA:
            raise RecordError(f"{path}: looks of Kibitz {head.version}; transcribe the video again")
        self.head = head

    def _all(self) -> Iterator[Head | Item]:
        return (item for item, _ in _items(self._data, self._path))

    def __iter__(self) -> Iterator[Item]:
        return (item for item in self._all() if not isinstance(item, Head))


def later(item: Item, by: float) -> Item:
    """An item that is so many seconds later."""
    if isinstance(item, Seen):
        return Seen(replace(item.look, t=item.look.t + by))
    return replace(item, t=item.t + by)


@dataclass(frozen=True, slots=True)
class Looks:
    """The looks among items, as the referee takes them; they can be gone through again and again."""

    kept: Iterable[Item]

    def __iter__(self) -> Iterator[Seen | Still]:
        return (item for item in self.kept if isinstance(item, Seen | Still))


@dataclass(frozen=True, slots=True)
class Recording:
    """The looks at one video: `kept` can be gone through, in order, again and again."""

    head: Head
    kept: Iterable[Item]

    @property
    def items(self) -> tuple[Item, ...]:
        """All at once; hours of them take much memory."""
        return tuple(self.kept)

    @property
    def looks(self) -> Looks:
        """What the referee takes."""
        return Looks(self.kept)

    @property
    def cubes(self) -> Iterator[CubeLook]:
        """The looks at the cube that showed one."""
        return (item for item in self.kept if isinstance(item, CubeLook) and item.value)

    @property
    def last(self) -> Item | None:
        """The last item."""
        if isinstance(self.kept, Kept):
            return self.kept.last
        return next(iter(deque(self.kept, maxlen=1)), None)

    @property
    def done(self) -> bool:
        """True when the video was read to its end."""
        return isinstance(self.last, Done)

    @property
    def until(self) -> float:
        """The time of the last item, seconds."""
        last = self.last
        return 0.0 if last is None else last.t

    def renamed(self, setup: Setup) -> Recording:
        """The looks with rules, players and match as they are called now."""
        now = replace(self.head.setup, rules=setup.rules, names=setup.names, length=setup.length)
        return Recording(replace(self.head, setup=now), self.kept)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file of looks; a torn end is left out.

        Raises:
            RecordError: no such file, none of looks, or of another version.
        """
        try:
            kept = Kept(path.read_bytes(), path)
        except OSError as error:
            raise RecordError(f"{path}: cannot be read ({error.strerror}); check the path") from error
        return cls(kept.head, kept)

    def save(self, path: Path) -> None:
        """Write all at once."""
        with LooksFile(path, self.head) as file:
            for item in self.kept:
                file.write(item)


class LooksFile:
    """The file while it grows; nobody else writes it meanwhile."""

    def __init__(self, path: Path, head: Head, keep: int = 0) -> None:
        """`keep` > 0: go on after so many bytes of a file that is there.

        Raises:
            RecordError: another process is writing it.
        """
        file = opened_alone(path)
        if file is None:
            raise RecordError(
                f"{path}: another kibitz is reading a video into it; wait for that, or write elsewhere (-o)"
            )
        self._file: BinaryIO = file
        self._file.truncate(keep)
        self._file.seek(keep)
        if not keep:
            self._put(head)

    def _put(self, item: Head | Item) -> None:
        data = zlib.compress(_encoder.encode(item), 6)
        self._file.write(len(data).to_bytes(4, "big") + data)
        self._file.flush()

    def write(self, item: Item) -> Item:
        """Append one item, its probabilities rounded; the item as it will be read again."""
        kept = Seen(rounded(item.look)) if isinstance(item, Seen) else item
        self._put(kept)
        return kept

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def rounded(look: Observation) -> Observation:
    """A look with as many digits as mean something: alike beliefs are equal then, and small."""
    return _with_each(look, _rounded)


def _rounded(belief: Belief) -> Belief:
    kept = tuple(Count(c.checkers, round(c.p, DIGITS)) for c in belief.counts if c.p >= LEAST)
    return Belief(kept or belief.counts[:1], belief.rest)


def _with_each(look: Observation, one: Callable[[Belief], Belief]) -> Observation:
    """A look with something done to each of its beliefs."""
    return replace(
        look,
        points=tuple(map(one, look.points)),
        bar=(one(look.bar[0]), one(look.bar[1])),
        off=(one(look.off[0]), one(look.off[1])),
    )


def _items(data: bytes, path: Path) -> Iterator[tuple[Head | Item, int]]:
    """Items with the number of bytes up to their end."""
    at = 0
    while at + 4 <= len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        if end > len(data):
            return
        try:
            yield _decoder.decode(zlib.decompress(data[at + 4 : end])), end
        except (zlib.error, msgspec.DecodeError) as error:
            raise RecordError(
                f"{path}: byte {at} is damaged ({error}); transcribe the video again"
            ) from error
        at = end


def kept_bytes(path: Path) -> int:
    """How many bytes of a file of looks are whole items."""
    data = path.read_bytes()
    return max((end for _, end in _items(data, path)), default=0)


def identity_of(path: Path) -> str:
    """What tells a video (or a folder of pictures) from others; "" for what is no file."""
    if not path.exists():
        return ""
    files = sorted(p for p in path.iterdir() if p.is_file()) if path.is_dir() else [path]
    told = sha256()
    for file in files:
        told.update(f"{file.name if path.is_dir() else ''}:{file.stat().st_size};".encode())
        told.update(_sample(file))
    return told.hexdigest()[:32]


def _sample(file: Path) -> bytes:
    with file.open("rb") as opened:
        begin = opened.read(SAMPLE)
        opened.seek(max(file.stat().st_size - SAMPLE, 0))
        return begin + opened.read(SAMPLE)


def head_of(
    source: str, setup: Setup, board: BoardGeometry, table: Sequence[int], learned_at: float, asked: str = ""
) -> Head:
    """The head of a new file for a source (a URL or a path)."""
    identity = identity_of(Path(source.partition(":")[2] or source))
    return Head(SCHEMA, __version__, source, identity, setup, board, tuple(table)[:24], learned_at, asked)
