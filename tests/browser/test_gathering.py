"""Who fires: ticks, arrows, what is sent and what comes of it are one, whatever is pressed in whatever order."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.wire import Wire

ROOMS = "sk-3-room-by-room"


def rows(player: Player) -> dict[str, bool]:
    """The slots, and whether each is ticked."""
    boxes = player.panel("orders").locator("[role=checkbox]")
    found: list[list[str]] = boxes.evaluate_all(
        "boxes => boxes.map(one => [one.dataset.option, one.getAttribute('aria-checked')])"
    )
    return {key: value == "true" for key, value in found}


def settled(player: Player) -> bool:
    """Wait until the odds are told; whether there is something to send."""
    expect(player.page.locator(".preview.pending")).to_have_count(0)
    expect(player.panel("orders")).not_to_contain_text("Working out the odds")
    return player.option("confirm").is_enabled()


def homes(player: Player, keys: set[str]) -> set[str]:
    """The hexes in which these counters stand."""
    found = set()
    for key in keys:
        label = player.page.locator(f'.unit[data-unit="{key}"]').get_attribute("aria-label") or ""
        place = re.search(r", in ([^,]+)", label)
        assert place, label
        found.add(place[1])
    return found


def check_arrows(player: Player) -> None:
    ticked = {key for key, value in rows(player).items() if value}
    lines = player.page.locator("line[data-line=fire]")
    origins = set(lines.evaluate_all("lines => lines.map(one => one.dataset.from)"))
    goals = set(lines.evaluate_all("lines => lines.map(one => one.dataset.to)"))
    assert origins == homes(player, ticked) - goals, (ticked, origins)


def press_about(player: Player, rng: Random) -> None:
    """Ticks in any order, whoever was left out instead, and another way of firing."""
    for _ in range(rng.randint(1, 6)):
        swap = player.option("swap")
        if swap.count() and rng.random() < 0.4:
            player.press(swap)
        else:
            boxes = player.panel("orders").locator("[role=checkbox]")
            expect(boxes.first).to_be_visible()
            player.press(boxes.nth(rng.randrange(boxes.count())))
        if rng.random() < 0.5:
            settled(player)
    if not settled(player):
        boxes = player.panel("orders").locator("[role=checkbox]")
        player.press(boxes.nth(rng.randrange(boxes.count())))
        assert settled(player)


def fire_and_compare(player: Player, wire: Wire) -> None:
    """Confirm, and see that those fire who were ticked."""
    check_arrows(player)
    ticks, before = rows(player), player.question
    player.confirm()
    player.until_asked_else(before)
    act, entry = wire.act(), wire.entry()
    values = dict(zip(ticks, act["keys"][-len(ticks) - 1 : -1], strict=True))
    assert {key: value != "-" for key, value in values.items()} == ticks
    words = set(re.findall(r"[\w-]+", entry["text"]))
    assert {key for key in ticks if key in words} == {key for key, value in ticks.items() if value}, entry["text"]


def until_fire(player: Player, target: str) -> None:
    """Set up as suggested, and on past every question until there is something to fire at."""
    orders = player.panel("orders")
    onward = (
        'button:enabled:has-text("as the scenario suggests")',
        ".ends button:enabled",
        '[data-kind="stop"]:enabled',
    )
    for _ in range(400):
        player.asked()
        if orders.locator(target).count():
            return
        if player.panel("hand-over").count():
            player.answer()
            continue
        before = (player.question, player.orders_text)
        player.press_first(*onward)
        player.until_other(before)
    pytest.fail(f"nobody may fire: {player.orders_text}")


def test_a_leader_who_is_taken_instead_directs_his_own_hex(desk: Player) -> None:
    wire = Wire(desk)
    desk.start(ROOMS, opponent="hotseat")
    desk.see_map()
    orders = desk.panel("orders")
    until_fire(desk, '[data-option="K5"]')
    desk.press(orders.locator('[data-option="K5"]'))
    group = orders.locator('[data-option="group"]')
    expect(orders.locator("[role=checkbox]").or_(group).first).to_be_visible()
    if group.count():
        desk.press(group)
    leader = orders.locator('[role=checkbox]:has-text("9-1 R-L1 directs")')
    settled(desk)
    # Whoever else is ticked goes, one by one; the leader alone is left, with those whom he then directs.
    if leader.get_attribute("aria-checked") == "false":
        desk.press(leader)
        settled(desk)
    if leader.get_attribute("aria-checked") == "false":
        desk.press(desk.option("swap"))
        settled(desk)
    assert leader.get_attribute("aria-checked") == "true"
    assert "M5" in homes(desk, {key for key, value in rows(desk).items() if value})
    fire_and_compare(desk, wire)


def test_random_presses_fire_those_who_are_ticked(desk: Player) -> None:
    wire, rng = Wire(desk), Random(11)
    desk.start(ROOMS, opponent="hotseat")
    desk.see_map()
    orders = desk.panel("orders")
    for _ in range(4):
        until_fire(desk, '[data-kind="target"]')
        for _ in range(2):
            # A target, some presses, and another target, perhaps the same, after all.
            targets = orders.locator('[data-kind="target"]')
            desk.press(targets.nth(rng.randrange(targets.count())))
            group = orders.locator('[data-option="group"]')
            expect(orders.locator("[role=checkbox]").or_(group).first).to_be_visible()
            if group.count():
                desk.press(group)
            expect(orders.locator("[role=checkbox]").first).to_be_visible()
            press_about(desk, rng)
            if rng.random() < 0.5:
                break
            desk.back_out()
            expect(targets.first).to_be_visible()
        else:
            continue
        fire_and_compare(desk, wire)


def test_vehicles_fire_as_they_are_ticked(desk: Player) -> None:
    wire, rng = Wire(desk), Random(5)
    desk.start("mbt-a-crossroads-at-reinbach")
    desk.see_map()
    fired = 0
    for _ in range(400):
        if fired == 2 or not desk.asked():
            break
        if desk.shape != "gather":
            desk.answer()
            continue
        press_about(desk, rng)
        fire_and_compare(desk, wire)
        fired += 1
    assert fired, "somebody fires"
