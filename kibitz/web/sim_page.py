"""The simulated board under people's hands: the page `/board` drags its checkers and presses its buttons."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from firmware_bridge.sim_board import SimBoard
from kibitz.web.control import NO_TOKEN, body_up_to, refusal
from kibitz.web.guard import has_token
from referee.observation import PLACES

_LONGEST = 1024
_MOST = 30


class Touch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What hands do: `counts`, 28 signed counts that lie there from now on, or `press`, a button."""

    counts: tuple[int, ...] = ()
    press: str = ""


class SimPage:
    """Answers `/api/board`: GET shows the board to anybody, POST touches it with the token."""

    def __init__(self, sim: SimBoard, token: str) -> None:
        self._sim, self._token = sim, token

    async def look(self, _request: Request) -> Response:
        """What lies on the board, and its lit lamps by number: colour, rhythm, whether in the second beat."""
        lamps = {str(number): list(lamp) for number, lamp in self._sim.leds().items()}
        return JSONResponse({"counts": list(self._sim.counts), "lamps": lamps})

    async def touch(self, request: Request) -> Response:
        """Move checkers or press a button: 200; 400 what cannot be done, 401 no token, 413 too long."""
        if not has_token(request.headers, self._token):
            return refusal(401, NO_TOKEN)
        body = await body_up_to(request, _LONGEST)
        if body is None:
            return refusal(413, f"a touch is at most {_LONGEST} bytes long")
        try:
            self._do(msgspec.json.decode(body, type=Touch))
        except ValueError as error:
            return refusal(400, str(error))
        return await self.look(request)

    def _do(self, touch: Touch) -> None:
        if touch.press:
            self._sim.press(touch.press)
            return
        if len(touch.counts) != PLACES or any(abs(n) > _MOST for n in touch.counts):
            raise ValueError(f"counts: {PLACES} numbers of at most {_MOST} checkers each")
        self._sim.set_counts(touch.counts)
