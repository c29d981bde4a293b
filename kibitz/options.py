"""Options that several commands share, and how their text is read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.errors import KibitzError

if TYPE_CHECKING:  # a command line is read before pictures are
    from vision.geometry import BoardGeometry, Image, Point, Quad


class CallError(KibitzError, ValueError):
    """A call that cannot be meant: the message says how to write it."""


Rules = Annotated[str, typer.Option(help="The game: backgammon, trictrac, short_nardy, …")]
Corners = Annotated[
    str | None,
    typer.Option(
        help="The playing area's corners in pixels, clockwise from the picture's top left: 'x,y x,y x,y x,y'."
    ),
]
Names = Annotated[str | None, typer.Option(help="Who plays light, who dark: 'Ann,Bob'.")]
CalibrationFile = Annotated[
    Path | None, typer.Option("--calibration", "-c", help="calibration.json of `kibitz calibrate`.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON line for programs.")]

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def parse_corners(text: str) -> Quad:
    """Four corners from text.

    Raises:
        CallError: not eight numbers, or not a rectangle seen from somewhere.
    """
    numbers = [float(n) for n in _NUMBER.findall(text)]
    if len(numbers) != 8:
        raise CallError(
            f"--corners {text!r}: eight numbers are needed; write it like '320,90 918,117 908,633 292,607'"
        )
    a, b, c, d = zip(numbers[::2], numbers[1::2], strict=True)
    if not clockwise((a, b, c, d)):
        raise CallError(
            f"--corners {text!r}: the corners must go clockwise round the board, from the top left"
        )
    return (a, b, c, d)


def clockwise(corners: Quad) -> bool:
    """Whether corners go clockwise round a board that bulges outwards everywhere."""
    a, b, c, d = corners
    return all(_turns_right(*three) for three in ((a, b, c), (b, c, d), (c, d, a), (d, a, b)))


def _turns_right(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0


def given_board(corners: str | None, image: Image, scale: float = 1.0) -> BoardGeometry | None:
    """The board whose corners were given; its bar and the way its rows run are measured in the picture.

    One pixel of the picture stands for `scale` of those that the corners are given in.
    """
    from vision.corners import from_corners
    from vision.oddities import scaled

    return None if corners is None else from_corners(image, scaled(parse_corners(corners), 1 / scale))


def parse_names(text: str) -> tuple[str, str]:
    """The players' names, light's first.

    Raises:
        CallError: not two names.
    """
    light, _, dark = (part.strip() for part in text.partition(","))
    if not (light and dark):
        raise CallError(f"--names {text!r}: two names are needed; write it like 'Ann,Bob'")
    return light, dark


def parse_position(text: str) -> tuple[int, ...]:
    """24 signed counts in image order, or 26 with the bars (light's, dark's).

    Raises:
        CallError: not 24 or 26 numbers.
    """
    counts = tuple(int(n) for n in re.findall(r"-?\d+", text))
    if len(counts) not in (24, 26):
        raise CallError(
            f"--position: 24 counts are needed in image order (light +, dark -), or 26 with the bars,"
            f" {len(counts)} were given"
        )
    return counts
