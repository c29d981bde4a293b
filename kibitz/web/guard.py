"""Who may ask for what: host and origin of every request, the token of those that change something."""

from __future__ import annotations

import secrets
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kibitz.web.tls import is_address


class Guard:
    """Refuses requests that a foreign page sends through a visitor's browser.

    A page elsewhere could point its own host name at this machine, or open a socket from its own origin; so
    the host must be one of this machine's names, and an `Origin`, where one is sent, must be this page.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._names = own_names(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 403 (a websocket is closed before it opens)."""
        if scope["type"] in ("http", "websocket") and (problem := self.problem(Headers(scope=scope))):
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": problem})
            else:
                await JSONResponse({"error": problem}, 403)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def problem(self, headers: Headers) -> str:
        """Why a request is refused; "" when it is not."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not known_host(host, self._names):
            return f"this page is not called {host[:60]!r}; open it by the link that Kibitz printed"
        if origin is not None and urlsplit_host(origin) != host.lower():
            return f"{origin[:60]!r} may not ask here; only Kibitz's own page may"
        return ""


def own_names(host: str) -> frozenset[str]:
    """What this machine is called, beside its addresses."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local", host.lower()})


def known_host(header: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this machine; any plain address does, for a name is what a trick needs."""
    try:
        name = urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return False
    return name in names or is_address(name)


def urlsplit_host(origin: str) -> str:
    """`host:port` of an origin, "" for one that has none (`null`, files)."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def has_token(headers: Headers, token: str) -> bool:
    """Whether a request carries `Authorization: Bearer` with the token; compared in constant time."""
    kind, _, given = headers.get("authorization", "").partition(" ")
    return kind.lower() == "bearer" and secrets.compare_digest(given.encode(), token.encode())
