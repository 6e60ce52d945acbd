"""How smoothly a map of 3,000 hexes pans in the browser, beside an empty canvas of that size, without a graphics card.

Floor and goal are frames a second, so the ratio is our rate itself; the empty canvas says what the machine gives.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

from sandtable.cli.bench.measure import Budget, Missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["Frames", "chromium", "measure", "probe"]

_PATIENCE = 60_000
"""Milliseconds for the map to be painted."""


class Frames(TypedDict):
    """Frames a second."""

    hexes: int
    pan: float
    empty: float


def chromium() -> str | None:
    """The browser of the machine; nothing is downloaded."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if (found := shutil.which(name)) is not None:
            return found
    return None


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
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Missing("Playwright is not installed") from None
    from sandtable.server.app import STATIC

    if chromium() is None:
        raise Missing("there is no chromium on this machine")
    if not (STATIC / "index.html").is_file():
        raise Missing("the client is not built (make web)")
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "bench.db")
        code = f"from sandtable.cli.bench.broadcast import run_server; run_server({database!r})"
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
            try:
                assert server.stdout is not None  # noqa: S101 - it was asked for
                address = server.stdout.readline().strip()
                with sync_playwright() as playwright:
                    browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
                    found = probe(browser, address)
                    browser.close()
            finally:
                server.kill()
    note = f"frames a second while a map of {found['hexes']:,} hexes pans; of an empty canvas. Ratio: ours itself"
    return [Budget("map pan", found["pan"], found["empty"], found["pan"], 20, 40, note)]
