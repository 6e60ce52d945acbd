"""ASL Starter Kit #3 by clicks and taps: set-up, fire with its odds, the computer's help, a game to its end."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.player import Player

ROOMS = "sk-3-room-by-room"

# A lit hex that nothing lies over.
_LIT = """
() => {
  for (const hex of document.querySelectorAll('.hex.lit.go')) {
    const box = hex.getBoundingClientRect();
    const at = { x: box.x + box.width / 2, y: box.y + box.height * 0.75 };
    const hit = document.elementFromPoint(at.x, at.y);
    if (hit && hit.closest('.map') && !hit.closest('[data-unit]')) return { ...at, label: hex.dataset.hex };
  }
  return null;
}
"""


def place_one(player: Player) -> str:
    """Put the counter in hand into a lit hex; which hex."""
    player.page.locator(".hex.lit.go").first.wait_for()
    goal: dict[str, Any] | None = player.page.evaluate(_LIT)
    assert goal is not None
    before = player.question
    player.press_at(goal["x"], goal["y"])
    expect(player.page.locator("[data-page=game]")).not_to_have_attribute("data-question", before)
    return str(goal["label"])


def follow_hint(player: Player) -> None:
    """Ask what to do and do it."""
    before = player.question
    player.press(player.option("hint"))
    expect(player.panel("advice")).to_be_visible(timeout=40_000)
    player.press(player.option("play-hint"))
    player.until_asked_else(before)


def set_up(player: Player) -> None:
    """Two units by hand, one after the other, and the rest as the scenario suggests."""
    orders = player.panel("orders")
    player.asked(60)
    expect(player.panel("prompt")).to_contain_text("Set up")
    player.press(orders.locator("button[data-kind=unit]"))
    first = place_one(player)
    # The next counter is in hand at once.
    expect(orders.locator(".crumb")).to_have_count(1)
    second = place_one(player)
    standing = player.page.locator("[data-unit][aria-label]")
    for label in {first, second}:
        expect(standing.and_(player.page.locator(f'[aria-label*="in {label}"]')).first).to_be_attached()
    expect(orders.locator(".crumb")).to_have_count(1)
    player.press(player.option("back"))
    player.press(orders.locator('button:has-text("as the scenario suggests")'))
    player.press(orders.locator('button:has-text("The set-up is finished")'))
    expect(player.panel("prompt")).not_to_contain_text("Set up", timeout=60_000)


def test_room_by_room_is_played_to_its_end(player: Player) -> None:
    player.start(ROOMS, side="russian")
    player.see_map()
    set_up(player)
    # Squads show their strength in one line.
    expect(player.page.locator(".unit .strength").first).to_contain_text(re.compile(r"\d"))
    for _ in range(4):
        if player.asked(60):
            follow_hint(player)
    # The computer plays on for us, and the seat can be taken back meanwhile.
    player.press(player.option("hand-over"))
    player.press(player.panel("help").locator("xpath=..").locator("[data-option=bot-greedy]"))
    player.press(player.option("hand-over-now"))
    expect(player.panel("help")).to_contain_text("plays for you")
    if player.screen.is_phone:
        player.press(player.option("take-back"))
        expect(player.option("hint")).to_be_visible()
        return
    expect(player.panel("outcome")).to_be_visible(timeout=180_000)
    expect(player.panel("outcome")).to_contain_text(re.compile("wins|draw"))
    # Now that it is over, the other side's thoughts are told too.
    player.press(player.page.locator("[data-option=why]").first)
    expect(player.panel("advice").first).to_be_visible(timeout=40_000)
