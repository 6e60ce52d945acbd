"""Size: with 600 counters on 2,500 hexes only what is in sight has nodes; pointing and acting are as quick as with 30.

Times are compared in one run, as ``sandtable bench browser_size`` does it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from sandtable.cli.bench.browser_size import MOST, CrowdPage, compare
from sandtable.testing import crowd
from tests.browser.player import DESK, Player
from tests.browser.serving import Serving


class Opened(CrowdPage):
    """A game of this many in a page of its own."""

    def __init__(self, browser: Browser, serving: Serving, scenario: str) -> None:
        self.player = Player(browser, serving.address, DESK)
        self.player.start(scenario, opponent="hotseat")
        self.player.see_map()
        assert self.player.asked()
        super().__init__(self.player.page)


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
    pointing, acting = compare(*both)
    assert pointing.many < MOST * pointing.few, f"milliseconds until a way is shown: {pointing}"
    assert acting.many < MOST * acting.few, f"milliseconds until an action is shown: {acting}"
