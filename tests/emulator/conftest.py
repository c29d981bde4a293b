"""The real firmware, built and running on an emulated board; skipped, loudly, where the tools are missing."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.describe import HERE, Board, load
from tests.emulator.emulated import EmulatedBoard, put_counts
from tests.emulator.measured import START
from tests.emulator.pty_bridge import PtyBridge
from tests.emulator.talker import Talker

TOOLS = ("avr-gcc", "avr-objcopy", "avr-size", "gcc", "make")
SIMAVR = Path("/usr/include/simavr/sim_avr.h")


def _missing() -> list[str]:
    return [tool for tool in TOOLS if shutil.which(tool) is None] + (
        [] if SIMAVR.is_file() else ["libsimavr-dev"]
    )


@pytest.fixture(scope="session")
def build() -> Callable[[str, Path], Path]:
    """Builds the firmware for a chip into a folder; gives the ELF file."""
    missing = _missing()
    if missing:
        pytest.skip(
            f"NOT RUN: the firmware was not tested, {', '.join(missing)} missing (make firmware-tools)"
        )

    def run(mcu: str, folder: Path) -> Path:
        command = ["make", "--silent", "-C", str(HERE / "firmware"), f"MCU={mcu}", f"BUILD={folder}"]
        subprocess.run(command, check=True, capture_output=True, text=True)
        return folder / "kibitz.elf"

    return run


@pytest.fixture(scope="session")
def elf(build: Callable[[str, Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("atmega328p", tmp_path_factory.mktemp("firmware"))


@pytest.fixture(scope="session")
def library(elf: Path) -> Path:
    """The board model as a shared library, beside the firmware."""
    out = elf.with_name("board_model.so")
    sources = [str(path) for path in sorted(Path(__file__).parent.glob("board_*.c"))]
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, *sources, "-o", str(out), "-lsimavr", "-lelf"], check=True)
    return out


@pytest.fixture(scope="session")
def board() -> Board:
    return load()


@pytest.fixture
def power(library: Path, elf: Path, board: Board) -> Iterator[Callable[[], EmulatedBoard]]:
    """Powers boards; all are let go of afterwards."""
    made: list[EmulatedBoard] = []

    def new() -> EmulatedBoard:
        made.append(EmulatedBoard(library, elf, board))
        return made[-1]

    yield new
    for emulated in made:
        emulated.close()


@pytest.fixture
def emulated(power: Callable[[], EmulatedBoard]) -> EmulatedBoard:
    return power()


@pytest.fixture
def bridge(emulated: EmulatedBoard, tmp_path: Path) -> Iterator[PtyBridge]:
    put_counts(emulated, START)
    made = PtyBridge(emulated, tmp_path)
    yield made
    made.close()


@pytest.fixture
def talker(emulated: EmulatedBoard) -> Talker:
    """A board that has started, and a host that has not said anything yet."""
    talking = Talker(emulated)
    talking.listen(0.02)
    return talking


def sizes(elf: Path, mcu: str) -> tuple[int, int]:
    """Bytes of flash and of RAM (variables only)."""
    text = subprocess.run(
        ["avr-size", "-C", f"--mcu={mcu}", str(elf)], check=True, capture_output=True, text=True
    ).stdout
    flash, ram = re.findall(r"(?:Program|Data):\s+(\d+) bytes", text)
    return int(flash), int(ram)
