"""Everybody can read it and play it, by pointer, finger or keys; nothing jumps; counters are read at a glance."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.manners import offences
from tests.browser.player import DESK, PHONE, Player, Screen
from tests.browser.serving import Serving

TOOLS = "sk-4-tools-of-the-trade"
WAVE = "sk-2-the-second-wave"

# Whether a hex that one may go to is large enough for a finger, and in view above the sheet.
_IS_LARGE = """
() => [...document.querySelectorAll('.hex.lit.go')].some((one) => {
  const { top, left, right, bottom, width } = one.getBoundingClientRect();
  const sheet = document.querySelector('aside').getBoundingClientRect();
  return width > 36 && left > 0 && right < innerWidth && top > 46 && bottom < sheet.top;
})
"""

# Whether a finger on the middle of something meets it.
_IS_UPPERMOST = """
(one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}
"""

STACKED = """
system: aslsk3
title: A stack with something under it
phase: PFPh
attacker: russian
map:
  drawing:
    cells: |
      .  .  .  .
      .  .  .  .
sides:
  - id: russian
    units:
      - {id: gunners, card: russian/4-4-7, at: A1}
      - {id: shaken, card: russian/4-4-7, at: C1, broken: true, dm: true}
      - {id: leader, card: russian/8-1, at: C1}
    weapons:
      - {id: gun, card: russian/MMG, owner: gunners}
  - id: german
    units:
      - {id: enemy, card: german/4-6-7, at: D1}
"""


def test_pages_lack_nothing_that_somebody_needs(player: Player) -> None:
    player.page.locator("canvas.painted").wait_for()
    for page in ("lobby", "set-up", "rules"):
        if page == "set-up":
            player.start(WAVE, side="german")
            player.see_map()
            player.asked()
        elif page == "rules":
            player.tab("tables")
        for scheme in ("light", "dark"):
            player.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            expect(player.page.locator("html")).to_have_attribute("data-theme", scheme)
            assert offences(player.page) == [], (page, scheme)


def test_a_scenario_far_down_the_list_is_a_press_from_its_start(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, PHONE)
    player.press('[data-scenario="sk-4-tools-of-the-trade"]')
    expect(player.panel("start")).to_contain_text("Tools of the Trade")
    expect(player.option("start")).to_be_in_viewport()
    player.leave()


def test_the_scenario_says_how_it_is_won(player: Player) -> None:
    player.start(WAVE, side="german")
    player.see_map()
    player.asked()
    if player.screen.is_phone:
        player.press(player.panel("briefing").locator("summary"))
    expect(player.panel("briefing")).to_contain_text("The Russians hold three of the four buildings")
    expect(player.panel("briefing")).to_contain_text("wins if no condition of the other side is met")


def test_the_bar_above_the_map_fits_a_small_desk(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, Screen(1024, 768, is_phone=False))
    player.start("s20-joseph-351", side="german")
    player.see_map()
    tight = player.page.evaluate(
        """() => [...document.querySelectorAll('[data-page=game] > header > *')]
          .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert tight == []
    player.leave()


def test_nothing_jumps_when_the_question_changes(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, DESK)
    player.start(WAVE, side="german")
    player.see_map()
    player.asked()
    player.tab("log")
    log = player.panel("log")

    def top() -> float:
        box = log.bounding_box()
        assert box is not None
        return box["y"]

    before = top()
    player.press(player.panel("orders").locator("button[data-kind=unit]"))
    expect(player.panel("orders").locator(".crumb")).to_have_count(1)
    assert top() == before
    player.press(player.option("hint"))
    expect(player.panel("advice")).to_be_visible()
    assert top() == before
    player.leave()


def test_a_hint_can_be_played_while_the_map_has_the_room(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, PHONE)
    player.start(WAVE, side="german")
    player.see_map()
    player.asked()
    player.press(player.panel("orders").locator("button[data-kind=unit]"))
    sheet = player.page.locator("aside[data-sheet]")
    expect(sheet).to_have_attribute("data-sheet", "peek")
    player.press(player.option("hint"))
    expect(player.panel("advice")).to_be_visible()
    expect(sheet).to_have_attribute("data-sheet", "half")
    expect(player.option("play-hint")).to_be_in_viewport(ratio=1)
    player.leave()


def test_a_squad_is_moved_by_keys_and_may_throw_smoke(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, DESK)
    keys, orders = player.page.keyboard, player.panel("orders")
    # Its Germans move first: nothing has been fired at them yet, whatever the dice.
    player.start(TOOLS, side="german")
    player.see_map()
    player.asked()
    player.press(orders.locator('button:has-text("as the scenario suggests")'))
    player.press(orders.locator('button:has-text("The set-up is finished")'))
    for _ in range(6):
        expect(player.panel("prompt")).to_contain_text("your decision")
        if "Move" in player.panel("prompt").inner_text():
            break
        before = player.question
        player.press(orders.locator("button[data-kind=done]"))
        player.until_asked_else(before)
    before = player.question
    # To the orders, the first unit, to the map, a lit hex, and confirmed.
    keys.press("o")
    expect(orders.locator("button:focus-visible")).to_have_count(1)
    keys.press("Enter")
    expect(player.option("mode-move")).to_have_attribute("aria-checked", "true")
    expect(orders.locator("button[data-kind=deed]", has_text="Smoke grenades")).to_be_visible()
    keys.press("m")
    keys.press("n")
    expect(player.page.locator("path.cursor.focus")).to_be_attached()
    keys.press("Enter")
    expect(player.option("confirm")).to_be_enabled()
    keys.press("c")
    player.until_asked_else(before)
    player.leave()


def test_a_stack_is_read_at_a_glance(browser: Browser, serving: Serving, tmp_path: Path) -> None:
    player = Player(browser, serving.address, DESK)
    situation = tmp_path / "stack.yaml"
    situation.write_text(STACKED, encoding="utf-8")
    player.option("open-file").set_input_files(situation)
    player.see_map()

    def width(unit: str) -> float:
        box = player.page.locator(f'.unit[data-unit="{unit}"] .body').bounding_box()
        assert box is not None
        return box["width"]

    # A weapon lies small upon its owner; what lies under a leader shows by a sign.
    assert width("gun") < 0.7 * width("gunners")
    expect(player.page.locator("[data-sign=DM]")).to_be_attached()
    # A press lists it, keys go through the list, and to a card.
    player.press_unit("gunners")
    expect(player.panel("unit")).to_contain_text("gunners")
    player.panel("map").focus()
    player.page.keyboard.press("Enter")
    gun = player.option("stack-gun")
    for _ in range(4):
        if gun.evaluate("(row) => row === document.activeElement"):
            break
        player.page.keyboard.press("ArrowDown")
    expect(gun).to_be_focused()
    player.page.keyboard.press("Enter")
    expect(player.panel("unit")).to_contain_text("MMG")
    player.leave()


def test_who_enters_the_map_sees_where_and_can_press_it(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, PHONE)
    player.start("s23-montys-gamble", side="german")
    player.see_map()
    orders = player.panel("orders")
    for _ in range(6):
        player.asked()
        if "Move a unit or stack" in player.panel("prompt").inner_text():
            break
        before = player.question
        player.press_first('button:enabled:has-text("as the scenario suggests")', "button[data-kind=done]:enabled")
        player.until_asked_else(before)
    player.press(orders.locator("button[data-kind=unit]"))
    player.page.wait_for_function(_IS_LARGE)
    player.path()
    expect(player.option("confirm")).to_be_enabled()
    player.leave()


def test_a_phone_on_its_side_has_room_for_what_is_asked(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, Screen(844, 390, is_phone=True))
    player.start("na-a-patrol-at-tamrad")
    player.see_map()
    player.asked()
    assert player.option("G1:MOVE").evaluate(_IS_UPPERMOST)
    # What is folded away is a press away.
    player.tab("stakes")
    expect(player.panel("stakes")).to_be_visible()
    player.leave()


def test_a_long_phase_is_read_whole_on_a_phone(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address, PHONE)
    player.start("goss-0-the-lorn-crossing", side="allied")
    player.see_map()
    player.asked()
    phase = player.page.locator("[data-panel=track] .count").last
    expect(phase).to_have_text("Mode Determination Phase")
    assert phase.evaluate("(one) => one.scrollHeight <= one.clientHeight + 4 && one.scrollWidth <= one.clientWidth")
    player.leave()
