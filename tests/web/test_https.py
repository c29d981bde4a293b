"""The page over https, with the certificate that Kibitz makes, and a phone that is the camera."""

from __future__ import annotations

import shutil
import ssl
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.web.test_watch import watching


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_phone_sends_its_camera_over_https(browser: Browser, tmp_path: Path) -> None:
    with watching(tmp_path, "--source", "phone:", "--tls") as link:
        trust = ssl.create_default_context(cafile=str(tmp_path / "kibitz-127.0.0.1.crt"))
        assert link.startswith("https://127.0.0.1:")
        assert httpx.get(link, verify=trust).status_code == 200
        context = browser.new_context(ignore_https_errors=True, locale="en-GB")
        phone, desk = context.new_page(), context.new_page()
        phone.goto(link.replace("/#", "/camera#"))
        phone.click("#start")
        expect(phone.locator("#state")).to_contain_text("Sending", timeout=20_000)
        desk.goto(link)
        expect(desk.locator("#picture")).to_be_visible(timeout=30_000)
        context.close()
