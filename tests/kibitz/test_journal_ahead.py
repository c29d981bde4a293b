"""The journal of a recording that is written while its pictures are read."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path

import pytest

from kibitz.looks import Recording
from kibitz.narrator import JournalAhead, write_journal

LOOKS = sorted((Path(__file__).parents[1] / "data" / "films").glob("*.looks"))


@pytest.fixture(scope="module")
def recording() -> Recording:
    return Recording.load(LOOKS[0])


def test_it_is_the_journal_of_the_whole_recording(tmp_path: Path, recording: Recording) -> None:
    with JournalAhead(tmp_path / "ahead.jsonl") as journal:
        for item in chain([recording.head], recording.kept):
            journal.hear(item)
        assert journal.ended(recording)
    write_journal(tmp_path / "after.jsonl", recording)
    assert (tmp_path / "ahead.jsonl").read_bytes() == (tmp_path / "after.jsonl").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_what_breaks_off_leaves_no_journal(tmp_path: Path, recording: Recording) -> None:
    with JournalAhead(tmp_path / "ahead.jsonl") as journal:
        for item in islice(chain([recording.head], recording.kept), 20):
            journal.hear(item)
    assert not list(tmp_path.iterdir())


def test_nothing_is_ended_that_was_not_heard(tmp_path: Path, recording: Recording) -> None:
    with JournalAhead(tmp_path / "ahead.jsonl") as journal:
        assert not journal.ended(recording)
    with JournalAhead(None) as journal:
        journal.hear(recording.head)
        assert not journal.ended(recording)
    assert not list(tmp_path.iterdir())
