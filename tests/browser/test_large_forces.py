"""120 slots in one question: formations are folded, values told on demand, and what is shown is what is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocket, expect

from sandtable.core.decision import Assign
from sandtable.core.dice import SeededDice
from tests.browser.manners import offences
from tests.browser.player import DESK, PHONE, Player, Screen
from tests.browser.serving import Serving
from tests.corps import ATTACK, ATTACKER, HOLD, MOVE, GiveOrders, corps_ruleset

KEYS = [f"B{division}.{number}" for division in range(1, 11) for number in range(1, 13)]

# What the rows that are shown stand at, by their buttons.
_SHOWN = """
() => Object.fromEntries([...document.querySelectorAll('[data-slot]')].map(
  (row) => [row.dataset.slot, [...row.querySelectorAll('[aria-checked=true]')].map((one) => one.innerText).join()]))
"""


class Commander(Player):
    """Somebody who orders 120 battalions; what his page sends is written down."""

    def __init__(
        self, browser: Browser, address: str, screen: Screen, scenario: str = "breakthrough", divisions: int = 10
    ) -> None:
        super().__init__(browser, address, screen)
        self.sent: list[dict[str, Any]] = []
        self.page.on("websocket", self._listen)
        self.start(scenario, side="attacker", bot="random")
        self.see_map()
        assert self.asked()
        expect(self.page.locator("[data-group]")).to_have_count(divisions)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["type"] == kind]

    def fold(self, division: int) -> None:
        self.press(self.option(f"group-Division {division}"))

    def give(self, key: str, value: str) -> None:
        self.press(self.option(f"{key}:{value}"))
        expect(self.option(f"{key}:{value}")).to_have_attribute("aria-checked", "true")

    def shown(self) -> dict[str, str]:
        """What every battalion stands at: those of folded formations hold, as their heads say."""
        rows: dict[str, str] = self.page.evaluate(_SHOWN)
        for division in {int(key[1:].partition(".")[0]) for key in KEYS if key not in rows}:
            assert self.summary(division) == "all hold"
        return {key: rows.get(key, HOLD) for key in KEYS}

    def summary(self, division: int) -> str:
        return self.page.locator(f'[data-group="Division {division}"] [data-summary]').inner_text()

    def budget(self, label: str) -> str:
        return self.page.locator(f'[data-budget="{label}"]').inner_text()

    def complaints(self) -> list[str]:
        return self.page.locator("[data-against]").all_inner_texts()


@pytest.fixture(params=[DESK], ids=["1440x900"])
def commander(browser: Browser, corps_serving: Serving, request: pytest.FixtureRequest) -> Iterator[Commander]:
    """At a desk, where a test asks for no other screen."""
    one = Commander(browser, corps_serving.address, request.param)
    yield one
    one.leave()


on_a_phone = pytest.mark.parametrize("commander", [PHONE], ids=["390x844"], indirect=True)
on_both = pytest.mark.parametrize("commander", [DESK, PHONE], ids=["1440x900", "390x844"], indirect=True)


def refusals(given: dict[str, str]) -> list[str]:
    """The rules against some orders in the first turn, by the rules themselves."""
    ruleset = corps_ruleset()
    state = ruleset.begin(ruleset.setup(), SeededDice(1)).state
    decision = ruleset.decision(state)
    assert decision is not None
    root = decision.options(ATTACKER).root
    assert isinstance(root, Assign)
    found = root.refusals(tuple(given[key] for key in KEYS))
    assert bool(found) == (ruleset.refusal(state, ATTACKER, GiveOrders(given)) is not None)
    return sorted(refusal.rule for refusal in found)


def send(commander: Commander) -> None:
    """Confirm; what went out is what was shown."""
    shown = commander.shown()
    commander.confirm()
    (act,) = commander.of_kind("Act")
    assert act["keys"] == [*(shown[key] for key in KEYS), "done"]
    expect(commander.page.locator("[data-track=turn] strong")).to_have_text("2")


def test_nothing_is_listed_that_nobody_opens_and_what_stands_can_be_sent(commander: Commander) -> None:
    page = commander.page
    assert commander.of_kind("ListValues") == []
    expect(page.locator("[data-slot]")).to_have_count(0)
    assert [commander.summary(division) for division in range(1, 11)] == ["all hold"] * 10
    commander.fold(7)
    expect(page.locator("[data-slot]")).to_have_count(12)
    expect(commander.option(f"B7.3:{ATTACK}")).to_be_visible()
    (asked,) = commander.of_kind("ListValues")
    assert asked["slots"] == [f"B7.{number}" for number in range(1, 13)]
    commander.fold(7)
    expect(page.locator("[data-slot]")).to_have_count(0)
    commander.fold(7)
    expect(page.locator("[data-slot]")).to_have_count(12)
    assert len(commander.of_kind("ListValues")) == 1, "values once told are kept"
    send(commander)


@on_a_phone
def test_a_formation_at_once_and_over_its_budgets(commander: Commander) -> None:
    page = commander.page
    commander.fold(3)
    commander.press(commander.option(f"fill-Division 3:{ATTACK}"))
    expect(page.locator("[data-against]")).to_have_count(3)
    assert commander.summary(3) == "all attack"
    assert commander.budget("Supply") == "Supply: 24 of 20"
    assert commander.budget("Attacks of division 3") == "Attacks of division 3: 12 of 3"
    told = " | ".join(commander.complaints())
    for rule, reason in (
        ("1.5", "Supply: 24 of 20"),
        ("1.3", "Attacks of division 3: 12 of 3"),
        ("1.4", "Division 3 attacks without support"),
    ):
        assert rule in told
        assert reason in told
    expect(commander.option("confirm")).to_be_disabled()
    expect(commander.option("confirm")).to_have_text("Not allowed yet: 1.5, 1.3, 1.4")
    # Folded, the formation still says what stands against it.
    commander.fold(3)
    expect(page.locator('[data-group="Division 3"] [data-against]')).to_have_count(3)
    assert not offences(page)
    commander.fold(3)
    commander.press(commander.option(f"fill-Division 3:{HOLD}"))
    expect(page.locator("[data-against]")).to_have_count(0)
    commander.give("B3.5", ATTACK)
    expect(page.locator('[data-slot="B3.5"] [data-against="1.4"]')).to_be_visible()
    commander.give("B3.1", MOVE)
    expect(page.locator("[data-against]")).to_have_count(0)
    assert commander.summary(3) == "1 move up, 10 hold, 1 attack"
    assert not offences(page)
    assert commander.of_kind("Act") == []
    send(commander)


@on_both
def test_pressed_at_random_and_in_any_order(commander: Commander) -> None:
    rng = Random(f"1 {commander.screen.width}")
    divisions = rng.sample(range(1, 11), 2)
    for division in divisions:
        commander.fold(division)
    mine = [key for key in KEYS if int(key[1:].partition(".")[0]) in divisions]
    expect(commander.page.locator("[data-slot]")).to_have_count(24)
    expect(commander.page.locator('[aria-busy="true"]')).to_have_count(0)
    wanted = dict.fromkeys(KEYS, HOLD)
    for _ in range(16):
        key, value = rng.choice(mine), rng.choice((HOLD, MOVE, ATTACK, ATTACK))
        wanted[key] = value
        commander.press(commander.option(f"{key}:{value}"))
    assert commander.shown() == wanted
    supply = sum({ATTACK: 2, MOVE: 1, HOLD: 0}[value] for value in wanted.values())
    assert commander.budget("Supply") == f"Supply: {supply} of 20"
    rules = refusals(wanted)
    expect(commander.page.locator("[data-against]")).to_have_count(len(rules))
    found = [one.get_attribute("data-against") for one in commander.page.locator("[data-against]").all()]
    assert sorted(map(str, found)) == rules
    if rules:
        expect(commander.option("confirm")).to_be_disabled()
        for division in divisions:
            commander.press(commander.option(f"fill-Division {division}:{HOLD}"))
        commander.give(f"B{divisions[0]}.9", MOVE)
    expect(commander.page.locator("[data-against]")).to_have_count(0)
    send(commander)


@on_a_phone
def test_a_counter_on_the_map_opens_its_formation(commander: Commander) -> None:
    commander.whole_map()
    commander.press_unit("B2.4")
    expect(commander.page.locator('[data-slot="B2.4"]')).to_be_in_viewport()
    expect(commander.page.locator("[data-slot]")).to_have_count(12)
    commander.give("B2.4", MOVE)
    assert commander.summary(2) == "11 hold, 1 move up"
    send(commander)


def test_by_number_keys(commander: Commander) -> None:
    page = commander.page
    page.keyboard.press("2")
    expect(page.locator('[data-slot="B1.1"].current')).to_be_visible()
    expect(commander.option(f"B1.1:{ATTACK}")).to_be_visible()
    for key in "312":
        page.keyboard.press(key)
    expect(page.locator('[data-slot="B1.4"].current')).to_be_visible()
    shown = commander.shown()
    assert [shown[f"B1.{number}"] for number in range(1, 5)] == [ATTACK, HOLD, MOVE, HOLD]
    send(commander)


def test_many_values_are_a_list_to_choose_from(browser: Browser, corps_serving: Serving) -> None:
    commander = Commander(browser, corps_serving.address, PHONE, "reserves", divisions=3)
    commander.fold(2)
    row = commander.option("B2.3:")
    expect(row.locator("option")).to_have_count(15)
    row.select_option("reserve 7")
    assert commander.summary(2) == "11 hold, 1 reserve 7"
    commander.fold(1)
    everybody = commander.option("fill-Division 1:")
    expect(everybody.locator("option")).to_have_count(16)
    everybody.select_option("reserve 12")
    assert commander.summary(1) == "all reserve 12"
    commander.option("B1.1:").select_option(ATTACK)
    expect(commander.option("confirm")).to_have_text("Not allowed yet: 1.4")
    commander.option("B1.2:").select_option(MOVE)
    assert not offences(commander.page)
    commander.confirm()
    (act,) = commander.of_kind("Act")
    first = [ATTACK, MOVE, *["reserve 12"] * 10]
    assert act["keys"] == [*first, HOLD, HOLD, "reserve 7", *[HOLD] * 21, "done"]
    commander.leave()
