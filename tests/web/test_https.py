"""The page over https, with the certificate that Kibitz makes, and a phone that is the camera."""

from __future__ import annotations

import shutil
import ssl
from pathlib import Path

import httpx
import pytest

from tests.web.test_watch import watching


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_the_certificate_that_was_made_is_the_one_that_is_served(tmp_path: Path) -> None:
    with watching(tmp_path, "--source", "phone:", "--tls") as link:
        trust = ssl.create_default_context(cafile=str(tmp_path / "kibitz-127.0.0.1.crt"))
        assert link.startswith("https://127.0.0.1:")
        assert httpx.get(link, verify=trust).status_code == 200
