"""Orders keep place and keys; targets are listed with their odds; where nothing is hidden, the seat turns."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.player import Player

ROAD = "sk-1-the-road-into-bretteville"
PATROL = "na-a-patrol-at-tamrad"


def foot(player: Player) -> tuple[float, float, float]:
    """Left edge, right edge and lower edge of what stands at the bottom of the panel."""
    return _edges(player.panel("foot"))


def _edges(what: Locator) -> tuple[float, float, float]:
    box = what.bounding_box()
    assert box is not None
    return (round(box["x"]), round(box["x"] + box["width"]), round(box["y"] + box["height"]))


def fire_begins(player: Player) -> None:
    """Both set up as the scenario suggests; the first phase in which somebody fires."""
    for _ in range(12):
        player.asked()
        if "Prep Fire" in player.panel("prompt").inner_text():
            return
        before = player.question
        first = player.option("suggested").or_(player.panel("orders").locator("button[data-kind=done]"))
        player.press(first)
        player.until_asked_else(before)
    raise AssertionError(player.panel("prompt").inner_text())


def test_hot_seat_without_hidden_things_turns_by_itself(phone: Player) -> None:
    phone.start(ROAD, opponent="hotseat")
    phone.see_map()
    seats = set()
    for _ in range(12):
        phone.asked()
        assert phone.panel("hand-over").count() == 0
        seats.add(phone.page.locator("[data-page=game]").get_attribute("data-seat"))
        if len(seats) == 2:
            return
        before = phone.question
        phone.press(phone.option("suggested").or_(phone.panel("orders").locator("button[data-kind=done]")))
        phone.until_asked_else(before)
    raise AssertionError(seats)


def test_targets_have_their_odds_and_what_completes_an_order_stays_where_it_is(player: Player) -> None:
    player.start(ROAD, opponent="hotseat")
    player.see_map()
    fire_begins(player)
    targets = player.panel("orders").locator("button[data-kind=target]")
    odds = player.page.locator("[data-effect]")
    expect(odds).to_have_count(targets.count())
    assert all("%" in text for text in odds.all_inner_texts())
    at_list = foot(player)
    end = _edges(player.panel("orders").locator("button[data-kind=done]"))
    # The odds beside the target are those that choosing it shows.
    shown = odds.first.inner_text()
    player.press(targets.first)
    expect(player.option("confirm")).to_be_enabled()
    if not player.screen.is_phone:
        # On a phone the sheet has another height where odds stand.
        assert foot(player) == at_list
    low = _edges(player.option("confirm"))
    player.press(player.option("back"))
    expect(targets.first).to_be_visible()
    assert foot(player) == at_list
    assert _edges(player.panel("orders").locator("button[data-kind=done]")) == end
    assert odds.first.inner_text() == shown
    player.press(targets.nth(1))
    expect(player.option("confirm")).to_be_enabled()
    assert _edges(player.option("confirm")) == low


def test_commands_keep_their_columns_and_keys(player: Player) -> None:
    player.start(PATROL)
    player.see_map()
    player.asked()
    rows = player.page.locator("[data-slot]")
    names = rows.first.locator("[role=radio]").all_inner_texts()
    for row in rows.all():
        assert row.locator("[role=radio]").all_inner_texts() == names
    at = foot(player)
    for n in range(rows.count()):
        player.page.keyboard.press(str(names.index("MOVE") + 1))
        expect(rows.nth(n).locator('[aria-checked="true"]')).to_have_text("MOVE")
        assert foot(player) == at
