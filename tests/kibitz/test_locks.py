"""One process at a time writes a file of looks, and a killed one leaves no lock behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import RecordError
from kibitz.looks import Done, LooksFile, Recording
from tests.kibitz.test_recording import HEAD

WRITER = """
import sys, time
from pathlib import Path
from kibitz.locks import opened_alone
file = opened_alone(Path(sys.argv[1]))
print("busy" if file is None else "mine", flush=True)
time.sleep(60)
"""


def test_two_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "a.looks"
    with LooksFile(path, HEAD) as file:
        file.write(Done(1.0))
        with pytest.raises(RecordError, match=r"a\.looks: another kibitz"):
            LooksFile(path, HEAD)
        file.write(Done(2.0))
    assert Recording.load(path).items == (Done(1.0), Done(2.0))
    with LooksFile(path, HEAD) as file:
        file.write(Done(3.0))
    assert Recording.load(path).items == (Done(3.0),)


def test_a_lock_ends_with_the_process_however_that_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.looks"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "mine\n"
        with pytest.raises(RecordError):
            LooksFile(path, HEAD)
        writer.kill()
    with LooksFile(path, HEAD) as file:
        file.write(Done(1.0))
    assert Recording.load(path).items == (Done(1.0),)
