"""A press on a stack lists it; a second press picks what was pressed, and nothing else. Looking is never an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.player import DESK, PHONE, Player

ROOMS = "sk-3-room-by-room"
TAMRAD = "na-a-patrol-at-tamrad"
JOSEPH = "s20-joseph-351"

VEHICLES = """
system: panzer-na
title: Two tanks in a hex
map:
  drawing:
    cells: |
      . . . . .
      . . . . .
      . . . . .
sides:
  - id: british
    title: British
    units:
      - {id: A1, card: crusader-i, at: A2, facing: NW, command: FIRE}
  - id: german
    title: Germans
    units:
      - {id: G1, card: pz-iiij, at: D2, facing: NW, command: FIRE}
      - {id: G2, card: pz-iiij, at: D2, facing: NW, command: FIRE}
open: direct fire
first: german
"""

_STACKS = """
(which) => [...document.querySelectorAll('.unit[data-stacked=true]' + which)]
  .map((unit) => [unit.dataset.in, unit.dataset.unit])
"""

# Whom the page takes to be meant: looked at, or chosen.
_MEANT = """
() => [...new Set([
  ...[...document.querySelectorAll('[data-panel=look]')].map((one) => one.dataset.about),
  ...[...document.querySelectorAll('.unit:has(.selected)')].map((one) => one.dataset.unit),
])]
"""


def _press_each(player: Player) -> None:
    """Press every counter of a stack of one's own: that one and no other is shown or chosen."""
    own = player.page.locator("[data-page=game]").get_attribute("data-seat")
    which = f'[data-side="{own}"]'
    player.page.locator(f".unit{which}").first.wait_for()
    player.whole_map()
    stacked: list[list[str]] = player.page.evaluate(_STACKS, which)
    units = [one for place, one in stacked if place == stacked[0][0]]
    assert len(units) > 1
    for unit in units:
        player.press_unit(unit)
        meant = f'[data-about="{unit}"], .unit[data-unit="{unit}"]:has(.selected)'
        expect(player.page.locator(meant).first).to_be_attached()
        about: list[str] = player.page.evaluate(_MEANT)
        assert about == [unit]
        expect(player.page.get_by_role("alert")).to_have_count(0)
        player.page.keyboard.press("Escape")


@pytest.mark.parametrize(("scenario", "screen"), [(ROOMS, PHONE), (JOSEPH, DESK)], ids=["rooms", "joseph"])
def test_what_is_picked_from_a_stack_is_what_was_pressed(player: Player, scenario: str) -> None:
    player.start(scenario)
    player.see_map()
    assert player.asked()
    player.press(player.panel("orders").locator('button:has-text("as the scenario suggests")'))
    _press_each(player)


def test_a_stack_of_vehicles(desk: Player, tmp_path: Path) -> None:
    """Two vehicles in one hex: a press shows the card of the one that was pressed."""
    situation = tmp_path / "stack.yaml"
    situation.write_text(VEHICLES, encoding="utf-8")
    desk.option("open-file").set_input_files(situation)
    desk.see_map()
    for unit in ("G1", "G2"):
        desk.press_unit(unit)
        expect(desk.panel("unit")).to_have_attribute("data-about", unit)


def test_rows_have_room_for_fingers(phone: Player) -> None:
    phone.start(ROOMS)
    phone.see_map()
    assert phone.asked()
    phone.press(phone.panel("orders").locator('button:has-text("as the scenario suggests")'))
    unit = phone.page.locator(".unit[data-stacked=true]").first
    unit.wait_for()
    phone.whole_map()
    box = unit.locator(".body").bounding_box()
    assert box is not None
    phone.press_at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    rows = phone.panel("stack").locator("li button")
    assert rows.count() > 1
    for row in rows.all():
        size = row.bounding_box()
        assert size is not None
        assert size["height"] >= 44


def test_looking_at_an_enemy_or_a_hex_is_no_error(phone: Player) -> None:
    phone.start(TAMRAD)
    phone.see_map()
    phone.whole_map()
    phone.press_unit("B1")
    look = phone.panel("look")
    expect(look).to_have_attribute("data-about", "B1")
    expect(phone.page.get_by_role("alert")).to_have_count(0)
    phone.press_hex("K7")
    expect(look).to_have_attribute("data-about", "K7")
    expect(look).to_contain_text("Hill")
    expect(phone.page.get_by_role("alert")).to_have_count(0)
