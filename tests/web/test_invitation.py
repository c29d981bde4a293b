"""The links that are printed, and the certificate behind https."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from kibitz.web.invitation import Invitation, new_token
from kibitz.web.server import PortError, open_door
from kibitz.web.tls import TlsError, certificate, reachable_host


def test_the_token_never_reaches_a_server_log() -> None:
    control = Invitation("127.0.0.1", 8700, "sesame").control
    assert control == "http://127.0.0.1:8700/#token=sesame"


def test_spectators_get_no_token() -> None:
    assert "sesame" not in Invitation("127.0.0.1", 8700, "sesame", tls=True).watch


def test_a_qr_code_is_drawn_with_the_links() -> None:
    invitation = Invitation("::1", 8700, new_token())
    plain, drawn = invitation.text(qr=False).splitlines(), invitation.text().splitlines()
    assert plain[0].endswith("http://[::1]:8700/")
    assert drawn[:2] == plain
    assert any("█" in line for line in drawn[2:])


def test_tokens_differ() -> None:
    assert len({new_token() for _ in range(50)}) == 50


def test_the_address_for_all_is_no_address_to_call() -> None:
    assert reachable_host("0.0.0.0") not in ("0.0.0.0", "")
    assert reachable_host("192.168.1.7") == "192.168.1.7"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_the_certificate_is_one_that_tls_takes(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path / "tls", "192.168.1.7")
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    text = subprocess.run(
        ["openssl", "x509", "-in", cert, "-noout", "-ext", "subjectAltName"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "192.168.1.7" in text
    assert "localhost" in text
    assert key.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_the_certificate_is_kept(tmp_path: Path) -> None:
    first = certificate(tmp_path, "127.0.0.1")[0].read_bytes()
    assert certificate(tmp_path, "127.0.0.1")[0].read_bytes() == first


def test_no_openssl_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TlsError, match="apt install openssl"):
        certificate(tmp_path, "127.0.0.1")


def test_a_port_that_is_taken_is_said() -> None:
    with open_door("127.0.0.1", 0) as door, pytest.raises(PortError, match="--port"):
        open_door("127.0.0.1", door.getsockname()[1])
