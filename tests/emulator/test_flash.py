"""`make flash`: the real avrdude writes the firmware through a bootloader's protocol."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.describe import HERE, Board
from tests.emulator.bootloader import Bootloader

SIGNATURE = bytes((0x1E, 0x95, 0x0F))


@pytest.fixture
def bootloader(board: Board) -> Iterator[Bootloader]:
    made = Bootloader(SIGNATURE, board.mcu["atmega328p"].flash)
    yield made
    made.close()


def test_what_avrdude_writes_is_the_firmware(elf: Path, bootloader: Bootloader, tmp_path: Path) -> None:
    if shutil.which("avrdude") is None:
        pytest.skip("NOT RUN: make flash was not tried, avrdude missing (make firmware-tools)")
    command = [
        "make",
        "-C",
        str(HERE / "firmware"),
        f"BUILD={elf.parent}",
        f"PORT={bootloader.port}",
        "flash",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    image = tmp_path / "image"
    subprocess.run(["avr-objcopy", "-O", "binary", "-R", ".eeprom", str(elf), str(image)], check=True)
    written = image.read_bytes()
    assert bootloader.flash[: len(written)] == written
