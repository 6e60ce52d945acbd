"""What is not possible says why; where numbers come from can be looked up; tools answer questions."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.test_play import FIRST

RULE = re.compile(r"\d+\.\d+")


def test_an_illegal_attempt_explains_itself(phone: Player) -> None:
    phone.start(FIRST)
    phone.see_map()
    # An enemy tank takes no command from us.
    phone.asked()
    question = phone.question
    phone.whole_map()
    phone.press_unit("B1")
    refusal = phone.panel("refusal")
    expect(refusal).to_be_visible()
    expect(refusal.locator(".rule").first).to_have_text(RULE)
    assert phone.question == question
    # It says once who it is about.
    assert refusal.inner_text().count("B1") == 1
    # A hex out of reach says why, and the move goes on.
    phone.assign(("MOVE",))
    phone.play_on(until="path")
    phone.whole_map()
    phone.press_hex("U13")
    expect(refusal).to_contain_text("U13")
    expect(refusal.locator(".rule").first).to_have_text(RULE)
    assert phone.shape == "path"


def test_the_sight_tool(desk: Player) -> None:
    desk.start(FIRST)
    desk.see_map()
    desk.tab("tools")
    desk.press(desk.option("tool-sight"))
    desk.whole_map()
    desk.press_hex("D10")
    desk.press_hex("R5")
    answer = desk.panel("sight")
    expect(answer).to_contain_text(re.compile("Blocked|Clear"))
    expect(answer.locator("svg")).to_be_visible()
    expect(desk.page.locator("line.line.blocked, line.line.clear").first).to_be_attached()
    desk.press(desk.option("tool-field"))
    desk.press_hex("H9")
    expect(desk.panel("field")).to_contain_text("H9")
    expect(desk.page.locator("path.shade")).to_be_attached()


def test_cards_and_tables_say_how_far_to_trust_them(phone: Player) -> None:
    phone.start(FIRST)
    phone.see_map()
    phone.press_unit("G1")
    phone.tab("unit")
    expect(phone.panel("unit")).to_contain_text("G1")
    phone.tab("tables")
    tables = phone.panel("tables")
    expect(tables).to_contain_text("verbatim")
    expect(tables).to_contain_text("reconstructed")
    phone.press(tables.locator("details[data-table] summary").first)
    expect(tables.locator("table").first).to_be_visible()
