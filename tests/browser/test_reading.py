"""Rule numbers and abbreviations can be looked up where they stand."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.browser.player import Player
from tests.browser.test_orders import fire_begins
from tests.browser.test_play import FIRST


def test_pressing_a_rule_number_opens_the_rule(player: Player) -> None:
    player.start(FIRST)
    player.see_map()
    number = player.panel("prompt").locator("button.rule")
    expect(number).to_have_attribute("data-rule", "4.2.1")
    player.press(number)
    card = player.panel("rule")
    expect(card).to_be_visible()
    expect(card).to_contain_text("4.2.1 Place Commands Step")
    expect(card.locator("[data-panel=rule-summary]")).to_contain_text("secret until they are carried out")
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= player.screen.width
    assert box["y"] + box["height"] <= player.screen.height
    # Escape closes it, and so does a press beside it.
    player.page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    player.press(number)
    expect(card).to_be_visible()
    player.press_at(player.screen.width / 2, 4)
    expect(card).to_be_hidden()


def test_a_rule_says_where_it_was_just_used(desk: Player) -> None:
    desk.start(FIRST)
    desk.see_map()
    desk.assign(("MOVE",))
    desk.play_on(until="path")
    desk.tab("tables")
    tables = desk.panel("tables")
    desk.press(tables.get_by_text("Rule numbers of"))
    desk.press(tables.locator('[data-rule="4.2.1"]').first)
    card = desk.panel("rule")
    expect(card).to_contain_text("Used in this game")
    assert card.locator("li").count() >= 1


def test_a_rule_says_what_of_it_is_not_here_yet(phone: Player) -> None:
    """No shipped book has such a rule, so the server's answer is given one."""

    def lacking(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "waits": {"3.8": "vehicles"}})

    phone.page.route("**/api/tables/*", lacking)
    phone.start("sk-1-the-road-into-bretteville")
    phone.see_map()
    expect(phone.panel("orders")).to_contain_text("Set up")
    phone.tab("tables")
    tables = phone.panel("tables")
    phone.press(tables.get_by_text("Rule numbers of"))
    phone.press(tables.locator('.rules [data-rule="3.8"]'))
    expect(phone.panel("rule-waits")).to_contain_text("vehicles")


def test_abbreviations_say_what_they_mean(player: Player) -> None:
    player.start("sk-1-the-road-into-bretteville", opponent="hotseat")
    player.see_map()
    fire_begins(player)
    term = player.page.locator("header button[data-term=PFPh]:visible").first
    expect(term).to_be_visible()
    tip = player.panel("term")
    if player.screen.is_phone:
        player.press(term)
    else:
        term.hover()
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(term.get_attribute("data-term") or "?")
    player.press_at(player.screen.width / 2, 60)
    expect(tip).to_be_hidden()
    # The keyboard reaches it too, and a screen reader reads it out.
    term.focus()
    expect(tip).to_be_visible()
    assert (term.get_attribute("aria-label") or "").startswith(term.inner_text() + ": ")
    player.page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
