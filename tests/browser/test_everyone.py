"""The keyboard alone, and a large map."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from sandtable.cli.bench.map_pan import probe
from tests.browser.player import Player
from tests.browser.serving import Serving


def test_the_keyboard_alone_suffices(desk: Player) -> None:
    player, keys = desk, desk.page.keyboard
    player.option("start").focus()
    keys.press("Enter")
    player.see_map()
    player.page.locator("[data-slot]").first.wait_for()
    # Numbers give the orders one after the other: the first value is MOVE here.
    for _ in range(player.page.locator("[data-slot]").count()):
        keys.press("1")
    expect(player.option("confirm")).to_be_enabled()
    keys.press("c")
    for _ in range(40):
        player.asked()
        if player.shape == "path":
            break
        before = (player.question, player.orders_text)
        if player.shape == "pick" and player.page.locator(".unit[data-option]").count():
            keys.press("m")
            keys.press("n")
        else:
            player.panel("orders").locator("button[data-option]").first.focus()
        keys.press("Enter")
        player.until_other(before)
    assert player.shape == "path"
    # N goes from one lit hex to the next, Enter chooses it, Escape thinks better of it, C confirms.
    keys.press("m")
    for _ in range(30):
        keys.press("n")
        keys.press("Enter")
        expect(player.option("confirm").or_(player.option("here")).first).to_be_visible()
        if player.option("confirm").count():
            break
    expect(player.option("confirm")).to_be_enabled()
    keys.press("Escape")
    expect(player.option("confirm")).to_have_count(0)
    keys.press("Enter")
    expect(player.option("confirm")).to_be_enabled()
    question = player.question
    keys.press("c")
    expect(player.page.locator("[data-page=game]")).not_to_have_attribute("data-question", question)


def test_a_map_of_three_thousand_hexes_is_drawn_anew_while_it_pans(browser: Browser, serving: Serving) -> None:
    """How smoothly is for the benchmark to say, on a quiet machine."""
    measured = probe(browser, serving.address, milliseconds=600)
    assert measured["hexes"] >= 3000
    assert measured["pan"] > 0
