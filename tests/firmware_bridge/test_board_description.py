"""board.toml and what is made from it say the same; a description that cannot be built is refused."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from hardware.describe import HERE, Board, load
from hardware.generate import OUTPUTS, ROOT
from hardware.printables import CELL_MM, PRINTS, bar_template, point_template, stickers
from hardware.wiring import netlist, wiring_diagram
from referee.observation import PLACES

MM = 25.4 / 72


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_is_in_git_is_what_the_description_gives(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == OUTPUTS[name](load()), "run: make board"


@pytest.mark.parametrize("name", PRINTS)
def test_what_is_printed_is_what_the_description_gives(name: str) -> None:
    assert (ROOT / name).read_bytes() == PRINTS[name](load()), "run: make board"


def test_the_printed_stickers_are_the_ones_the_camera_looks_for() -> None:
    page = np.full((2970, 2100), 255, np.uint8)  # a tenth of a millimetre a pixel
    for kind, at, _ in stickers(load()).shapes:
        if kind == "box":
            x, y, width, height = (round(10 * value) for value in at)
            page[y : y + height, x : x + width] = 0
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    squares, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(page)
    assert sorted(numbers.ravel()) == [0, 1, 2, 3]
    sides = {round(float(np.ptp(square[..., 0])) + 1) for square in squares}
    assert sides <= {round(10 * 6 * CELL_MM), round(10 * 6 * CELL_MM) + 1}


@pytest.mark.parametrize("name", [name for name in PRINTS if name.endswith(".pdf")])
def test_a_printed_millimetre_is_a_millimetre(name: str) -> None:
    """A4 in points of 1/72 inch, and on each page the line of 100 mm to check the print with."""
    text = PRINTS[name](load()).decode("latin-1")
    boxes = re.findall(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text)
    assert [(float(w) * MM, float(h) * MM) for w, h in boxes] == [pytest.approx((210, 297), abs=0.01)] * len(
        boxes
    )
    lines = re.findall(r"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", text)
    level = [abs(float(x2) - float(x1)) * MM for x1, y1, x2, y2 in lines if y1 == y2]
    assert sum(length == pytest.approx(100, abs=0.01) for length in level) == len(boxes)


def test_the_template_has_a_pocket_for_every_sensor() -> None:
    board = load()
    points = sum(kind == "circle" for kind, _, _ in point_template(board).shapes)
    bar_and_tray = sum(kind == "circle" for kind, _, _ in bar_template(board).shapes)
    assert 8 * points + 2 * bar_and_tray == len(board.slots)


def test_the_board_is_the_one_of_the_design() -> None:
    board = load()
    slots = Counter(slot.place for slot in board.slots)
    assert [slots[place] for place in range(PLACES)] == [6] * 24 + [3, 3, 15, 15]
    assert (len(board.slots), board.chips, len(board.chain), board.chain_bits) == (180, 45, 5, 72)


def test_every_sensor_output_has_a_register_input_of_its_own() -> None:
    rows = list(csv.DictReader(io.StringIO(netlist(load()))))
    sensors = [tuple(row.values()) for row in rows if row["from"].startswith("S")]
    assert len(sensors) == 360
    text = netlist(load()).splitlines()
    ends = [line.split(",", 3)[3] for line in text[1:] if line.split(",")[1].startswith("S")]
    assert len(set(ends)) == 360


def test_the_wiring_diagram_names_every_sensor_register_and_lamp() -> None:
    board = load()
    drawing = "\n".join(ElementTree.fromstring(wiring_diagram(board)).itertext())
    assert all(f"S{slot.place}_{slot.level}:" in drawing for slot in board.slots)
    assert all(f"U{chain}{chip} " in drawing for chain in range(5) for chip in range(9))


def _edited(old: str, new: str) -> Callable[[Path], Board]:
    def edit(folder: Path) -> Board:
        text = (HERE / "board.toml").read_text(encoding="utf-8")
        assert old in text
        path = folder / "board.toml"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return load(path)

    return edit


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('load = "D3"', 'load = "D2"', "pin is used twice"),
        ("[0, 6], [1, 6]", "[0, 6], [1, 5]", "equally long"),
        ("debounce = 4", "debounce = 5", "debounce = 4"),
        ("brightness = 8", "brightness = 40", "brightness"),
        ("string = [\n  0, 1,", "string = [\n  0, 0,", "each lamp once"),
        ('light_pole = "north"', 'light_pole = "up"', "north or south"),
        ("[link]", "[link]\nparity = 1", "parity"),
        ("baud = 115200", 'baud = "fast"', "baud"),
    ],
)
def test_a_description_that_cannot_be_built_is_refused(
    old: str, new: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=words):
        _edited(old, new)(tmp_path)
