"""The first command that the README names, as a stranger calls it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_demo_leaves_what_the_readme_promises(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("kibitz")
    subprocess.run([program, "demo", "--out", tmp_path], check=True, capture_output=True, timeout=300)
    assert {"game.mat", "journal.jsonl", "overlay.png"} <= {path.name for path in tmp_path.iterdir()}
