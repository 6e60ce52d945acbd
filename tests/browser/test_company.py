"""People: links that stay and are withdrawn, open tables, rematches; what is at stake; playing on; menus that close."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.browser.manners import offences
from tests.browser.player import DESK, Player
from tests.browser.serving import Serving
from tests.browser.test_axe import PATROL, begun

HOUSES = "sk-1-the-road-into-bretteville"


def test_an_invitation_stays_with_the_table_says_what_it_is_and_is_withdrawn(phone: Player) -> None:
    phone.start(PATROL, opponent="invite")
    token = phone.panel("invite").locator("[data-invite]").get_attribute("data-invite")
    expect(phone.panel("loopback")).to_contain_text("--host")
    phone.press(phone.option("to-table"))
    phone.see_map()
    waiting = phone.panel("open-seat")
    expect(waiting.locator("[data-invite]")).to_have_attribute("data-invite", token or "")
    phone.go(f"#/join/{token}")
    told = phone.panel("invitation")
    for words in ("Patrol at Tamrad", "British", "no clock"):
        expect(told).to_contain_text(words)
    phone.go("#/")
    phone.press(phone.page.locator('[data-option^="link-"]'))
    phone.press(phone.option("withdraw"))
    expect(phone.option("invite-anew")).to_be_visible()
    phone.go(f"#/join/{token}")
    expect(phone.page.get_by_role("alert")).to_contain_text("no longer")
    expect(phone.option("join")).to_have_count(0)


def test_anybody_may_sit_down_at_an_open_table(browser: Browser, serving: Serving) -> None:
    one, other = (Player(browser, serving.address, DESK) for _ in range(2))
    one.start(PATROL, opponent="open")
    one.see_map()
    table = one.page.url.rpartition("/")[2]
    other.go("#/")
    other.press(other.page.locator(f'[data-open="{table}"]'))
    other.press(other.option("join"))
    other.see_map()
    # Against another person the computer does not help.
    expect(other.option("hint")).to_have_count(0)
    expect(one.panel("open-seat")).to_have_count(0)
    expect(one.option("hint")).to_have_count(0)
    one.press('[data-panel="menu"] > summary')
    one.press(one.option("resign"))
    one.press(one.page.get_by_role("button", name="Yes"))
    one.press(one.option("rematch-swapped"))
    one.page.wait_for_url(lambda url: table not in url)
    other.press(other.option("rematch"))
    other.page.wait_for_url(lambda url: table not in url)
    assert one.page.url.rpartition("/")[2] == other.page.url.rpartition("/")[2]
    one.leave()
    other.leave()


def test_what_is_at_stake_is_shown(phone: Player) -> None:
    phone.start(HOUSES, side="american")
    phone.see_map()
    phone.tab("stakes")
    stakes = phone.panel("stakes")
    expect(stakes).to_contain_text("The Americans hold four of the six houses")
    expect(stakes).to_contain_text("The game ends after turn 7.")
    expect(stakes.locator('[data-holder="german"]')).to_have_count(6)
    expect(phone.page.locator('[data-tint="N6"]')).to_have_count(1)


def test_a_moment_of_a_replay_is_played_on(desk: Player) -> None:
    desk.option("open-file").set_input_files({"name": "g.jsonl", "mimeType": "text/plain", "buffer": begun(6).encode()})
    desk.see_map()
    expect(desk.panel("moment")).not_to_contain_text("Entry")
    desk.press(desk.option("step-on"))
    desk.press(desk.option("step-on"))
    desk.press(desk.option("play-on"))
    desk.press(desk.option("on-hotseat"))
    desk.press(desk.option("on-start"))
    expect(desk.page.locator("[data-page=game]")).to_be_visible()
    desk.see_map()
    assert desk.asked()


def test_menus_close_by_escape_and_by_a_press_outside(player: Player) -> None:
    player.start(PATROL)
    player.see_map()
    menu = player.panel("menu")
    player.press(menu.locator("> summary"))
    expect(menu).to_have_attribute("open", "")
    player.page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    player.press(menu.locator("> summary"))
    expect(menu).to_have_attribute("open", "")
    player.press_at(20, 400)
    expect(menu).not_to_have_attribute("open", "")


def test_the_log_is_one_line_a_move_and_can_be_folded_away(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, DESK)
    player.start(PATROL)
    player.see_map()
    player.tab("log")
    log = player.panel("log")
    expect(log.locator("article").first).to_be_visible()
    expect(log.locator(".sentence")).to_have_count(0)
    player.press(log.locator(".line:not([disabled])"))
    expect(log.locator(".sentence").first).to_be_visible()
    player.press(player.option("fold"))
    expect(log).to_have_count(0)
    player.page.reload()
    player.see_map()
    expect(log).to_have_count(0)
    player.tab("log")
    expect(log).to_be_visible()
    player.leave()


def test_what_was_taken_back_is_struck_out_and_who_did_is_told(desk: Player) -> None:
    desk.start(PATROL, opponent="hotseat")
    desk.see_map()
    desk.assign(("OW",))
    desk.press(desk.option("undo-order"))
    desk.tab("log")
    lines = desk.panel("log").locator("article")
    expect(lines).to_have_count(3)
    assert lines.locator(".text").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).textDecorationLine)"
    ) == ["none", "line-through", "none"]
    expect(lines.last).to_contain_text("takes back")


def test_the_clock_is_in_view_on_a_phone(phone: Player) -> None:
    phone.press(f'[data-scenario="{PATROL}"]')
    phone.press(phone.option("opponent-hotseat"))
    phone.press(phone.panel("start").locator("summary"))
    phone.option("clock").select_option(label="5 minutes a move")
    phone.press(phone.option("start"))
    phone.see_map()
    phone.asked()
    clock = phone.panel("prompt").locator("[data-clock=german]")
    expect(clock).to_be_in_viewport(ratio=1)
    expect(clock).to_have_text(re.compile(r"[45]:\d\d"))
    for scheme in ("light", "dark"):
        phone.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        expect(phone.page.locator("html")).to_have_attribute("data-theme", scheme)
        assert offences(phone.page) == [], scheme
