"""The simulated board under people's hands: dragged in a browser while the program referees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.test_browser import POINT_5, POINT_6, POINT_8, drag, opened, shot
from tests.web.test_watch import watching

BUSY_S = 30_000


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, {"width": 1100, "height": 900}, "en-GB")


@pytest.mark.slow
def test_a_turn_is_played_by_hand(page: Page, tmp_path: Path) -> None:
    """An illegal play and its red lamps, put back; then a legal one, green, and the clock."""
    with watching(tmp_path, "--source", "sim:") as link:
        page.goto(link.replace("/#", "/board#"))
        expect(page.locator("#verdict")).to_contain_text("Throw", timeout=BUSY_S)
        for die in ("die_3", "die_1"):
            page.click(f"[data-press={die}]")
        expect(page.locator("#verdict")).to_contain_text("3-1", timeout=BUSY_S)
        drag(page, POINT_6, POINT_8)
        expect(page.locator("#board .lamp.red")).to_have_count(2, timeout=BUSY_S)
        shot(page, "simboard")
        drag(page, POINT_8, POINT_6)
        expect(page.locator("#board .lamp.red")).to_have_count(0, timeout=BUSY_S)
        drag(page, POINT_8, POINT_5)
        drag(page, POINT_6, POINT_5)
        expect(page.locator("#verdict")).to_contain_text("8/5 6/5", timeout=BUSY_S)
        page.click("[data-press=clock_light]")
        expect(page.locator("[data-lamp='29'] .lamp.white")).to_be_visible(timeout=BUSY_S)
        page.goto(link)
        expect(page.locator("#turns")).to_contain_text("8/5 6/5", timeout=BUSY_S)
