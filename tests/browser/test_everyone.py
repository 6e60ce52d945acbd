"""Keyboard alone, names for screen readers, light and dark, and a large map."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from sandtable.cli.bench.map_pan import probe
from tests.browser.player import DESK, Player
from tests.browser.serving import Serving
from tests.browser.test_play import FIRST

_NAMELESS = """
() => [...document.querySelectorAll('button, a[href], input, select, summary, [role=img], [role=dialog]')]
  .filter((one) => one.checkVisibility && one.checkVisibility())
  .filter((one) => !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.textContent.trim()
    || one.labels?.length || one.title || one.closest('[aria-hidden=true]')))
  .map((one) => one.outerHTML.slice(0, 160))
"""


def test_the_keyboard_alone_suffices(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, DESK)
    keys = player.page.keyboard
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
        if player.shape == "pick" and player.page.locator(".unit[data-option]").count():
            keys.press("m")
            keys.press("n")
            keys.press("Enter")
            player.page.wait_for_timeout(150)
        else:
            player.panel("orders").locator("button[data-option]").first.focus()
            keys.press("Enter")
            player.page.wait_for_timeout(150)
    assert player.shape == "path"
    # N goes from one lit hex to the next, Enter chooses it, Escape thinks better of it, C confirms.
    keys.press("m")
    for _ in range(30):
        keys.press("n")
        keys.press("Enter")
        if player.option("confirm").count():
            break
    expect(player.option("confirm")).to_be_enabled()
    keys.press("Escape")
    expect(player.option("confirm")).to_have_count(0)
    keys.press("Enter")
    expect(player.option("confirm")).to_be_enabled()
    before = player.question
    keys.press("c")
    expect(player.page.locator("[data-page=game]")).not_to_have_attribute("data-question", before)
    player.leave()


def test_everything_that_can_be_used_has_a_name(player: Player) -> None:
    assert player.page.evaluate(_NAMELESS) == []
    player.start(FIRST)
    player.see_map()
    for tab in ("unit", "tools", "tables", "chat", "log"):
        player.tab(tab)
        assert player.page.evaluate(_NAMELESS) == [], tab
    expect(player.hex("K7")).to_have_attribute("aria-label", "K7, Hill, level 1, Path, Track")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(browser: Browser, serving: Serving, scheme: str) -> None:
    player = Player(browser, serving.address)
    player.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    expect(player.page.locator("html")).to_have_attribute("data-theme", scheme)
    player.leave()


def test_a_map_of_three_thousand_hexes_is_drawn_anew_while_it_pans(browser: Browser, serving: Serving) -> None:
    """How smoothly is for the benchmark to say, on a quiet machine."""
    measured = probe(browser, serving.address, milliseconds=600)
    assert measured["hexes"] >= 3000
    assert measured["pan"] > 0
