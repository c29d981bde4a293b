"""`kibitz calibrate`: finds the board, shows it, asks what it cannot know, checks, and keeps all that."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
import numpy as np
import typer

from engine.rules import Ruleset, ruleset
from kibitz.acquire import LEAST_IN_FILM, LEAST_SCORE, LONGEST_SEARCH, NONE_FOUND, calm, doubt_of
from kibitz.calibration import save
from kibitz.options import CallError, Corners, Rules, parse_corners, parse_position
from referee.layout import LAYOUTS, Layout
from referee.start import start_tables
from vision.calibrate import Calibrated
from vision.calibrate import calibrate as learn_and_check
from vision.corners import CONVINCING, borne_out, find_boards, from_corners
from vision.corners_lattice import far_apart
from vision.errors import CalibrationError, NoBoard, NotTheStart
from vision.geometry import BoardGeometry, Image
from vision.lens import seen_corners, straight_corners, unbent
from vision.overlay import outlined, save_picture
from vision.source import Frame, open_source
from vision.strips import Cells, straight_cells

#: Seconds that a camera is given to find its exposure.
WARM = 0.4
Side = Literal["left", "right"]
Row = Literal["bottom", "top"]


@dataclass(frozen=True)
class Talk:
    """Questions to whoever sits before the terminal; without one (`ask` None) all is taken as found."""

    ask: Callable[[str], str] | None = None

    def yes(self, question: str) -> bool:
        """Whether it is so; an empty answer says yes."""
        return not self.text(f"{question} [Y/n]").lower().startswith("n")

    def text(self, question: str) -> str:
        """An answer, empty where nobody can be asked."""
        return "" if self.ask is None else self.ask(f"{question} ").strip()

    def choice(self, question: str, choices: tuple[str, ...], usual: str) -> str:
        """One of the choices; asked again until it is one."""
        while True:
            said = self.text(f"{question} ({'/'.join(choices)}) [{usual}]").lower() or usual
            if said in choices:
                return said


@dataclass(frozen=True)
class Wish:
    """What was said beforehand: corners, the lens, the position, and where the homes are; None: find out."""

    corners: str | None = None
    lens: float | None = None
    position: str | None = None
    layout: Layout | None = None


def still_pair(frames: Iterator[Frame]) -> tuple[Image, Image]:
    """Two pictures in a row in which nothing moves.

    Raises:
        NoBoard: the picture does not hold still, or there are not two.
    """
    before: Frame | None = None
    for frame in frames:
        if frame.t > LONGEST_SEARCH:
            break
        if before is not None and frame.t >= WARM and calm(before.image, frame.image):
            return before.image, frame.image
        before = frame
    raise NoBoard("the picture does not hold still; take hands away and put the camera down firmly")


@dataclass(frozen=True)
class Known:
    """Two still pictures in which the board shows one of the positions."""

    pair: tuple[Image, Image]
    tables: Sequence[Sequence[int]]

    def at(self, board: BoardGeometry) -> bool:
        """Whether one of them is seen on a board that lies there."""
        try:
            found = learn_and_check(_views(self.pair, board), self.tables)
        except NotTheStart:
            return False
        return doubt_of(found, self.pair[1]) is None

    def first_of(self, boards: Sequence[BoardGeometry]) -> BoardGeometry | None:
        """The first of the boards on which one of them is seen."""
        return next(filter(self.at, boards), None)


def known(pair: tuple[Image, Image], wish: Wish, rules: Ruleset) -> Known:
    """The pictures with the position that was named, or with the start.

    Raises:
        CallError: the position is none.
    """
    if wish.position is not None:
        return Known(pair, [parse_position(wish.position)])
    return Known(pair, [table for _, table in _starts(wish, rules)])


def placed(seen: Known, wish: Wish, talk: Talk, check: Path) -> BoardGeometry:
    """The board, drawn into the picture `check` for everybody to see, and put right by hand if need be.

    Raises:
        NoBoard: nothing looks like one, and nobody can be asked.
    """
    image = seen.pair[1]
    board = _first_place(seen, wish, talk)
    found = None if wish.corners is None else _found(seen, wish.lens, inf)
    while True:
        straight = unbent(image, board.lens)
        save_picture(str(check), outlined(straight, board))
        typer.echo(f"{check}: the lines must lie on the edges of the field and of the bar")
        _doubted(borne_out(straight, board), check)
        _elsewhere(board, found, image)
        if talk.yes("Do they?"):
            return board
        board = _by_hand(image, talk.text(ASK_CORNERS), board.lens) or board
        found = found or _found(seen, wish.lens, inf)


def _doubted(agreement: float, check: Path) -> None:
    """Corners that somebody mistook are told of: whoever typed them may not look at the picture."""
    if agreement < CONVINCING:
        typer.echo(
            f"kibitz: the points do not lie where this puts them (agreement {agreement:.2f} of 1); "
            f"look at {check}, and give other --corners if the lines are off",
            err=True,
        )


def _elsewhere(board: BoardGeometry, found: BoardGeometry | None, image: Image) -> None:
    """Corners that somebody gave are told of where the position is seen on a board that lies elsewhere."""
    size = (image.shape[1], image.shape[0])
    if found is None:
        return
    there = seen_corners(found, size)
    if far_apart(np.array(seen_corners(board, size)), np.array(there)):
        corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in there)
        typer.echo(
            f'kibitz: the position is seen on a board at other corners; try --corners "{corners}"', err=True
        )


ASK_CORNERS = "The field's corners in pixels, clockwise from the picture's top left (x,y x,y x,y x,y):"


def _first_place(seen: Known, wish: Wish, talk: Talk) -> BoardGeometry:
    image, lens = seen.pair[1], wish.lens or 0.0
    if wish.corners is not None:
        return from_hand(image, wish.corners, lens)
    place = _found(seen, wish.lens, LEAST_SCORE)
    if place is not None:
        return place
    by_hand = _by_hand(image, talk.text(f"No board was found. {ASK_CORNERS}"), lens)
    if by_hand is None:
        raise NoBoard(NONE_FOUND)
    return by_hand


def _found(seen: Known, lens: float | None, least: float) -> BoardGeometry | None:
    """Of the boards that the picture may show the likeliest on which a known position is seen; on none: the
    likeliest, if its score is `least`.
    """
    boards = find_boards(unbent(seen.pair[1], lens or 0.0))
    places = [b.geometry if lens is None else msgspec.structs.replace(b.geometry, lens=lens) for b in boards]
    likely = [place for board, place in zip(boards, places, strict=True) if board.score >= LEAST_IN_FILM]
    held = seen.first_of(likely)
    if held is not None:
        return held
    return places[0] if boards and boards[0].score >= least else None


def _by_hand(image: Image, said: str, lens: float) -> BoardGeometry | None:
    """The board at typed corners; None, with the reason said, where they are none."""
    try:
        return from_hand(image, said, lens) if said else None
    except CallError as error:
        typer.echo(str(error))
        return None


def from_hand(image: Image, corners: str, lens: float) -> BoardGeometry:
    """The board whose corners in the camera's picture are given as text.

    Raises:
        CallError: they are no corners.
    """
    size = (image.shape[1], image.shape[0])
    board = from_corners(unbent(image, lens), straight_corners(parse_corners(corners), lens, size))
    return msgspec.structs.replace(board, lens=lens)


def learned(
    pair: tuple[Image, Image], board: BoardGeometry, wish: Wish, rules: Ruleset, talk: Talk
) -> tuple[Calibrated, Layout | None]:
    """Colours learned from the position that is there, checked point by point, and which way it is played.

    Raises:
        NotTheStart, CalibrationError: the board shows another position than it should; names the points.
    """
    views = _views(pair, board)
    if wish.position is not None:
        return _from_position(views, wish.position), _told_layout(wish, talk)
    starts = _starts(wish, rules)
    try:
        calibrated = learn_and_check(views, [table for _, table in starts])
    except NotTheStart as error:
        said = talk.text(f"{error}. What is there? (24 counts in image order, light +, dark -)")
        if not said:
            raise
        return _from_position(views, said), _told_layout(wish, talk)
    doubt = doubt_of(calibrated, pair[1])
    if doubt is not None and talk.ask is None and wish.corners is None:
        raise doubt
    layout = next(way for way, table in starts if table[:24] == calibrated.table[:24])
    homes = f"Homes on the {layout.home}, light's in the {layout.light} row. Is that right?"
    return calibrated, layout if talk.yes(homes) else _told_layout(Wish(), talk)


def _views(pair: tuple[Image, Image], board: BoardGeometry) -> list[Cells]:
    return [straight_cells(image, board) for image in pair]


def _starts(wish: Wish, rules: Ruleset) -> list[tuple[Layout, tuple[int, ...]]]:
    """The start in each direction of play that it may have."""
    return [(way, table) for way, table in start_tables(rules) if wish.layout in (None, way)]


def _from_position(views: Sequence[Cells], said: str) -> Calibrated:
    table = parse_position(said)
    try:
        return learn_and_check(views, [table])
    except NotTheStart as error:
        said = str(error).replace("this is not the start", "that is not what is there")
        raise CalibrationError(said) from error


def _told_layout(wish: Wish, talk: Talk) -> Layout | None:
    """Where the homes are, as said or asked; None where nobody can be asked."""
    if wish.layout is not None or talk.ask is None:
        return wish.layout
    home = talk.choice("On which side are the homes?", get_args(Side), "right")
    light = talk.choice("In which row is light's home?", get_args(Row), "bottom")
    return next(layout for layout in LAYOUTS if (layout.home, layout.light) == (home, light))


def calibrate(
    source: Annotated[str, typer.Argument(help="A picture, a video or a camera (usb:0).")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to keep it.")] = Path("calibration.json"),
    rules: Rules = "backgammon",
    corners: Corners = None,
    lens: Annotated[float | None, typer.Option(help="How far the lens bends: 0 not, 0.3 a wide one.")] = None,
    position: Annotated[
        str | None,
        typer.Option(
            help="What is on the board, if not the start: 24 counts in image order, light +, dark -."
        ),
    ] = None,
    home: Annotated[Side | None, typer.Option(help="The side of the homes.")] = None,
    light: Annotated[Row, typer.Option(help="The row of light's home, with --home.")] = "bottom",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; take what is found.")] = False,
) -> None:
    """Find the board, show it, learn its colours from a known position, check, and keep it all."""
    talk = Talk(None if yes or not sys.stdin.isatty() else input)
    wish = Wish(corners, lens, position, Layout(home, light) if home is not None else None)
    pair = still_pair(open_source(source).frames())
    check = out.with_suffix(".check.png")
    board = placed(known(pair, wish, ruleset(rules)), wish, talk, check)
    calibrated, layout = learned(pair, board, wish, ruleset(rules), talk)
    save(out, pair[1], board, calibrated.table, layout)
    taught = sum(1 for n in calibrated.table if n)
    homes = "" if layout is None else f"; homes on the {layout.home}, light's in the {layout.light} row"
    bends = f", lens {board.lens:.2f}" if board.lens else ""
    typer.echo(f"{out}: learned {taught} points from {source}; bar {board.bar:.2f} points wide{bends}{homes}")
