"""The Bridge in the browser against the computer: set up, driven, fought, finished; by mouse, by finger, by keys."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.player import LONG, Player
from tests.browser.tabletop import confirm_drawing, drag_handle, drawn, press_place

BRIDGE = "pm-1-the-bridge"
PLATOONS = ("1st Panzer Platoon", "2nd Panzer Platoon", "3rd Panzer Platoon")


def place_of(player: Player, unit: str) -> str:
    """Where a piece stands."""
    return player.page.locator(f'.unit[data-unit="{unit}"]').get_attribute("data-in") or ""


def begin(player: Player) -> None:
    """The Germans, who set up first by the dice of these tests, in the north."""
    player.start(BRIDGE)
    player.see_map()
    assert player.asked()
    player.press(player.option("north"))
    expect(player.page.locator('[data-area="your zone, north"]')).to_be_visible()
    confirm_drawing(player)
    player.option("G1").first.wait_for()


def take(player: Player, *keys: str) -> None:
    """What is to be set down, and how it stands."""
    for key in keys:
        player.press(player.panel("orders").locator(f'[data-option="{key}"]'))
    expect(player.panel("sketch")).to_be_visible()
    player.whole_map()


def set_up(player: Player) -> None:
    """A tank where a finger points, platoons in column, in line and as a wedge."""
    take(player, "G1")
    press_place(player, (27, 6))
    assert re.fullmatch(r"put 2[67](\.\d+)?,[56](\.\d+)? facing 180", drawn(player))
    confirm_drawing(player)
    take(player, PLATOONS[0], "column")
    press_place(player, (36, 9))
    expect(player.page.locator("[data-follower]")).to_have_count(3)
    confirm_drawing(player)
    # Out of its zone it is red, with the rule, and cannot be confirmed; dragged back it can.
    take(player, PLATOONS[1], "line")
    press_place(player, (44, 8))
    drawn(player)
    drag_handle(player, "move", (44, 20))
    expect(player.panel("sketch")).to_contain_text("outside its zone")
    expect(player.option("confirm")).to_be_disabled()
    drag_handle(player, "move", (46, 9))
    drawn(player)
    confirm_drawing(player)
    take(player, PLATOONS[2], "wedge")
    player.press(player.panel("sketch").locator("[data-kind=drawing]").last)
    drag_handle(player, "turn", (2, 40))
    text = drawn(player)
    confirm_drawing(player)
    player.whole_map()
    expect(player.page.locator(".unit[data-side=german][data-in]")).to_have_count(13)
    assert place_of(player, "G31") == text.split()[1]


def give_orders(player: Player) -> None:
    """G1 fires at what it sees; the first platoon drives."""
    player.press(player.option(f"group-{PLATOONS[0]}"))
    player.press(player.option(f"fill-{PLATOONS[0]}:MOVE"))
    player.press(player.option("group-German company HQ"))
    player.press(player.option("G1:FIRE"))
    expect(player.panel("orders").locator("[data-remark]")).to_have_count(0)
    player.confirm()


def until_asked(player: Player, what: str) -> None:
    """Let pass what else is asked."""
    while player.asked() and what not in player.panel("prompt").inner_text():
        before = player.question
        player.press(player.panel("orders").locator("button[data-kind=pass]"))
        player.until_asked_else(before)


def fire(player: Player) -> None:
    """At the first target, knowing the odds."""
    until_asked(player, "Announce fire")
    player.press(player.panel("orders").locator("button[data-kind=target]"))
    expect(player.panel("odds")).to_contain_text("Exact odds")
    expect(player.panel("breakdown").first).to_contain_text("8.4.3")
    player.confirm()


def drive(player: Player) -> None:
    """The piece is pressed where all of the table is seen, dragged too far, and then down the road."""
    until_asked(player, "Move a vehicle")
    player.whole_map()
    press_place(player, (36, 9))
    expect(player.page.locator("[data-ghost]")).to_be_visible()
    player.whole_map()
    drag_handle(player, "move", (14, 30))
    expect(player.page.locator("[data-ghost]")).to_have_attribute("data-legal", "false")
    expect(player.page.locator("[data-wrong]")).to_have_count(1)
    drag_handle(player, "move", (36.1, 16))
    text = drawn(player)
    assert text.startswith("along High road to 36,1")
    if player.screen.is_phone:
        expect(player.panel("since")).to_have_count(0)
    expect(player.panel("sketch")).to_contain_text("left")
    confirm_drawing(player)
    player.whole_map()
    assert place_of(player, "G11") == text.rpartition(" ")[2]


def let_the_computer_finish(player: Player) -> None:
    """Somebody else plays for him; the end is told."""
    assert player.asked()
    player.press(player.option("hand-over"))
    player.press(player.panel("help").locator("xpath=..").locator('button[data-option$="greedy"]'))
    player.press(player.option("hand-over-now"))
    expect(player.panel("outcome")).to_be_visible(timeout=LONG * 1000)
    expect(player.panel("outcome")).to_contain_text(re.compile("wins|draw", re.IGNORECASE))


def test_the_bridge_is_set_up_driven_fought_and_finished(player: Player) -> None:
    begin(player)
    set_up(player)
    give_orders(player)
    fire(player)
    drive(player)
    let_the_computer_finish(player)


class Keys:
    """Somebody who has no mouse."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def press(self, *names: str) -> None:
        """Press keys one after another; the page has answered the last one when the next is pressed."""
        for name in names:
            self.player.page.keyboard.press(name)
            expect(self.player.panel("orders")).not_to_have_attribute("aria-busy", "true")

    def enter(self, what: str) -> None:
        """Tab to something, and press Enter."""
        found = self.player.page.locator(what).first
        found.focus()
        self.player.page.keyboard.press("Enter")

    def confirm(self) -> None:
        """Confirm, and wait until something else is asked."""
        before = self.player.question
        expect(self.player.page.locator("[data-option=confirm]:enabled")).to_be_visible()
        self.player.page.keyboard.press("c")
        self.player.until_asked_else(before)
        assert self.player.asked()

    def draw(self, *names: str) -> str:
        """Draw something on the table, and confirm it."""
        expect(self.player.panel("sketch")).to_be_visible()
        self.press("m", *names)
        text = drawn(self.player)
        self.confirm()
        return text


def test_the_bridge_is_played_by_keys_alone(desk: Player) -> None:
    player, typist = desk, Keys(desk)
    typist.enter(f'[data-scenario="{BRIDGE}"]')
    for kind in player.panel("start").locator('button[data-option^="bot-"][data-option$="greedy"]').all():
        kind.focus()
        player.page.keyboard.press("Enter")
    typist.enter('[data-option="start"]')
    player.see_map()
    assert player.asked()
    # The northern zone, platoons by their numbers in all three patterns, then the one that is left.
    typist.press("o", "Enter")
    typist.confirm()
    for number, times in (("1", 1), ("2", 4), ("3", 9)):
        typist.press(number)
        expect(player.panel("orders").locator('[data-option="wedge"]')).to_be_visible()
        typist.press(number)
        typist.draw(*["n"] * times, "d", "s", "Shift+ArrowLeft")
    typist.press("o", "Enter")
    assert typist.draw("n", "ArrowRight").endswith("facing 185")
    # A number takes the first slot in hand, the next ones fill it and those that follow.
    expect(player.panel("prompt")).to_contain_text("Place an order")
    typist.press("1", "4", "2", "2", "2", "2")
    values = player.page.locator("[data-slot]").evaluate_all("all => all.map((one) => one.dataset.value)")
    assert values[:1] == ["OW"]
    typist.confirm()
    while "Move a vehicle" not in player.panel("prompt").inner_text():
        before = player.question
        typist.enter("[data-panel=orders] button[data-kind=pass]")
        # While the other side moves the prompt says so too.
        player.until_asked_else(before)
        assert player.asked()
    typist.press("o", "Enter")
    assert typist.draw("ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "Enter", "Shift+ArrowRight").count(";") == 1
    expect(player.panel("log")).to_contain_text("face ")
    typist.enter("[data-option=hand-over]")
    typist.enter("[data-option=hand-over-now]")
    expect(player.panel("outcome")).to_be_visible(timeout=LONG * 1000)
