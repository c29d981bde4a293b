"""Who is let in: the host that was asked for, the page that asks, the token."""

import asyncio

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from kibitz.web.guard import Guard, has_token


async def hello(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


def ask(headers: dict[str, str], host: str = "127.0.0.1") -> httpx.Response:
    async def one() -> httpx.Response:
        transport = httpx.ASGITransport(Guard(Starlette(routes=[Route("/", hello)]), host))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8700") as client:
            return await client.get("/", headers=headers)

    return asyncio.run(one())


@pytest.mark.parametrize("host", ["localhost:8700", "127.0.0.1:8700", "192.168.1.7:8700", "[::1]:8700"])
def test_this_machine_by_any_of_its_names(host: str) -> None:
    assert ask({"Host": host}).text == "hello"


@pytest.mark.parametrize("host", ["evil.example:8700", "127.0.0.1.evil.example", "[broken", ""])
def test_a_name_that_is_not_ours_is_refused(host: str) -> None:
    answer = ask({"Host": host})
    assert answer.status_code == 403
    assert "is not called" in answer.json()["error"]


def test_the_name_that_kibitz_was_told_to_listen_on_is_ours() -> None:
    assert ask({"Host": "board.club.example:8700"}, "board.club.example").status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "", "http://[x"])
def test_another_page_may_not_ask(origin: str) -> None:
    assert ask({"Origin": origin}).status_code == 403


def test_our_own_page_may_ask() -> None:
    assert ask({"Origin": "http://127.0.0.1:8700"}).status_code == 200


@given(st.binary(max_size=60))
def test_only_the_token_is_the_token(given_header: bytes) -> None:
    headers = Headers(raw=[(b"authorization", given_header)])
    assert has_token(headers, "sesame") == (
        given_header.lower() == b"bearer sesame" and b"sesame" in given_header
    )


def test_the_token_is_taken() -> None:
    assert has_token(Headers({"Authorization": "Bearer sesame"}), "sesame")
    assert not has_token(Headers({"Authorization": "Bearer sésame"}), "sesame")
    assert not has_token(Headers({}), "sesame")
