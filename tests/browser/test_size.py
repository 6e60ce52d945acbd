"""Size: with 600 counters on 2,500 hexes only what is in sight has nodes; pointing and acting are as quick as with 30.

Times are compared in one run: two pages, one with the large game and one with the small one, take turns.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from sandtable.testing import crowd
from tests.browser.player import DESK, Player
from tests.browser.serving import Serving

MOST = 3
"""So many times as long it may take with twenty times as many counters."""

# Middles of the hexes that the unit in hand can go to, where nothing lies over the map.
_GOALS = """
() => [...document.querySelectorAll('.hex.lit.go')].map((hex) => {
  const box = hex.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}).filter(([x, y]) => document.elementFromPoint(x, y)?.closest('.map'))
"""

# Points at a place and waits until another way than before is painted.
_POINT = """
async ([x, y]) => {
  const way = () => document.querySelector('polyline.path')?.getAttribute('points') ?? '';
  const before = way();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const to = { clientX: x, clientY: y, pointerType: 'mouse', bubbles: true };
  document.querySelector('.map').dispatchEvent(new PointerEvent('pointermove', to));
  while (!way() || way() === before) await frame();
  await frame();
}
"""

# Holds with a unit; the milliseconds from the press until the new position is painted.
_HOLD = """
async (unit) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const find = async (key) => {
    for (;;) {
      const found = document.querySelector(`[data-panel=orders] [data-option="${key}"]`);
      if (found && !found.disabled) return found;
      await frame();
    }
  };
  const page = document.querySelector('[data-page=game]');
  (await find(unit)).click();
  const hold = await find('hold');
  await frame();
  const [before, begun] = [page.dataset.v, performance.now()];
  hold.click();
  while (page.dataset.v === before) await frame();
  await frame();
  return performance.now() - begun;
}
"""


class Opened:
    """A game of this many in a page of its own."""

    def __init__(self, browser: Browser, serving: Serving, scenario: str) -> None:
        self.player = Player(browser, serving.address, DESK)
        self.player.start(scenario, opponent="hotseat")
        self.player.see_map()
        assert self.player.asked()
        self._session: CDPSession = self.player.context.new_cdp_session(self.player.page)
        self._session.send("Performance.enable")

    def come_near(self) -> None:
        """So close that counters are read."""
        box = self.player.page.locator(".map").bounding_box()
        assert box is not None
        self.player.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.2)
        self.player.page.mouse.wheel(0, -1100)
        expect(self.player.page.locator(".unit").first).to_be_visible()

    def take(self, unit: str) -> list[list[float]]:
        """Take a unit in hand to move it; where it can go."""
        self.player.press(self.player.option(unit))
        self.player.press(self.player.option("move"))
        self.player.page.locator(".hex.lit.go").first.wait_for()
        goals: list[list[float]] = self.player.page.evaluate(_GOALS)
        return goals

    def drop(self) -> None:
        """Back to the list of units."""
        while self.player.option("back").count():
            self.player.press(self.player.option("back"))

    def _work(self) -> float:
        told = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(one["value"] for one in told if one["name"] == "TaskDuration"))

    def point(self, at: list[float]) -> float:
        """Point at a place; the milliseconds that the page worked until the way there was painted."""
        before = self._work()
        self.player.page.evaluate(_POINT, at)
        return self._work() - before

    def hold(self, unit: str) -> float:
        """Let a unit hold; the milliseconds until that was painted."""
        return float(self.player.page.evaluate(_HOLD, unit))


@pytest.fixture
def both(browser: Browser, crowd_serving: Serving) -> Iterator[tuple[Opened, Opened]]:
    """The small game and the large one, each in its page."""
    games = Opened(browser, crowd_serving, crowd.FEW), Opened(browser, crowd_serving, crowd.CROWD)
    yield games
    for one in games:
        one.player.leave()


def test_from_afar_counters_are_painted_and_can_be_pointed_at(browser: Browser, crowd_serving: Serving) -> None:
    game = Opened(browser, crowd_serving, crowd.CROWD)
    player, page = game.player, game.player.page
    expect(page.locator('[data-painted="600"]')).to_be_visible()
    expect(page.locator(".unit")).to_have_count(0)
    # w7 stands in the hex above w8, which w8 could go to: that hex has a node now.
    game.take("w8")
    box = player.hex("2309").bounding_box()
    assert box is not None
    game.drop()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    expect(player.panel("hex")).to_contain_text("Company w7")
    page.mouse.click(x, y)
    expect(player.option("hold")).to_be_visible()
    player.press(player.option("hold"))
    expect(player.panel("log")).to_contain_text("hold with w7")
    # The keyboard's hex tells who is in it.
    page.keyboard.press("m")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".hex[data-hex='2311']")).to_have_attribute("aria-label", "2311, Clear, Company w9 w9")
    player.leave()


def test_near_by_only_counters_in_sight_have_nodes(browser: Browser, crowd_serving: Serving) -> None:
    game = Opened(browser, crowd_serving, crowd.CROWD)
    game.come_near()
    page = game.player.page
    expect(page.locator(".painted")).to_have_count(0)
    assert 0 < page.locator(".unit").count() < 300
    here = page.locator(".unit").first.get_attribute("data-unit")
    page.mouse.down()
    for _ in range(4):
        page.mouse.move(900, 860, steps=4)
        page.mouse.up()
        page.mouse.move(200, 100)
        page.mouse.down()
    page.mouse.up()
    expect(page.locator(f'.unit[data-unit="{here}"]')).to_have_count(0)
    game.player.leave()


@pytest.mark.parametrize("is_near", [False, True], ids=["afar", "near"])
def test_pointing_and_acting_do_not_wait_for_the_crowd(both: tuple[Opened, Opened], *, is_near: bool) -> None:
    if is_near:
        for one in both:
            one.come_near()
    goals = [one.take("w8") for one in both]
    places = min(12, *map(len, goals))
    for i in range(places):  # what the server says of each way is known from now on
        for one, at in zip(both, goals, strict=True):
            one.point(at[i])
    worked = [[one.point(at[i % places]) for one, at in zip(both, goals, strict=True)] for i in range(3 * places)]
    few, many = (statistics.median(times) for times in zip(*worked, strict=True))
    assert many < MOST * few, f"a way is shown in {many:.1f} ms, with few counters in {few:.1f}"
    for one in both:
        one.drop()
    waited = [[one.hold(f"w{number}") for one in both] for number in range(1, 14)]
    few, many = (statistics.median(times) for times in zip(*waited, strict=True))
    assert many < MOST * few, f"an action is shown in {many:.1f} ms, with few counters in {few:.1f}"
