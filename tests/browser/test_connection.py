"""The connection is lost in the middle of a move: nothing chosen is lost, nothing confirmed is done twice."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.manners import offences
from tests.browser.player import PHONE, Player
from tests.browser.serving import Serving
from tests.browser.test_play import FIRST


def test_reconnect_in_mid_move(browser: Browser, own_serving: Serving) -> None:
    player = Player(browser, own_serving.address, PHONE)
    player.start(FIRST)
    player.see_map()
    player.assign(("MOVE",))
    player.play_on(until="path")
    player.path()
    expect(player.panel("orders").locator(".steps li").first).to_be_visible()
    chosen = player.orders_text
    question = player.question
    own_serving.kill()
    expect(player.panel("connection")).to_be_visible()
    assert offences(player.page) == []
    own_serving.start()
    expect(player.panel("connection")).to_have_count(0)
    # The same question, and the half-made answer still stands.
    expect(player.page.locator("[data-page=game]")).to_have_attribute("data-question", question)
    assert player.orders_text == chosen
    player.confirm()
    player.tab("log")
    expect(player.panel("log")).to_contain_text("moves to")
    player.leave()


def test_an_action_on_its_way_when_the_connection_breaks_is_done_once(browser: Browser, serving: Serving) -> None:
    player = Player(browser, serving.address)
    held: list[bool] = [False]

    def keep_back(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        # The server hears the action, but its answer is lost with the connection.
        server.on_message(lambda message: None if held[0] else route.send(message))
        route.on_message(lambda message: pass_on(route, server, message))

    def pass_on(route: WebSocketRoute, server: WebSocketRoute, message: str | bytes) -> None:
        server.send(message)
        if held[0]:
            route.close()

    player.page.route_web_socket("**/socket**", keep_back)
    player.start(FIRST)
    player.see_map()
    player.page.locator("[data-slot]").first.wait_for()
    for row in player.page.locator("[data-slot]").all():
        player.press(row.locator('button[role=radio]:has-text("MOVE")'))
    held[0] = True
    player.press(player.option("confirm"))
    expect(player.panel("connection")).to_be_visible()
    held[0] = False
    expect(player.panel("connection")).to_have_count(0)
    player.tab("log")
    expect(player.panel("log").locator("article", has_text=re.compile(r"German\s*place commands"))).to_have_count(1)
    player.leave()
