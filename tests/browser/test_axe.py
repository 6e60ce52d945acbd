"""axe-core finds nothing on any page, at a desk and on a phone, in light and in dark."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from sandtable import catalog
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import dump
from tests.browser.player import Player
from tests.browser.tabletop import drag_handle, press_place
from tests.browser.test_orders import fire_begins

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """
async (rules) => {
  // A canvas or a picture lies behind what is measured: axe says that it cannot tell, and so it is no violation.
  const found = await axe.run(document, { resultTypes: ['violations'], ...(rules.length && { runOnly: rules }) });
  const where = (one) => one.nodes.map((node) => node.target.join(' ')).slice(0, 4).join(' | ');
  return found.violations.map((one) => `${one.id}: ${where(one)}`);
}
"""
# Long lines of the log once made the page wider than a phone.
RIGHT_EDGES = "(all) => all.map((one) => one.getBoundingClientRect().right)"
# Middle of a counter in a stack that nothing lies over.
STACK = """
() => [...document.querySelectorAll('.unit[data-stacked="true"] .body')].map((body) => {
  const box = body.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}).find((at) => document.elementFromPoint(at.x, at.y)?.closest('.unit[data-stacked="true"]'))
"""
PATROL = "na-a-patrol-at-tamrad"


def check(player: Player, where: str) -> list[str]:
    """What axe finds on the page as it stands."""
    found = []
    for scheme in ("light", "dark"):
        player.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        expect(player.page.locator("html")).to_have_attribute("data-theme", scheme)
        if not player.page.evaluate("'axe' in window"):
            # Evaluated, for the page lets no foreign script in.
            player.page.evaluate(AXE.read_text())
        # Nothing but the contrast is another in the dark.
        rules = ["color-contrast"] if scheme == "dark" else []
        found += [f"{where}, {scheme}: {one}" for one in player.page.evaluate(RUN, rules)]
    return found


@pytest.fixture(autouse=True)
def _axe() -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm ci in web/)")


def test_lobby_and_invitation(player: Player) -> None:
    found: list[str] = []
    player.page.locator("canvas.painted").wait_for()
    found += check(player, "lobby")
    player.press('[data-option="opponent-invite"]')
    player.press('[data-option="start"]')
    link = player.panel("invite").locator("[data-invite]")
    expect(link).to_be_visible()
    found += check(player, "invitation made")
    token = link.get_attribute("data-invite")
    player.go(f"#/join/{token}")
    expect(player.page.locator("[data-page=join]")).to_contain_text("Clock")
    found += check(player, "join")
    assert found == []


def test_game(player: Player) -> None:
    found: list[str] = []
    player.start(PATROL)
    player.see_map()
    player.asked()
    found += check(player, "game")
    expect(player.hex("K7")).to_have_attribute("aria-label", "K7, Hill, level 1, Path, Track")
    for tab in ("stakes", "unit", "tools", "tables", "chat", "log"):
        player.tab(tab)
        found += check(player, tab)
    player.press('[data-panel="menu"] > summary')
    found += check(player, "menu")
    assert found == []


def test_a_table_and_what_is_drawn_on_it(player: Player) -> None:
    found: list[str] = []
    player.start("pm-a-first-drive", opponent="hotseat")
    player.see_map()
    player.asked()
    player.press(player.option("G1:MOVE"))
    found += check(player, "orders on a table")
    player.tab("tools")
    player.press(player.option("tool-sight"))
    player.whole_map()
    for place in ((4, 10), (30, 8)):
        press_place(player, place)
    expect(player.panel("sight")).to_be_visible()
    found += check(player, "a section of heights")
    player.press(player.option("tool-sight"))
    if player.screen.is_phone:
        player.tab("orders")
    player.confirm()
    while not player.panel("sketch").count():
        player.asked()
        player.answer()
    drag_handle(player, "move", (34, 22))
    expect(player.page.locator("[data-ghost]")).to_have_attribute("data-legal", "false")
    found += check(player, "a drawing that breaks a rule")
    assert found == []


def test_lesson_and_rule_card(player: Player) -> None:
    found: list[str] = []
    player.press("[data-lesson]")
    player.see_map()
    expect(player.panel("lesson")).to_be_visible()
    found += check(player, "lesson")
    player.press(player.panel("prompt").locator("button.rule"))
    expect(player.panel("rule")).to_be_visible()
    found += check(player, "rule card")
    assert found == []


def test_stack_list_targets_and_abbreviation(player: Player) -> None:
    found: list[str] = []
    player.start("sk-1-the-road-into-bretteville", opponent="hotseat")
    player.see_map()
    fire_begins(player)
    expect(player.page.locator("[data-effect]").first).to_be_visible()
    found += check(player, "targets with their odds")
    player.page.locator("header button[data-term=PFPh]:visible").first.focus()
    expect(player.panel("term")).to_be_visible()
    found += check(player, "abbreviation")
    player.page.keyboard.press("Escape")
    at = player.page.evaluate(STACK)
    player.press_at(at["x"], at["y"])
    expect(player.page.locator("[data-option^=stack-]").first).to_be_visible()
    found += check(player, "stack")
    assert found == []


def begun(actions: int) -> str:
    """The log of a game that was broken off."""
    found = catalog.open_scenario(PATROL)
    game, rng = Game.start(found.ruleset, found.header, SeededDice("axe")), Random(3)
    for _ in range(actions):
        decision = game.decision
        assert decision is not None
        game.play(decision.asked[0], decision.options(decision.asked[0]).sample(rng))
    return "".join(dump(game.header, game.lines))


def test_replay_and_review(player: Player) -> None:
    found: list[str] = []
    player.option("open-file").set_input_files(
        {"name": "g.jsonl", "mimeType": "text/plain", "buffer": begun(7 if player.screen.is_phone else 6).encode()}
    )
    player.see_map()
    found += check(player, "replay")
    widest = max(player.page.locator("footer button, aside").evaluate_all(RIGHT_EDGES))
    assert widest <= player.screen.width, "nothing hangs over the edge"
    player.press(player.option("play-on"))
    expect(player.panel("play-on").locator("[data-bot]")).to_be_visible()
    found += check(player, "playing on")
    player.page.keyboard.press("Escape")
    player.press(player.option("tab-review"))
    player.press(player.option("review"))
    expect(player.panel("review")).to_have_attribute("data-state", "done", timeout=180_000)
    found += check(player, "review")
    assert found == []
