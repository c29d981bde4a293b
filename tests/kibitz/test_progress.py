"""`kibitz.progress`: a bar where somebody looks, nothing loaded and nothing written where nobody does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

WORK = """
import sys
from kibitz.progress import counted, progress
with progress("film.mp4", 10.0) as at:
    at(4.0)
with counted(5, 1) as step:
    step()
print("rich" in sys.modules)
"""


def test_nothing_is_written_or_loaded_where_nobody_looks() -> None:
    done = subprocess.run([sys.executable, "-c", WORK], capture_output=True, check=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
def test_a_terminal_shows_what_is_done() -> None:
    master, slave = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    done = subprocess.run([sys.executable, "-c", WORK], stdout=subprocess.PIPE, stderr=slave, env=environment)
    os.close(slave)
    seen = os.read(master, 100_000).decode()
    os.close(master)
    assert (done.returncode, done.stdout) == (0, b"True\n")
    assert [text for text in ("film.mp4", "2/5 videos") if text not in seen] == []
