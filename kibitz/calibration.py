"""calibration.json: a board that was learned, kept for the next time.

The file names the board's place, the position that was on it, and a picture (a PNG beside it) to learn from
again:
what is learned is large and cheap, what it is learned from is small and can be looked at.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np

from kibitz.files import write_whole
from referee.layout import Layout
from vision.calibrate import Calibrated
from vision.errors import CalibrationError
from vision.geometry import BoardGeometry, Image
from vision.learned import best_discs, learn
from vision.lens import unbent
from vision.source import read_picture
from vision.strips import cells
from vision.trays import beside

SCHEMA = 1


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds. `table`: 24 signed counts in image order; `picture`: a file beside it; `layout`:
    where the homes are, if that is known.
    """

    schema: int
    board: BoardGeometry
    table: tuple[int, ...]
    picture: str
    layout: Layout | None = None


def learned_from(image: Image, board: BoardGeometry, table: tuple[int, ...]) -> Calibrated:
    """Learn a board from one picture of a position that is known for sure."""
    straight = unbent(image, board.lens)
    view = cells(straight, board)
    learned = learn([view], table, best_discs([view], table))
    return Calibrated(board, learned, table, beside(straight, board))


def save(
    path: Path, image: Image, board: BoardGeometry, table: tuple[int, ...], layout: Layout | None = None
) -> None:
    """Write calibration and picture.

    Raises:
        OutputError: they cannot be written.
    """
    picture = path.with_suffix(".png")
    ok, data = cv2.imencode(".png", image)
    if not ok:
        raise CalibrationError("the picture could not be encoded; try another one")
    write_whole(picture, np.asarray(data).tobytes())
    kept = Calibration(SCHEMA, board, table, picture.name, layout)
    write_whole(path, msgspec.json.format(msgspec.json.encode(kept)))


def load(path: Path) -> Calibrated:
    """Learn again from what was kept.

    Raises:
        CalibrationError: the file is missing, damaged or of another version.
        SourceError: its picture is missing.
    """
    kept = _read(path)
    return learned_from(read_picture(path.parent / kept.picture), kept.board, kept.table)


def layout_in(path: Path) -> Layout | None:
    """Where the homes are, if it was kept.

    Raises:
        CalibrationError: the file is missing, damaged or of another version.
    """
    return _read(path).layout


def _read(path: Path) -> Calibration:
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Calibration)
    except (OSError, msgspec.DecodeError) as error:
        raise CalibrationError(f"{path}: {error}; make it anew with `kibitz calibrate`") from error
    if kept.schema != SCHEMA or len(kept.table) != 24:
        raise CalibrationError(
            f"{path}: not a calibration of this version; make it anew with `kibitz calibrate`"
        )
    return kept
