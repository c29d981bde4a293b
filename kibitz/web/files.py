"""What is fetched: pages, camera pictures, records, the debug bundle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from engine.errors import KibitzError
from engine.formats import FORMATS, Format
from kibitz.live import LiveGame
from kibitz.web.bundle import bundle
from kibitz.web.control import NO_TOKEN, Control, refusal
from kibitz.web.guard import has_token
from kibitz.web.records import match_of
from referee.journal import parse

STATIC = Path(__file__).parent / "static"
FRESH = {"Cache-Control": "no-store"}
Handler = Callable[[Request], Awaitable[Response]]
#: Nothing from elsewhere runs in the page, and no other page may frame it.
SAFE = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; connect-src 'self' ws: wss:; "
        "style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
}


def page(name: str) -> Handler:
    """A handler for one of the pages."""

    async def handler(_request: Request) -> Response:
        return FileResponse(STATIC / name, headers=SAFE)

    return handler


def common_routes(control: Control[Any]) -> list[BaseRoute]:
    """What every page of ours needs: its icon, scripts and words, and the control API."""
    return [
        Route("/favicon.ico", page("icon.svg")),
        Route("/api/control", control.check),
        Route("/api/command", control.command, methods=["POST"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


class Files:
    """Answers every GET that is neither a page nor the API."""

    def __init__(self, live: LiveGame, token: str) -> None:
        self._live, self._token = live, token

    async def picture(self, request: Request) -> Response:
        """A JPEG; 404 when there is none."""
        jpeg = await self._live.picture(request.path_params["kind"])
        if jpeg is None:
            return refusal(404, "there is no such picture (yet)")
        return Response(jpeg, media_type="image/jpeg", headers=FRESH)

    async def record(self, request: Request) -> Response:
        """The match in a record format, or the journal that it is made from."""
        kind, snapshot = request.path_params["kind"], self._live.snapshot()
        target = next((f for f in FORMATS if f.name == kind), None)
        if target is None and kind != "journal":
            return refusal(404, f"no format is called {kind[:20]!r}; try mat, sgf, ogxm, jsonl or journal")
        path = None if self._live.folder is None else self._live.folder / snapshot.journal
        if path is None or not path.is_file():
            return refusal(404, "this game keeps no journal")
        if target is None:
            return download(path.read_bytes(), path.name)
        try:
            data = await asyncio.to_thread(_written, path, target)
        except KibitzError as error:
            return refusal(409, str(error))
        return download(data, path.stem + target.endings[0])

    async def bundle(self, request: Request) -> Response:
        """The debug bundle; it holds pictures of the room, so it needs the token."""
        if not has_token(request.headers, self._token):
            return refusal(401, NO_TOKEN)
        now = {kind: await self._live.picture(kind) for kind in ("plain", "overlay")}
        pictures = {kind: jpeg for kind, jpeg in now.items() if jpeg is not None}
        snapshot = self._live.snapshot()
        data = await asyncio.to_thread(bundle, self._live.folder, snapshot, pictures)
        return download(data, f"kibitz-bundle-{Path(snapshot.journal).stem or 'game'}.zip")


def _written(journal: Path, target: Format) -> bytes:
    with journal.open("rb") as lines:
        return target.encode(match_of(parse(lines)))


def download(data: bytes, name: str) -> Response:
    """A file to be saved."""
    headers = {**FRESH, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)
