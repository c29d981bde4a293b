"""The page in a real browser: a game with an illegal play, a correction by drag, an undo, a break.

`KIBITZ_SCREENS=folder` keeps pictures of the page on the way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from referee.clock import ClockRule
from referee.events import Setup
from tests.web.site import START, TOKEN, Site, moved, site

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1366, "height": 850}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, DESK, "en-GB")


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, PHONE, "ru-RU")


def opened(browser: Browser, size: dict[str, int], locale: str) -> Iterator[Page]:
    """A page that fails the test when a script in it fails."""
    context = browser.new_context(viewport=size, locale=locale, has_touch=size is PHONE)  # type: ignore[arg-type]
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def shot(page: Page, name: str) -> None:
    folder = os.environ.get("KIBITZ_SCREENS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(600)
        page.screenshot(path=f"{folder}/{name}.png")


# Light's own 8, 6, 5 lie at places 16, 18, 19 of the usual layout.
POINT_8, POINT_6, POINT_5 = 16, 18, 19
MADE_5 = moved(START, (POINT_8, POINT_5), (POINT_6, POINT_5))
BACKWARDS = moved(START, (POINT_6, POINT_8), (POINT_6, POINT_8))


def banner(page: Page, kind: str) -> None:
    expect(page.locator("#banner")).to_have_attribute("data-kind", kind, timeout=20_000)


def dice_seen(page: Page) -> None:
    expect(page.locator("[data-die]")).to_have_count(2, timeout=20_000)


def middle(page: Page, place: int) -> tuple[float, float]:
    """Where the mouse finds a place's checkers."""
    box = page.locator(f"[data-place='{place}']").bounding_box()
    assert box is not None
    near = place >= 12
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.8 if near else 0.2)


def drag(page: Page, src: int, dst: int) -> None:
    page.mouse.move(*middle(page, src))
    page.mouse.down()
    page.mouse.move(*middle(page, dst), steps=6)
    page.mouse.up()


def play_first_turn(game: Site, page: Page) -> None:
    """3-1, the five point made, dice lifted."""
    banner(page, "ready")
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    game.feed.lay(MADE_5, (3, 1))
    banner(page, "accepted")
    game.feed.lay(MADE_5)
    expect(page.locator("#turns li")).to_have_count(1, timeout=20_000)


def test_a_game_with_an_illegal_play_put_right_and_an_undo(game: Site, page: Page) -> None:
    page.goto(game.control)
    banner(page, "ready")
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    game.feed.lay(BACKWARDS, (3, 1))
    banner(page, "illegal")
    expect(page.locator("#board .mark.illegal")).to_have_count(2)
    expect(page.locator("#verdict")).not_to_be_empty()
    shot(page, "illegal")
    game.feed.lay(START, (3, 1))
    expect(page.locator("#board .mark.illegal")).to_have_count(0, timeout=20_000)
    game.feed.lay(MADE_5, (3, 1))
    banner(page, "accepted")
    game.feed.lay(MADE_5)
    expect(page.locator("#turns")).to_contain_text("8/5 6/5", timeout=20_000)
    page.click("[data-do=undo]")
    expect(page.locator("#turns li")).to_have_count(0)
    assert game.snapshot().turns == ()


def test_an_illegal_play_is_let_stand_with_one_click(game: Site, page: Page) -> None:
    page.goto(game.control)
    banner(page, "ready")
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    game.feed.lay(BACKWARDS, (3, 1))
    banner(page, "illegal")
    page.click("[data-action=let_stand]")
    expect(page.locator("#turns .illegal")).to_have_count(1)


def test_a_misread_is_put_right_by_dragging(game: Site, page: Page) -> None:
    page.goto(game.control)
    banner(page, "ready")
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    game.feed.lay(MADE_5, (3, 1), misread=moved(MADE_5, (POINT_5, 17)))
    banner(page, "illegal")
    drag(page, 17, POINT_5)
    expect(page.locator("#draft")).to_be_visible()
    shot(page, "correction")
    page.click("#draft-send")
    banner(page, "accepted")
    assert game.snapshot().board.table == MADE_5


def test_a_checker_goes_by_keyboard(game: Site, page: Page) -> None:
    page.goto(game.control)
    banner(page, "ready")
    page.locator("[data-place='18']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board .mark.lifted")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    expect(page.locator("#draft")).to_be_visible()
    expect(page.locator("[data-place='19']")).to_have_attribute("aria-label", "Point 5: 1 light")
    page.click("#draft-drop")
    expect(page.locator("[data-place='19']")).to_have_attribute("aria-label", "Point 5: empty")


def test_dice_are_put_right_by_tapping_them(game: Site, page: Page) -> None:
    page.goto(game.control)
    banner(page, "ready")
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    page.locator("[data-die='0']").click()
    page.locator("#dice-choice > div").nth(0).locator("[data-value='6']").click()
    shot(page, "dice")
    page.click("#dice-dialog [value=ok]")
    expect(page.locator("#dice-dialog")).to_be_hidden()
    page.wait_for_timeout(300)
    assert sorted(game.snapshot().dice.roll) == [1, 6]
    assert game.snapshot().dice.how == "typed"


def test_a_press_on_the_clock_ends_the_turn(page: Page, tmp_path: Path) -> None:
    setup = Setup(policy="legal", side=0, clock=ClockRule("delay", 600.0, 12.0))
    with site(tmp_path, setup) as game:
        page.goto(game.control)
        banner(page, "ready")
        expect(page.locator("[data-clock='0']")).to_contain_text("10:00")
        game.feed.lay(START, (3, 1))
        dice_seen(page)
        game.feed.lay(MADE_5, (3, 1))
        banner(page, "accepted")
        page.click("[data-clock='0']")
        expect(page.locator("#turns li")).to_have_count(1)
        expect(page.locator("[data-clock='1']")).to_contain_text("▶")


def test_adjourned_and_resumed(game: Site, page: Page) -> None:
    page.goto(game.control)
    play_first_turn(game, page)
    page.click("#adjourn-tool")
    banner(page, "adjourned")
    page.click("#adjourn-tool")
    expect(page.locator("#banner")).not_to_have_attribute("data-kind", "adjourned", timeout=20_000)
    assert game.snapshot().phase == "playing"


def test_resigning_ends_the_game(game: Site, page: Page) -> None:
    page.goto(game.control)
    play_first_turn(game, page)
    page.click("[data-open=resign-dialog]")
    page.locator("#resign-side input").nth(1).check()
    page.locator("#resign-points input").nth(1).check()
    page.click("#resign-dialog [value=ok]")
    banner(page, "over")
    assert (game.snapshot().match.winner, game.snapshot().match.points) == (0, 2)


def test_looking_back_at_a_turn_with_its_picture(game: Site, page: Page) -> None:
    page.goto(game.control)
    play_first_turn(game, page)
    game.feed.lay(START)
    with page.expect_response(re.compile("/picture/turn/")) as picture:
        page.click("#turns button")
    assert picture.value.headers["content-type"] == "image/jpeg"
    expect(page.locator("#past")).to_be_visible()
    expect(page.locator("[data-place='19']")).to_have_attribute("aria-label", "Point 5: 2 light")
    shot(page, "past")
    page.keyboard.press("n")
    expect(page.locator("#past")).to_be_hidden()


def test_a_wrong_start_is_named_and_the_wizard_asks_who_plays(page: Page, tmp_path: Path) -> None:
    with site(tmp_path, start=moved(START, (POINT_6, POINT_5))) as game:
        page.goto(game.control)
        banner(page, "wrong_start")
        expect(page.locator("#details li")).to_have_count(2)
        expect(page.locator("#details")).to_contain_text("Point 6: 5 light wanted, 4 light seen")
        expect(page.locator("#board .mark.put")).to_have_count(1)
        page.fill("[name=name0]", "Anna")
        page.fill("[name=length]", "7")
        shot(page, "wizard")
        page.click("#wizard button")
        expect(page.locator("#player0")).to_contain_text("Anna")
        expect(page.locator("#player0")).to_contain_text("0/7")
        assert game.snapshot().match.length == 7
        game.feed.lay(START)
        banner(page, "ready")


def test_any_position_can_be_the_start(page: Page, tmp_path: Path) -> None:
    with site(tmp_path, start=moved(START, (POINT_6, POINT_5))) as game:
        page.goto(game.control)
        banner(page, "wrong_start")
        drag(page, 11, 10)
        game.feed.lay(moved(START, (POINT_6, POINT_5), (11, 10)))
        page.click("#draft-send")
        banner(page, "ready")
        assert game.snapshot().board.table[10] == 1


def test_a_spectator_sees_but_cannot_touch(game: Site, page: Page) -> None:
    page.goto(game.url)
    play_first_turn(game, page)
    expect(page.locator("#tools")).to_be_hidden()
    expect(page.locator("#onlooker")).to_be_visible()
    drag(page, POINT_5, POINT_8)
    expect(page.locator("#draft")).to_be_hidden()


def test_records_are_saved(game: Site, page: Page, tmp_path: Path) -> None:
    page.goto(game.control)
    play_first_turn(game, page)
    page.click("#more summary")
    links = {"mat": "[href='/download/mat']", "jsonl": "[href='/download/journal']", "zip": "#bundle"}
    for ending, selector in links.items():
        with page.expect_download() as saved:
            page.click(selector)
        assert saved.value.suggested_filename.endswith(ending)
        saved.value.save_as(tmp_path / ending)
    assert "8/5 6/5" in (tmp_path / "mat").read_text()


def test_on_a_phone_nothing_is_cut_off(game: Site, phone: Page) -> None:
    phone.goto(game.control)
    play_first_turn(game, phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for selector in ("#banner", "#board", "#tools", "#turns"):
        box = phone.locator(selector).bounding_box()
        assert box is not None, selector
        assert box["x"] >= 0, selector
        assert box["x"] + box["width"] <= PHONE["width"], selector
    expect(phone.locator("html")).to_have_attribute("lang", "ru")
    shot(phone, "phone")
    phone.click("#language")
    expect(phone.locator("html")).to_have_attribute("lang", "en")


def test_on_a_phone_two_taps_move_a_checker(game: Site, phone: Page) -> None:
    phone.goto(game.control)
    banner(phone, "ready")
    for place in (POINT_6, POINT_5):
        phone.touchscreen.tap(*middle(phone, place))
    expect(phone.locator("#draft")).to_be_visible()


def test_the_overlay_is_transparent_and_follows(game: Site, page: Page) -> None:
    page.goto(f"{game.url}/overlay")
    game.feed.lay(START, (3, 1))
    expect(page.locator("[data-die]")).to_have_count(2, timeout=20_000)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    shot(page, "overlay")


def test_a_phone_becomes_the_camera(game: Site, page: Page) -> None:
    page.goto(f"{game.url}/camera#token={TOKEN}")
    page.click("#start")
    expect(page.locator("#state")).to_contain_text("3", timeout=20_000)
    assert game.phone.number >= 3
    page.click("#stop")


def test_the_verdict_is_spoken(game: Site, page: Page) -> None:
    page.add_init_script("window.said = []; speechSynthesis.speak = (s) => said.push([s.lang, s.text]);")
    page.goto(game.url)
    banner(page, "ready")
    page.click("#voice")
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    said = page.evaluate("said")
    assert said[-1][0] == "en-GB"
    assert said[-1][1] == page.locator("#verdict").inner_text()
