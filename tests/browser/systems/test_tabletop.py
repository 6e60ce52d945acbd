"""A game on a table without hexes: pieces are put down, dragged and turned, by hand, by finger and by keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player import DESK, Player, Screen
from tests.browser.serving import Serving

NEW = """
async (seats) => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ scenario: 'mill', seats });
  return (await (await fetch('/api/tables', { method: 'POST', headers, body })).json()).id;
}
"""


@pytest.fixture
def general(browser: Browser, table_serving: Serving, screen: Screen) -> Iterator[Player]:
    one = Player(browser, table_serving.address, screen)
    yield one
    one.leave()


def sit_down(player: Player) -> None:
    table = player.page.evaluate(NEW, {"red": "me", "blue": "bot:random"})
    player.go(f"#/table/{table}")
    expect(player.panel("sketch")).to_be_visible()


def confirm(player: Player) -> None:
    """Confirm what is drawn, and wait for the next question."""
    game = player.page.locator("[data-page=game]")
    before = game.get_attribute("data-question") or ""
    player.page.locator("[data-option=confirm]:enabled").click()
    expect(game).not_to_have_attribute("data-question", before)
    expect(player.panel("sketch")).to_be_visible()


def set_up(player: Player) -> None:
    """Both tanks where they are suggested, and shells far away."""
    for suggestion in (0, 1, -1):
        player.page.locator("[data-kind=drawing]").nth(suggestion).click()
        confirm(player)


def drag(player: Player, handle: str, dx: float, dy: float) -> None:
    box = player.page.locator(f"[data-handle={handle}]").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    steps = [(x + dx * part / 5, y + dy * part / 5) for part in range(1, 6)]
    if player.screen.is_phone:
        finger = player.context.new_cdp_session(player.page)

        def touch(kind: str, *at: tuple[float, float]) -> None:
            points = [{"x": px, "y": py} for px, py in at]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", (x, y))
        for step in steps:
            touch("touchMove", step)
        touch("touchEnd")
        return
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    for step in steps:
        player.page.mouse.move(*step)
    player.page.mouse.up()


def test_a_tank_is_dragged_with_a_ruler(general: Player) -> None:
    sit_down(general)
    set_up(general)
    ghost = general.page.locator("[data-ghost]")
    drag(general, "move", 45, 40)
    expect(ghost).to_have_attribute("data-legal", "true")
    expect(general.panel("sketch")).to_contain_text("left")
    drag(general, "turn", 60, 0)
    drawn = ghost.get_attribute("data-drawing") or ""
    assert drawn.startswith("go ")
    assert "; face " in drawn
    # Off the table: red from where it stops being legal, with rule and reason, and nothing is sent.
    drag(general, "move", -300, 0)
    expect(ghost).to_have_attribute("data-legal", "false")
    expect(general.page.locator("[data-wrong]")).to_have_count(1)
    expect(general.panel("sketch")).to_contain_text("It leaves the table")
    expect(general.option("confirm")).to_be_disabled()
    general.option("undo-leg").click()
    expect(ghost).to_have_attribute("data-drawing", drawn)
    confirm(general)
    place = general.page.locator(".unit[data-unit=r1]").get_attribute("data-in")
    assert place == drawn.removeprefix("go ").partition(";")[0]


@pytest.mark.parametrize("screen", [DESK], ids=["1440x900"])
def test_a_turn_is_played_by_keys_alone(general: Player) -> None:
    sit_down(general)
    keys = general.page.keyboard
    game = general.page.locator("[data-page=game]")

    def press(*names: str) -> None:
        before = game.get_attribute("data-question") or ""
        keys.press("m")
        for name in names:
            keys.press(name)
        expect(general.page.locator("[data-option=confirm]:enabled")).to_be_visible()
        keys.press("c")
        expect(game).not_to_have_attribute("data-question", before)
        expect(general.panel("sketch")).to_be_visible()

    press("n", "d", "d")
    press("n", "n", "n")
    press("p")
    press("ArrowUp", "ArrowUp", "ArrowRight", "Shift+ArrowUp", "Enter", "Shift+ArrowLeft")
    log = general.panel("log")
    expect(log).to_contain_text("deploy r1 put 3,2 facing 180")
    expect(log).to_contain_text("face 184.5")
