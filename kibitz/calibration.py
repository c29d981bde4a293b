"""calibration.json: a board that was learned, kept for the next time.

The file names the board's place, the position that was on it, and a picture (a PNG beside it) to learn from
again:
what is learned is large and cheap, what it is learned from is small and can be looked at.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import cv2
import msgspec
import numpy as np
import typer

from engine.rules import ruleset
from kibitz.acquire import acquire, locate
from kibitz.files import write_whole
from kibitz.options import Corners, Rules, given_board, parse_position
from referee.start import start_tables
from vision.calibrate import Calibrated
from vision.errors import CalibrationError
from vision.geometry import BoardGeometry, Image
from vision.learned import best_discs, learn
from vision.lens import unbent
from vision.source import open_source, read_picture
from vision.strips import cells

SCHEMA = 1


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds. `table`: 24 signed counts in image order; `picture`: a file beside it."""

    schema: int
    board: BoardGeometry
    table: tuple[int, ...]
    picture: str


def learned_from(image: Image, board: BoardGeometry, table: tuple[int, ...]) -> Calibrated:
    """Learn a board from one picture of a position that is known for sure."""
    view = cells(unbent(image, board.lens), board)
    return Calibrated(board, learn([view], table, best_discs([view], table)), table)


def save(path: Path, image: Image, board: BoardGeometry, table: tuple[int, ...]) -> None:
    """Write calibration and picture.

    Raises:
        OutputError: they cannot be written.
    """
    picture = path.with_suffix(".png")
    ok, data = cv2.imencode(".png", image)
    if not ok:
        raise CalibrationError("the picture could not be encoded; try another one")
    write_whole(picture, np.asarray(data).tobytes())
    kept = Calibration(SCHEMA, board, table, picture.name)
    write_whole(path, msgspec.json.format(msgspec.json.encode(kept)))


def load(path: Path) -> Calibrated:
    """Learn again from what was kept.

    Raises:
        CalibrationError: the file is missing, damaged or of another version.
        SourceError: its picture is missing.
    """
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Calibration)
    except (OSError, msgspec.DecodeError) as error:
        raise CalibrationError(f"{path}: {error}; make it anew with `kibitz calibrate`") from error
    if kept.schema != SCHEMA or len(kept.table) != 24:
        raise CalibrationError(
            f"{path}: not a calibration of this version; make it anew with `kibitz calibrate`"
        )
    return learned_from(read_picture(path.parent / kept.picture), kept.board, kept.table)


def calibrate(
    source: Annotated[str, typer.Argument(help="A picture, a video or a camera (usb:0).")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to keep it.")] = Path("calibration.json"),
    rules: Rules = "backgammon",
    corners: Corners = None,
    position: Annotated[
        str | None,
        typer.Option(
            help="What is on the board, if not the start: 24 counts in image order, light +, dark -."
        ),
    ] = None,
) -> None:
    """Find the board, learn its colours from a known position, check, and keep it in calibration.json."""
    opened = open_source(source)
    first = next(iter(opened.frames()))
    board = given_board(corners, first.image)
    if position is not None:
        table = parse_position(position)
        image, board = first.image, board if board is not None else locate(first.image)
    else:
        tables = [t for _, t in start_tables(ruleset(rules))]
        acquired = acquire(opened.frames(), tables, board)
        image, board, table = acquired.frame.image, acquired.calibrated.board, acquired.calibrated.table
    save(out, image, board, table)
    taught = sum(1 for n in table if n)
    typer.echo(f"{out}: learned {taught} points from {source}; bar {board.bar:.2f} points wide")
