"""Sites and a browser for the page's tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.site import Site, site


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Site]:
    """A fresh game in the start position, light to roll."""
    with site(tmp_path) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's chromium; the test is skipped where it is missing.

    One for each module: while playwright runs, no other test of this thread may run an event loop.
    """
    program = shutil.which("chromium")
    if program is None:
        pytest.skip(
            "NOT RUN: chromium is missing, so the page was not tried in a browser; apt install chromium"
        )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
        )
        yield chromium
        chromium.close()
