"""Make every file that follows from board.toml: `python -m hardware.generate` (or `make board`).

The results are kept in git, so that nobody needs this to build or to read them; a test keeps them equal.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.describe import HERE, Board, load
from hardware.tables import c_header, python_tables
from hardware.wiring import netlist, parts_list, wiring_diagram

ROOT = HERE.parent

OUTPUTS: dict[str, Callable[[Board], str]] = {
    "hardware/firmware/board.h": c_header,
    "firmware_bridge/board.py": python_tables,
    "hardware/wiring.svg": wiring_diagram,
    "hardware/netlist.csv": netlist,
    "hardware/parts.csv": parts_list,
}


def main(root: Path = ROOT) -> None:
    board = load()
    for name, make in OUTPUTS.items():
        (root / name).write_text(make(board), encoding="utf-8")


if __name__ == "__main__":
    main()
