"""What every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The measured boards and records beside the checkout; the test is skipped where they are missing."""
    if not SHARED.is_dir():
        pytest.skip(f"NOT RUN: {SHARED} is missing, so nothing was measured on real boards or records")
    return SHARED
