"""GOSS: how smoothly the map of a front of 600 units pans in the browser, from afar and near by.

The game itself is dragged about with the mouse. Floor and goal are frames a second, so the ratio is our rate itself;
beside it stand the frames of the page when nothing moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.cli.bench.browser_size import open_game
from sandtable.cli.bench.browsing import browsing
from sandtable.cli.bench.goss import stress
from sandtable.cli.bench.measure import Budget

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["measure", "pan"]

_LEAST, _GOAL = 20, 40
_MILLISECONDS = 3000

# Frames a second while the pointer that is down drags the map in circles, or, without a middle, while nothing moves.
_FRAMES = """
([ms, x, y]) => new Promise((resolve) => {
  const map = document.querySelector('.map');
  let count = 0;
  const begin = performance.now();
  const tick = () => {
    const t = performance.now() - begin;
    if (t >= ms) return resolve((count * 1000) / t);
    if (x) map.dispatchEvent(new PointerEvent('pointermove', {
      pointerId: window.dragged, pointerType: 'mouse', bubbles: true,
      clientX: x + Math.cos(t / 400) * 220, clientY: y + Math.sin(t / 300) * 160,
    }));
    count++;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})
"""
_REMEMBER = """
() => document.querySelector('.map').addEventListener('pointerdown', (down) => { window.dragged = down.pointerId; })
"""


def pan(page: Page, milliseconds: int = _MILLISECONDS) -> tuple[float, float]:
    """Frames a second while the map of a page is dragged, and while nothing moves."""
    box = page.locator(".map").bounding_box()
    assert box is not None  # noqa: S101 - the map is painted
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    still: float = page.evaluate(_FRAMES, [milliseconds, 0, 0])
    page.evaluate(_REMEMBER)
    page.mouse.move(x, y)
    page.mouse.down()
    dragged: float = page.evaluate(_FRAMES, [milliseconds, x, y])
    page.mouse.up()
    return dragged, still


def measure() -> list[Budget]:
    """From afar, where counters are painted, and near by, where those in sight have nodes."""
    found = []
    with browsing("sandtable.cli.bench.goss.stress:register") as (browser, address):
        game = open_game(browser, address, stress.ID)
        for name in ("afar", "near"):
            if name == "near":
                game.come_near()
            dragged, still = pan(game.page)
            note = "frames a second while the map is dragged; while nothing moves. Ratio: ours itself"
            found.append(Budget(f"pan at 600 GOSS units, {name}", dragged, still, dragged, _LEAST, _GOAL, note))
    return found
