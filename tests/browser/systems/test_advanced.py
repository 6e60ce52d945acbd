"""The Advanced Game by clicks and taps: commands in formations, a battery, guns, men on foot and aircraft."""

from __future__ import annotations

import re
import time
from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.player import DESK, LONG, PHONE, Player
from tests.browser.wire import Answer, Wire

WELLS = "na-adv-a-wells-at-bir-hamra"
"""Infantry, guns and artillery."""
STUKAS = "na-adv-stukas-at-the-pass"
COMMANDS = {
    "2nd Rifle Company": {"K1": "OW", "M1": "FIRE", "R1": "MOVE"},
    "5th Panzer Company": {"G1": "MOVE"},
    "A Company": {"N1": "FIRE"},
    "C Squadron": {},
}
CALL = ("calls fire", "Target Point I6", "German Medium Battery GA1", "GP, Closed SHEAF")


def command(player: Player, rng: Random) -> None:
    """Anything to anybody, over every budget; then the commands that are meant."""
    groups = player.page.locator("[data-group]").evaluate_all("all => all.map(one => one.dataset.group)")
    for group in groups:
        player.press(player.option(f"group-{group}"))
        player.page.locator(f'[data-option="fill-{group}:N/C"]').wait_for()
    expect(player.page.locator("[data-slot] [aria-busy=true]")).to_have_count(0)
    player.fumble(rng, 12)
    for group in groups:
        if player.option(f"group-{group}").get_attribute("aria-expanded") == "false":
            player.press(player.option(f"group-{group}"))
        player.press(player.option(f"fill-{group}:N/C"))
        for unit, given in COMMANDS[group].items():
            player.press(player.option(f"{unit}:{given}"))
            expect(player.option(f"{unit}:{given}")).to_have_attribute("aria-checked", "true")
    expect(player.page.locator("[data-against]")).to_have_count(0)
    player.confirm()


def call(player: Player) -> None:
    """A battery on a gun; what it would strike is shown before."""
    for text in CALL:
        player.press(player.panel("orders").locator(f'.choice button:has-text("{text}")'))
        expect(player.panel("orders").locator(".crumb, .leaf").filter(has_text=text).first).to_be_visible()
    expect(player.panel("area")).to_contain_text("7 hexes")
    player.confirm()


def labels(wire: Wire, answer: Answer) -> list[str]:
    """The words of what was chosen step by step, as the server told them; slots have none."""
    found = []
    for depth, key in enumerate(answer["message"]["keys"]):
        node = wire.node(answer, depth)
        if node["slots"]:
            break
        found += [branch["label"] for branch in node["branches"] if branch["key"] == key]
    return found


def check(wire: Wire, answer: Answer) -> str:
    """What the page showed is what it sent, what was done, and what the log tells of it."""
    message = answer["message"]
    entry, keys, told = wire.came_of(message), message["keys"], labels(wire, answer)
    text = str(entry["text"])
    # The ways of going stand above the map and are no steps of their own.
    rest = iter(one.casefold() for one in told)
    assert all(crumb.casefold() in rest for crumb in answer["trail"]), (answer, told)
    if answer["leaf"]:
        assert answer["leaf"].casefold() == told[-1].casefold()
    if answer["goal"]:
        ways = wire.node(answer, len(keys))["destinations"]
        assert [way["ref"] for way in ways if way["key"] == message["to"]] == [answer["goal"]]
    if answer["values"]:
        slots = wire.node(answer, len(told))["slots"]
        sent = dict(zip((slot["key"] for slot in slots), keys[len(told) :], strict=False))
        assert answer["values"] == {key: sent[key] for key in answer["values"]}
        if entry["rule"] == "6.2.1":
            assert text == "give orders: " + ", ".join(f"{key} {value}" for key, value in sorted(sent.items()))
    if answer["ticks"]:
        sent = dict(zip(answer["ticks"], keys[-len(answer["ticks"]) - 1 : -1], strict=True))
        assert answer["ticks"] == {key: value != "-" for key, value in sent.items()}
    assert set(wire.priced(message)) <= {text}
    return text


def test_a_turn_is_what_the_page_showed(player: Player) -> None:
    wire, rng = Wire(player), Random(f"7 {player.screen.width}")
    wire.watch()
    player.start(WELLS, "hotseat")
    player.see_map()
    until = time.monotonic() + LONG
    has_called = False
    while player.asked() and player.turn == 1:
        assert time.monotonic() < until, player.orders_text
        if player.panel("hand-over").count():
            player.answer()
            continue
        about, before = player.panel("prompt").inner_text(), player.question
        if "command of its own" in about:
            command(player, rng)
            continue
        player.fumble(rng, 5)
        # Whoever is First Player is asked first: it may be he who has no battery to call.
        if not has_called and "calls fire" in player.orders_text:
            call(player)
            has_called = True
        while player.question == before:
            assert time.monotonic() < until, player.orders_text
            player.answer()
    texts = [check(wire, answer) for answer in wire.answers()]
    assert "K1 calls GA1 on I6, GP, Closed" in texts
    assert len([text for text in texts if text.startswith("give orders")]) == 2
    player.tab("log")
    expect(player.panel("log")).to_contain_text("K1 calls GA1 on I6")


def choose(player: Player, rng: Random) -> None:
    """Any of the things that are listed, so that fire is called and aircraft fly; else as everybody answers."""
    offered = player.panel("orders").locator("button[data-option][data-kind]:enabled")
    if player.shape != "pick" or player.option("confirm").count() or offered.count() < 2:
        player.answer()
        return
    before = (player.question, player.orders_text)
    player.press(offered.nth(rng.randrange(offered.count())))
    player.until_other(before)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "told", "screen"),
    [(WELLS, "give orders", DESK), (STUKAS, "fly Ju 87", PHONE)],
    ids=["wells", "stukas"],
)
def test_a_whole_scenario_from_its_first_question_to_its_result(player: Player, scenario: str, told: str) -> None:
    rng, until = Random(f"{scenario} {player.screen.width}"), time.monotonic() + 4 * LONG
    player.start(scenario, side="german")
    player.see_map()
    while player.asked():
        assert time.monotonic() < until, player.orders_text
        choose(player, rng)
    expect(player.panel("outcome")).to_contain_text(re.compile("wins|draw", re.IGNORECASE))
    player.tab("log")
    expect(player.panel("log")).to_contain_text(told)
