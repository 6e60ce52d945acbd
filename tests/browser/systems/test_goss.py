"""GOSS by clicks and taps: a game turn in few presses, an assault on its sheet, what is shown is what is done."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from sandtable import catalog
from tests.browser.player import DESK, LONG, PATIENCE, Player, Screen
from tests.browser.serving import Serving
from tests.browser.systems.test_advanced import check
from tests.browser.wire import Wire

LORN = "goss-0-the-lorn-crossing"
MOST = 60
ANSWERS = 9
ATTACKERS = ("61-inf/1-481", "61-inf/A-61 Eng")


class Counting(Player):
    """Somebody whose presses are counted."""

    presses = 0

    def press(self, what: str | Locator, seconds: float = PATIENCE) -> None:
        """Press it, and count it."""
        super().press(what, seconds)
        self.presses += 1

    def accept(self) -> None:
        """Take what is offered: the plain answer where it is marked, else the first that stands there."""
        plain = self.panel("orders").locator("[data-plain]")
        if not plain.count():
            self.answer()
            return
        before = self.question
        self.press(plain)
        self.until_asked_else(before)

    @property
    def asked_for(self) -> str:
        """What is asked."""
        return self.panel("prompt").inner_text()


@pytest.fixture
def corps(browser: Browser, serving: Serving, screen: Screen) -> Iterator[Counting]:
    """The commander of a corps, in front of a screen."""
    one = Counting(browser, serving.address, screen)
    yield one
    one.leave()


def attack(player: Counting) -> None:
    """A tactical assault over the bridge."""
    for unit in ATTACKERS:
        player.press(player.option(f"{unit}:TA"))
        expect(player.option(f"{unit}:TA")).to_have_attribute("aria-checked", "true")
    player.confirm()


def play_a_turn(player: Counting) -> None:
    """The first game turn by what is offered, but for an attack."""
    until = time.monotonic() + LONG
    while player.asked() and player.page.locator("[data-track=turn] strong").inner_text() == "10 Sep AM":
        assert time.monotonic() < until, player.asked_for
        if player.panel("hand-over").count():
            presses = player.presses
            player.answer()
            player.presses = presses
        elif "Allied" in player.asked_for and "tactical assaults" in player.asked_for:
            attack(player)
        else:
            player.accept()


def test_a_game_turn_is_few_presses_and_what_the_page_showed(corps: Counting) -> None:
    wire = Wire(corps)
    wire.watch()
    corps.start(LORN, "hotseat")
    corps.see_map()
    corps.presses = 0
    play_a_turn(corps)
    assert corps.presses < MOST
    texts = [check(wire, answer) for answer in wire.answers()]
    assert "Tactical Assault: 1-481, 61st Infantry Division; A-61 Eng, 61st Infantry Division" in texts
    sheets = [one["preview"]["sheet"] for one in wire.got if one["type"] == "Priced"]
    assert any(sheet and re.fullmatch(r"Fire on \d{4}", sheet["title"]) for sheet in sheets)


def test_the_tools_of_sight_say_what_the_rules_go_by(corps: Counting) -> None:
    ruleset: Any = catalog.open_scenario(LORN).ruleset
    state = ruleset.setup()
    corps.start(LORN, "hotseat")
    corps.see_map()
    corps.asked()
    corps.tab("tools")
    corps.press(corps.option("tool-sight"))
    for a, b in (("0904", "1104"), ("0904", "1004")):
        line = ruleset.sight(state, ruleset.place(a), ruleset.place(b))
        corps.press_hex(a)
        corps.press_hex(b)
        answer = corps.panel("sight")
        expect(answer).to_contain_text(f"{a} → {b}")
        expect(answer.locator(".verdict strong")).to_have_text("Blocked" if line.blocked else "Clear")
        for words in (line.reason[1:], *line.rules):
            expect(answer).to_contain_text(words)
        corps.press(corps.option("tool-sight"))
        corps.press(corps.option("tool-sight"))
    corps.press(corps.option("tool-field"))
    corps.press_hex("0904")
    seen = ruleset.field(state, ruleset.place("0904"))
    expect(corps.panel("field")).to_contain_text(str(len(seen)))


def is_stuck(player: Counting) -> bool:
    """Whether what was chosen at random cannot be confirmed."""
    button = player.option("confirm")
    until = time.monotonic() + 3
    while time.monotonic() < until and button.count() and not button.is_enabled():
        player.page.wait_for_timeout(30)
    return bool(button.count()) and not button.is_enabled()


def test_presses_in_any_order_do_what_the_page_showed(browser: Browser, serving: Serving) -> None:
    corps, rng = Counting(browser, serving.address, DESK), Random("any order")
    wire = Wire(corps)
    wire.watch()
    corps.start(LORN, "hotseat")
    corps.see_map()
    told: list[str] = []
    for _ in range(ANSWERS):
        assert corps.asked()
        if not corps.panel("hand-over").count():
            corps.fumble(rng, 5)
            if is_stuck(corps):
                # A page that is opened anew has forgotten what was chosen.
                told += [check(wire, answer) for answer in wire.answers()]
                wire.got.clear()
                corps.page.reload()
                corps.see_map()
                assert corps.asked()
        if corps.panel("hand-over").count():
            corps.answer()
        else:
            corps.accept()
    told += [check(wire, answer) for answer in wire.answers()]
    assert len(told) >= ANSWERS // 2
    corps.leave()
