"""The two websockets: snapshots out to whoever looks on, camera frames in from a phone."""

from __future__ import annotations

import asyncio
import secrets

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.live import LiveGame
from kibitz.snapshot import Snapshot
from kibitz.web.phone import Phone
from kibitz.web.shown import Message, same_but_picture, shown

#: The longest message: a camera frame of a phone in full HD has about a quarter of this.
MOST_BYTES = 4_000_000
#: Seconds between messages to one page, at least.
PACE = 0.05
REFUSED, TOO_MUCH, GOING = 1008, 1003, 1001

_encode = msgspec.json.Encoder().encode


class Sockets:
    """Both sockets of one game."""

    def __init__(self, live: LiveGame, token: str, phone: Phone | None) -> None:
        self._live, self._token, self._phone = live, token, phone
        self._encoded: tuple[Snapshot, msgspec.Raw] | None = None

    async def watch(self, socket: WebSocket) -> None:
        """Send every snapshot that the line is fast enough for; a page that talks back is closed."""
        await socket.accept()
        sending = asyncio.create_task(self._send_all(socket))
        hearing = asyncio.create_task(socket.receive())
        await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
        talked = hearing.done() and hearing.result()["type"] == "websocket.receive"
        ended = sending.done() and sending.exception() is None
        sending.cancel()
        hearing.cancel()
        await asyncio.gather(sending, hearing, return_exceptions=True)
        if talked or ended:
            why = "this socket only tells; commands go to /api/command" if talked else "the game has ended"
            await socket.close(TOO_MUCH if talked else GOING, why)

    async def _send_all(self, socket: WebSocket) -> None:
        before: Snapshot | None = None
        async for snapshot in self._live.subscribe():
            await socket.send_text(self._message(before, snapshot))
            before = snapshot
            await asyncio.sleep(PACE)

    def _message(self, before: Snapshot | None, now: Snapshot) -> str:
        same = before is not None and same_but_picture(before, now)
        message = Message(self._live.clock(), now.picture, None if same else self._shown(now))
        return _encode(message).decode()

    def _shown(self, now: Snapshot) -> msgspec.Raw:
        """Each snapshot is encoded once, however many look on."""
        if self._encoded is None or self._encoded[0] is not now:
            self._encoded = (now, msgspec.Raw(_encode(shown(now))))
        return self._encoded[1]

    async def camera(self, socket: WebSocket) -> None:
        """Take frames of a phone: its first message is the token; each frame is answered before the next."""
        await socket.accept()
        try:
            problem = await self._frames_in(socket)
        except (WebSocketDisconnect, KeyError):
            return  # gone, or it sent text where a picture belongs
        await socket.close(REFUSED, problem)

    async def _frames_in(self, socket: WebSocket) -> str:
        if self._phone is None:
            return "start Kibitz with --source phone: to use a phone's camera"
        if not secrets.compare_digest((await socket.receive_text()).encode(), self._token.encode()):
            return "the camera page needs the token of the control link"
        await socket.send_text("ready")
        while self._phone.put(await socket.receive_bytes()):
            await socket.send_text("next")
        return "frames are sent as JPEG pictures"
