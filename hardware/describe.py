"""Read board.toml into checked values: what every generated file starts from."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

import msgspec

HERE = Path(__file__).resolve().parent
#: Inputs of a 74HC165 in the order in which they come out: H first.
INPUTS = "HGFEDCBA"
BITS_PER_CHIP = 8
BITS_PER_SLOT = 2


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    baud: int
    lost_ms: int


class Scan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    period_us: int
    debounce: int


class Leds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    brightness: int
    string: tuple[int, ...]


class Chain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    pin: str
    places: tuple[tuple[int, int], ...]


class Mcu(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    boards: str
    hz: int
    flash: int
    ram: int
    pins: dict[str, str]


class Pi(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    load: int
    sensor_device: int
    led_device: int
    confirm: int
    clock_light: int
    clock_dark: int
    green: int
    amber: int
    red: int


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: str
    number: str
    use: int | str
    price: float


class Mechanics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Millimetres."""

    checker: float
    thickness: float
    gap: float
    point_width: float
    pocket: float


class Slot(NamedTuple):
    """One sensor: its place on the table, its level there (0 at the rim), its chain and its number in it."""

    place: int
    level: int
    chain: int
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody calls

    @property
    def chip(self) -> int:
        """Shift register in the chain; 0 is the one whose output goes to the microcontroller."""
        return self.index * BITS_PER_SLOT // BITS_PER_CHIP

    @property
    def inputs(self) -> tuple[str, str]:
        """The register's inputs for the sensor's north and south output."""
        first = self.index * BITS_PER_SLOT % BITS_PER_CHIP
        return INPUTS[first], INPUTS[first + 1]


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    protocol: int
    firmware: str
    light_pole: str
    sensor_active: str
    link: Link
    scan: Scan
    leds: Leds
    palette: dict[str, tuple[int, int, int]]
    rhythms: dict[str, int]
    chain: tuple[Chain, ...]
    pins: dict[str, str]
    buttons: dict[str, str]
    mcu: dict[str, Mcu]
    pi: Pi
    part: tuple[Part, ...]
    mechanics: Mechanics

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All sensors, chain by chain."""
        return tuple(
            Slot(place, level, chain, index)
            for chain, row in enumerate(self.chain)
            for index, (place, level) in enumerate(
                (place, level) for place, levels in row.places for level in range(levels)
            )
        )

    @property
    def idle(self) -> int:
        """Level of a sensor's output when nothing is felt."""
        return int(self.sensor_active == "low")

    @property
    def chain_bits(self) -> int:
        """Bits in each chain."""
        return sum(levels for _, levels in self.chain[0].places) * BITS_PER_SLOT

    @property
    def chips(self) -> int:
        """Shift registers on the whole board."""
        return len(self.chain) * self.chain_bits // BITS_PER_CHIP


def load(path: Path = HERE / "board.toml") -> Board:
    """The board of a description.

    Raises:
        ValueError: an unknown key, a wrong type, or a description that cannot be built; says which.
    """
    try:
        board = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Board)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path}: {error}") from error
    faults = [words for wrong, words in _faults(board) if wrong]
    if faults:
        raise ValueError(f"{path}: {faults[0]}")
    return board


def _faults(board: Board) -> list[tuple[bool, str]]:
    used = [*board.pins.values(), *board.buttons.values(), *(chain.pin for chain in board.chain)]
    lengths = {sum(levels for _, levels in chain.places) for chain in board.chain}
    return [
        (len(set(used)) != len(used), "a pin is used twice"),
        (
            any(set(used) != set(mcu.pins) for mcu in board.mcu.values()),
            "pins differ from a chip's pin table",
        ),
        (len(lengths) != 1, "chains must be equally long"),
        (board.chain_bits % BITS_PER_CHIP != 0, "a chain must fill its chips"),
        (board.scan.debounce != 4, "the firmware's counters are made for debounce = 4"),
        (
            sorted(board.leds.string) != list(range(len(board.leds.string))),
            "the LED string must name each lamp once",
        ),
        (not 0 < board.leds.brightness <= 31, "LED brightness is 1 to 31"),
        (len(board.palette) > 16 or len(board.rhythms) > 16, "the wire has 16 colours and 16 rhythms"),
        (board.light_pole not in ("north", "south"), "light_pole is north or south"),
        (board.sensor_active not in ("low", "high"), "sensor_active is low or high"),
        (any(_chain_ports(board, mcu) != 1 for mcu in board.mcu.values()), "all chains must be on one port"),
    ]


def _chain_ports(board: Board, mcu: Mcu) -> int:
    return len({mcu.pins[chain.pin][0] for chain in board.chain})
