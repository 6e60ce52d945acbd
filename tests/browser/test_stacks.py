"""A press on a stack lists it; a second press picks what was pressed, and nothing else. Looking is never an error."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.player import Player

ROOMS = "sk-3-room-by-room"
TAMRAD = "na-a-patrol-at-tamrad"

_STACKS = """
() => [...document.querySelectorAll('.unit[data-stacked=true]')].map((unit) => [unit.dataset.in, unit.dataset.unit])
"""


def test_what_is_picked_from_a_stack_is_what_was_pressed(player: Player) -> None:
    player.start(ROOMS)
    player.see_map()
    assert player.asked()
    orders = player.panel("orders")
    player.press(orders.locator('button:has-text("as the scenario suggests")'))
    player.page.locator(".unit[data-stacked=true]").first.wait_for()
    stacked: list[list[str]] = player.page.evaluate(_STACKS)
    hex_ = stacked[0][0]
    player.whole_map()
    for unit in [one for place, one in stacked if place == hex_]:
        player.press_unit(unit)
        # What cannot be chosen is shown, what can be is chosen: in both cases this very one.
        expect(
            player.page.locator(f'[data-about="{unit}"], .unit[data-unit="{unit}"]:has(.selected)').first
        ).to_be_attached()
        expect(player.page.get_by_role("alert")).to_have_count(0)


def test_rows_have_room_for_fingers(player: Player) -> None:
    player.start(ROOMS)
    player.see_map()
    assert player.asked()
    player.press(player.panel("orders").locator('button:has-text("as the scenario suggests")'))
    unit = player.page.locator(".unit[data-stacked=true]").first
    unit.wait_for()
    player.whole_map()
    box = unit.locator(".body").bounding_box()
    assert box is not None
    player.press_at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    rows = player.panel("stack").locator("li button")
    assert rows.count() > 1
    for row in rows.all():
        size = row.bounding_box()
        assert size is not None
        assert size["height"] >= 44


def test_looking_at_an_enemy_or_a_hex_is_no_error(player: Player) -> None:
    player.start(TAMRAD)
    player.see_map()
    player.whole_map()
    player.press_unit("B1")
    look = player.panel("look")
    expect(look).to_have_attribute("data-about", "B1")
    expect(player.page.get_by_role("alert")).to_have_count(0)
    player.press_hex("K7")
    expect(look).to_have_attribute("data-about", "K7")
    expect(look).to_contain_text("Hill")
    expect(player.page.get_by_role("alert")).to_have_count(0)
