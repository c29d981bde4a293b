"""A recording under review: one play is mended, the rest follows, the record is exact; also in a browser."""

from __future__ import annotations

import asyncio
import queue
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect

from engine.errors import RecordError
from engine.mat import read_mat
from engine.notation import format_play
from kibitz.clips import clip, film_pace
from kibitz.commands import CommandError
from kibitz.review import review as review_command
from kibitz.review import told as command_setup
from kibitz.reviewing import Review, Said, renumbered
from kibitz.web.review import make_review_app
from kibitz.web.server import config_of
from referee.events import Setup
from referee.hindsight import Fix
from tests.web.recordings import DOUBTFUL, FOLLOWS, GUESSED, PLAYS, recording, tables
from tests.web.site import TOKEN
from tests.web.test_browser import DESK, drag, opened, shot
from vision.errors import SourceError

TRUE = [play for _, play in PLAYS]


@pytest.fixture
def review(tmp_path: Path) -> Review:
    return Review(recording(tmp_path), tmp_path / "game.mat")


def written(review: Review) -> list[str]:
    """The plays in the match file."""
    (game,) = read_mat(review.record.read_text()).games
    return [format_play(turn.play or ()) for turn in game.turns]


def told(review: Review) -> list[str]:
    return [play.play for play in review.plays()]


# --- the review itself -------------------------------------------------------------------------------------


def test_what_cannot_be_told_is_doubtful_and_names_what_else_it_was(review: Review) -> None:
    assert told(review) == written(review) == GUESSED
    doubtful = review.plays()[DOUBTFUL]
    assert doubtful.confidence < 0.5
    assert [(other.dice, other.play) for other in doubtful.others] == [PLAYS[DOUBTFUL]]
    assert doubtful.others[0].after == tables()[DOUBTFUL + 1]


def test_one_play_is_mended_and_the_rest_follows(review: Review) -> None:
    review.fix(DOUBTFUL, Fix(*PLAYS[DOUBTFUL]))
    assert told(review)[:FOLLOWS] == TRUE[:FOLLOWS]
    follows = review.plays()[FOLLOWS]
    assert "8/6 7/3" in [follows.play, *(other.play for other in follows.others)]
    assert GUESSED[FOLLOWS] not in [follows.play, *(other.play for other in follows.others)]
    review.fix(FOLLOWS, Fix(after=tables()[-1]))
    assert told(review) == written(review) == TRUE
    assert all(play.confidence > 0.95 for play in review.plays())


def test_what_was_said_is_kept_and_can_be_forgotten(review: Review) -> None:
    review.fix(DOUBTFUL, Fix(*PLAYS[DOUBTFUL]))
    again = Review(review.record.with_suffix(".looks"), review.record)
    assert told(again)[DOUBTFUL] == TRUE[DOUBTFUL]
    assert again.plays()[DOUBTFUL].fixed
    again.forget(DOUBTFUL)
    assert told(again) == written(again) == GUESSED
    with pytest.raises(CommandError, match="nothing was said"):
        again.forget(DOUBTFUL)


NONE = [(9, Fix((6, 1))), (0, Fix((6,))), (0, Fix((6, 1), "huh")), (0, Fix(after=(0,) * 28))]


@pytest.mark.parametrize(("turn", "fix"), NONE)
def test_what_cannot_have_been_changes_nothing(review: Review, turn: int, fix: Fix) -> None:
    with pytest.raises(CommandError):
        review.fix(turn, fix)
    assert (told(review), review.said) == (GUESSED, ())


def test_a_word_keeps_to_its_play_when_numbers_shift(review: Review) -> None:
    times = [play.t[1] for play in review.plays()]
    said = (Said(1, times[2], Fix()), Said(3, times[3] + 0.2, Fix()))
    assert [(s.turn, s.t) for s in renumbered(said, review.inferred)] == [(2, times[2]), (3, times[3] + 0.2)]


def test_legal_plays_can_be_listed(review: Review) -> None:
    found = review.legal(0, (6, 5))
    assert "24/13" in [candidate.play for candidate in found]
    with pytest.raises(CommandError, match="no roll"):
        review.legal(0, (6,))


def test_the_command_says_what_is_missing_and_takes_names(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="kibitz transcribe VIDEO"):
        review_command(tmp_path / "game.mat")
    with pytest.raises(RecordError, match="says no format"):
        review_command(tmp_path / "game.looks", out=tmp_path / "game.exe")
    assert command_setup(Setup(), None, "Anna, Boris", 7) == Setup(names=("Anna", "Boris"), length=7)


def test_damaged_fixes_are_said(tmp_path: Path) -> None:
    looks = recording(tmp_path)
    looks.with_suffix(".fixes.json").write_text("{")
    with pytest.raises(RecordError, match="take it away"):
        Review(looks, tmp_path / "game.mat")


def test_a_clip_is_cut_where_it_was_asked_for(tmp_path: Path) -> None:
    recording(tmp_path)
    url = f"file:{tmp_path / 'game.mp4'}"
    assert len(clip(url, 2.0, 4.0)) == 11
    assert len(clip(url, 0.0, 17.8)) <= 40
    assert clip(url, 900.0, 901.0) == ()
    assert film_pace(url, 18.5) == film_pace(url, 0.0) == 1.0
    assert film_pace(url, 180.0) == 0.1
    with pytest.raises(SourceError, match="--videos"):
        clip("file:gone.mp4", 0.0, 1.0)


# --- its page ----------------------------------------------------------------------------------------------


@contextmanager
def served(review: Review) -> Iterator[str]:
    """The page on a free port."""
    up: queue.SimpleQueue[uvicorn.Server] = queue.SimpleQueue()
    door = socket.create_server(("127.0.0.1", 0))
    port = door.getsockname()[1]

    async def run() -> None:
        server = uvicorn.Server(config_of(make_review_app(review, TOKEN), "127.0.0.1", port))
        up.put(server)
        await server.serve(sockets=[door])

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    server = up.get(timeout=20)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, DESK, "en-GB")


def test_doubtful_plays_are_mended_in_the_browser(review: Review, page: Page) -> None:
    with served(review) as url:
        page.goto(f"{url}/#token={TOKEN}")
        expect(page.locator("#left")).to_have_text("Doubtful plays left: 3")
        expect(page.locator("#verdict")).to_contain_text("13/9 6/5")
        expect(page.locator("#clip")).to_be_visible(timeout=20_000)
        # the play between the two doubtful ones is sure, the table that it leads to is not
        expect(page.locator("#line .doubtful")).to_have_count(3)
        shot(page, "review")
        page.keyboard.press("2")
        expect(page.locator("#turns")).to_contain_text("13/9 8/7", timeout=20_000)
        expect(page.locator("#turns")).not_to_contain_text("8/4 5/3")
        expect(page.locator("#verdict")).to_contain_text("Turn 5")
        if "8/6 7/3" in page.locator("#verdict").inner_text():
            page.keyboard.press("Enter")
        else:  # it is a toss between two: the checkers tell the other one
            drag(page, 20, 18)
            drag(page, 16, 18)
            shot(page, "review-drag")
            page.click("#draft-send")
        expect(page.locator("#left")).to_contain_text("game.mat", timeout=20_000)
        with page.expect_download() as saved:
            page.click("#more summary")
            page.click("[href='/download/mat']")
        assert saved.value.path().read_text() == review.record.read_text()
    assert written(review) == TRUE


def test_only_who_has_the_token_may_mend(review: Review) -> None:
    with served(review) as url:
        body, kind = '{"do":"forget","turn":0}', {"Content-Type": "application/json"}
        assert httpx.post(f"{url}/api/command", content=body, headers=kind).status_code == 401
        bearer = {**kind, "Authorization": f"Bearer {TOKEN}"}
        assert httpx.post(f"{url}/api/command", content=body, headers=bearer).status_code == 409
        assert httpx.post(f"{url}/api/command", content='{"do":"undo"}', headers=bearer).status_code == 400
        assert httpx.get(f"{url}/clip/99/0").status_code == 404
        assert httpx.get(f"{url}/api/legal/99?dice=3-1").status_code == 404
        assert httpx.get(f"{url}/download/exe").status_code == 404
        assert re.search("WEBVTT", httpx.get(f"{url}/download/vtt").text)
