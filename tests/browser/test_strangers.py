"""What people bring: names as long as they may be, files that are none; nothing is pushed out of reach or forgotten."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, FilePayload, Locator, expect

from tests.browser.manners import offences
from tests.browser.player import DESK, PHONE, Player
from tests.browser.serving import Serving
from tests.browser.test_axe import PATROL, begun

WIDE = "W" * 23
"""Nearly as long as a name may be, of the widest letter."""


def sign_in(player: Player, name: str) -> None:
    """Make an account."""
    player.press(player.option("account"))
    player.page.get_by_label("Name").fill(name)
    player.page.get_by_label("Password").fill("correct horse")
    player.press(player.page.get_by_role("button", name="Make an account"))
    expect(player.option("logout")).to_be_visible()


def is_within(one: Locator) -> bool:
    """Whether all of something lies in the width of the window."""
    found: bool = one.evaluate(
        "(one) => { const { left, right } = one.getBoundingClientRect(); return left >= 0 && right <= innerWidth; }"
    )
    return found


def test_a_wide_name_pushes_nothing_out_of_reach(browser: Browser, serving: Serving) -> None:
    host, guest = Player(browser, serving.address, PHONE), Player(browser, serving.address, PHONE)
    sign_in(host, f"{WIDE}1")
    assert is_within(host.option("logout"))
    assert is_within(host.page.locator("header .who strong"))
    host.start(PATROL, opponent="invite")
    token = host.panel("invite").locator("[data-invite]").get_attribute("data-invite")
    # Who is invited reads all of it.
    guest.go(f"#/join/{token}")
    expect(guest.page.locator("h1")).to_contain_text(f"{WIDE}1 invites you")
    assert is_within(guest.page.locator("h1"))
    guest.press(guest.option("join"))
    guest.see_map()
    # The menu is as wide as the phone: both sides with their points stand in it.
    guest.press(guest.panel("menu").locator("> summary"))
    for one in guest.panel("menu").locator(".scores strong, button, a").all():
        assert is_within(one), one.inner_text()
    assert guest.panel("menu").locator("> div").evaluate("(box) => box.scrollWidth <= box.clientWidth")
    assert offences(guest.page) == []
    guest.page.keyboard.press("Escape")
    # Who said something, for which side, and what are told apart.
    guest.tab("chat")
    guest.option("say").fill('<img src=x onerror="window.wasRun = true">')
    guest.page.keyboard.press("Enter")
    expect(guest.panel("chat").locator("li")).to_have_text(re.compile(r"^Guest \d+ British <img src=x onerror="))
    assert guest.page.evaluate("window.wasRun") is None
    host.leave()
    guest.leave()


def test_an_account_says_what_is_wrong_with_its_name(desk: Player) -> None:
    desk.press(desk.option("account"))
    desk.page.get_by_label("Name").fill("x")
    desk.page.get_by_label("Password").fill("short")
    desk.press(desk.page.get_by_role("button", name="Make an account"))
    told = desk.page.get_by_role("alert")
    expect(told).to_contain_text("name: too short (2 to 24 characters)")
    expect(told).to_contain_text("password: too short (8 to ")
    # No more letters can be typed than a name may have.
    desk.page.get_by_label("Name").press_sequentially("y" * 40)
    assert len(desk.page.get_by_label("Name").input_value()) == 24


def test_a_file_that_is_none_is_told_of_where_it_was_chosen_until_another_is(player: Player) -> None:
    bad = FilePayload(name="game.jsonl", mimeType="text/plain", buffer=b"garbage")
    good = FilePayload(name="game.jsonl", mimeType="text/plain", buffer=begun(3).encode())
    player.option("open-file").scroll_into_view_if_needed()
    with player.page.expect_response("**/api/open"):
        player.option("open-file").set_input_files(bad)
    told = player.page.locator("[data-failed=file]")
    expect(told).to_contain_text("game.jsonl")
    expect(told).to_be_in_viewport(ratio=1)
    # The lobby looks at its tables by itself every few seconds, and forgets nothing by it.
    with player.page.expect_response("**/api/lobby"):
        pass
    expect(told).to_be_visible()
    # The same file, mended, can be chosen again.
    player.option("open-file").set_input_files(good)
    player.see_map()


def test_what_is_being_written_is_kept_when_something_is_asked(browser: Browser, serving: Serving) -> None:
    host, guest = Player(browser, serving.address, DESK), Player(browser, serving.address, PHONE)
    host.start(PATROL, opponent="invite")
    token = host.panel("invite").locator("[data-invite]").get_attribute("data-invite")
    host.press(host.option("to-table"))
    guest.go(f"#/join/{token}")
    guest.press(guest.option("join"))
    for one in (host, guest):
        one.see_map()
    guest.assign(("MOVE",))
    guest.tab("chat")
    guest.option("say").fill("I think that")
    # The next question brings its panel to the front of a phone.
    host.assign(("MOVE",))
    expect(guest.panel("chat").or_(guest.panel("orders")).first).to_be_visible()
    for _ in range(12):
        for one in (host, guest):
            if one.is_asked:
                one.answer()
        if guest.panel("orders").count():
            break
    guest.tab("chat")
    expect(guest.option("say")).to_have_value("I think that")
    host.leave()
    guest.leave()
