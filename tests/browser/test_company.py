"""People: links that stay and are withdrawn, open tables, rematches; what is at stake; playing on; menus that close."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.player import DESK, Player
from tests.browser.serving import Serving
from tests.browser.test_axe import PATROL, begun

HOUSES = "sk-1-the-road-into-bretteville"


def test_an_invitation_stays_with_the_table_says_what_it_is_and_is_withdrawn(player: Player) -> None:
    player.start(PATROL, opponent="invite")
    token = player.panel("invite").locator("[data-invite]").get_attribute("data-invite")
    expect(player.panel("loopback")).to_contain_text("--host")
    player.press(player.option("to-table"))
    player.see_map()
    waiting = player.panel("open-seat")
    expect(waiting.locator("[data-invite]")).to_have_attribute("data-invite", token or "")
    player.go(f"#/join/{token}")
    told = player.panel("invitation")
    for words in ("Patrol at Tamrad", "British", "no clock"):
        expect(told).to_contain_text(words)
    player.go("#/")
    player.press(player.page.locator('[data-option^="link-"]'))
    player.press(player.option("withdraw"))
    expect(player.option("invite-anew")).to_be_visible()
    player.go(f"#/join/{token}")
    expect(player.page.get_by_role("alert")).to_contain_text("no longer")
    expect(player.option("join")).to_have_count(0)


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


def test_what_is_at_stake_is_shown(player: Player) -> None:
    player.start(HOUSES, side="american")
    player.see_map()
    player.tab("stakes")
    stakes = player.panel("stakes")
    expect(stakes).to_contain_text("The Americans hold four of the six houses")
    expect(stakes).to_contain_text("The game ends after turn 7.")
    expect(stakes.locator('[data-holder="german"]')).to_have_count(6)
    expect(player.page.locator('[data-tint="N6"]')).to_have_count(1)


def test_a_moment_of_a_replay_is_played_on(player: Player) -> None:
    player.option("open-file").set_input_files(
        {"name": "g.jsonl", "mimeType": "text/plain", "buffer": begun(6).encode()}
    )
    player.see_map()
    expect(player.panel("moment")).not_to_contain_text("Entry")
    player.press(player.option("step-on"))
    player.press(player.option("step-on"))
    player.press(player.option("play-on"))
    player.press(player.option("on-hotseat"))
    player.press(player.option("on-start"))
    expect(player.page.locator("[data-page=game]")).to_be_visible()
    player.see_map()
    assert player.asked()


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
