"""What the page of the simulated board asks for, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from firmware_bridge.sim_board import SimBoard
from kibitz.web.sim_page import SimPage
from tests.web.site import START, TOKEN, moved
from tests.web.test_browser import POINT_5, POINT_8


@pytest.fixture
def sim() -> Iterator[SimBoard]:
    made = SimBoard(START)
    yield made
    made.close()


async def _ask(sim: SimBoard, method: str, body: str, token: str) -> httpx.Response:
    page = SimPage(sim, TOKEN)
    look, touch = Route("/api/board", page.look), Route("/api/board", page.touch, methods=["POST"])
    transport = httpx.ASGITransport(app=Starlette(routes=[look, touch]))
    async with httpx.AsyncClient(transport=transport, base_url="http://board") as client:
        head = {"Authorization": f"Bearer {token}"}
        return await client.request(method, "/api/board", content=body, headers=head)


def touched(sim: SimBoard, body: str, token: str = TOKEN) -> tuple[int, str]:
    answer = asyncio.run(_ask(sim, "POST", body, token))
    return answer.status_code, answer.text


def test_everybody_may_look_and_only_the_token_may_touch(sim: SimBoard) -> None:
    assert asyncio.run(_ask(sim, "GET", "", "")).json() == {"counts": list(START), "lamps": {}}
    after = moved(START, (POINT_8, POINT_5))
    assert touched(sim, f'{{"counts": {list(after)}}}', token="guess")[0] == 401
    assert sim.counts == START
    assert touched(sim, f'{{"counts": {list(after)}}}')[0] == 200
    assert sim.counts == after


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        '{"counts": [1, 2]}',
        '{"counts": ["a"]}',
        '{"press": "bell"}',
        '{"lift": 3}',
        f'{{"counts": {[99] * 28}}}',
    ],
)
def test_what_no_hand_can_do_is_refused_in_words(sim: SimBoard, body: str) -> None:
    status, text = touched(sim, body)
    assert (status, "error" in text) == (400, True)
    assert sim.counts == START


def test_a_flood_is_refused(sim: SimBoard) -> None:
    assert touched(sim, " " * 5000)[0] == 413
