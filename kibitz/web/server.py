"""The web server of a live game: pages, the websocket of snapshots, the control API, pictures, downloads.

Looking on is open to whoever reaches the port; changing anything needs the token.
"""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from engine.errors import KibitzError
from firmware_bridge.sim_board import SimBoard
from kibitz.commands import Command, parse_command
from kibitz.live import LiveGame
from kibitz.web.control import Control
from kibitz.web.files import Files, common_routes, page
from kibitz.web.guard import Guard
from kibitz.web.invitation import Invitation, new_token
from kibitz.web.phone import Phone
from kibitz.web.rejections import keep_rejections
from kibitz.web.sim_page import SimPage
from kibitz.web.sockets import MOST_BYTES, Sockets
from kibitz.web.tls import certificate

#: Connections at a time; more are answered with 503 instead of slowing the referee.
MOST_CONNECTIONS = 200


class PortError(KibitzError, OSError):
    """The page's address cannot be listened on."""


def make_app(
    live: LiveGame,
    token: str,
    host: str = "127.0.0.1",
    phone: Phone | None = None,
    sim: SimBoard | None = None,
) -> ASGIApp:
    """The ASGI application for one game; `phone` takes what the page `/camera` sends, `sim` is moved by the
    page `/board`.
    """

    async def obey(command: Command) -> int:
        await live.command(command)
        return live.snapshot().revision

    control = Control(token, parse_command, obey)
    files, sockets = Files(live, token), Sockets(live, token, phone)
    routes = [
        Route("/", page("index.html")),
        Route("/overlay", page("overlay.html")),
        Route("/camera", page("camera.html")),
        Route("/picture/{kind:path}", files.picture),
        Route("/download/{kind}", files.record),
        Route("/bundle", files.bundle),
        WebSocketRoute("/ws", sockets.watch),
        WebSocketRoute("/camera/ws", sockets.camera),
        *common_routes(control),
    ]
    if sim is not None:
        hands = SimPage(sim, token)
        routes += [
            Route("/board", page("simboard.html")),
            Route("/api/board", hands.look),
            Route("/api/board", hands.touch, methods=["POST"]),
        ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, host=host)])


async def serve(
    live: LiveGame,
    host: str = "127.0.0.1",
    port: int = 8700,
    token: str | None = None,
    tls: Path | None = None,
    phone: Phone | None = None,
    sim: SimBoard | None = None,
) -> None:
    """Serve a running game until the process is told to stop; prints the links and the QR code.

    `tls` is the folder that the certificate is kept in, None for plain http.

    Raises:
        TlsError: no certificate could be made.
        PortError: the address cannot be listened on.
    """
    token = token or new_token()
    keeper = asyncio.create_task(keep_rejections(live))
    try:
        await listen(make_app(live, token, host, phone, sim), host, port, token, tls, board=sim is not None)
    finally:
        keeper.cancel()


async def listen(
    app: ASGIApp, host: str, port: int, token: str, tls: Path | None = None, *, board: bool = False
) -> None:
    """Serve an application until the process is told to stop; prints the links and the QR code.

    Raises:
        TlsError: no certificate could be made.
        PortError: the address cannot be listened on.
    """
    files = None if tls is None else certificate(tls, host)
    door = open_door(host, port)
    invitation = Invitation(host, port, token, tls is not None)
    print(invitation.text(), flush=True)
    if board:
        print(f"Board:   {invitation.board}", flush=True)
    await uvicorn.Server(config_of(app, host, port, files)).serve(sockets=[door])


def open_door(host: str, port: int) -> socket.socket:
    """A socket that listens; whoever comes before the server runs waits in its queue.

    Raises:
        PortError: it is taken, or no address of this machine.
    """
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise PortError(
            f"{host}:{port} cannot be listened on ({error.strerror}); name another with --port or --host"
        ) from error


def config_of(app: ASGIApp, host: str, port: int, tls: tuple[Path, Path] | None = None) -> uvicorn.Config:
    """How the application is served; `tls` holds certificate and key."""
    cert, key = tls or (None, None)
    return uvicorn.Config(
        app, host, port, log_level="warning", ws="websockets-sansio", ws_max_size=MOST_BYTES,
        limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=1, server_header=False,
        ssl_certfile=cert, ssl_keyfile=key,
    )  # fmt: skip
