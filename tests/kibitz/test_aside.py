"""A story told in a process of its own is the one that is told here."""

from __future__ import annotations

import shutil
import sys
from itertools import chain, islice
from pathlib import Path

import pytest

from kibitz.aside import Aside
from kibitz.files import OutputError
from kibitz.looks import Recording
from kibitz.narrator import Narrator, Outcome, Targets

LOOKS = Path(__file__).parents[1] / "data" / "films" / "112.looks"
VIDEO = "game.mp4"


def targets(folder: Path) -> Targets:
    folder.mkdir()
    shutil.copy(LOOKS, folder / "game.looks")
    return Targets(folder / "game.mat", folder / "game.json", folder / "game.jsonl", folder / "game.looks")


def told_here(where: Targets) -> Outcome:
    recording = Recording.load(where.looks)
    with Narrator(VIDEO, where) as narrator:
        for item in chain([recording.head], recording.kept):
            narrator.hear(item)
        return narrator.told(recording)


def told_aside(where: Targets, heard: int | None = None) -> Outcome:
    """`heard`: so many items only."""
    recording = Recording.load(where.looks)
    with Aside() as aside:
        aside.begin(VIDEO, where)
        for item in islice(chain([recording.head], recording.kept), heard):
            aside.hear(item)
        return aside.told(recording)


def stopped(where: Targets) -> None:
    """Somebody has had enough after a few items."""
    recording = Recording.load(where.looks)
    with Aside() as aside:
        aside.begin(VIDEO, where)
        for item in islice(chain([recording.head], recording.kept), 20):
            aside.hear(item)
        raise KeyboardInterrupt


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_outcome_and_every_file_are_the_same(tmp_path: Path) -> None:
    here, there = told_here(targets(tmp_path / "here")), told_aside(targets(tmp_path / "there"))
    assert here == there
    assert here.turns > 1
    assert files(tmp_path / "here") == files(tmp_path / "there")
    assert len(files(tmp_path / "here")) == 4


def test_what_was_read_before_is_told_without_being_heard(tmp_path: Path) -> None:
    here, there = told_here(targets(tmp_path / "here")), told_aside(targets(tmp_path / "there"), heard=0)
    assert here == there
    assert files(tmp_path / "here") == files(tmp_path / "there")


@pytest.mark.parametrize("program", ["/there/is/none", "true"])
def test_where_no_process_can_be_had_all_is_told_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    here = told_here(targets(tmp_path / "here"))
    monkeypatch.setattr(sys, "executable", shutil.which(program) or program)
    assert told_aside(targets(tmp_path / "there")) == here
    assert files(tmp_path / "here") == files(tmp_path / "there")


def test_a_file_that_cannot_be_written_is_told_as_it_is_here(tmp_path: Path) -> None:
    where = targets(tmp_path / "there")
    nowhere = Targets(where.record, where.json, tmp_path / "none" / "game.jsonl", where.looks)
    with pytest.raises(OutputError, match=r"game\.jsonl.*cannot be written"):
        told_aside(nowhere)


def test_what_breaks_off_leaves_no_journal(tmp_path: Path) -> None:
    where = targets(tmp_path / "there")
    with pytest.raises(KeyboardInterrupt):
        stopped(where)
    assert set(files(tmp_path / "there")) == {"game.looks"}
