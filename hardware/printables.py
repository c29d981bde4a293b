"""What is printed on paper at 1:1: corner stickers for the camera, drilling templates for the sensor board.

`python -m hardware.printables` (or `make board`) writes them; a test keeps them equal to the description.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hardware.describe import HERE, Board, load
from hardware.drawing import A4, Page, pdf, svg
from vision.markers import sticker

#: A sticker's cell; eight of them with the paper around it.
CELL_MM = 5.0
CORNERS = ("far left", "far right", "near right", "near left")
POINTS_A_PAGE, BAR_SLOTS, TRAY_SLOTS = 3, 3, 15
_MARGIN = 25.0


def stickers(_board: Board) -> Page:
    """Four corner stickers with lines to cut along."""
    page, side = Page(), 8 * CELL_MM
    page.words(15, 15, "Kibitz corner stickers: cut along the lines, white rim included", 4)
    for number, name in enumerate(CORNERS):
        x, y = 30 + number % 2 * 90, 40 + number // 2 * 100
        _sticker(page, number, x, y)
        for cut in (0, side):
            page.line(x - 8, y + cut, x - 2, y + cut)
            page.line(x + side + 2, y + cut, x + side + 8, y + cut)
            page.line(x + cut, y - 8, x + cut, y - 2)
            page.line(x + cut, y + side + 2, x + cut, y + side + 8)
        page.words(x - 8, y + side + 16, f"sticker {number}: {name}, seen from the near side")
    page.words(
        15,
        235,
        "Each lies upright outside its corner of the playing field; the paper's corner that is nearest",
    )
    page.words(15, 241, "to the middle of the board touches the corner of the field (without the frame).")
    page.scale(30, 265)
    return page


def _sticker(page: Page, number: int, x: float, y: float) -> None:
    for row, cells in enumerate(sticker(number, 1)):
        for column, cell in enumerate(cells):
            if not cell:
                page.box(x + column * CELL_MM, y + row * CELL_MM, CELL_MM, CELL_MM)


def point_template(board: Board) -> Page:
    """Three points side by side; eight prints make a board."""
    page, m = Page(), board.mechanics
    step, width = m.checker + m.gap, POINTS_A_PAGE * m.point_width
    left, top = (A4[0] - width) / 2, 24.0
    page.words(
        15,
        10,
        f"Drilling template: {POINTS_A_PAGE} points of {m.point_width:g} mm, print 8 times; from below",
    )
    page.words(
        15,
        15,
        f"circles: {m.pocket:g} mm pocket for the sensor, checkers of {m.checker:g} mm; rim at the top",
    )
    slots = max(level for place, level in ((s.place, s.level) for s in board.slots) if place < 24) + 1
    for column in range(POINTS_A_PAGE + 1):
        page.line(left + column * m.point_width, top, left + column * m.point_width, top + slots * step)
    page.line(left, top, left + width, top)
    for column in range(POINTS_A_PAGE):
        for level in range(slots):
            page.circle(left + (column + 0.5) * m.point_width, top + (level + 0.5) * step, m.pocket)
    page.scale(15, 284)
    return page


def bar_template(board: Board) -> Page:
    """A bar's three slots and a tray's fifteen (checkers on edge); two prints make a board."""
    page, m = Page(), board.mechanics
    page.words(15, 10, "Drilling template: one side's bar and tray, print twice; from below")
    step = m.checker + m.gap
    page.words(_MARGIN, 24, "bar, checkers flat")
    for level in range(BAR_SLOTS):
        page.circle(_MARGIN + step / 2, 30 + (level + 0.5) * step, m.pocket)
    x = 120.0
    page.words(x - 20, 24, f"tray, checkers of {m.thickness:g} mm on edge: sensors stand in a slit")
    for level in range(TRAY_SLOTS):
        page.circle(x, 32 + (level + 0.5) * (m.thickness + m.gap), m.pocket)
    page.scale(_MARGIN, 265)
    return page


PRINTS: dict[str, Callable[[Board], bytes]] = {
    "hardware/markers/corner_stickers.pdf": lambda board: pdf([stickers(board)]),
    "hardware/drilling_template.pdf": lambda board: pdf([point_template(board), bar_template(board)]),
    "hardware/drilling_points.svg": lambda board: svg(point_template(board)).encode(),
    "hardware/drilling_bar_tray.svg": lambda board: svg(bar_template(board)).encode(),
}


def main(root: Path = HERE.parent) -> None:
    board = load()
    for name, make in PRINTS.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(make(board))


if __name__ == "__main__":
    main()
