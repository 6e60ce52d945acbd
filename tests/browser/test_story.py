"""What happened is shown beat by beat: by steps, so that no test hangs on the clock."""

from __future__ import annotations

import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as NotInTime
from playwright.sync_api import expect

from tests.browser.player import Player

CROSSROADS = "mbt-a-crossroads-at-reinbach"


def by_steps(player: Player) -> None:
    """Every picture waits for a press."""
    player.page.evaluate("localStorage.setItem('sandtable.speed', 'by steps')")
    player.page.reload()


def begin(player: Player, scenario: str = CROSSROADS) -> None:
    """A game against the computer, at its first question, whose story goes by steps from then on."""
    by_steps(player)
    player.start(scenario)
    player.see_map()


def shown(player: Player) -> str:
    """Kind of the beat that is shown now, ``""`` if none is."""
    return player.read("[data-panel=story]", "dataset.kind")


def press_on(player: Player, key: str) -> None:
    """Press a button of the story, unless the story is over before the finger is down: the next look tells."""
    with suppress(NotInTime):
        player.press(player.option(key), seconds=2)


def pass_over(player: Player, seconds: float = 60) -> None:
    """Skip whatever is shown, and whatever comes after it, until something is asked or the game is over."""
    until = time.monotonic() + seconds
    while not (player.is_over or player.is_asked):
        assert time.monotonic() < until, "nothing was asked"
        if shown(player):
            press_on(player, "story-skip")
        player.page.wait_for_timeout(20)


def until_shown(player: Player, kind: str, seconds: float = 120) -> None:
    """Play on until a beat of this kind is shown."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not player.is_over:
        beat = shown(player)
        if beat == kind:
            return
        if beat:
            press_on(player, "story-step")
        elif player.is_asked:
            player.answer()
        else:
            player.page.wait_for_timeout(20)
    pytest.fail(f"no {kind} was shown")


def test_a_shot_is_shown_with_its_dice_and_a_move_hex_by_hex(player: Player) -> None:
    begin(player)
    until_shown(player, "move")
    story = player.panel("story")
    # Who listens is told too.
    expect(player.panel("announcer")).to_contain_text(re.compile("moves to|enters at"))
    assert player.panel("announcer").get_attribute("aria-live") == "polite"
    # Nothing can be answered while something is shown.
    assert not player.question
    expect(player.panel("orders").locator("button")).to_have_count(0)
    seen = [story.get_attribute("data-step")]
    player.press(player.option("story-step"))
    expect(story).not_to_have_attribute("data-step", "0")
    assert seen == ["0"]
    until_shown(player, "result")
    expect(player.panel("result")).to_contain_text("rolled")
    expect(player.panel("result")).to_contain_text("effect")
    # A press on the map passes over the rest and does nothing else: the next question is there.
    pass_over(player)
    expect(player.panel("orders").locator("button").first).to_be_visible()


def test_a_press_or_a_key_passes_over_and_the_list_shows_it_again(phone: Player) -> None:
    begin(phone)
    until_shown(phone, "move")
    phone.page.keyboard.press("Escape")
    expect(phone.panel("story").locator('[data-kind="none"]')).to_have_count(0)
    pass_over(phone)
    while not (phone.panel("since").count() or phone.is_over):
        phone.answer()
        pass_over(phone)
    question = phone.question
    phone.press(phone.option("since"))
    again = phone.panel("since").locator("li button:not(:disabled)")
    phone.press(again)
    expect(phone.panel("story")).to_be_visible()
    assert not phone.question, "what is shown is past: nothing is asked of it"
    phone.press(phone.option("story-skip"))
    expect(phone.page.locator("[data-page=game]")).to_have_attribute("data-question", question)


def test_sound_and_speed_are_chosen_in_the_menu_and_kept(phone: Player) -> None:
    phone.start(CROSSROADS)
    phone.see_map()
    menu = phone.page.get_by_label("Menu")
    phone.press(menu)
    expect(phone.option("speed")).to_have_value("at once")
    phone.option("speed").select_option("quick")
    phone.press(phone.option("sound"))
    expect(phone.option("sound")).to_have_attribute("aria-pressed", "false")
    phone.page.reload()
    phone.see_map()
    phone.press(menu)
    expect(phone.option("speed")).to_have_value("quick")
    expect(phone.option("sound")).to_have_attribute("aria-pressed", "false")
