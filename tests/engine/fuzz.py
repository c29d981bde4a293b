"""Mutated records for every reader: only our typed errors, nothing slow, nothing large.

`python -m tests.engine.fuzz 100000` runs so many inputs per reader (`make fuzz`).
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from engine.errors import KibitzError, RecordError
from engine.formats import FORMATS, Format
from engine.gnubg_id import from_match_id, from_position_id
from engine.notation import parse_play
from engine.notation_trictrac import parse_trictrac
from engine.record import Match
from engine.rules import BACKGAMMON
from engine.trictrac_record import read_trictrac
from engine.xgid import parse_xgid
from tests.strategies import random_game, timed_turns

SAMPLE = Path(__file__).parents[1] / "data" / "sample_game.txt"
SECONDS, MEGABYTES = 1.0, 200
_PIECES = tuple(
    piece.encode()
    for piece in (
        *("Game 1\n", "????", "Cannot Move", "Doubles => 2", "Takes", "Wins 9999999 point", "bar/", "/off"),
        *(
            "(;",
            ")",
            "[",
            "]",
            "\\",
            ";B[66",
            "RE[W+2]",
            '{"',
            "null",
            "-1",
            "1e9",
            "\ufeff",
            "\x00",
            "\n",
            "\r",
        ),
        *("Белые (5, 1): ", "борт–", "(9)", "9" * 30, " " * 200, ": 0   ", "²", "\u2028"),
    )
)


@dataclass(frozen=True)
class Reader:
    """What is called with the mutated bytes, and what they are mutated from."""

    name: str
    read: Callable[[bytes], object]
    seeds: tuple[bytes, ...]


def readers() -> list[Reader]:
    """Every reader that there is."""
    random = Random(5)
    games = [random_game(random, BACKGAMMON, (0, 0), cube=True, illegal=True) for _ in range(12)]
    short = tuple(game for game in games if len(game.turns) < 45)
    filmed = replace(short[0], turns=timed_turns(short[0].turns, 5000))
    matches = [Match(("Ann: 1", "Боб"), 3, games=(game, filmed)) for game in short]
    records = [Reader(fmt.name, fmt.read, _written(fmt, matches)) for fmt in FORMATS]
    return [
        *(reader for reader in records if reader.seeds),
        Reader("sample", read_trictrac, (SAMPLE.read_bytes()[:1500],)),
        _text_reader("xgid", parse_xgid, "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:0:0:5:10"),
        _text_reader("position_id", from_position_id, "4HPwATDgc/ABMA", "PwkAAEx7GwAAAA"),
        _text_reader("match_id", from_match_id, "QYkqASAAIAAE", "cAkAAAAAAAAE"),
        _text_reader("play", lambda text: parse_play(text, BACKGAMMON.start), "24/18*/13 bar/20 6/off(2)"),
        _text_reader("trictrac_play", lambda text: parse_trictrac(text, 1), "XII–7 борт–III* 6–двор(2)"),
    ]


def _written(fmt: Format, matches: list[Match]) -> tuple[bytes, ...]:
    try:
        return tuple(fmt.encode(match) for match in matches)
    except RecordError:  # an extra that is not installed
        return ()


def _text_reader(name: str, read: Callable[[str], object], *seeds: str) -> Reader:
    return Reader(name, lambda data: read(data.decode("utf-8", "replace")), tuple(s.encode() for s in seeds))


def mutated(random: Random, seeds: tuple[bytes, ...]) -> bytes:
    """One of the seeds with a few cuts, flips, repeats and foreign pieces."""
    data = bytearray(random.choice(seeds))
    for _ in range(random.choice((1, 1, 2, 4, 12))):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 3, 20, 200)))
        change = random.randrange(6)
        if change == 0:
            data[at:end] = b""
        elif change == 1:
            data[at:at] = random.choice(_PIECES)
        elif change == 2:
            data[at:end] = bytes(random.randrange(256) for _ in range(end - at))
        elif change == 3:
            data[at:at] = data[at:end] * random.choice((1, 2, 30))
        elif change == 4:
            data[at:end] = random.choice(_PIECES)
        else:
            del data[end:]
    return bytes(data)


@dataclass
class Report:
    """What so many inputs did."""

    name: str
    inputs: int = 0
    refused: int = 0
    slowest: float = 0.0
    worst: bytes = b""


def fuzz(reader: Reader, count: int, seed: int = 1) -> Report:
    """Feed mutated inputs to a reader; anything but a KibitzError comes out as it is.

    Time is this process's own, so that a busy machine is not taken for a hang.
    """
    random, report = Random(f"{reader.name} {seed}"), Report(reader.name)
    for data in _inputs(random, reader.seeds, count):
        begun = time.process_time()
        try:
            reader.read(data)
        except KibitzError:
            report.refused += 1
        except BaseException:
            print(f"{reader.name}: {data!r}", file=sys.stderr)
            raise
        took = time.process_time() - begun
        report.inputs += 1
        if took > report.slowest:
            report.slowest, report.worst = took, data
    return report


def _inputs(random: Random, seeds: tuple[bytes, ...], count: int) -> Iterator[bytes]:
    for _ in range(count):
        yield mutated(random, seeds)


def megabytes() -> float:
    """The most memory that this process has ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    count, names = int(sys.argv[1]), sys.argv[2:]
    bad = False
    for reader in readers():
        if names and reader.name not in names:
            continue
        report = fuzz(reader, count)
        bad |= report.slowest > SECONDS or megabytes() > MEGABYTES
        figures = f"{report.inputs} inputs, {report.refused} refused, slowest {report.slowest:.3f} s"
        print(f"{report.name:14} {figures}, memory {megabytes():.0f} MB", flush=True)
        if report.slowest > SECONDS:
            print(f"  slow: {report.worst!r}")
    sys.exit(bad)


if __name__ == "__main__":
    main()
