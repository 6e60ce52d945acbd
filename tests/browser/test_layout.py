"""The first position of every scenario: nothing lies over what a player needs, and the fonts are ours.

All are seen on a small desk and a phone, one of every system on four screens. What is measured is the page itself:
boxes of elements, what lies uppermost at a point, and the fonts that the browser says it drew with. No picture is
compared.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, expect
from playwright.sync_api import Error as GoneByNow

from sandtable import catalog
from tests.browser.player import DESK, PATIENCE, PHONE, Player, Screen
from tests.browser.serving import Serving

SIZES = [(1440, 900), (1920, 1080), (1024, 768), (390, 844)]
NARROW = [(1024, 768), (390, 844)]
"""The tightest desk and the phone: where the same page of another scenario would stick out first."""
# The cut font of signs still has the name of the large one; that the page brought it is asked apart.
OURS = ("Source Sans 3", "Archivo Narrow", "Source Serif 4", "DejaVu Sans")

_FAULTS = """
async () => {
  await document.fonts.ready;
  await new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest)));
  const found = [];
  const shown = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  const text = (one) => one.textContent.trim().replace(/\\s+/g, ' ').slice(0, 40);
  const inside = (one, box, slack) =>
    one.left >= box.left - slack && one.right <= box.right + slack
    && one.top >= box.top - slack && one.bottom <= box.bottom + slack;

  // --- the header: no part over another, none out of the window
  const isPart = (one) => !one.matches('.grow, .visually-hidden') && shown(one);
  const parts = [...document.querySelectorAll('[data-page=game] > header > *')].filter(isPart);
  const boxes = parts.map((one) => one.getBoundingClientRect());
  boxes.forEach((a, i) => {
    if (a.left < -0.5 || a.right > innerWidth + 0.5) found.push(`out of the window: ${text(parts[i])}`);
    if (parts[i].scrollWidth > Math.ceil(a.width) + 1 && !parts[i].matches('h1'))
      found.push(`runs over: ${text(parts[i])}`);
    boxes.slice(i + 1).forEach((b, j) => {
      if (a.right > b.left + 0.5 && b.right > a.left + 0.5)
        found.push(`"${text(parts[i])}" lies over "${text(parts[i + 1 + j])}"`);
    });
  });

  // --- text of counters lies in its counter, in the counter's own measure
  for (const counter of document.querySelectorAll('.counter')) {
    const body = counter.querySelector('.body').getBBox();
    for (const line of counter.querySelectorAll(':scope > text, :scope > g > text')) {
      if (line.closest('.pill, .badge')) continue;
      const [box, m] = [line.getBBox(), line.getCTM()];
      const k = counter.getCTM().inverse().multiply(m);
      const [left, right] = [box.x * k.a + k.e, (box.x + box.width) * k.a + k.e];
      const base = Number(line.getAttribute('y') ?? 0) * k.d + k.f;
      if (left < body.x - 0.5 || right > body.x + body.width + 0.5 || base > body.y + body.height)
        found.push(`"${text(line)}" sticks out of its counter: ${left.toFixed(1)} to ${right.toFixed(1)}`);
    }
    for (const note of counter.querySelectorAll('.pill, .badge')) {
      const [box, line] = [note.querySelector('rect').getBBox(), note.querySelector('text').getBBox()];
      if (line.x < box.x - 0.5 || line.x + line.width > box.x + box.width + 0.5)
        found.push(`"${text(note)}" sticks out of its marker`);
    }
  }

  // --- one's own counters are in view and can be pressed
  const map = document.querySelector('.map').getBoundingClientRect();
  const own = document.querySelector('[data-page=game]').dataset.seat;
  for (const unit of document.querySelectorAll(`.unit[data-side="${own}"]`)) {
    const box = unit.querySelector('.body, .plate').getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (!inside({ left: x, right: x, top: y, bottom: y }, map, 0)) {
      found.push(`${unit.dataset.unit} is not in view`);
      continue;
    }
    const hit = document.elementFromPoint(x, y)?.closest('[data-unit]');
    const isThere = hit && (hit === unit || hit.dataset.in === unit.dataset.in);
    if (!isThere)
      found.push(`${unit.dataset.unit} is covered by ${document.elementFromPoint(x, y)?.outerHTML.slice(0, 80)}`);
    // What lets presses through may still hide it.
    for (const note of document.querySelectorAll('.note > *')) {
      const over = note.getBoundingClientRect();
      if (shown(note) && x > over.left && x < over.right && y > over.top && y < over.bottom)
        found.push(`${unit.dataset.unit} is hidden by ${text(note)}`);
    }
  }

  // --- the prompt
  const prompt = document.querySelector('[data-panel=prompt]').getBoundingClientRect();
  for (const [dx, dy] of [[0.05, 0.2], [0.5, 0.5], [0.95, 0.8]]) {
    const hit = document.elementFromPoint(prompt.x + prompt.width * dx, prompt.y + prompt.height * dy);
    if (!hit?.closest('[data-panel=prompt]')) found.push(`the prompt is covered by ${hit?.outerHTML.slice(0, 80)}`);
  }

  // --- what the page brings is loaded
  for (const font of ['400 16px "Source Sans 3"', '700 16px "Archivo Narrow"', '700 16px "Source Serif 4"'])
    if (!document.fonts.check(font)) found.push(`not loaded: ${font}`);
  const done = [...document.fonts].filter((face) => face.status === 'loaded');
  const loaded = new Set(done.map((face) => face.family.replaceAll('"', '')));
  for (const family of ['Source Sans 3', 'Archivo Narrow', 'Source Serif 4', 'Sandtable Symbols'])
    if (!loaded.has(family)) found.push(`not really loaded: ${family}`);
  return found;
}
"""


# How many counters that are asked about are in view: on the map, or as rows beside it.
_OFFERED = """
() => {
  const isThere = (one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    return box.width > 0 && hit !== null && (one.contains(hit) || hit.contains(one));
  };
  const own = document.querySelector('[data-page=game]').dataset.seat;
  const rows = document.querySelectorAll('[data-panel=orders] [data-slot], [data-panel=orders] button[data-option]');
  return [...document.querySelectorAll(`.unit[data-side="${own}"]`), ...rows].filter(isThere).length;
}
"""

# One of every system, and the one whose first units stand at the lower edge of the map.
FIRST_SEEN = [
    "na-a-patrol-at-tamrad",
    "mbt-meeting-at-muehlau",
    "sk-3-room-by-room",
    "s20-joseph-351",
    "pm-a-first-drive",
]


@pytest.fixture(scope="module")
def reader(browser: Browser, serving: Serving) -> Iterator[Player]:
    """One page for all scenarios; it is made larger and smaller, not opened anew."""
    width, height = NARROW[0]
    player = Player(browser, serving.address, Screen(width, height, is_phone=False))
    yield player
    player.leave()


def _fonts(session: CDPSession) -> set[tuple[str, bool]]:
    """The fonts that the text of the page is drawn with, and whether the page brought them."""
    session.send("DOM.enable")
    session.send("CSS.enable")
    root: dict[str, Any] = session.send("DOM.getDocument", {"depth": 0})["root"]
    chosen = (
        "header h1, header span, [data-panel=prompt] p, [data-panel=orders] button, .counter text, [role=tab], p, h2"
    )
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root["nodeId"], "selector": chosen})["nodeIds"]
    found = set()
    for node in nodes[:160]:
        with contextlib.suppress(GoneByNow):
            for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]:
                found.add((font["familyName"], font["isCustomFont"]))
    assert found
    session.send("CSS.disable")
    session.send("DOM.disable")
    return found


@pytest.mark.parametrize("scenario", sorted(head.id for head in catalog.scenarios()))
def test_the_first_position_on_every_screen(reader: Player, scenario: str) -> None:
    page = reader.page
    page.set_viewport_size({"width": NARROW[0][0], "height": NARROW[0][1]})
    reader.go("#/")
    reader.start(scenario)
    reader.see_map()
    assert reader.asked()
    faults: list[str] = []
    for width, height in SIZES if scenario in FIRST_SEEN else NARROW:
        page.set_viewport_size({"width": width, "height": height})
        # A player who turns his screen presses this; one who sits down at it is shown it.
        reader.whole_map()
        expect(page.locator("[data-panel=prompt]")).to_be_visible()
        faults += [f"{width}x{height}: {fault}" for fault in page.evaluate(_FAULTS)]
    session = reader.context.new_cdp_session(page)
    drawn = _fonts(session)
    until = time.monotonic() + PATIENCE / 4
    # A letter that nobody has used yet is drawn with what there is until its font has come.
    while any(not is_custom for _, is_custom in drawn) and time.monotonic() < until:
        page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
        drawn = _fonts(session)
    assert faults == []
    assert {name for name, is_custom in drawn if not is_custom} == set()
    assert [name for name, _ in drawn if not name.startswith(OURS)] == []


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["1440x900", "390x844"])
@pytest.mark.parametrize("scenario", FIRST_SEEN)
def test_the_first_sight_needs_no_press(browser: Browser, serving: Serving, scenario: str, screen: Screen) -> None:
    """What a player is shown when he sits down, before he moves the map: his units are there to be pressed."""
    player = Player(browser, serving.address, screen)
    player.start(scenario)
    player.see_map()
    assert player.asked()
    faults = player.page.evaluate(_FAULTS)
    # Units that are not on the map yet are asked about in the list beside it, which is in view.
    waits = player.page.evaluate(_OFFERED)
    player.leave()
    assert faults == []
    assert waits > 0
