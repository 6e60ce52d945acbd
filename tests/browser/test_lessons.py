"""Lessons in the browser: pressing what is lit leads to the end, and wrong things are answered, not punished."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import TimeoutError as NotInTime
from playwright.sync_api import expect

from sandtable import catalog
from tests.browser.manners import offences
from tests.browser.player import LONG, PATIENCE, Player

LESSONS = {lesson.id: lesson for lesson in catalog.lessons()}


# Whether a finger on the middle of something meets it: it is in view, and nothing lies over it.
_IS_UPPERMOST = """
(one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}
"""


def take(player: Player, lesson: str) -> None:
    """Begin a lesson from the lobby's first screen."""
    player.press(f'[data-lesson="{lesson}"]')
    player.see_map()
    expect(player.panel("lesson")).to_be_visible()


class Shown(NamedTuple):
    """What the panel of the lesson shows at one moment."""

    step: int
    lit: tuple[str, ...]


def shown(player: Player) -> Shown:
    """The step and what is lit, read in one go: read one after the other they may be of two steps."""
    step, lit = player.panel("lesson").evaluate("(one) => [one.dataset.step, one.dataset.lit]")
    return Shown(int(step), tuple(json.loads(lit)))


def press_lit(player: Player, lit: tuple[str, ...]) -> bool:
    """Press the first thing that is lit, in the panel or on the map; whether there was one to the end."""
    try:
        return _press_first(player, lit)
    except NotInTime:
        # It went away under the finger: the next look tells what is lit then.
        return False


def _press_first(player: Player, lit: tuple[str, ...]) -> bool:
    for one in lit:
        kind, _, ref = one.partition(" ")
        if kind == "hex":
            player.press_hex(ref)
            return True
        if kind == "unit":
            continue
        found = player.page.locator(one).first
        if found.count() and found.is_visible() and found.is_enabled():
            # Nobody scrolls to what is to be pressed.
            until = time.monotonic() + PATIENCE
            while not found.evaluate(_IS_UPPERMOST, timeout=5000):
                assert time.monotonic() < until, f"{one} is out of sight"
                player.page.wait_for_timeout(50)
            player.press(found, seconds=10)
            return True
    return False


def follow(player: Player, lesson: str, look: Callable[[int], None] = lambda step: None) -> None:
    """Press what is lit until the lesson is done; have a look before every press."""
    take(player, lesson)
    last, until = len(LESSONS[lesson].steps) - 1, time.monotonic() + LONG
    while (before := shown(player)).step < last:
        assert time.monotonic() < until, f"step {before.step}: {player.panel('lesson').inner_text()}"
        look(before.step)
        if not press_lit(player, before.lit):
            player.page.wait_for_timeout(50)
            continue
        # Long enough for a busy machine: what is pressed twice may be another step's already.
        late = time.monotonic() + PATIENCE / 3
        while shown(player) == before and time.monotonic() < late:
            player.page.wait_for_timeout(50)
    player.press(player.panel("lesson").locator('[data-option="leave"]'))
    expect(player.page.locator(f'[data-lesson="{lesson}"]')).to_contain_text("done")


@pytest.mark.parametrize("lesson", sorted(set(LESSONS) - {"na-advanced"}))
def test_pressing_what_is_lit_leads_to_the_end(player: Player, lesson: str) -> None:
    follow(player, lesson)


def test_bombs_shells_and_flights_are_marked_on_the_map_before_one_confirms(player: Player) -> None:
    marked: dict[int, set[str]] = {}
    caught: dict[int, str] = {}

    def look(step: int) -> None:
        if step in (3, 5, 7) and player.option("confirm").count():
            player.panel("area").wait_for()
            found = player.page.evaluate("[...document.querySelectorAll('[data-area]')].map((one) => one.dataset.area)")
            marked.setdefault(step, set()).update(found)
            caught[step] = player.panel("area").inner_text()

    follow(player, "na-advanced", look)
    # In over the edge above the gun, then the dive at it, then the battery.
    assert marked[3] == {f"J{row}" for row in range(1, 8)}
    assert marked[5] == {"J3"}
    assert len(marked[7]) == 7
    assert "N1" in caught[5]
    assert "GP, Closed SHEAF: 7 hexes" in caught[7]
    assert "B1" in caught[7]


def test_wrong_things_are_told_and_change_nothing(phone: Player) -> None:
    take(phone, "na-first-steps")
    for step in ("1", "2"):
        phone.press(phone.panel("lesson").locator('[data-option="next"]'))
        expect(phone.panel("lesson")).to_have_attribute("data-step", step)
    # What the rules forbid is refused with its rule.
    phone.option("G2:FIRE").click(force=True)
    refusal = phone.panel("refusal")
    expect(refusal).to_be_visible()
    expect(refusal.locator(".rule").first).to_be_visible()
    expect(refusal).to_contain_text("FIRE: ")
    assert offences(phone.page) == []
    # What is legal but not the point is answered kindly, and nothing happens.
    phone.press(phone.option("G1:OW"))
    phone.press(phone.option("G2:OW"))
    phone.press(phone.option("confirm"))
    expect(refusal).to_contain_text("legal, but here we want to give G1 the command FIRE")
    expect(phone.panel("lesson")).to_have_attribute("data-step", "2")
    # Back, and from the start; a visitor who comes back goes on where he was.
    phone.press(phone.panel("lesson").locator('[data-option="previous"]'))
    expect(phone.panel("lesson")).to_have_attribute("data-step", "1")
    phone.go("#/")
    expect(phone.page.locator('[data-lesson="na-first-steps"]')).to_contain_text("step 2")
    take(phone, "na-first-steps")
    expect(phone.panel("lesson")).to_have_attribute("data-step", "1")
    phone.press(phone.panel("lesson").locator('[data-option="again"]'))
    expect(phone.panel("lesson")).to_have_attribute("data-step", "0")
