"""A server and a browser for budgets of the page: the chromium of the machine, driven by Playwright."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable.cli.bench.broadcast import running
from sandtable.cli.bench.measure import Missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browsing", "chromium"]


def chromium() -> str | None:
    """The browser of the machine; nothing is downloaded."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if (found := shutil.which(name)) is not None:
            return found
    return None


@contextmanager
def browsing(more: str = "") -> Iterator[tuple[Browser, str]]:
    """A browser, and the address of a server; ``more``: ``module:name`` that lets it have other games too."""
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
        with running(f"run_server({database!r}, {more!r})") as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            yield browser, address
            browser.close()
