"""Whole games in the browser, on a desk and on a phone."""

from __future__ import annotations

import json
import re
import time

from playwright.sync_api import Browser, expect

from tests.browser.player import DESK, LONG, PHONE, Player
from tests.browser.serving import Serving

FIRST = "na-a-patrol-at-tamrad"
AT_RANGE = "na-attack-on-asfar-ridge"

# Notes each question that is put to whoever sits at a seat that the computer plays.
_WATCH_WHO_IS_ASKED = """
() => {
  window.askedInItsPlace = [];
  new MutationObserver(() => {
    const seat = document.querySelector('[data-page=game]').dataset.seat;
    const isPlayed = document.querySelector(`[data-option=take-back][data-seat="${seat}"]`);
    const orders = document.querySelector('[data-panel=orders][data-shape]');
    if (isPlayed && orders) window.askedInItsPlace.push(orders.innerText);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}
"""


def test_a_whole_scenario_by_clicks_against_the_bot(player: Player) -> None:
    player.start(FIRST)
    player.see_map()
    player.play_on()
    expect(player.panel("outcome")).to_contain_text(re.compile("wins|draw", re.IGNORECASE))
    expect(player.option("replay").first).to_be_visible()
    # The lobby has it among the finished games.
    table = player.page.url.rpartition("/")[2]
    player.go("#/")
    expect(player.page.locator(f'[data-table="{table}"]')).to_be_visible()


def test_exact_odds_are_shown_before_fire_is_confirmed(desk: Player) -> None:
    desk.start(AT_RANGE, side="british")
    desk.see_map()
    desk.play_on(until="gather")
    odds = desk.panel("odds")
    expect(odds).to_contain_text("Exact odds")
    expect(desk.panel("breakdown").first).to_contain_text(re.compile(r"\d\.\d"))
    chances = [float(one) for one in re.findall(r"([\d.]+) %", odds.inner_text())]
    assert abs(sum(chances) - 100) < 1
    desk.confirm()
    # On a phone the next question brings its panel to the front: only then is the log there to stay.
    desk.asked()
    desk.tab("log")
    expect(desk.panel("log")).to_contain_text("fire on", ignore_case=True)


def _shows(frame: str, side: str, word: str) -> bool:
    """Whether a message has a counter of that side with a marker of that text."""
    told = (json.loads(frame).get("scene") or {}).get("counters") or []
    # A snapshot has all counters, an update those that changed.
    counters = told["put"] if isinstance(told, dict) else told
    return any(
        marker["text"] == word for counter in counters if counter["side"] == side for marker in counter["markers"]
    )


def test_a_network_game_with_secret_orders(browser: Browser, serving: Serving) -> None:
    host, guest = Player(browser, serving.address, DESK), Player(browser, serving.address, PHONE)
    heard: list[str] = []
    guest.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    host.start(FIRST, "invite")
    link = host.panel("invite").locator("input").input_value()
    host.press(host.option("to-table"))
    guest.go(link[link.index("#") :])
    guest.press(guest.option("join"))
    for one in (host, guest):
        one.see_map()
        expect(one.panel("prompt")).to_contain_text("in secret at the same time")
    # The host orders overwatch for all; nothing of it reaches the guest before the commands are turned over.
    host.assign(("OW",))
    expect(guest.panel("prompt")).to_contain_text("your decision")
    expect(host.panel("prompt")).to_contain_text("Waiting for British")
    assert heard
    assert not any(_shows(frame, "german", "OW") for frame in heard)
    guest.tab("log")
    expect(guest.panel("log")).not_to_contain_text("OW")
    guest.tab("orders")
    guest.assign(("MOVE",))
    until = time.monotonic() + LONG
    while not (host.turn == 2 and host.shape == "assign"):
        assert time.monotonic() < until, host.orders_text
        for one in (host, guest):
            if one.is_asked:
                one.answer()
        host.page.wait_for_timeout(30)
    assert any(_shows(frame, "german", "OW") for frame in heard), "turned over, they are shown"
    # Chat goes both ways.
    host.tab("chat")
    host.option("say").fill("Well moved")
    host.page.keyboard.press("Enter")
    guest.tab("chat")
    expect(guest.panel("chat")).to_contain_text("Well moved")
    host.leave()
    guest.leave()


def test_a_hot_seat_game_hides_the_other_side(player: Player) -> None:
    player.start(FIRST, "hotseat")
    player.see_map()
    player.assign(("OW",))
    cover = player.panel("hand-over")
    expect(cover).to_contain_text("British")
    # Nobody has seen or rolled anything: the order can still be taken back, and is given again.
    player.press(player.option("undo-order"))
    expect(cover).to_have_count(0)
    player.assign(("OW",))
    expect(cover).to_be_visible()
    assert (
        player.page.evaluate(
            "() => document.elementFromPoint(innerWidth / 2, innerHeight / 3).closest('[data-panel]').dataset.panel"
        )
        == "hand-over"
    )
    player.press(player.option("ready"))
    expect(player.panel("prompt")).to_contain_text("British · your decision")
    if player.screen.is_phone:
        player.tab("log")
    expect(player.panel("log")).not_to_contain_text("OW")
    # Nor are the other side's thoughts told to whoever sits there now, though one person holds both seats.
    expect(player.panel("log").locator('article:has(.seat:text-is("German")) [data-option=why]')).to_have_count(0)
    player.whole_map()
    expect(player.page.locator('.unit[data-unit="G1"]')).not_to_have_attribute("aria-label", re.compile("OW"))
    if player.screen.is_phone:
        player.tab("orders")
    player.play_on(turn=2)
    assert player.turn == 2


def test_a_seat_that_the_computer_plays_is_taken_back(player: Player) -> None:
    player.start(FIRST, "hotseat")
    player.see_map()
    player.asked()
    player.page.evaluate(_WATCH_WHO_IS_ASKED)
    player.press(player.option("hand-over"))
    player.press(player.option("hand-over-now"))
    # The computer answers for this seat alone: the screen goes to the other, who has all the time there is.
    cover = player.panel("hand-over")
    expect(cover).to_contain_text("British")
    player.press(player.option("ready"))
    expect(player.panel("prompt")).to_contain_text("British · your decision")
    expect(player.panel("help")).to_contain_text("Captain 2, steady plays German for you")
    # Meanwhile nobody was asked for what the computer was to answer.
    assert player.page.evaluate("() => askedInItsPlace") == []
    player.press(player.option("take-back"))
    expect(player.option("take-back")).to_have_count(0)
    for _ in range(20):
        player.answer()
        player.asked()
        if cover.count():
            break
    expect(cover).to_contain_text("German")
    player.press(player.option("ready"))
    expect(player.panel("prompt")).to_contain_text("German · your decision")
    expect(player.option("hint")).to_be_enabled()


def test_a_move_is_given_leg_by_leg(desk: Player) -> None:
    desk.start(FIRST)
    desk.see_map()
    desk.assign(("MOVE",))
    desk.play_on(until="path")
    before = desk.question
    desk.press(desk.option("by-legs"))
    orders = desk.panel("orders")
    for legs in (1, 2):
        desk.press(orders.locator('button[data-kind=leg]:has-text("forward"), button[data-kind=leg]'))
        expect(orders.locator(".crumb")).to_have_count(legs + 1)
    desk.press(orders.locator("button[data-kind=stop]"))
    expect(desk.page.locator("[data-page=game]")).not_to_have_attribute("data-question", before)


def test_a_captain_is_chosen_and_asked_for_a_hint(player: Player) -> None:
    player.press(f'[data-scenario="{FIRST}"]')
    player.press(player.option("level-1"))
    player.press(player.option("character-bold"))
    player.press(player.option("start"))
    player.see_map()
    player.asked()
    if player.screen.is_phone:
        player.press(player.page.locator(".menu > summary"))
    expect(player.panel("scores").first).to_contain_text("Captain 1, bold")
    if player.screen.is_phone:
        player.press(player.page.locator(".menu > summary"))
    before = player.question
    player.press(player.option("hint"))
    expect(player.panel("advice")).to_be_visible()
    expect(player.page.locator(".unit:has(.selected)").first).to_be_attached()
    player.press(player.option("play-hint"))
    player.until_asked_else(before)
