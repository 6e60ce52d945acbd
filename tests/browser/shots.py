"""The pictures in ``docs/screenshots``: real games, played by clicks, looked at from a desk and from a phone.

``python -m tests.browser.shots [NAME ...]`` takes them anew with a server and a browser of its own.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.player import DESK, PHONE, Player
from tests.browser.serving import Serving, chromium, why_not_here

OUT = Path(__file__).parents[2] / "docs" / "screenshots"
DESERT = "na-meeting-at-bir-hamra"
GERMANY = "mbt-meeting-at-muehlau"
RIDGE = "na-attack-on-asfar-ridge"
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
    player.play_on(90, turn=2)
    player.play_on(90, until="path")
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
            player.play_on(90, until="gather", turn=4)
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
        player.option("play-hint").wait_for(timeout=60_000)
        player.press(player.option("play-hint"))
        player.until_asked_else(before)
    player.page.mouse.move(1200, 20)
    _take(player, "asl")


def hint(player: Player) -> None:
    """What a captain advises, and why."""
    player.start(GERMANY)
    player.see_map()
    player.play_on(90, turn=2)
    player.play_on(90, until="pick")
    player.press(player.option("hint"))
    expect(player.panel("advice")).to_be_visible(timeout=40_000)
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
    player.play_on(60, until="path")
    player.path()
    expect(player.panel("preview")).to_be_visible()
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
    desk: list[Callable[[Player], None]] = [lobby, game, odds, asl, hint, sight, replay, review, dark]
    wanted = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Serving(Path(folder))
        browser: Browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            for picture, screen in [*((one, DESK) for one in desk), (phone, PHONE)]:
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
