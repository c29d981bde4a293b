"""The control API, the sockets, pictures and downloads of a running game."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from kibitz.commands import LONGEST, Command
from kibitz.web.sockets import MOST_BYTES
from tests.web.site import START, TOKEN, Site, moved, site

BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One game for all tests that leave it as it is, or do not mind."""
    with site(tmp_path_factory.mktemp("api")) as game:
        wait_for(lambda: game.snapshot().phase == "playing")
        yield game


def wait_for(what: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def socket_to(game: Site, path: str = "/ws", **options: Any) -> ClientConnection:
    made: ClientConnection = connect(game.url.replace("http", "ws") + path, close_timeout=0.2, **options)
    return made


# --- who may ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x"])
def test_control_needs_the_token(running: Site, header: str) -> None:
    answer = running.command('{"do":"dice","roll":[3,1]}', Authorization=header)
    assert answer.status_code == 401
    assert "control link" in answer.json()["error"]
    assert running.get("/api/control", Authorization=header).status_code == 401
    assert running.get("/bundle", Authorization=header).status_code == 401


def test_a_foreign_page_may_not_control_even_with_the_token(running: Site) -> None:
    assert running.command('{"do":"undo"}', Origin="http://evil.example").status_code == 403
    assert running.command('{"do":"undo"}', Host="evil.example").status_code == 403


def test_looking_on_needs_nothing(running: Site) -> None:
    for path in ("/", "/overlay", "/camera", "/static/page.js", "/picture/plain", "/download/journal"):
        assert running.get(path).status_code == 200, path


# --- what may be asked -----------------------------------------------------------------------------------


def test_a_command_is_in_the_journal_when_it_is_answered(game: Site) -> None:
    wait_for(lambda: game.snapshot().phase == "playing")
    assert game.command('{"do":"dice","roll":[3,1]}').status_code == 200
    assert '"roll":[3,1]' in (game.folder / "game.jsonl").read_text()
    assert game.snapshot().dice.roll == (3, 1)


NO_COMMANDS = [
    b"", b"{", b"\xff\xfe", b"null", b"[]", b'{"do":"fly"}', b'{"do":"undo","x":1}',
    b'{"do":"dice","roll":[7,1]}',
    b'{"do":"correct","table":[1,2]}', b'{"do":"dice","roll":[1e999,1]}',
    b'{"do":"cube","act":"double\\u0000"}',
]  # fmt: skip


@pytest.mark.parametrize("body", NO_COMMANDS)
def test_what_is_no_command_is_refused_in_words(running: Site, body: bytes) -> None:
    answer = running.command(body)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("no command")
    assert len(answer.json()["error"].splitlines()) == 1


def test_a_long_body_is_refused_before_it_is_read_to_its_end(running: Site) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(200):
            yield b" " * 1000

    assert running.command(b" " * (LONGEST + 1)).status_code == 413
    headers = {**BEARER, "Content-Type": "application/json"}
    answer = running.client.post("/api/command", content=endless(), headers=headers)
    assert answer.status_code == 413


def test_a_form_cannot_command(running: Site) -> None:
    assert running.command(b"do=undo", **{"Content-Type": "text/plain"}).status_code == 415


def test_what_does_not_fit_the_moment_is_refused_and_changes_nothing(running: Site) -> None:
    before = running.snapshot().turns
    answer = running.command('{"do":"let_stand"}')
    assert answer.status_code == 409
    assert answer.json()["error"]
    assert running.snapshot().turns == before


KINDS = get_args(Command)
NAMES = [kind.__struct_config__.tag for kind in KINDS]
FIELDS = sorted({name for kind in KINDS for name in kind.__struct_fields__})
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 30),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.integers(-2, 7), max_size=3),
    st.lists(st.integers(-15, 15), min_size=28, max_size=28),
    st.sampled_from([list(START), "double", "take", "legal", "backgammon", "13/7", "8/5 6/5"]),
)
fields = st.sampled_from(FIELDS)
commands = st.builds(
    lambda do, more: {"do": do, **more}, st.sampled_from(NAMES), st.dictionaries(fields, values, max_size=3)
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(commands.map(json.dumps).map(str.encode), st.binary(max_size=60)))
def test_nothing_that_is_sent_breaks_the_game(running: Site, body: bytes) -> None:
    answer = running.command(body)
    assert answer.status_code in (200, 400, 409)
    assert "revision" in answer.json() or answer.json()["error"]


def test_the_game_goes_on_after_all_that(running: Site) -> None:
    running.command('{"do":"adjourn"}')
    running.command('{"do":"resume"}')
    journal = running.folder / "game.jsonl"
    before = journal.stat().st_size
    wait_for(lambda: journal.stat().st_size > before)
    assert running.get("/download/journal").status_code == 200


# --- sockets ---------------------------------------------------------------------------------------------


def test_a_spectator_is_shown_everything_at_once(running: Site) -> None:
    with socket_to(running) as socket:
        message = json.loads(socket.recv(5))
    assert message["t"] > 0
    assert len(message["shown"]["snapshot"]["board"]["table"]) == 28
    assert sorted(message["shown"]["numbers"][1]) == list(range(1, 25))


def test_a_spectator_who_talks_is_closed(running: Site) -> None:
    with socket_to(running) as socket:
        socket.send('{"do":"undo"}')
        with pytest.raises(ConnectionClosed, match="only tells"):
            deque((socket.recv(5) for _ in range(1000)), 0)


def test_a_foreign_page_cannot_open_the_socket(running: Site) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        socket_to(running, origin="http://evil.example")


# --- the phone -------------------------------------------------------------------------------------------


def test_a_phone_without_the_token_is_no_camera(running: Site) -> None:
    with socket_to(running, "/camera/ws") as socket:
        socket.send("wrong")
        with pytest.raises(ConnectionClosed, match="token"):
            socket.recv(5)


def test_a_phone_sends_pictures(running: Site) -> None:
    jpeg = running.get("/picture/plain").content
    frames = running.phone.source().frames()
    with socket_to(running, "/camera/ws") as socket:
        socket.send(TOKEN)
        assert socket.recv(5) == "ready"
        for _ in range(3):
            socket.send(jpeg)
            assert socket.recv(5) == "next"
        socket.send(b"GIF89a")
        with pytest.raises(ConnectionClosed, match="JPEG"):
            socket.recv(5)
    assert running.phone.number == 3
    del frames


def test_a_picture_that_is_too_large_closes_the_socket(running: Site) -> None:
    with socket_to(running, "/camera/ws") as socket:
        socket.send(TOKEN)
        socket.recv(5)
        with suppress(ConnectionClosed):
            socket.send(b"\xff\xd8\xff" + bytes(MOST_BYTES))
        with pytest.raises(ConnectionClosed):
            socket.recv(5)


# --- what is fetched -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["turn/99", "turn/../../game.jsonl", "nothing", "turn/", "%2e%2e/game.jsonl"]
)
def test_there_is_no_such_picture(running: Site, kind: str) -> None:
    assert running.get(f"/picture/{kind}").status_code == 404


def test_records_have_names_to_be_saved_by(running: Site) -> None:
    for kind, name in (("mat", "game.mat"), ("sgf", "game.sgf"), ("journal", "game.jsonl")):
        answer = running.get(f"/download/{kind}")
        assert answer.status_code == 200
        assert f'filename="{name}"' in answer.headers["content-disposition"]
    assert running.get("/download/exe").status_code == 404


def test_the_bundle_comes_in_one_request(running: Site) -> None:
    answer = running.get("/bundle", **BEARER)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert {"about.json", "snapshot.json", "now/plain.jpg", "session/game.jsonl"} <= set(file.namelist())


def test_a_rejection_leaves_pictures_for_the_bundle(game: Site) -> None:
    wait_for(lambda: game.snapshot().phase == "playing")
    game.feed.lay(START, (3, 1))
    wait_for(lambda: game.snapshot().dice.roll == (3, 1))
    game.feed.lay(moved(START, (18, 16), (18, 16)), (3, 1))
    wait_for(lambda: game.snapshot().banner.kind == "illegal", 20)
    wait_for(lambda: len(list(game.folder.glob("rejections/*.jpg"))) >= 3, 20)
    names = zipfile.ZipFile(io.BytesIO(game.get("/bundle", **BEARER).content)).namelist()
    assert any(name.startswith("session/rejections/") and name.endswith("-reading.jpg") for name in names)


def test_nothing_foreign_runs_in_the_page(running: Site) -> None:
    policy = running.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy


def test_static_files_end_at_their_folder(running: Site) -> None:
    assert running.get("/static/..%2fserver.py").status_code == 404
