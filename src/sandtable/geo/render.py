r"""A map as text for the terminal.

Each hex is two lines of text between slashes, the lower one underlined, and every other column stands one
line lower, so that the slashes of neighbours fit::

     _____       _____
    /A1   \_____/C1   \
    \_____/B1   \_____/
          \_T34^/

What stands in a hex is up to the caller; where it stands is told, so that the caller may colour it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from sandtable.geo.hex import Hex, centre
from sandtable.geo.map import GameMap

__all__ = ["TextMap", "lay_out_text"]

CellText = tuple[str, str]
"""The upper and the lower line of a hex."""


class TextMap(msgspec.Struct, frozen=True):
    """A map laid out as lines of text."""

    lines: tuple[str, ...]
    places: dict[Hex, tuple[int, int]]
    """Line and first character of each hex's upper text; its lower text stands one line below."""
    width: int
    """Characters of a hex's text."""

    def __str__(self) -> str:
        return "\n".join(self.lines)


def lay_out_text(
    map: GameMap,
    cell: Callable[[Hex], CellText],
    *,
    width: int = 5,
    hexes: Iterable[Hex] | None = None,
) -> TextMap:
    """The map as lines of text, with the place of each hex; only ``hexes`` of it, if given.

    ``cell`` gives the two lines of a hex.
    """
    shown = sorted(map.hexes if hexes is None else map.hexes.intersection(hexes))
    if not shown:
        return TextMap((), {}, width)
    left = min(hex.q for hex in shown)
    top = min(centre(hex)[1] for hex in shown)
    height = max(centre(hex)[1] for hex in shown) - top + 3
    across = (max(hex.q for hex in shown) - left + 1) * (width + 1) + 1
    canvas = [[" "] * across for _ in range(height)]
    places: dict[Hex, tuple[int, int]] = {}
    for hex in shown:
        x = (hex.q - left) * (width + 1)
        line = centre(hex)[1] - top + 1
        upper, lower = cell(hex)
        canvas[line][x], canvas[line][x + width + 1] = "/", "\\"
        canvas[line + 1][x], canvas[line + 1][x + width + 1] = "\\", "/"
        canvas[line][x + 1 : x + width + 1] = upper[:width].ljust(width)
        canvas[line + 1][x + 1 : x + width + 1] = lower[:width].ljust(width, "_")
        # The lower line of the hex above is the upper border; where there is none, it is drawn.
        for column in range(x + 1, x + width + 1):
            if canvas[line - 1][column] == " ":
                canvas[line - 1][column] = "_"
        places[hex] = (line, x + 1)
    return TextMap(tuple("".join(row).rstrip() for row in canvas), places, width)
