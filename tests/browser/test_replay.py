"""Replay: scrubbing, viewpoints, a link to a moment, the log as a file that opens again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.player import DESK, PHONE, Player
from tests.browser.serving import Serving
from tests.browser.test_play import FIRST


@pytest.fixture(scope="module")
def finished(browser: Browser, serving: Serving) -> str:
    """The id of a game that the computer played against itself, watched to its end on a phone."""
    watcher = Player(browser, serving.address, PHONE)
    watcher.start(FIRST, "watch")
    expect(watcher.panel("outcome")).to_be_visible(timeout=90_000)
    table = watcher.page.url.rpartition("/")[2]
    watcher.leave()
    return table


def test_a_finished_game_is_replayed(player: Player, finished: str, tmp_path: Path) -> None:
    player.go(f"#/replay/{finished}")
    player.see_map()
    page = player.page.locator("[data-page=replay]")
    expect(page).to_have_attribute("data-seq", "0")
    player.press(player.option("step-on"))
    expect(page).to_have_attribute("data-seq", "1")
    player.press(player.option("phase-on"))
    last = int(player.option("scrub").get_attribute("max") or 0)
    player.option("scrub").fill(str(last // 2))
    expect(page).to_have_attribute("data-seq", str(last // 2))
    # The address is the moment: opened elsewhere it shows the same.
    address = player.page.url
    assert f"/{last // 2}" in address
    player.option("viewpoint").select_option("british")
    expect(player.page).to_have_url(re.compile("seat=british"))
    player.page.goto("about:blank")
    player.page.goto(address)
    expect(page).to_have_attribute("data-seq", str(last // 2))
    expect(player.option("scrub")).to_have_js_property("value", str(last // 2))
    with player.page.expect_download() as download:
        player.press(player.option("download"))
    log = tmp_path / "game.jsonl"
    download.value.save_as(log)
    player.go("#/")
    player.option("open-file").set_input_files(log)
    expect(player.page).to_have_url(re.compile("#/replay/(?!" + finished + ")"))
    player.see_map()
    assert int(player.option("scrub").get_attribute("max") or 0) == last


def test_a_finished_game_is_reviewed(browser: Browser, serving: Serving, finished: str) -> None:
    player = Player(browser, serving.address, DESK)
    player.go(f"#/replay/{finished}")
    player.see_map()
    player.press(player.option("tab-review"))
    player.press(player.option("review"))
    review = player.panel("review")
    expect(review).to_have_attribute("data-state", "done", timeout=180_000)
    expect(review).to_contain_text("points in")
    # A roll, a turning point or a place on the curve leads to its moment.
    page = player.page.locator("[data-page=replay]")
    player.press(player.option("roll"))
    expect(page).not_to_have_attribute("data-seq", "0")
    last = int(player.option("scrub").get_attribute("max") or 0)
    player.option("curve").scroll_into_view_if_needed()
    box = player.option("curve").bounding_box()
    assert box is not None
    player.press_at(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    expect(page).to_have_attribute("data-seq", str(last))
    player.leave()


def test_a_running_game_is_looked_back_on(phone: Player) -> None:
    phone.start(FIRST)
    phone.see_map()
    phone.assign(("MOVE",))
    phone.asked()
    table = phone.page.url.rpartition("/")[2]
    phone.go(f"#/replay/{table}/0")
    expect(phone.page.locator("[data-page=replay]")).to_have_attribute("data-seq", "0")
    views = phone.option("viewpoint").locator("option")
    expect(views.first).to_be_attached()
    assert "British" not in views.all_inner_texts()
    # What both sides know is not told while the game runs: no review, and no thoughts of the other side.
    expect(phone.option("tab-review")).to_have_count(0)
    theirs = phone.page.locator('article:has(.seat:text-is("British"))')
    expect(theirs.locator("[data-option=why]")).to_have_count(0)
