"""ASL Starter Kit #3 by clicks and taps: set-up, fire with its odds, the computer's help, a game to its end."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.player import Player

ROOMS = "sk-3-room-by-room"
STEEL = "sk-6-steel-in-the-corn"
VILLAGE = "sk-5-the-gun-in-the-village"
HIDDEN = ("G-5", "G-W1")
"""The crew and its Gun that nobody but their owner knows the place of."""

# A lit hex that nothing lies over.
_LIT = """
() => {
  for (const hex of document.querySelectorAll('.hex.lit.go')) {
    const box = hex.getBoundingClientRect();
    const at = { x: box.x + box.width / 2, y: box.y + box.height * 0.75 };
    const hit = document.elementFromPoint(at.x, at.y);
    if (hit && hit.closest('.map') && !hit.closest('[data-unit]')) return { ...at, label: hex.dataset.hex };
  }
  return null;
}
"""


# What the server answers to actions that no button of the page would send.
_FORGED = """
async ([table, actions]) => {
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/tables/${table}/socket`);
  const waiting = [];
  socket.onmessage = (told) => waiting.shift()?.(JSON.parse(told.data));
  const next = () => new Promise((done) => waiting.push(done));
  let { v } = await next();
  const answers = [];
  for (const action of actions) {
    socket.send(JSON.stringify({ type: 'Act', id: answers.length + 1, v, action }));
    let told = await next();
    while (told.re === undefined) told = await next();
    answers.push(told);
  }
  socket.close();
  return answers;
}
"""


def forged(player: Player, *actions: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What comes of actions that are sent past the page: type, rule and reason of each answer."""
    table = re.split(r"[/?]", player.page.url.rpartition("#/")[2])[1]
    answers = player.page.evaluate(_FORGED, [table, list(actions)])
    return [(told["type"], told["rule"], told["reason"]) for told in answers]


def told_counters(frame: str) -> list[dict[str, Any]]:
    """The counters in a message of the server."""
    counters = (json.loads(frame).get("scene") or {}).get("counters") or []
    found: list[dict[str, Any]] = counters["put"] if isinstance(counters, dict) else counters
    return found


def place_one(player: Player) -> str:
    """Put the counter in hand into a lit hex; which hex."""
    player.page.locator(".hex.lit.go").first.wait_for()
    goal: dict[str, Any] | None = player.page.evaluate(_LIT)
    assert goal is not None
    before = player.question
    player.press_at(goal["x"], goal["y"])
    expect(player.page.locator("[data-page=game]")).not_to_have_attribute("data-question", before)
    return str(goal["label"])


def follow_hint(player: Player) -> None:
    """Ask what to do and do it."""
    before = player.question
    player.press(player.option("hint"))
    expect(player.panel("advice")).to_be_visible()
    player.press(player.option("play-hint"))
    player.until_asked_else(before)


def set_up(player: Player) -> None:
    """Two units by hand, one after the other, and the rest as the scenario suggests."""
    orders = player.panel("orders")
    player.asked()
    expect(player.panel("prompt")).to_contain_text("Set up")
    player.press(orders.locator("button[data-kind=unit]"))
    first = place_one(player)
    # The next counter is in hand at once.
    expect(orders.locator(".crumb")).to_have_count(1)
    second = place_one(player)
    standing = player.page.locator("[data-unit][aria-label]")
    for label in {first, second}:
        expect(standing.and_(player.page.locator(f'[aria-label*="in {label}"]')).first).to_be_attached()
    expect(orders.locator(".crumb")).to_have_count(1)
    player.press(player.option("back"))
    player.press(orders.locator('button:has-text("as the scenario suggests")'))
    player.press(orders.locator('button:has-text("The set-up is finished")'))
    expect(player.panel("prompt")).not_to_contain_text("Set up")


def test_room_by_room_is_played_to_its_end(player: Player) -> None:
    player.start(ROOMS, side="russian")
    player.see_map()
    set_up(player)
    # Squads show their strength in one line.
    expect(player.page.locator(".unit .strength").first).to_contain_text(re.compile(r"\d"))
    for _ in range(2):
        if player.asked():
            follow_hint(player)
    player.asked()
    # The computer plays on for us.
    player.press(player.option("hand-over"))
    player.press(player.panel("help").locator("xpath=..").locator("[data-option=bot-greedy]"))
    player.press(player.option("hand-over-now"))
    expect(player.panel("outcome")).to_be_visible(timeout=180_000)
    expect(player.panel("outcome")).to_contain_text(re.compile("wins|draw"))
    # Now that it is over, the other side's thoughts are told too.
    player.tab("log")
    player.press(player.page.locator("[data-option=why]").first)
    expect(player.panel("advice").first).to_be_visible()


def test_tanks_drive_at_a_gun_that_stays_hidden(player: Player) -> None:
    heard: list[str] = []
    player.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    player.start(STEEL, side="russian")
    player.see_map()
    orders = player.panel("orders")
    ends = ("as the scenario suggests", "The set-up is finished", "No more transfer")
    for _ in range(12):
        player.asked()
        if "Prep Fire" in player.panel("prompt").inner_text():
            break
        before = player.question
        player.press_first(*(f'button:enabled:has-text("{text}")' for text in ends))
        player.until_asked_else(before)
    # Where the Gun and its crew are was told in no message, nor where they point.
    hidden = [one for frame in heard for one in told_counters(frame) if one["id"] in HIDDEN]
    assert hidden
    assert all((one["hex"], one["spine"], one["held_by"]) == ("", None, "") for one in hidden)
    # Arcs and MP are refused by their rules, whatever is sent.
    gun = {"type": "FireGun", "vehicle": "R-V1", "target": [21, -3], "target_type": "VTT", "ammo": "AP", "at": "G-V1"}
    assert forged(player, {**gun, "facing": 4}, {"type": "TurnArc", "vehicle": "R-V1", "facing": 9}) == [
        ("Refused", "3.2.4", "the target is not in the covered arc of R-V1"),
        ("Refused", "3.2.4", "there is no hexspine 9"),
    ]
    # A shot at a tank: target type and ammunition, then the odds of each part that may be hit.
    player.press(orders.locator('button:has-text("MA of R-V4 fires")'))
    for text in ("At V8", "Vehicle Target Type", "AP"):
        player.press(orders.locator(f'.choice button:has-text("{text}")'))
        expect(orders.locator(".crumb, .leaf").filter(has_text=text).first).to_be_visible()
    expect(player.option("confirm")).to_be_enabled()
    expect(player.panel("preview")).to_contain_text("wrecked")
    before = player.question
    player.back_out()
    player.press(orders.locator('button:has-text("No more fire")'))
    player.until_asked_else(before)
    player.asked()
    turns = [{"kind": "turn", "spine": number % 2} for number in range(20)]
    drive = {"type": "MoveVehicle", "vehicle": "R-V1", "steps": [{"kind": "start"}, *turns]}
    assert forged(player, drive) == [("Refused", "3.3.2", "turning costs 1 MP, and 0 are left")]
    # The whole way is told before it is confirmed, with its start and its stop.
    player.press(orders.locator('[data-option="R-V1"]'))
    player.page.locator(".hex.lit.go").first.wait_for()
    player.path()
    steps = orders.locator(".steps li")
    expect(steps.first).to_contain_text("start")
    expect(steps.filter(has_text="stop")).to_have_count(1)
    player.confirm()


def test_a_hidden_gun_of_ones_own_waits_and_fires(player: Player) -> None:
    told: dict[str, dict[str, Any]] = {}

    def hear(frame: Any) -> None:
        told.update({one["id"]: one for one in told_counters(str(frame))})

    def is_hidden() -> bool:
        return any(marker["title"] == "Hidden, with its crew" for marker in told["R-W1"]["markers"])

    player.page.on("websocket", lambda socket: socket.on("framereceived", hear))
    player.start(VILLAGE, side="russian")
    player.see_map()
    orders = player.panel("orders")
    player.asked()
    player.press(orders.locator('button:has-text("as the scenario suggests")'))
    done = orders.locator('button:has-text("The set-up is finished")')
    expect(done).to_be_enabled()
    # Its owner sees where the Gun and its crew are, where it points, and that nobody else does.
    assert (told["R-4"]["hex"], told["R-W1"]["held_by"]) == ("DD5", "R-4")
    assert told["R-W1"]["spine"] is not None
    assert is_hidden()
    player.press(done)
    # He is asked at every MF in reach, holds his fire, and has the Gun fire as soon as it may.
    gun = orders.locator('button[data-option="R-W1"]')
    for _ in range(40):
        player.asked()
        if gun.count():
            break
        before = player.question
        player.press_first("button[data-kind=pass]:enabled", "button[data-kind=done]:enabled")
        player.until_asked_else(before)
    assert is_hidden()
    player.press(gun)
    for _ in range(6):
        if not is_hidden():
            break
        player.answer()
    assert not is_hidden(), "the first shot gives it away"
