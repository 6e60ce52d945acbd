"""What 600 counters cost the page, beside 30: the way under the pointer, and a counter that has changed.

Two pages, one with the large game and one with the small one, take turns. From afar counters are painted on a canvas,
near by those in sight have nodes.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, NamedTuple

from sandtable.cli.bench.browsing import browsing
from sandtable.cli.bench.measure import Budget, times
from sandtable.testing import crowd

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["MOST", "CrowdPage", "Waits", "compare", "measure", "open_game"]

MOST = 3
"""So many times as long it may take with twenty times as many counters."""
_PATIENCE = 60_000
"""Milliseconds for anything to show up."""

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


class Waits(NamedTuple):
    """Milliseconds, the middle one of many."""

    few: float
    many: float


class CrowdPage:
    """A page with a game of a crowd in it, whose map is painted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")

    def option(self, key: str) -> Locator:
        """Something that can be chosen."""
        return self.page.locator(f'[data-option="{key}"]')

    def come_near(self) -> None:
        """So close that counters are read."""
        box = self.page.locator(".map").bounding_box()
        assert box is not None  # noqa: S101 - the map is painted
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.2)
        self.page.mouse.wheel(0, -1100)
        self.page.locator(".unit").first.wait_for()

    def take(self, unit: str) -> list[list[float]]:
        """Take a unit in hand to move it; where it can go."""
        self.option(unit).first.click()
        self.option("move").first.click()
        self.page.locator(".hex.lit.go").first.wait_for()
        goals: list[list[float]] = self.page.evaluate(_GOALS)
        return goals

    def drop(self) -> None:
        """Back to the list of units."""
        while self.option("back").count():
            self.option("back").first.click()

    def _work(self) -> float:
        told = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(one["value"] for one in told if one["name"] == "TaskDuration"))

    def point(self, at: list[float]) -> float:
        """Point at a place; the milliseconds that the page worked until the way there was painted."""
        before = self._work()
        self.page.evaluate(_POINT, at)
        return self._work() - before

    def hold(self, unit: str) -> float:
        """Let a unit hold; the milliseconds until that was painted."""
        return float(self.page.evaluate(_HOLD, unit))


def compare(few: CrowdPage, many: CrowdPage) -> tuple[Waits, Waits]:
    """How long the way to a hex under the pointer takes, and an action until it is painted."""
    both = few, many
    goals = [one.take("w8") for one in both]
    places = min(12, *map(len, goals))
    for i in range(places):  # what the server says of each way is known from now on
        for one, at in zip(both, goals, strict=True):
            one.point(at[i])
    worked = [[one.point(at[i % places]) for one, at in zip(both, goals, strict=True)] for i in range(3 * places)]
    for one in both:
        one.drop()
    waited = [[one.hold(f"w{number}") for one in both] for number in range(1, 14)]
    pointing, acting = (Waits(*map(statistics.median, zip(*found, strict=True))) for found in (worked, waited))
    return pointing, acting


def measure() -> list[Budget]:
    """From afar and near by."""
    found = []
    with browsing("sandtable.testing.crowd:register") as (browser, address):
        for name in ("afar", "near"):
            few, many = (open_game(browser, address, scenario) for scenario in (crowd.FEW, crowd.CROWD))
            if name == "near":
                few.come_near()
                many.come_near()
            pointing, acting = compare(few, many)
            for one in (few, many):
                one.page.context.close()
            found += [
                _budget(f"way at 600 counters, {name}", pointing),
                _budget(f"act at 600 counters, {name}", acting),
            ]
    return found


def _budget(name: str, waits: Waits) -> Budget:
    note = "milliseconds until it is painted; with 30 counters"
    return times(name, waits.many, waits.few, floor=1 / MOST, goal=1 / 1.5, note=note)


def open_game(browser: Browser, address: str, scenario: str) -> CrowdPage:
    """Start a game from the lobby, both sides one person's."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)
    page.goto(address)
    for place in (f'[data-scenario="{scenario}"]', '[data-option="opponent-hotseat"]', '[data-option="start"]'):
        page.locator(place).first.click()
    page.locator('.map[data-sharp="true"]').wait_for()
    return CrowdPage(page)
