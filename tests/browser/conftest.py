"""Browser tests: Debian's chromium, driven by Playwright, against a server that each worker starts for itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.player import DESK, PATIENCE, PHONE, Player, Screen
from tests.browser.serving import Serving, chromium, why_not_here

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server for all tests of this worker."""
    if reason := why_not_here():
        pytest.skip(reason)
    server = Serving(tmp_path_factory.mktemp("serving"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def crowd_serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that has large generated games too: ``crowd-600`` and ``crowd-30``."""
    if reason := why_not_here():
        pytest.skip(reason)
    server = Serving(tmp_path_factory.mktemp("crowd"), more="sandtable.testing.crowd:register")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def corps_serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that has a game of 120 slots too: ``breakthrough``."""
    if reason := why_not_here():
        pytest.skip(reason)
    server = Serving(tmp_path_factory.mktemp("corps"), more="tests.corps:register_corps")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def table_serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that has a game on a table without hexes too: ``mill``."""
    if reason := why_not_here():
        pytest.skip(reason)
    server = Serving(tmp_path_factory.mktemp("tabletop"), more="tests.tabletop_system:register_tabletop")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this worker; every player has a context, and so a session, of his own."""
    if reason := why_not_here():
        pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(params=[DESK, PHONE], ids=["1440x900", "390x844"])
def screen(request: pytest.FixtureRequest) -> Screen:
    """A desk and a phone."""
    found: Screen = request.param
    return found


@pytest.fixture
def player(browser: Browser, serving: Serving, screen: Screen) -> Iterator[Player]:
    """Somebody in front of a screen."""
    one = Player(browser, serving.address, screen)
    yield one
    one.leave()


@pytest.fixture
def desk(browser: Browser, serving: Serving) -> Iterator[Player]:
    """Somebody at a desk, for what does not depend on the size of the screen."""
    one = Player(browser, serving.address, DESK)
    yield one
    one.leave()


@pytest.fixture
def phone(browser: Browser, serving: Serving) -> Iterator[Player]:
    """Somebody with a phone, for what is hardest in a narrow place."""
    one = Player(browser, serving.address, PHONE)
    yield one
    one.leave()


@pytest.fixture
def own_serving(tmp_path: Path) -> Iterator[Serving]:
    """A server that a test may kill."""
    if reason := why_not_here():
        pytest.skip(reason)
    server = Serving(tmp_path)
    yield server
    server.stop()
