"""Hands on a table without hexes: places in inches are pressed and dragged to, by mouse or by finger."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import expect

from tests.browser.player import PATIENCE, Player

__all__ = ["confirm_drawing", "drag", "drag_handle", "drawn", "on_screen", "press_place"]

# Where a place of the table is seen, once the map lies still; a world unit is a hundredth of an inch.
_ON_SCREEN = """
async ([x, y]) => {
  const world = document.querySelector('.map .over > g');
  let last = '';
  for (;;) {
    const { x: px, y: py } = new DOMPoint(x * 100, y * 100).matrixTransform(world.getScreenCTM());
    if (`${px} ${py}` === last) return [px, py];
    last = `${px} ${py}`;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }
}
"""

_STEPS = 5

Spot = tuple[float, float]


def on_screen(player: Player, place: Spot) -> Spot:
    """Where a place, in inches, is seen."""
    x, y = player.page.evaluate(_ON_SCREEN, list(place))
    return x, y


def press_place(player: Player, place: Spot) -> None:
    """Click or tap a place of the table."""
    player.press_at(*on_screen(player, place))


def drag(player: Player, start: Spot, *ends: Spot) -> None:
    """Drag with the mouse or a finger from a point of the page over others, and let go at the last."""
    points = [start]
    for end in ends:
        x, y = points[-1]
        points += [
            (x + (end[0] - x) * part / _STEPS, y + (end[1] - y) * part / _STEPS) for part in range(1, _STEPS + 1)
        ]
    if player.screen.is_phone:
        _touch(player, points)
        return
    player.page.mouse.move(*points[0])
    player.page.mouse.down()
    for point in points[1:]:
        player.page.mouse.move(*point)
    player.page.mouse.up()


def _touch(player: Player, points: Sequence[Spot]) -> None:
    finger = player.context.new_cdp_session(player.page)

    def send(kind: str, *at: Spot) -> None:
        touches = [{"x": x, "y": y} for x, y in at]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", points[0])
    for point in points[1:]:
        send("touchMove", point)
    send("touchEnd")
    finger.detach()


def drag_handle(player: Player, handle: str, *places: Spot) -> None:
    """Drag the piece that is drawn, or its handle, over places of the table."""
    box = player.page.locator(f"[data-handle={handle}]").bounding_box()
    assert box is not None
    drag(
        player,
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2),
        *(on_screen(player, place) for place in places),
    )


def drawn(player: Player) -> str:
    """The text of what is drawn, as soon as the rules have said that it is right."""
    ghost = player.page.locator("[data-ghost]")
    expect(ghost).to_have_attribute("data-legal", "true")
    return ghost.get_attribute("data-drawing") or ""


def confirm_drawing(player: Player) -> None:
    """Confirm what is drawn, and wait until something else is asked."""
    before = player.question
    expect(player.page.locator("[data-option=confirm]:enabled")).to_be_visible()
    player.press(player.option("confirm"))
    player.until_asked_else(before, PATIENCE)
