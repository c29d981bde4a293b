"""What is printed when the page starts: the links, and a QR code for the phone."""

from __future__ import annotations

import io
import secrets
from dataclasses import dataclass

import segno

from kibitz.web.tls import reachable_host


def new_token() -> str:
    """A token nobody guesses, short enough for a QR code that a phone reads from a terminal."""
    return secrets.token_urlsafe(18)


@dataclass(frozen=True, slots=True)
class Invitation:
    """Where the page is, for those who look on and for those who may control it."""

    host: str
    port: int
    token: str
    tls: bool = False

    @property
    def watch(self) -> str:
        """The link for spectators."""
        host = reachable_host(self.host)
        written = f"[{host}]" if ":" in host else host
        return f"{'https' if self.tls else 'http'}://{written}:{self.port}/"

    @property
    def control(self) -> str:
        """The link that may correct, undo and resign. The token stays behind `#`: no server log holds it."""
        return f"{self.watch}#token={self.token}"

    @property
    def board(self) -> str:
        """The link to the simulated board, with the token."""
        return f"{self.watch}board#token={self.token}"

    def text(self, *, qr: bool = True) -> str:
        """Both links and, with `qr`, the control link as a QR code of half blocks."""
        lines = [f"Watch:   {self.watch}", f"Control: {self.control}"]
        if qr:
            code = io.StringIO()
            segno.make(self.control, error="l", micro=False).terminal(code, compact=True)
            lines.append(code.getvalue())
        return "\n".join(lines)
