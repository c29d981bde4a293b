"""The control API: one command a request, with the token."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kibitz.commands import LONGEST, CommandError
from kibitz.web.guard import has_token

T = TypeVar("T")

#: Seconds that a game may take for a command.
PATIENCE = 10.0
NO_TOKEN = "control needs the token: open the control link that Kibitz printed at its start"


class Control(Generic[T]):
    """Answers `/api/…`. Every refusal is JSON with one line under `error`.

    `parse` and `obey` raise CommandError for what is no command, or none now; `obey` gives the new revision.
    """

    def __init__(
        self,
        token: str,
        parse: Callable[[bytes], T],
        obey: Callable[[T], Awaitable[int]],
        patience: float = PATIENCE,
    ) -> None:
        self._token, self._parse, self._obey, self._patience = token, parse, obey, patience

    async def check(self, request: Request) -> Response:
        """204 for a holder of the token, 401 for others."""
        return (
            Response(status_code=204) if has_token(request.headers, self._token) else refusal(401, NO_TOKEN)
        )

    async def command(self, request: Request) -> Response:
        """Carry a command out: 200; 400 no command, 401 no token, 409 not now, 413 too long, 415 not JSON,
        503 no answer."""
        if not has_token(request.headers, self._token):
            return refusal(401, NO_TOKEN)
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return refusal(415, "send the command as application/json")
        body = await body_up_to(request, LONGEST)
        if body is None:
            return refusal(413, f"a command is at most {LONGEST} bytes long")
        try:
            command = self._parse(body)
        except CommandError as error:
            return refusal(400, str(error))
        try:
            revision = await asyncio.wait_for(self._obey(command), self._patience)
        except CommandError as error:
            return refusal(409, str(error))
        except TimeoutError:
            return refusal(503, "the game does not answer; look at the terminal where Kibitz runs")
        return JSONResponse({"revision": revision})


def refusal(status: int, why: str) -> JSONResponse:
    """A refusal in words."""
    return JSONResponse({"error": why}, status)


async def body_up_to(request: Request, most: int) -> bytes | None:
    """The body, or None as soon as it is longer than `most` bytes."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return body
