"""Where pieces were lost, drawn on the board."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Any

from sandtable.core.ruleset import Ruleset
from sandtable.geo.hex import Hex, centre
from sandtable.geo.map import GameMap
from sandtable.sim.balance import Balance
from sandtable.sim.plots import COLOURS, figure, to_svg

__all__ = ["heat_map", "map_of"]

WIDE, HIGH = 0.5, sqrt(3) / 2
"""What a lattice unit is on paper, in hex sizes."""
CORNERS = ((1.0, 0.0), (0.5, HIGH), (-0.5, HIGH), (-1.0, 0.0), (-0.5, -HIGH), (0.5, -HIGH))
GROUND = (
    ("#c9d8b6", ("wood", "grove", "tree", "orchard", "forest", "palm")),
    ("#d6cfc4", ("building", "village", "town", "farm", "house", "rubble", "block")),
    ("#bcd3e0", ("water", "stream", "river", "ford", "pond", "wadi")),
    ("#e6dcc0", ("sand", "rough", "scrub", "brush", "field", "crop", "grain", "vineyard")),
)
ROUTES = {"road": ("#b9a58a", 2.2), "path": ("#cdbfa6", 1.4), "track": ("#cdbfa6", 1.0), "stream": ("#8fb4cc", 1.8)}


def map_of(ruleset: Ruleset[Any, Any, Any]) -> GameMap | None:
    """The map that a ruleset plays on, or None if it has none."""
    for owner in (ruleset, getattr(ruleset, "context", None)):
        found = getattr(owner, "game_map", None)
        if isinstance(found, GameMap):
            return found
    return None


def heat_map(ruleset: Ruleset[Any, Any, Any], balance: Balance) -> str:
    """The board with a disk in every hex where something was lost: its size for how much, its colour for whose."""
    game_map = map_of(ruleset)
    if game_map is None or not game_map.hexes:
        return ""
    from matplotlib.collections import LineCollection, PolyCollection

    spots = {hex: _on_paper(hex) for hex in game_map.hexes}
    wide = max(x for x, _ in spots.values()) - min(x for x, _ in spots.values()) + 2
    high = max(y for _, y in spots.values()) - min(y for _, y in spots.values()) + 2
    drawn = figure(8.4, 8.4 * high / wide)
    axes: Any = drawn.add_subplot()
    axes.set_axis_off()
    axes.set_aspect("equal")
    shapes = [[(x + dx, y + dy) for dx, dy in CORNERS] for x, y in spots.values()]
    paints = [_paint(game_map, hex) for hex in spots]
    axes.add_collection(PolyCollection(shapes, facecolors=paints, edgecolors="#8886", linewidths=0.4))
    for kind, (colour, width) in ROUTES.items():
        lines = list(_route(game_map, kind))
        if lines:
            axes.add_collection(LineCollection(lines, colors=colour, linewidths=width, capstyle="round"))
    _spots(axes, game_map, balance, spots)
    axes.autoscale_view()
    axes.invert_yaxis()
    return to_svg(drawn)


def _spots(axes: Any, game_map: GameMap, balance: Balance, spots: dict[Hex, tuple[float, float]]) -> None:
    from matplotlib.patches import Wedge

    seats = [side.side for side in balance.sides]
    most = max((sum(place.lost.values()) for place in balance.places), default=1)
    for place in balance.places:
        x, y = spots[game_map.hex(place.hex)]
        total = sum(place.lost.values())
        radius = 0.18 + 0.72 * sqrt(total / most)
        start = 90.0
        for seat, colour in zip(seats, COLOURS, strict=False):
            part = 360 * place.lost.get(seat, 0) / total
            if part:
                axes.add_patch(
                    Wedge((x, y), radius, start, start + part, color=colour, alpha=0.82, linewidth=0, zorder=5)
                )
            start += part
        if total >= most / 4:
            label = f"{total / max(1, balance.games):.2f}"
            axes.text(x, y, label, ha="center", va="center", fontsize=5, color="white", zorder=6)


def _on_paper(hex: Hex) -> tuple[float, float]:
    x, y = centre(hex)
    return x * WIDE, y * HIGH


def _paint(game_map: GameMap, hex: Hex) -> str:
    """Terrain by the words of its name; higher ground is darker."""
    facts = game_map.facts.get(hex)
    if facts is None:
        return "#f4f1e8"
    colour = "#f4f1e8"
    for kind in facts.terrain:
        for paint, words in GROUND:
            if any(word in kind for word in words):
                colour = paint
    return _darker(colour, max(0, facts.level))


def _darker(colour: str, level: int) -> str:
    share = 0.93 ** min(level, 6)
    parts = [int(int(colour[place : place + 2], 16) * share) for place in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _route(game_map: GameMap, kind: str) -> Iterator[list[tuple[float, float]]]:
    """Lines from hex to hex along a route."""
    from sandtable.geo.hexside import hexes_of

    for name, sides in game_map.routes.items():
        if kind in name:
            for side in sorted(sides):
                one, other = hexes_of(side)
                if one in game_map.hexes and other in game_map.hexes:
                    yield [_on_paper(one), _on_paper(other)]
