"""The page in a real browser: a game with an illegal play, a correction by drag, an undo, a break.

`KIBITZ_SCREENS=folder` keeps pictures of the page on the way.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from referee.clock import ClockRule
from referee.events import Setup
from referee.layout import Layout
from tests.web.blot_coach import BlotCoach
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
    page.keyboard.press("u")
    expect(page.locator("#turns li")).to_have_count(0)
    assert game.snapshot().turns == ()


def test_an_illegal_play_is_let_stand_and_the_game_resigned(game: Site, page: Page) -> None:
    page.goto(game.control)
    banner(page, "ready")
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    game.feed.lay(BACKWARDS, (3, 1))
    banner(page, "illegal")
    page.click("[data-action=let_stand]")
    expect(page.locator("#turns .illegal")).to_have_count(1)
    page.click("#adjourn-tool")
    banner(page, "adjourned")
    game.feed.lay(START)
    page.click("[data-action=resume]")
    expect(page.locator("#verdict")).to_contain_text("Moved while nobody looked", timeout=20_000)
    assert game.snapshot().phase == "playing"
    page.click("[data-open=resign-dialog]")
    page.locator("#resign-side input").nth(1).check()
    page.locator("#resign-points input").nth(1).check()
    page.click("#resign-dialog [value=ok]")
    banner(page, "over")
    assert (game.snapshot().match.winner, game.snapshot().match.points) == (0, 2)


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


def test_a_checker_goes_by_keyboard_and_dice_are_tapped(game: Site, page: Page) -> None:
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
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    page.locator("[data-die='0']").click()
    page.locator("#dice-choice > div").nth(0).locator("[data-value='6']").click()
    shot(page, "dice")
    page.click("#dice-dialog [value=ok]")
    expect(page.locator("#dice-dialog")).to_be_hidden()
    expect(page.locator("#verdict")).to_contain_text("6-1")
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


def test_the_cube_is_offered_taken_and_dropped(page: Page, tmp_path: Path) -> None:
    with site(tmp_path, Setup(policy="legal", side=0, length=5, names=("Anna", "Boris"))) as game:
        page.goto(game.control)
        banner(page, "ready")
        page.click("#cube-tool")
        banner(page, "doubled")
        shot(page, "cube")
        page.click("[data-action=take]")
        banner(page, "ready")
        expect(page.locator("#board .cube text")).to_have_text("2")
        expect(page.locator("#player1")).to_contain_text("2")
        page.click("#cube-tool")
        expect(page.locator("#toast")).to_contain_text("other side")
        play_first_turn(game, page)
        page.click("#cube-tool")
        banner(page, "doubled")
        page.click("[data-action=drop]")
        banner(page, "over")
        expect(page.locator("#player1")).to_contain_text("2/5")
        game.feed.lay(START)
        page.click("[data-action=next_game]")
        banner(page, "ready")
        expect(page.locator("#turns li")).to_have_count(0)


def test_the_record_is_looked_back_at_corrected_and_saved(game: Site, page: Page, tmp_path: Path) -> None:
    page.goto(game.control)
    play_first_turn(game, page)
    with page.expect_response(re.compile("/picture/turn/")) as picture:
        page.click("#turns button")
    assert picture.value.headers["content-type"] == "image/jpeg"
    expect(page.locator("#past")).to_be_visible()
    expect(page.locator("[data-place='19']")).to_have_attribute("aria-label", "Point 5: 2 light")
    shot(page, "past")
    page.click("#amend")
    page.fill("#amend-play", "24/23 13/10")
    page.click("#amend-dialog [value=ok]")
    expect(page.locator("#turns")).to_contain_text("24/23 13/10")
    expect(page.locator("#turns")).to_contain_text("typed")
    page.keyboard.press("n")
    expect(page.locator("#past")).to_be_hidden()
    page.click("#more summary")
    links = {"mat": "[href='/download/mat']", "sgf": "[href='/download/sgf']",
             "jsonl": "[href='/download/journal']", "zip": "#bundle"}  # fmt: skip
    for ending, selector in links.items():
        with page.expect_download() as saved:
            page.click(selector)
        assert saved.value.suggested_filename.endswith(ending)
        saved.value.save_as(tmp_path / ending)
    assert "24/23 13/10" in (tmp_path / "mat").read_text()


def test_a_play_without_dice_is_asked_about_and_a_lost_thread_taken_up(game: Site, page: Page) -> None:
    page.goto(game.control)
    banner(page, "ready")
    game.feed.lay(moved(START, (0, POINT_8)))
    expect(page.locator("#findings li")).to_have_count(1, timeout=20_000)
    game.command('{"do":"end_turn"}')
    banner(page, "ambiguous")
    expect(page.locator("#actions")).to_contain_text("4-1: 13/8")
    expect(page.locator("#actions")).to_contain_text("3-2: 13/8")
    shot(page, "ambiguous")
    page.click("[data-choice='0']")
    expect(page.locator("#turns li")).to_have_count(1, timeout=20_000)
    expect(page.locator("#turns")).to_contain_text("inferred")
    strange = moved(START, (0, POINT_8), (0, 1), (0, 2), (11, 10), (POINT_6, 14), (POINT_6, 15))
    game.feed.lay(strange, (6, 4))
    banner(page, "lost")
    shot(page, "lost")
    page.click("[data-action=resync]")
    banner(page, "ready")


def test_a_broken_line_is_said_and_heals_by_itself(game: Site, page: Page) -> None:
    lines = []

    def through(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server()

    page.route_web_socket(re.compile("/ws$"), through)
    page.goto(game.url)
    banner(page, "ready")
    lines[0].close()
    expect(page.locator("#source")).to_have_text("No connection to Kibitz")
    game.feed.lay(START, (3, 1))
    dice_seen(page)
    expect(page.locator("#source")).to_have_text("The board is seen.")
    assert len(lines) == 2


def test_the_trainer_shows_warns_and_takes_back(page: Page, tmp_path: Path) -> None:
    with site(tmp_path, coach=BlotCoach()) as game:
        page.goto(game.control)
        banner(page, "ready")
        game.feed.lay(START, (3, 1))
        expect(page.locator("#legal li")).to_have_count(16, timeout=20_000)
        page.hover("#legal button >> nth=0")
        expect(page.locator("#board .arrow")).not_to_have_count(0)
        game.feed.lay(moved(START, (POINT_6, 21), (POINT_6, POINT_5)), (3, 1))
        banner(page, "warning")
        shot(page, "trainer")
        page.click("[data-action=take_back]")
        expect(page.locator("#board .lamp.blue")).not_to_have_count(0)
        game.feed.lay(moved(START, (POINT_6, 21), (POINT_8, 17)), (3, 1))
        banner(page, "warning")
        page.click("[data-action=play_anyway]")
        banner(page, "accepted")


def test_the_board_is_placed_by_hand(game: Site, page: Page) -> None:
    page.goto(game.control)
    expect(page.locator("#picture")).to_be_visible(timeout=20_000)
    page.click("#corners")
    page.locator("[data-corner='0']").focus()
    page.keyboard.press("ArrowRight")
    at, to = (page.locator(what).bounding_box() for what in ("[data-corner='2']", "#picture"))
    assert at is not None
    assert to is not None
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.mouse.down()
    page.mouse.move(to["x"] + to["width"] * 0.9, to["y"] + to["height"] * 0.8, steps=4)
    page.mouse.up()
    shot(page, "corners")
    page.click("#corners-send")
    expect(page.locator("#outline")).to_be_hidden()
    assert game.feed.outline[0] == (0.154, 0.15)
    assert [round(share, 2) for share in game.feed.outline[2]] == [0.9, 0.8]
    page.click("#corners")
    page.locator("[data-corner='0']").focus()
    for _ in range(20):
        page.keyboard.press("Shift+ArrowRight")
    page.click("#corners-send")
    expect(page.locator("#toast")).to_contain_text("clockwise")


def test_a_wrong_start_is_named_and_the_wizard_asks_what_cannot_be_seen(page: Page, tmp_path: Path) -> None:
    with site(tmp_path, Setup(policy="legal"), moved(START, (POINT_6, POINT_5))) as game:
        page.goto(game.control)
        banner(page, "wrong_start")
        expect(page.locator("#details li")).to_have_count(2)
        expect(page.locator("#details")).to_contain_text("Point 6: 5 light wanted, 4 light seen")
        expect(page.locator("#board .mark.put")).to_have_count(1)
        expect(page.locator("#board .lamp.blue")).to_have_count(2)
        for name, value in {"name0": "Anna", "name1": "Boris", "length": "7"}.items():
            page.fill(f"[name={name}]", value)
        for name, value in {"clock": "fischer", "policy": "responsible", "side": "1"}.items():
            page.select_option(f"[name={name}]", value)
        page.select_option("[name=layout]", "right bottom")
        page.fill("[name=seconds]", "300")
        page.fill("[name=increment]", "5")
        for said in ("Anna plays light", "match to 7", "Boris begins", "5:00", "near row, on the right"):
            expect(page.locator("#plan")).to_contain_text(said)
        shot(page, "wizard")
        page.click("#wizard button")
        expect(page.locator("#player0")).to_contain_text("0/7")
        setup = game.live.state.setup
        assert (setup.names, setup.length, setup.policy) == (("Anna", "Boris"), 7, "responsible")
        assert (setup.side, setup.layout, setup.clock) == (1, Layout(), ClockRule("fischer", 300.0, 5.0))
        game.feed.lay(START)
        banner(page, "ready")
        expect(page.locator("#verdict")).to_contain_text("Boris")
        expect(page.locator("#wizard")).not_to_have_attribute("open", "")


def test_any_position_can_be_the_start(page: Page, tmp_path: Path) -> None:
    with site(tmp_path, start=moved(START, (POINT_6, POINT_5))) as game:
        page.goto(game.control)
        banner(page, "wrong_start")
        drag(page, 11, 10)
        game.feed.lay(moved(START, (POINT_6, POINT_5), (11, 10)))
        page.click("#draft-send")
        banner(page, "ready")
        assert game.snapshot().board.table[10] == 1


def test_a_spectator_sees_and_hears_but_cannot_touch(game: Site, page: Page) -> None:
    page.add_init_script("window.said = []; speechSynthesis.speak = (s) => said.push([s.lang, s.text]);")
    page.goto(game.url)
    banner(page, "ready")
    page.click("#voice")
    play_first_turn(game, page)
    said = page.evaluate("said")
    assert said[-1] == ["en-GB", page.locator("#verdict").inner_text()]
    expect(page.locator("#tools")).to_be_hidden()
    expect(page.locator("#corner-tools")).to_be_hidden()
    expect(page.locator("#onlooker")).to_be_visible()
    drag(page, POINT_5, POINT_8)
    expect(page.locator("#draft")).to_be_hidden()


def test_on_a_phone_nothing_is_cut_off_and_two_taps_move_a_checker(game: Site, phone: Page) -> None:
    phone.goto(game.control)
    play_first_turn(game, phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for selector in ("#banner", "#board", "#tools", "#turns"):
        box = phone.locator(selector).bounding_box()
        assert box is not None, selector
        assert box["x"] >= 0, selector
        assert box["x"] + box["width"] <= PHONE["width"], selector
    expect(phone.locator("html")).to_have_attribute("lang", "ru")
    expect(phone.locator("#player0")).to_contain_text("Светлые")
    shot(phone, "phone")
    phone.click("#language")
    expect(phone.locator("html")).to_have_attribute("lang", "en")
    dice_gone = phone.locator("[data-die]")
    expect(dice_gone).to_have_count(0)
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
    expect(page.locator("#state")).to_contain_text(re.compile(r"[4-9]|\d\d"), timeout=20_000)
    assert game.phone.number >= 3
    page.click("#stop")
