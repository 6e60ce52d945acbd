"""GOSS by clicks and taps: a game turn in few presses, an assault on its sheet, what is shown is what is done."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.player import LONG, PATIENCE, Player, Screen
from tests.browser.serving import Serving
from tests.browser.test_advanced import check
from tests.browser.wire import Wire

LORN = "goss-0-the-lorn-crossing"
MOST = 60
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
        if self.shape == "assign":
            expect(self.page.locator("[data-option=confirm]:enabled, [data-against]").first).to_be_visible()
        if self.page.locator("[data-against]").count():
            # Whatever was pressed before has left no gun that may fire.
            plain = self.option("hold")
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


def fumble(player: Counting, rng: Random) -> None:
    """Press anything; values of an assignment are put back then, for the rules may not allow what they came to."""
    expect(player.panel("orders").and_(player.page.locator('[aria-busy="false"]'))).to_be_visible()
    slots = "all => Object.fromEntries(all.map((one) => [one.dataset.slot, one.dataset.value]))"
    question = player.question
    before = player.page.locator("[data-slot]").evaluate_all(slots)
    for _ in range(3):
        # One press too many may answer the question: what comes then is not touched.
        if player.question == question:
            player.fumble(rng, 1)
    now = player.page.locator("[data-slot]").evaluate_all(slots)
    if player.question != question:
        return
    for slot in now.keys() & before.keys():
        if now[slot] != before[slot]:
            player.press(player.option(f"{slot}:{before[slot]}"))


def play_a_turn(player: Counting, rng: Random | None = None) -> None:
    """The first game turn by what is offered, but for an attack; with ``rng`` whatever else is pressed before."""
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
            if rng is not None:
                fumble(player, rng)
            if player.asked() and not player.panel("hand-over").count():
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


@pytest.mark.parametrize("screen", [Screen(1440, 900, is_phone=False)], ids=["1440x900"], indirect=False)
def test_presses_in_any_order_send_what_is_shown(corps: Counting) -> None:
    wire = Wire(corps)
    wire.watch()
    corps.start(LORN, "hotseat")
    corps.see_map()
    play_a_turn(corps, Random(14))
    assert [check(wire, answer) for answer in wire.answers()]
