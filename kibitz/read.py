"""`kibitz read`: one photo → position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from engine.errors import KibitzError
from engine.rules import ruleset
from engine.xgid import xgid
from kibitz import calibration
from kibitz.acquire import LEAST_SCORE, NONE_FOUND
from kibitz.board_text import board_text
from kibitz.borne_off import Off, borne_off, told
from kibitz.options import AsJson, CalibrationFile, Corners, Rules, given_board
from referee.layout import DARK, LIGHT, Layout, position_of
from referee.observation import UNSEEN, Observation, totals
from vision.calibrate import Calibrated
from vision.corners import find_board
from vision.cube import Cube, read_cube
from vision.dice_photo import read_dice
from vision.errors import Mirrored, NoBoard, SourceError
from vision.geometry import BoardGeometry, Image
from vision.joint import placed, there, together
from vision.lens import seen_corners, unbent
from vision.look import board_beliefs
from vision.net import Told, look_at_points
from vision.oddities import Mirror, colourless, mirrored, scaled, shrunk
from vision.overlay import overlay, save_picture
from vision.source import read_picture
from vision.strips import cells
from vision.trays import rows_beside

#: Smaller pictures hold too few pixels for each checker.
LEAST_SIZE = (320, 240)
#: A die that is less sure is not told. Of 160 drawn boards, their corners a little off, the dice of 115 are
#: told whole so, 74 dice are missing and 6 told wrongly; with 0.65 it is 114, 68 and 14.
SURE_DIE = 0.75
#: A cube whose number is less sure is not told.
SURE_CUBE = 0.5
#: A photo has time for so many looks at its points.
LOOKS = 4
#: Share at which the other colour, and points of such, make the two sets one.
DOUBTFUL_SET = 0.1


@dataclass(frozen=True, slots=True)
class Reading:
    """One picture, read: what was seen, how sure the place of the board is (0-1), and how sure its places
    are all together, if it is there. `men`: light and dark checkers that the board was learned with;
    `beside`: how long rows of such next to it are, which were not there then (see `vision.trays`).

    `image` and `board` may be smaller than the file's: one pixel then stands for `scale` of it.
    """

    image: Image
    board: BoardGeometry
    seen: Observation
    cube: int | None
    found: float
    sure: float = 0.0
    scale: float = 1.0
    men: tuple[int, int] | None = None
    beside: tuple[float, float] | None = None
    mirror: Mirror = "no"


class ReadLine(msgspec.Struct, frozen=True):
    """What `kibitz read --json` prints for one image; see ARCHITECTURE.md. `off_how`: `inferred` from what is
    missing, or `inferred and seen` where so many may lie beside the board, too.
    """

    image: str
    corners: tuple[tuple[float, float], ...]
    points: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int] | None
    dice: tuple[int, ...]
    cube: int | None
    xgid: str | None
    confidence: float
    unseen: tuple[int, ...]
    warnings: tuple[str, ...]
    rotate_cw_deg: int
    off_how: str | None = None


def read_one(path: Path, corners: str | None, kept: Calibrated | None) -> Reading:
    """Read one picture.

    Raises:
        SourceError: no picture, or too small.
        NoBoard: none in it.
        Mirrored: left and right are exchanged.
    """
    image = read_picture(path)
    if image.shape[1] < LEAST_SIZE[0] or image.shape[0] < LEAST_SIZE[1]:
        size = f"{image.shape[1]} x {image.shape[0]}"
        raise SourceError(f"{path}: {size} pixels are too few; give a picture of at least 640 x 480")
    if kept is not None:
        image = unbent(image, kept.board.lens)
        points, bar = board_beliefs(kept.learned, cells(image, kept.board))
        told, cube = Told((*points, *bar), 1.0), read_cube(image, kept.board)
        read = _reading(image, kept.board, told, cube, 1.0)
        return replace(read, men=totals(kept.table), beside=rows_beside(image, kept))
    image, scale = shrunk(image)
    board, score = given_board(corners, image, scale), 1.0
    if board is None:
        found = find_board(image)
        if found is None:
            raise NoBoard(f"{path}: {NONE_FOUND}")
        board, score = found.geometry, found.score
    image = unbent(image, board.lens)
    cube = read_cube(image, board)
    mirror = mirrored(image, board, cube)
    if mirror == "proved":
        raise Mirrored(f"{path}: mirrored image? The cube's number reads only in a mirror; turn it back")
    read = _reading(image, board, look_at_points(image, board, LOOKS), cube, score)
    return replace(read, scale=scale, mirror=mirror)


def _reading(image: Image, board: BoardGeometry, told: Told, cube: Cube | None, score: float) -> Reading:
    places = told.places
    # Without a bar, or with a hand over it, nothing is known of it.
    all_ = together(places if places[24].seen else places[:24], told.named)
    beliefs = placed(all_.beliefs, there(score))
    both = (beliefs[24], beliefs[25]) if places[24].seen else (UNSEEN, UNSEEN)
    seen = Observation(0.0, beliefs[:24], both, dice=read_dice(image, board))
    value = None if cube is None or cube.p < SURE_CUBE else cube.value
    return Reading(image, board, seen, value, score, all_.sure)


def confidence(reading: Reading) -> float:
    """Probability that every point and bar is right: of all places together, and of a board being there."""
    return round(reading.sure * there(reading.found), 4)


def warnings_of(reading: Reading) -> tuple[str, ...]:
    """What a person should look at."""
    said = []
    if reading.found < LEAST_SCORE:
        said.append("this may be no board: check the corners")
    if reading.mirror != "no":
        said.append("mirrored image? the cube's number reads better in a mirror")
    light, dark = _totals(reading)
    said += [f"{n} {name} checkers: more than 15" for n, name in ((light, "light"), (dark, "dark")) if n > 15]
    if any(d.cocked for d in reading.seen.dice or ()):
        said.append("a die is cocked")
    if colourless(reading.image):
        told = "are told by brightness alone" if _sets_told(reading) else "cannot be told apart"
        said.append(f"no colour: light and dark {told}")
    return tuple(said)


def _sets_told(reading: Reading) -> bool:
    """Whether nearly all checkers seen are surely light or surely dark."""
    seen = [b for b in reading.seen.points if b.best]
    doubtful = [b for b in seen if b.p(-b.best) > DOUBTFUL_SET * b.p(b.best)]
    return len(doubtful) <= DOUBTFUL_SET * len(seen)


def _totals(reading: Reading) -> tuple[int, int]:
    counts = [b.best for b in (*reading.seen.points, *reading.seen.bar)]
    return totals(counts)


def line_of(path: Path, reading: Reading, layout: Layout | None, turn: int, rules: str) -> ReadLine:
    """The contract's line for one reading."""
    seen = reading.seen
    dice = tuple(d.value for d in seen.dice or () if d.p >= SURE_DIE and not d.cocked)
    off = _off(reading, ruleset(rules).men)
    warnings = warnings_of(reading) + (() if off.doubt is None else (off.doubt,))
    return ReadLine(
        image=path.name if path.is_absolute() else str(path),
        corners=_corners(reading),
        points=tuple(b.best for b in seen.points),
        bar=(seen.bar[0].best, -seen.bar[1].best),
        off=off.counts,
        dice=dice,
        cube=reading.cube,
        xgid=_xgid(reading, layout, turn, rules, dice),
        confidence=confidence(reading),
        unseen=seen.unseen,
        warnings=warnings,
        rotate_cw_deg=reading.board.rotate_cw_deg,
        off_how=off.how,
    )


def _off(reading: Reading, men: int) -> Off:
    """Checkers borne off, where the board was once seen with all of them."""
    if reading.men != (men, men):
        return Off()
    return told(borne_off(reading.seen, men), confidence(reading), reading.beside)


def _corners(reading: Reading) -> tuple[tuple[float, float], ...]:
    """The corners in the file's own pixels."""
    height, width = reading.image.shape[:2]
    corners = scaled(seen_corners(reading.board, (width, height)), reading.scale)
    return tuple((round(x, 1), round(y, 1)) for x, y in corners)


def _xgid(reading: Reading, layout: Layout | None, turn: int, rules: str, dice: Sequence[int]) -> str | None:
    """The position as an XGID once it is known which way it is played and how many checkers there are."""
    if layout is None or max(_totals(reading)) > 15:
        return None
    seen = reading.seen
    light, dark = _totals(reading)
    table = (*(b.best for b in seen.points), seen.bar[0].best, seen.bar[1].best, 15 - light, dark - 15)
    position = position_of(layout, ruleset(rules), turn, table)
    return xgid(position, (dice[0], dice[1]) if len(dice) == 2 else None)


def read(
    images: Annotated[list[Path], typer.Argument(help="Pictures of a board.")],
    json: AsJson = False,
    corners: Corners = None,
    calibration_file: CalibrationFile = None,
    rules: Rules = "backgammon",
    home: Annotated[Literal["left", "right"] | None, typer.Option(help="The side of the homes.")] = None,
    light: Annotated[Literal["bottom", "top"], typer.Option(help="The row of light's home.")] = "bottom",
    turn: Annotated[Literal["light", "dark"], typer.Option(help="Who is to move.")] = "light",
    picture: Annotated[
        Path | None, typer.Option("--overlay", help="Draw the reading on the picture.")
    ] = None,
) -> None:
    """Read the position in photos: text board, XGID (with --home), or one JSON line each."""
    kept = calibration.load(calibration_file) if calibration_file is not None else None
    layout = Layout(home, light) if home is not None else None
    if layout is None and calibration_file is not None:
        layout = calibration.layout_in(calibration_file)
    failed = False
    for path in images:
        try:
            reading = read_one(path, corners, kept)
        except KibitzError as error:
            failed = True
            _say_error(path, error, json)
            continue
        line = line_of(path, reading, layout, LIGHT if turn == "light" else DARK, rules)
        typer.echo(msgspec.json.encode(line).decode() if json else _text(line))
        if picture is not None:
            save_picture(str(picture), overlay(reading.image, reading.board, reading.seen))
    if failed:
        raise typer.Exit(1)


def _say_error(path: Path, error: KibitzError, json: bool) -> None:
    if json:
        answer: dict[str, Any] = {"image": str(path), "error": str(error)}
        typer.echo(msgspec.json.encode(answer).decode())
    else:
        typer.echo(str(error), err=True)


def _text(line: ReadLine) -> str:
    doubt = f"confidence {line.confidence:.2f}" + (f", not seen: {list(line.unseen)}" if line.unseen else "")
    said = [f"{line.image}: {doubt}", board_text((*line.points, line.bar[0], -line.bar[1]))]
    said += [f"dice {'-'.join(map(str, line.dice)) or 'none'}, cube {line.cube or 'none'}"]
    said += [f"off {line.off[0]} light, {line.off[1]} dark ({line.off_how})"] if line.off else []
    said += [line.xgid] if line.xgid else []
    return "\n".join([*said, *(f"warning: {w}" for w in line.warnings)])
