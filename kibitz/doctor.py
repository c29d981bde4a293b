"""`kibitz doctor`: what works on this machine, what does not, and how to mend it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from kibitz import __version__
from kibitz.board_doctor import check_board
from kibitz.opencv_setup import cv2_problem
from kibitz.options import AsJson


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: `needed` ones make Kibitz unusable when they fail."""

    what: str
    ok: bool
    said: str
    mend: str = ""
    needed: bool = False


def _python() -> Finding:
    version = platform.python_version()
    return Finding("Python", sys.version_info >= (3, 11), version, "install Python 3.11 or newer", True)


def _opencv() -> Finding:
    problem = cv2_problem()
    mend = (
        "as root: apt install libgl1 libglib2.0-0; or in the environment: pip install opencv-python-headless"
    )
    return Finding("OpenCV", problem is None, problem or "starts", mend, True)


def _video() -> Finding:
    import cv2

    has = "FFMPEG" in cv2.getBuildInformation()
    return Finding(
        "Video files", has, "ffmpeg inside OpenCV" if has else "no ffmpeg", "reinstall opencv-python"
    )


def _cameras() -> Finding:
    found = sorted(p.name for p in Path("/dev").glob("video*")) if Path("/dev").is_dir() else []
    mend = "plug a camera in; a phone can be one as well"
    return Finding("Cameras", bool(found), ", ".join(found) or "none seen", mend)


def _serial() -> Finding:
    from serial.tools import list_ports

    found = [p.device for p in list_ports.comports()]
    return Finding("Serial ports", bool(found), ", ".join(found) or "none seen", "plug the sensor board in")


def _gpio() -> Finding:
    on_pi = Path("/etc/rpi-issue").exists()
    ok = not on_pi or find_spec("lgpio") is not None
    said = ("lgpio is there" if ok else "lgpio is missing") if on_pi else "not a Raspberry Pi"
    return Finding("GPIO", ok, said, "apt install python3-lgpio, then make setup again")


def _models() -> Finding:
    found = sorted(p.name for p in (Path(__file__).parents[1] / "vision" / "models").glob("*.onnx"))
    return Finding("Reading models", bool(found), ", ".join(found) or "none", "reinstall Kibitz", True)


CHECKS: tuple[Callable[[], Finding], ...] = (_python, _opencv, _video, _models, _cameras, _serial, _gpio)


def findings() -> list[Finding]:
    """Look at everything; what needs OpenCV is left out when it does not start."""
    basic = [_python(), _opencv()]
    return basic + [check() for check in CHECKS[2:] if basic[1].ok or check is not _video]


def doctor(
    json: AsJson = False,
    board: Annotated[
        str | None,
        typer.Option(
            help="Test a sensor board live, slot by slot: serial:auto, serial:/dev/…, socket://…, gpio:."
        ),
    ] = None,
) -> None:
    """Say what works on this machine, what does not, and how to mend it."""
    if board is not None:
        raise typer.Exit(check_board(board, Console()))
    found = findings()
    if json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        table = Table("", "", "found", "mend", title=f"kibitz {__version__}")
        for f in found:
            mark = "[green]ok" if f.ok else ("[red]fails" if f.needed else "[yellow]-")
            table.add_row(f.what, mark, f.said, "" if f.ok else f.mend)
        Console().print(table)
    if any(f.needed and not f.ok for f in found):
        raise typer.Exit(1)
