"""How smoothly a map of 3,000 hexes pans in the browser, beside an empty canvas of that size, without a graphics card.

Floor and goal are frames a second, so the ratio is our rate itself; the empty canvas says what the machine gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, cast

from sandtable.cli.bench.browsing import browsing
from sandtable.cli.bench.measure import Budget

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["Frames", "measure", "probe"]

_PATIENCE = 60_000
"""Milliseconds for the map to be painted."""


class Frames(TypedDict):
    """Frames a second."""

    hexes: int
    pan: float
    empty: float


def probe(browser: Browser, address: str, milliseconds: int = 3000) -> Frames:
    """Measure with a running browser and server."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}#/probe")
    page.locator(".map[data-sharp=true]").wait_for(timeout=_PATIENCE)
    found = page.evaluate("(ms) => window.sandtableProbe(ms)", milliseconds)
    page.close()
    return cast("Frames", found)


def measure() -> list[Budget]:
    """A server and a browser of its own."""
    with browsing() as (browser, address):
        found = probe(browser, address)
    note = f"frames a second while a map of {found['hexes']:,} hexes pans; of an empty canvas. Ratio: ours itself"
    return [Budget("map pan", found["pan"], found["empty"], found["pan"], 20, 40, note)]
