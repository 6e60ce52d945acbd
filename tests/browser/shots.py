"""The pictures in ``docs/screenshots``: real games, played by clicks, looked at from a desk and from a phone.

``python -m tests.browser.shots [NAME ...]`` takes them anew with a server and a browser of its own.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright
from playwright.sync_api import TimeoutError as NotInTime

from tests.browser.player import DESK, PHONE, Player
from tests.browser.serving import Serving, chromium, why_not_here
from tests.browser.systems.test_miniatures import begin, fire, give_orders, set_up, until_asked
from tests.browser.tabletop import drag_handle, drawn, on_screen, press_place
from tests.browser.test_lessons import press_lit, shown, take

OUT = Path(__file__).parents[2] / "docs" / "screenshots"
DESERT = "na-meeting-at-bir-hamra"
GERMANY = "mbt-meeting-at-muehlau"
RIDGE = "na-attack-on-asfar-ridge"
WELLS = "na-adv-a-wells-at-bir-hamra"
DIVE = 5
"""The step of the lesson in which the aircraft dives."""
LORN = "goss-0-the-lorn-crossing"
STEEL = "sk-6-steel-in-the-corn"
HEIGHTS = "pm-b-the-ridge"
BRETTEVILLE = "sk-1-the-road-into-bretteville"


def _take(player: Player, name: str) -> None:
    player.see_map() if player.page.locator(".map").count() else player.page.wait_for_timeout(1500)
    player.page.wait_for_timeout(500)
    path = OUT / f"{name}.png"
    player.page.screenshot(path=path)
    # A palette halves the file; this way of choosing it keeps the few pixels of a line in their own colour.
    Image.open(path).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3).save(path, optimize=True)


def _closer(player: Player, times: int) -> None:
    """Zoom in about what is chosen, or else the middle of the map."""
    chosen = player.page.locator(".unit:has(.selected)")
    box = chosen.first.bounding_box() if chosen.count() else None
    x, y = (box["x"], box["y"]) if box is not None else (520, 480)
    player.page.mouse.move(x, y)
    for _ in range(times):
        player.page.mouse.wheel(0, -130)
        player.page.wait_for_timeout(60)
    player.page.mouse.move(1200, 20)
    player.page.wait_for_timeout(400)
    player.see_map()


def _farthest(player: Player) -> dict[str, Any] | None:
    """A lit hex in view that lies far from the mover."""
    found: dict[str, Any] | None = player.page.evaluate(
        """() => {
          const middle = (one) => {
            const box = one.getBoundingClientRect();
            return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
          };
          const mover = middle(document.querySelector('.unit:has(.selected)'));
          const far = (at) => Math.hypot(at.x - mover.x, at.y - mover.y);
          return [...document.querySelectorAll('.hex.lit.go')].map(middle)
            .filter((at) => at.x > 80 && at.x < 960 && at.y > 190 && at.y < 780)
            .sort((a, b) => far(b) - far(a))[0] ?? null;
        }"""
    )
    return found


def lobby(player: Player) -> None:
    """The lobby."""
    player.page.locator("canvas.painted").wait_for()
    _take(player, "lobby")


def game(player: Player) -> None:
    """A move in the third turn, with its way and its cost."""
    player.start(GERMANY)
    player.see_map()
    player.play_on(turn=2)
    player.play_on(until="path")
    _closer(player, 3)
    goal = _farthest(player)
    if goal is not None:
        player.page.mouse.move(goal["x"], goal["y"])
        player.page.wait_for_timeout(600)
    _take(player, "game")


def odds(player: Player) -> None:
    """Fire, with the odds before it is confirmed; games are begun anew until there is something to see."""
    for game_number in range(8):
        player.go("#/")
        player.start(RIDGE, side="british")
        player.see_map()
        for _ in range(4):
            player.play_on(until="gather", turn=4)
            if player.shape != "gather":
                break
            expect(player.panel("breakdown").first).to_be_visible()
            if player.panel("odds").locator("li").count() > (2 if game_number < 4 else 1):
                _closer(player, 3)
                _take(player, "odds")
                return
            player.confirm()
    raise SystemExit("no attack with an open outcome came up")


def _aims_at_a_stack(player: Player) -> bool:
    """Whether one of the targets offered is a stack; then it is aimed at."""
    targets = player.panel("orders").locator("button[data-kind=target]")
    for number in range(targets.count()):
        player.press(targets.nth(number))
        player.panel("odds").or_(player.panel("breakdown")).first.wait_for()
        player.page.wait_for_timeout(500)
        if player.page.locator("[data-unit-odds]").count() > 1:
            return True
        player.press(player.option("back"))
    return False


def asl(player: Player) -> None:
    """ASL: fire at a stack, with the odds of each target."""
    player.start(BRETTEVILLE, side="german")
    player.see_map()
    for _ in range(60):
        player.asked(90)
        if _aims_at_a_stack(player):
            break
        before = player.question
        player.press(player.option("hint"))
        player.option("play-hint").wait_for()
        player.press(player.option("play-hint"))
        player.until_asked_else(before)
    player.page.mouse.move(1200, 20)
    _take(player, "asl")


def tanks(player: Player) -> None:
    """ASL: a tank fires at another, with the odds of what becomes of it."""
    player.start(STEEL, side="russian")
    player.see_map()
    orders = player.panel("orders")
    for text in ("as the scenario suggests", "The set-up is finished", "No more transfer"):
        player.asked(90)
        before = player.question
        player.press(orders.locator(f'button:enabled:has-text("{text}")'))
        player.until_asked_else(before)
    player.asked(90)
    for text in ("MA of R-V4 fires", "At V8", "Vehicle Target Type", "AP"):
        player.press(orders.locator(f'.choice button:has-text("{text}")'))
        orders.locator(".crumb, .leaf").filter(has_text=text).first.wait_for()
    player.panel("preview").wait_for()
    player.page.mouse.move(80, 620)
    for _ in range(4):
        player.page.mouse.wheel(0, -130)
        player.page.wait_for_timeout(60)
    player.page.mouse.move(1200, 20)
    _take(player, "tanks")


def goss(player: Player) -> None:
    """GOSS: an assault over the bridge on its sheet, with the joint odds."""
    player.start(LORN, "hotseat")
    player.see_map()
    while player.asked(90):
        asked = player.panel("prompt").inner_text()
        if player.panel("hand-over").count():
            player.answer()
        elif "Attack as designated" in asked:
            player.press(player.option("done"))
            player.panel("sheet").wait_for()
            _take(player, "goss")
            return
        elif "tactical assaults" in asked:
            for unit in ("61-inf/1-481", "61-inf/A-61 Eng"):
                player.press(player.option(f"{unit}:TA"))
            player.confirm()
        elif player.option("done").count():
            before = player.question
            player.press(player.option("done"))
            player.until_asked_else(before)
        else:
            player.answer()


def _advised(player: Player) -> None:
    """Do what the computer advises; where it comes to nothing, anything."""
    before = player.question
    player.press(player.option("hint"))
    found = player.option("play-hint")
    with suppress(NotInTime):
        found.wait_for(timeout=30_000)
    if found.count():
        player.press(found)
        player.until_asked_else(before)
    else:
        player.answer()


def artillery(player: Player) -> None:
    """The Advanced Game: a battery is called, with its sheaf and who is in it."""
    player.start(WELLS)
    player.see_map()
    orders = player.panel("orders")
    while player.asked(90):
        if "command of its own" in player.panel("prompt").inner_text():
            for group, order in (("2nd Rifle Company", "K1:OW"), ("5th Panzer Company", "G1:MOVE")):
                player.press(player.option(f"group-{group}"))
                player.press(player.option(order))
            player.confirm()
            continue
        if not orders.locator('button:has-text("calls fire")').count():
            _advised(player)
            continue
        for text in ("calls fire", "Target Point", "Battery", "GP, Closed SHEAF"):
            button = orders.locator(f'.choice button:has-text("{text}")').first
            button.wait_for()
            player.press(button)
        player.panel("area").wait_for()
        expect(player.panel("odds").or_(player.panel("breakdown")).first).to_be_visible()
        player.page.wait_for_timeout(600)
        _take(player, "artillery")
        return
    raise SystemExit("no observer has spotted anybody")


def stuka(player: Player) -> None:
    """The lesson of the Advanced Game: an aircraft is about to dive at a gun."""
    take(player, "na-advanced")
    while (before := shown(player)).step < DIVE or not player.option("confirm").count():
        press_lit(player, before.lit)
        for _ in range(100):
            if shown(player) != before:
                break
            player.page.wait_for_timeout(50)
    player.panel("area").wait_for()
    expect(player.panel("odds").first).to_be_visible()
    _take(player, "stuka")


def hint(player: Player) -> None:
    """What a captain advises, and why."""
    player.start(GERMANY)
    player.see_map()
    player.play_on(turn=2)
    player.play_on(until="pick")
    player.press(player.option("hint"))
    expect(player.panel("advice")).to_be_visible()
    _take(player, "hint")


def review(player: Player) -> None:
    """A finished game, looked at again."""
    player.start("na-a-patrol-at-tamrad", "watch")
    expect(player.panel("outcome")).to_be_visible(timeout=180_000)
    player.press(player.option("replay"))
    player.see_map()
    player.press(player.option("tab-review"))
    player.press(player.option("review"))
    expect(player.page.locator("[data-panel=review][data-state=done]")).to_be_visible(timeout=300_000)
    turning = player.option("turning-point")
    if turning.count():
        player.press(turning)
    _take(player, "review")


def sight(player: Player) -> None:
    """The sight tool."""
    player.start(DESERT)
    player.see_map()
    player.assign(("MOVE",))
    player.asked()
    player.tab("tools")
    player.press(player.option("tool-sight"))
    player.press_hex("G3")
    player.press_hex("Q11")
    expect(player.panel("sight")).to_be_visible()
    _take(player, "sight")


def _to_the_drive(player: Player) -> None:
    """The Bridge, to the first drive of the first platoon."""
    begin(player)
    set_up(player)
    give_orders(player)
    fire(player)
    until_asked(player, "Move a vehicle")
    player.whole_map()
    press_place(player, (36, 9))
    expect(player.page.locator("[data-ghost]")).to_be_visible()


def miniatures(player: Player) -> None:
    """The Bridge: a tank is dragged down the road, with its ruler."""
    _to_the_drive(player)
    player.page.mouse.move(*on_screen(player, (36, 13)))
    for _ in range(4):
        player.page.mouse.wheel(0, -130)
        player.page.wait_for_timeout(60)
    player.page.wait_for_timeout(400)
    drag_handle(player, "move", (36.1, 12))
    player.page.mouse.click(*on_screen(player, (40, 15.5)))
    drawn(player)
    player.page.mouse.move(1200, 20)
    _take(player, "miniatures")


def miniatures_sight(player: Player) -> None:
    """The Ridge: the sight tool with the section of the heights, between a gun and a tank."""
    player.start(HEIGHTS)
    player.see_map()
    assert player.asked()
    player.tab("tools")
    player.press(player.option("tool-sight"))
    press_place(player, (12, 2))
    press_place(player, (20, 22))
    expect(player.panel("sight")).to_be_visible()
    player.panel("sight").evaluate("panel => panel.scrollIntoView()")
    _take(player, "miniatures-sight")


def miniatures_phone(player: Player) -> None:
    """The same drive under a finger."""
    _to_the_drive(player)
    player.page.wait_for_timeout(400)
    drag_handle(player, "move", (36.1, 16))
    drawn(player)
    _take(player, "miniatures-phone")


def replay(player: Player) -> None:
    """A finished game."""
    player.start(DESERT, "watch")
    expect(player.panel("outcome")).to_be_visible(timeout=180_000)
    player.press(player.option("replay"))
    player.see_map()
    last = int(player.option("scrub").get_attribute("max") or 0)
    player.option("scrub").fill(str(last * 2 // 3))
    player.page.wait_for_timeout(500)
    _closer(player, 2)
    _take(player, "replay")


def phone(player: Player) -> None:
    """A move on a phone."""
    player.start(DESERT)
    player.see_map()
    player.assign(("MOVE",))
    player.play_on(until="path")
    player.path()
    expect(player.panel("orders").locator(".steps li").first).to_be_visible()
    _take(player, "phone")


def dark(player: Player) -> None:
    """The same at night."""
    player.page.emulate_media(color_scheme="dark")
    player.start("mbt-battalion-attack")
    player.see_map()
    player.press(player.option("fill-MOVE"))
    _closer(player, 4)
    _take(player, "dark")


def main() -> None:
    """Take them all."""
    if reason := why_not_here():
        raise SystemExit(reason)
    OUT.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=20_000)
    desk: list[Callable[[Player], None]] = [
        lobby,
        game,
        odds,
        asl,
        tanks,
        goss,
        artillery,
        stuka,
        hint,
        sight,
        miniatures,
        miniatures_sight,
        replay,
        review,
        dark,
    ]
    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Serving(Path(folder))
        browser: Browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            for picture, screen in [*((one, DESK) for one in desk), (phone, PHONE), (miniatures_phone, PHONE)]:
                if wanted and picture.__name__ not in wanted:
                    continue
                player = Player(browser, server.address, screen)
                picture(player)
                player.leave()
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
