"""What is not possible says why; where numbers come from can be looked up; tools answer questions."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.test_play import FIRST

RULE = re.compile(r"\d+\.\d+")


def test_an_illegal_attempt_explains_itself(player: Player) -> None:
    player.start(FIRST)
    player.see_map()
    # An enemy tank takes no command from us.
    version = player.page.locator("[data-page=game]").get_attribute("data-v")
    player.whole_map()
    player.press_unit("B1")
    refusal = player.panel("refusal")
    expect(refusal).to_be_visible()
    expect(refusal.locator(".rule").first).to_have_text(RULE)
    expect(player.page.locator("[data-page=game]")).to_have_attribute("data-v", version or "")
    # A hex out of reach says why, and the move goes on.
    player.assign(("MOVE",))
    player.play_on(30, until="path")
    player.whole_map()
    player.press_hex("U13")
    expect(refusal).to_contain_text("U13")
    expect(refusal.locator(".rule").first).to_have_text(RULE)
    assert player.shape == "path"


def test_a_command_that_is_not_open_says_why(player: Player) -> None:
    player.start(FIRST)
    player.see_map()
    barred = player.panel("orders").locator('[aria-disabled="true"]')
    if barred.count() == 0:
        # Nothing is spotted in the first turn, so FIRE is open to nobody and not listed.
        assert "FIRE" not in player.panel("orders").inner_text()
        return
    player.press(barred)
    expect(player.panel("refusal")).to_be_visible()


def test_the_sight_tool(player: Player) -> None:
    player.start(FIRST)
    player.see_map()
    player.tab("tools")
    player.press(player.option("tool-sight"))
    player.whole_map()
    player.press_hex("D10")
    player.press_hex("R5")
    answer = player.panel("sight")
    expect(answer).to_contain_text(re.compile("Blocked|Clear"))
    expect(answer.locator("svg")).to_be_visible()
    expect(player.page.locator("line.line.blocked, line.line.clear").first).to_be_attached()
    player.press(player.option("tool-field"))
    player.press_hex("H9")
    expect(player.panel("field")).to_contain_text("H9")
    expect(player.page.locator("path.shade")).to_be_attached()


def test_cards_and_tables_say_how_far_to_trust_them(player: Player) -> None:
    player.start(FIRST)
    player.see_map()
    player.press_unit("G1")
    player.tab("unit")
    expect(player.panel("unit")).to_contain_text("G1")
    player.tab("tables")
    tables = player.panel("tables")
    expect(tables).to_contain_text("verbatim")
    expect(tables).to_contain_text("reconstructed")
    player.press(tables.locator("details[data-table] summary").first)
    expect(tables.locator("table").first).to_be_visible()
