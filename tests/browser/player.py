"""Somebody who plays by clicks or taps, as the page allows: knows the stable hooks, and no rule of any game."""

from __future__ import annotations

import re
import time
from random import Random
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect
from playwright.sync_api import TimeoutError as NotInTime

__all__ = ["DESK", "PHONE", "Player", "Screen"]


# Whether a counter lies in a stack.
_SHARES_ITS_HEX = """
(unit) => document.querySelector(`.unit[data-unit="${unit}"]`).dataset.stacked === 'true'
"""


_TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Where something lies, once it lies still: the map may be on its way to what is asked now.
_AT_REST = """
async (one) => {
  let last = '';
  for (;;) {
    const box = one.getBoundingClientRect().toJSON();
    if (JSON.stringify(box) === last) return box;
    last = JSON.stringify(box);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
}
"""


# One step back, unless the page is busy: found and pressed at one moment.
_BACK = """
() => {
  const orders = document.querySelector('[data-panel=orders]');
  if (!orders || orders.ariaBusy === 'true') return 'busy';
  const back = orders.querySelector('[data-option=back]');
  back?.click();
  return back ? 'a step back' : 'nothing is chosen';
}
"""

# Something that can be pressed, or is barred: found and pressed at one moment, so that it cannot vanish in between.
_FUMBLE = """
([which, value]) => {
  const among = (all, drawn) => all[Math.floor(drawn * all.length)];
  const ends = '[data-option=confirm], [data-kind=pass], [data-kind=done], [data-kind=stop], [data-kind=seat]';
  const offered = [...document.querySelectorAll('[data-panel=orders] :is(button[data-option], select):enabled')];
  const one = among(offered.filter((each) => !each.matches(ends)), which);
  if (one?.matches('select')) {
    one.value = among([...one.options].filter((each) => !each.disabled), value)?.value ?? one.value;
    one.dispatchEvent(new Event('change', { bubbles: true }));
  } else one?.click();
}
"""


class Screen(NamedTuple):
    """What somebody sits in front of."""

    width: int
    height: int
    is_phone: bool


# Seconds that a button, or anything else that is looked for, has to appear; and a game to come to a certain point.
PATIENCE = 60
LONG = 240

DESK = Screen(1440, 900, is_phone=False)
PHONE = Screen(390, 844, is_phone=True)

# Middle of a hex's picture where nothing lies over the map, nearest to the counters of the other side.
_FREE_HEX = """
() => {
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height * 0.84 };
  };
  const side = (unit) => unit.dataset.unit[0];
  const own = new Set([...document.querySelectorAll('.unit:has(.selected)')].map(side));
  const foes = [...document.querySelectorAll('.unit')].filter((unit) => !own.has(side(unit))).map(middle);
  const far = (at) => Math.min(...foes.map((foe) => Math.hypot(foe.x - at.x, foe.y - at.y)));
  const isFree = (at) => {
    const hit = document.elementFromPoint(at.x, at.y);
    return hit && hit.closest('.map') && !hit.closest('[data-unit]');
  };
  const ways = [...document.querySelectorAll('.hex.lit.go')].map(middle).filter(isFree);
  return ways.sort((a, b) => far(a) - far(b))[0] ?? null;
}
"""


# Screens that nobody sits at: the browser has a window for each, and has forgotten who sat there last.
_FREE: dict[tuple[Browser, Screen], list[BrowserContext]] = {}


def _sit_down(browser: Browser, screen: Screen) -> BrowserContext:
    """A screen that nobody sat at before."""
    context = browser.new_context(
        viewport={"width": screen.width, "height": screen.height},
        has_touch=screen.is_phone,
        is_mobile=screen.is_phone,
        reduced_motion="reduce",
        accept_downloads=True,
    )
    # Stays open, empty: with the last page its window closes, and another costs four times what another page does.
    context.new_page()
    return context


class Player:
    """One person with a browser session of his own."""

    def __init__(self, browser: Browser, address: str, screen: Screen = DESK) -> None:
        self.address = address
        self.screen = screen
        self._free = _FREE.setdefault((browser, screen), [])
        self.context = self._free.pop() if self._free else _sit_down(browser, screen)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.troubles: list[str] = []
        self.shown_odds: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._note)
        self.go("#/")

    def _note(self, message: ConsoleMessage) -> None:
        # A lost connection is told on the console by the browser itself; anything else that is red is ours.
        if message.type == "error" and not re.search(r"WebSocket|net::ERR|Failed to load", message.text):
            self.troubles.append(message.text)

    def leave(self) -> None:
        """Close the page, and let the browser forget him; nothing must have gone wrong in it."""
        self.page.goto("about:blank")
        forget = {"origin": self.address.rstrip("/"), "storageTypes": "all"}
        self.context.new_cdp_session(self.page).send("Storage.clearDataForOrigin", forget)
        self.context.clear_cookies()
        self.page.close()
        self._free.append(self.context)
        assert not self.troubles, self.troubles

    def go(self, where: str) -> None:
        """Open an address of the client."""
        self.page.goto(self.address + where)

    # --- pointing -------------------------------------------------------------------------------------------

    def press(self, what: str | Locator, seconds: float = PATIENCE) -> None:
        """Click, or tap on a phone."""
        found = self.page.locator(what) if isinstance(what, str) else what
        if self.screen.is_phone:
            found.first.tap(timeout=seconds * 1000)
        else:
            found.first.click(timeout=seconds * 1000)

    def press_at(self, x: float, y: float) -> None:
        """Click or tap a point of the page."""
        if self.screen.is_phone:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def press_hex(self, label: str) -> None:
        """Click or tap a hex, at its lower edge."""
        box: dict[str, float] = self.hex(label).evaluate(_AT_REST)
        self.press_at(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8)

    def press_unit(self, unit: str) -> None:
        """Click or tap a counter on the map, and in the list where it lies in a stack."""
        box: dict[str, float] = self.page.locator(f'.unit[data-unit="{unit}"] .body').evaluate(_AT_REST)
        self.press_at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if self.page.evaluate(_SHARES_ITS_HEX, unit):
            self.press(self.option(f"stack-{unit}"))

    def whole_map(self) -> None:
        """Look at the whole map."""
        self.press(self.page.get_by_role("button", name="Whole map"))
        self.page.evaluate(_TWO_FRAMES)

    def hex(self, label: str) -> Locator:
        """A hex of the map."""
        return self.page.locator(f'.hex[data-hex="{label}"]')

    def option(self, key: str) -> Locator:
        """Something that can be chosen."""
        return self.page.locator(f'[data-option="{key}"]')

    def panel(self, name: str) -> Locator:
        """A part of the page."""
        return self.page.locator(f'[data-panel="{name}"]')

    def press_first(self, *choices: str) -> None:
        """Press the first of these of the panel of orders that can be pressed, as soon as there is one."""
        orders, until = self.panel("orders"), time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for choice in choices:
                if orders.locator(choice).count():
                    self.press(orders.locator(choice))
                    return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"none of {choices}: {self.orders_text}")

    def back_out(self) -> None:
        """Think better of it, step by step, until nothing is chosen."""
        until = time.monotonic() + PATIENCE
        while (came := self.page.evaluate(_BACK)) != "nothing is chosen":
            assert time.monotonic() < until, f"{came}: {self.orders_text}"
            self.page.wait_for_timeout(15)

    def fumble(self, rng: Random, times: int) -> None:
        """Press anything that the panel of orders has, quickly or slowly, but what would complete an answer."""
        for _ in range(times):
            self.page.evaluate(_FUMBLE, [rng.random(), rng.random()])
            self.page.wait_for_timeout(rng.choice((1, 1, 60)))
        self.back_out()

    def tab(self, name: str) -> None:
        """Open one of the tabs beside the map."""
        self.press(self.option(f"tab-{name}"))

    # --- a table --------------------------------------------------------------------------------------------

    def start(self, scenario: str, opponent: str = "bot", side: str = "", bot: str = "greedy") -> None:
        """Start a game from the lobby; ``bot`` is the kind of the computer players."""
        self.press(f'[data-scenario="{scenario}"]')
        if side:
            self.press(self.option(f"side-{side}"))
        if opponent != "bot":
            self.press(self.option(f"opponent-{opponent}"))
        for kind in self.panel("start").locator(f'button[data-option^="bot-"][data-option$="{bot}"]').all():
            self.press(kind)
        self.press(self.option("start"))

    def see_map(self) -> None:
        """Wait until the map is painted."""
        expect(self.page.locator('.map[data-sharp="true"]')).to_be_visible()

    @property
    def question(self) -> str:
        """Version of the question that is open, ``""`` if none is."""
        return self.read("[data-page=game]", "dataset.question")

    @property
    def shape(self) -> str:
        """Shape of the choice that is open."""
        return self.read("[data-panel=orders]", "dataset.shape")

    @property
    def is_busy(self) -> bool:
        """Whether the page waits for what comes of the last press."""
        return self.read("[data-panel=orders]", "ariaBusy") == "true"

    @property
    def is_asked(self) -> bool:
        """Whether something is asked that can be answered now."""
        return bool(self.question and self.shape) and not self.is_busy

    @property
    def orders_text(self) -> str:
        """What stands in the panel of orders, ``""`` if there is none."""
        return self.read("[data-panel=orders]", "innerText")

    def read(self, where: str, what: str) -> str:
        """A look at the page as it is now: what is gone is not waited for."""
        return str(self.page.evaluate(f"(where) => document.querySelector(where)?.{what} ?? ''", where))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.panel("outcome").count() > 0

    def asked(self, seconds: float = 2 * PATIENCE) -> bool:
        """Wait until something is asked; False if the game ended instead."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.is_over:
                return False
            if self.panel("hand-over").count() or self.is_asked:
                return True
            self.page.wait_for_timeout(20)
        raise AssertionError(f"nothing was asked: {self.panel('prompt').inner_text()}")

    def until_asked_else(self, before: str, seconds: float = 2 * PATIENCE) -> None:
        """Wait until another question than ``before`` is open, or the game is over."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.is_over or self.panel("hand-over").count() or (self.question and self.question != before):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"nothing came of it: {self.panel('prompt').inner_text()}")

    # --- answering ------------------------------------------------------------------------------------------

    def answer(self) -> None:
        """Go one press further with whatever is asked."""
        before = (self.shape, self.question)
        shape, _ = before
        try:
            if self.panel("hand-over").count():
                self.press(self.option("ready"))
                expect(self.panel("hand-over")).to_have_count(0)
            elif shape == "assign":
                self.assign()
            elif shape == "gather":
                self.gather()
            elif shape == "path":
                self.path()
            elif shape == "pick":
                self.pick()
        except (NotInTime, AssertionError):
            # The position changed under the finger: the next look sees the new one.
            if (self.shape, self.question) == before:
                raise

    def assign(self, wanted: tuple[str, ...] = ("FIRE", "MOVE")) -> None:
        """A value for every slot that has none: the first of ``wanted`` that it offers, else its first.

        Whoever was gone to in order to change something stands at what he does: the first of those does otherwise.
        """
        for row in self.page.locator("[data-slot]").all():
            if row.get_attribute("data-value"):
                continue
            offered = row.locator('button[role=radio][aria-disabled="false"]')
            names = offered.all_inner_texts()
            choice = next((names.index(name) for name in wanted if name in names), 0)
            self.press(offered.nth(choice))
        if self.option("back").count():
            row = self.page.locator("[data-slot]").first
            if row.locator("select").count():
                row.locator("select").select_option(index=1)
            else:
                self.press(row.locator('button[role=radio][aria-checked="false"][aria-disabled="false"]'))
        self.confirm()

    def gather(self) -> None:
        """All that are offered, once the odds are shown."""
        expect(self.panel("odds").or_(self.panel("breakdown")).first).to_be_visible()
        if self.panel("odds").count():
            self.shown_odds.append(self.panel("odds").inner_text())
        self.confirm()

    def path(self) -> None:
        """To a lit hex, the nearest to the other side; or stay where nothing is lit."""
        if self.page.locator("[data-option=here]").count():
            self.press(self.panel("orders").locator("[data-option=here]"))
        elif self.option("confirm").count():
            self.confirm()
        else:
            goal: dict[str, Any] | None = self.page.evaluate(_FREE_HEX)
            if goal is None:
                self.press(self.panel("orders").locator("button[data-kind=stop]"))
                return
            self.press_at(goal["x"], goal["y"])
            expect(self.option("confirm").or_(self.option("here")).first).to_be_visible()

    def pick(self) -> None:
        """The first that is offered; a lit hex where many are, and so none is listed."""
        if self.option("confirm").count():
            self.confirm()
            return
        before = (self.question, self.orders_text)
        offered = self.panel("orders").locator("button[data-option][data-kind]")
        if offered.count():
            self.press(offered)
        elif goal := self.page.evaluate(_FREE_HEX):
            self.press_at(goal["x"], goal["y"])
        self.until_other(before)

    def confirm(self) -> None:
        """Press the button that completes an answer, and wait until something came of it."""
        question = self.question
        button = self.option("confirm")
        until = time.monotonic() + PATIENCE
        # An answer may still be on its way: then the button waits, and the question changes.
        while self.question == question and button.count() and not button.is_enabled():
            assert time.monotonic() < until, f"cannot confirm: {self.orders_text}"
            self.page.wait_for_timeout(15)
        if self.question == question and button.count():
            before = (question, self.orders_text)
            self.press(button)
            self.until_other(before)

    def until_other(self, before: tuple[str, str]) -> None:
        """Wait until the question or what the panel of orders says is another than ``before``."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.is_over or self.panel("hand-over").count() or not self.question:
                return
            if (self.question, self.orders_text) != before:
                return
            self.page.wait_for_timeout(15)

    @property
    def turn(self) -> int:
        """The turn on the track."""
        return int(self.page.locator("[data-track=turn] strong").inner_text())

    def play_on(self, until: str = "", turn: int = 0) -> None:
        """Play until the game is over, until the shape ``until`` is asked, or until the turn ``turn``."""
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            if not self.asked():
                return
            if (until and self.shape == until) or (turn and self.turn >= turn):
                return
            self.answer()
        raise AssertionError(f"not done in {LONG} s: {self.panel('prompt').inner_text()}")
