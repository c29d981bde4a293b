"""The program as it is run: `kibitz watch` with its page in a browser, on a film and on a simulated board."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from engine.notation import format_play
from engine.plays import legal_plays
from engine.rules import BACKGAMMON
from referee.layout import Layout, table_of
from tests.kibitz.films import write_video
from tests.web.site import START, moved
from tests.web.test_browser import BACKWARDS, DESK, MADE_5, PHONE, POINT_5, banner, drag
from vision.film import Director
from vision.staged import staged_game
from vision.synth import Style

LINK = re.compile(r"Control: (https?://\S+)")


#: Frames and seconds: what matters in the film is held for so long.
FPS, HELD = 5, 5


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port: int = door.getsockname()[1]
        return port


@contextmanager
def watching(folder: Path, *options: str) -> Iterator[str]:
    """Run `kibitz watch`; gives the control link that it prints."""
    program, port = Path(sys.executable).with_name("kibitz"), str(free_port())
    command = [str(program), "watch", "--folder", str(folder), "--port", port, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        assert running.stdout is not None
        try:
            said = []
            for line in running.stdout:
                said.append(line)
                if found := LINK.match(line):
                    yield found[1]
                    break
            else:
                raise AssertionError("no link was printed:\n" + "".join(said))
        finally:
            running.terminate()


class Filmed(NamedTuple):
    """A film and the play that is made in it, after another one was put back."""

    path: Path
    play: str


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    """A short filmed turn with an illegal play that is put right. What matters lies there long enough for a
    busy machine: the start, the illegal play, the play with its dice, and the end.
    """
    game = staged_game(7, turns=1, pace=2, fps=FPS)
    (turn,) = game.script.turns
    shots, images = list(Director(Style(), game.seed).shots(game.script)), [i for _, i in game.frames()]
    ends = [max(1, round(shot.seconds * FPS / 2)) for shot in shots]
    lying = [
        sum(ends[: n + 1]) - 1
        for n, shot in enumerate(shots)
        if shot.table in (turn.illegal[-1], turn.hops[-1]) and shot.hand(0.5) is None
    ]
    held = {0: HELD, lying[0]: HELD, lying[1]: HELD, len(images) - 1: HELD}
    frames = [image for n, image in enumerate(images) for _ in range(1 + held.get(n, 0) * FPS)]
    path = write_video(tmp_path_factory.mktemp("film") / "game.mp4", frames, FPS)
    return Filmed(
        path,
        next(
            format_play(play)
            for play in legal_plays(BACKGAMMON.start, turn.dice)
            if table_of(Layout(), BACKGAMMON, turn.side, play.result) == turn.hops[-1]
        ),
    )


def open_page(browser: Browser, link: str, size: dict[str, int] = DESK) -> Page:
    context = browser.new_context(viewport=size, locale="en-GB")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(link)
    return page


@pytest.mark.slow
def test_a_film_as_if_live(browser: Browser, film: Filmed, tmp_path: Path) -> None:
    with watching(tmp_path, "--source", f"file:{film.path}", "--names", "Anna,Boris") as link:
        page = open_page(browser, link)
        expect(page.locator("#picture")).to_be_visible(timeout=30_000)
        expect(page.locator("#banner[data-kind=illegal]")).to_be_visible(timeout=90_000)
        expect(page.locator("#findings li")).to_have_count(1)
        said = page.locator("#findings li").inner_text()
        expect(page.locator("#turns li")).to_have_count(1, timeout=90_000)
        expect(page.locator("#turns")).to_contain_text(film.play)
        assert page.locator("#findings li").all_inner_texts() == [said]
        expect(page.locator("#player0")).to_contain_text("Anna")
        page.context.close()


def test_a_game_by_hand_on_a_simulated_board(browser: Browser, tmp_path: Path) -> None:
    with watching(tmp_path, "--source", "sim:", "--clock", "delay:600+12") as link:
        url, _, token = link.partition("/#token=")

        def touch(**what: object) -> None:
            bearer = {"Authorization": f"Bearer {token}"}
            assert httpx.post(f"{url}/api/board", json=what, headers=bearer).status_code == 200

        page, phone = open_page(browser, link), open_page(browser, url, PHONE)
        banner(page, "ready")
        expect(page.locator("[data-clock='0']")).to_contain_text("10:00")
        touch(press="die_3")
        touch(press="die_1")
        expect(page.locator("#verdict")).to_contain_text("3-1", timeout=20_000)
        touch(counts=BACKWARDS)
        banner(page, "illegal")
        banner(phone, "illegal")
        touch(counts=START)
        expect(page.locator("#board .mark.illegal")).to_have_count(0, timeout=20_000)
        touch(counts=moved(MADE_5, (POINT_5, 20)))
        banner(page, "illegal")
        drag(page, 20, POINT_5)
        page.click("#draft-send")
        banner(page, "accepted")
        page.click("[data-do=end_turn]")
        expect(page.locator("#turns")).to_contain_text("8/5 6/5", timeout=20_000)
        page.click("[data-do=undo]")
        expect(phone.locator("#turns li")).to_have_count(0, timeout=20_000)
        touch(counts=START)
        lies = page.locator(f"[data-place='{POINT_5}']")
        expect(lies).to_have_attribute("aria-label", "Point 5: empty", timeout=20_000)
        page.wait_for_timeout(500)
        touch(counts=MADE_5)
        banner(page, "accepted")
        page.click("[data-do=end_turn]")
        expect(phone.locator("#turns li")).to_have_count(1, timeout=20_000)
        page.click("#adjourn-tool")
        banner(phone, "adjourned")
        touch(counts=START)
        page.click("[data-action=resume]")
        expect(phone.locator("#verdict")).to_contain_text("Moved while nobody looked", timeout=20_000)
        touch(counts=MADE_5)
        banner(page, "ready")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.context.close()
        phone.context.close()
