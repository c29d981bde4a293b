"""A certificate for this machine, so that a phone lets the page use its camera."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

from engine.errors import KibitzError

DAYS = 825  # phones refuse certificates that live longer


class TlsError(KibitzError, RuntimeError):
    """No certificate could be made."""


def certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """Paths of a self-signed certificate and its key, made in `folder` unless they are there already.

    Raises:
        TlsError: `openssl` is missing or fails.
    """
    cert, key = folder / f"kibitz-{host}.crt", folder / f"kibitz-{host}.key"
    if cert.exists() and key.exists():
        return cert, key
    if shutil.which("openssl") is None:
        raise TlsError("--tls needs the program openssl to make a certificate; apt install openssl")
    folder.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(_command(cert, key, host), capture_output=True, text=True, check=False)
    if made.returncode:
        problem = (made.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise TlsError(f"openssl could not make {cert}: {problem}; check that the folder can be written to")
    os.chmod(key, 0o600)
    return cert, key


def _command(cert: Path, key: Path, host: str) -> list[str]:
    subject = ["-subj", "/CN=kibitz", "-addext", f"subjectAltName={','.join(_names(host))}"]
    files = ["-keyout", str(key), "-out", str(cert)]
    return ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", str(DAYS), *files, *subject]


def _names(host: str) -> list[str]:
    names = {"DNS:localhost", "IP:127.0.0.1", f"DNS:{socket.gethostname()}"}
    for name in {host, reachable_host(host)}:
        names.add(f"IP:{name}" if is_address(name) else f"DNS:{name}")
    return sorted(names)


def is_address(host: str) -> bool:
    """Whether a host is written as an IP address."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except OSError:
            continue
        return True
    return False


def reachable_host(host: str) -> str:
    """What others can call this machine by when it listens on `host`: never the address that means "all"."""
    if host not in ("0.0.0.0", "::", ""):
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; it only picks the outgoing address
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
