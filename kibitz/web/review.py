"""The page of a recording under review: its plays, their clips, and what a person says of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from engine.errors import KibitzError
from kibitz.clips import clip, film_pace
from kibitz.commands import Asked, CommandError, Counts, Roll, decoded
from kibitz.lang import choose
from kibitz.record import GapLine
from kibitz.recording import GameLine
from kibitz.reviewing import Part, Play, Review
from kibitz.web.control import Control, refusal
from kibitz.web.files import FRESH, common_routes, download, page
from kibitz.web.guard import Guard
from kibitz.web.shown import own_numbers
from kibitz.wording import SURE
from kibitz.writing import encoded
from referee.hindsight import Fix
from referee.layout import Layout

#: Seconds shown before the dice lay there and after the play did; the longest clip; an inference at most.
BEFORE, AFTER, LONGEST, PATIENCE = 1.0, 1.5, 30.0, 120.0
Turn = Annotated[int, msgspec.Meta(ge=0)]


class FixPlay(Asked, frozen=True, tag="fix"):
    """A turn was so: dice, play in standard notation, or the table after it."""

    turn: Turn
    dice: Roll | None = None
    play: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    after: Counts | None = None


class Forget(Asked, frozen=True, tag="forget"):
    """What was said of a turn does not hold any more."""

    turn: Turn


Wish = FixPlay | Forget
_wishes: msgspec.json.Decoder[Wish] = msgspec.json.Decoder(Wish)


class Sheet(msgspec.Struct, frozen=True):
    """All that the page shows."""

    revision: int
    source: str
    record: str
    rules: str
    names: tuple[str, str]
    layout: Layout
    numbers: tuple[tuple[int, ...], tuple[int, ...]]
    eats: bool
    dice: int
    seconds: float
    sure: float
    plays: tuple[Play, ...]
    gaps: tuple[GapLine, ...]
    games: tuple[GameLine, ...]


class ReviewSite:
    """The handlers of one review. Inference and video run in threads, one change at a time."""

    def __init__(self, review: Review, videos: Path | None = None) -> None:
        self._review, self._videos = review, videos
        self._busy = asyncio.Lock()
        self._clip = lru_cache(maxsize=16)(self._cut)

    async def obey(self, wish: Wish) -> int:
        """Carry a wish out; the revision after it."""
        async with self._busy:
            if isinstance(wish, Forget):
                await asyncio.to_thread(self._review.forget, wish.turn)
            else:
                fix = Fix(wish.dice, wish.play, wish.after)
                await asyncio.to_thread(self._review.fix, wish.turn, fix)
        return self._review.revision

    async def sheet(self, _request: Request) -> Response:
        """Everything as it stands now, as JSON."""
        review = self._review
        shown = Sheet(
            review.revision, review.parts[0].source, review.record.name, review.rules.name,
            review.setup.names, review.layout, own_numbers(review.rules.name, review.layout),
            review.rules.eats, review.rules.dice, review.recording.until, SURE, review.plays(),
            review.inferred.gaps, review.inferred.games,
        )  # fmt: skip
        return _json(shown)

    async def legal(self, request: Request) -> Response:
        """The legal plays of a turn with the dice of the query (`dice=3-1`)."""
        dice = [int(die) for die in request.query_params.get("dice", "").split("-") if die.isdecimal()]
        try:
            return _json(self._review.legal(request.path_params["turn"], dice))
        except CommandError as error:
            return refusal(404, str(error))

    async def picture(self, request: Request) -> Response:
        """A picture of a turn's clip, by its number; the header `X-Pictures` says how many there are."""
        plays, turn = self._review.plays(), request.path_params["turn"]
        if turn >= len(plays):
            return refusal(404, "there is no such turn")
        since, until = plays[turn].t
        try:
            found = await asyncio.to_thread(self._clip, since - BEFORE, until + AFTER)
        except KibitzError as error:
            return refusal(404, str(error))
        number = request.path_params["number"]
        if number >= len(found):
            return refusal(404, "there is no such picture")
        return Response(
            found[number], media_type="image/jpeg", headers={**FRESH, "X-Pictures": str(len(found))}
        )

    async def record(self, request: Request) -> Response:
        """The match as a file of any format."""
        kind = request.path_params["kind"]
        try:
            data, _ = await asyncio.to_thread(encoded, self._review.match, choose(), kind)
        except KibitzError as error:
            return refusal(404, str(error))
        return download(data, f"{self._review.record.stem}.{kind}")

    def _cut(self, since: float, until: float) -> tuple[bytes, ...]:
        part = next(p for p in reversed(self._review.parts) if p.since <= max(0.0, since))
        url, start = self._url(part), max(0.0, since - part.since)
        pace = film_pace(url, part.seconds)
        return clip(url, start * pace, min(until - part.since, start + LONGEST) * pace)

    def _url(self, part: Part) -> str:
        kind, _, path = part.source.partition(":")
        return part.source if self._videos is None else f"{kind}:{self._videos / Path(path).name}"


def _json(value: object, headers: Mapping[str, str] = FRESH) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=headers)


def make_review_app(
    review: Review, token: str, host: str = "127.0.0.1", videos: Path | None = None
) -> ASGIApp:
    """The ASGI application; `videos` is the folder of the films where they have been moved."""
    site = ReviewSite(review, videos)
    control = Control(token, lambda data: decoded(_wishes, data), site.obey, PATIENCE)
    routes = [
        Route("/", page("review.html")),
        Route("/api/review", site.sheet),
        Route("/api/legal/{turn:int}", site.legal),
        Route("/clip/{turn:int}/{number:int}", site.picture),
        Route("/download/{kind}", site.record),
        *common_routes(control),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, host=host)])
