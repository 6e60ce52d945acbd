"""How smoothly a map of 3,000 hexes pans, beside an empty canvas of the same size, under software rendering.

``python -m tests.browser.fps`` starts a server and a browser of its own and prints one JSON object
``{hexes, pan, empty}`` in frames a second; ``sandtable bench`` may run it the same way.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TypedDict, cast

from playwright.sync_api import Browser, sync_playwright

from tests.browser.serving import Serving, chromium, why_not_here

__all__ = ["Measured", "probe"]


class Measured(TypedDict):
    """Frames a second."""

    hexes: int
    pan: float
    empty: float


def probe(browser: Browser, address: str, milliseconds: int = 3000) -> Measured:
    """Measure with a running browser and server."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}#/probe")
    page.locator(".map[data-sharp=true]").wait_for(timeout=60_000)
    found = page.evaluate("(ms) => window.sandtableProbe(ms)", milliseconds)
    page.close()
    return cast("Measured", found)


def main() -> None:
    """Measure and print."""
    if reason := why_not_here():
        raise SystemExit(reason)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Serving(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            print(json.dumps(probe(browser, server.address)))  # noqa: T201 - the answer
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
