"""A table without hexes as text with colours: what covers the ground in signs, levels in numbers, and who stands where.

Letters are twice as high as they are wide, so a line is two steps of a column. Pieces are named by their ids, with an
arrow for where they look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.text import Text

from sandtable.core.view import View
from sandtable.geo.paint import paint_of
from sandtable.geo.plane.headings import CIRCLE
from sandtable.geo.plane.points import INCH, Point, range_inches, read_point
from sandtable.geo.plane.table import TableMap
from sandtable.geo.shapes.polygon import PointPosition, locate

__all__ = ["arrow_of", "describe_place", "draw_table"]

ARROWS = "↑↗→↘↓↙←↖"
PLAIN_ARROWS = "^'>.v,<`"
SIGNS: Mapping[str, tuple[str, str]] = {
    "woods": ('"', "green"),
    "orchard": ("o", "green"),
    "scrub": (",", "green"),
    "field": (";", "yellow"),
    "building": ("#", "red"),
    "rough": ("%", "bright_black"),
    "marsh": ("w", "blue"),
    "water": ("~", "blue"),
    "stream": ("~", "blue"),
    "bridge": ("H", "bright_black"),
    "road": ("=", "bright_black"),
    "path": ("-", "bright_black"),
    "track": ("-", "bright_black"),
    "rail": ("+", "bright_black"),
    "hedge": ("&", "green"),
    "wall": ("|", "bright_black"),
    "cliff": ("!", "red"),
    "slope": ("/", "yellow"),
    "gully": ("v", "bright_black"),
}
"""Sign and colour of what covers the ground, by how it is painted."""


def arrow_of(heading: int, *, plain: bool = False) -> str:
    """An arrow for a heading, to the nearest eighth of a turn."""
    eighth = CIRCLE // 8
    return (PLAIN_ARROWS if plain else ARROWS)[(heading + eighth // 2) // eighth % 8]


def draw_table(console: Console, table: TableMap, view: View, styles: Mapping[str, str]) -> None:
    """Print a table with its pieces, as wide as the screen allows; ``styles`` are the colours of the sides."""
    columns = max(20, min(console.width - 6, 2 * table.width // INCH))
    step = table.width / columns
    rows = max(4, round(table.depth / (2 * step)))
    lines = [_line(table, columns, row, step) for row in range(rows)]
    is_plain = not console.encoding.lower().startswith("utf")
    for counter in view.counters:
        at = None if counter.box else read_point(counter.hex)
        if at is None or at not in table:
            continue
        name = counter.id + (arrow_of(counter.heading, plain=is_plain) if counter.heading is not None else "")
        row = min(rows - 1, int(at.y / (2 * step)))
        column = max(0, min(columns - len(name), int(at.x / step) - len(name) // 2))
        lines[row] = _written(lines[row], name, column, styles.get(counter.side, "bold"))
    console.print(Text("     " + _numbers(table, columns, step), style="dim"), soft_wrap=True)
    for row, line in enumerate(lines):
        console.print(Text(f"{int((row + 0.5) * 2 * step) // INCH:>4} ", style="dim") + line, soft_wrap=True)
    _legend(console, table)


def _line(table: TableMap, columns: int, row: int, step: float) -> Text:
    line = Text(no_wrap=True, overflow="crop")
    for column in range(columns):
        sign, style = _sign(table, Point(int((column + 0.5) * step), int((row * 2 + 1) * step)))
        line.append(sign, style)
    return line


def _sign(table: TableMap, at: Point) -> tuple[str, str]:
    for feature in reversed(list(table.at(at))):
        found = SIGNS.get(paint_of(feature.kind))
        if found is not None:
            return found
    level = table.level(at)
    return (str(level)[-1], "yellow") if level else ("·", "bright_black")


def _written(line: Text, name: str, column: int, style: str) -> Text:
    return line[:column] + Text(name, style=style) + line[column + len(name) :]


def _numbers(table: TableMap, columns: int, step: float) -> str:
    """Inches along the upper edge, every sixth."""
    text = [" "] * (columns + 3)
    for inch in range(0, table.width // INCH + 1, 6):
        for place, digit in enumerate(str(inch), start=int(inch * INCH / step)):
            if place < len(text):
                text[place] = digit
    return "".join(text).rstrip()


def _legend(console: Console, table: TableMap) -> None:
    kinds: dict[str, str] = {}
    for feature in table.areas:
        found = SIGNS.get(paint_of(feature.kind))
        if found is not None:
            kinds.setdefault(feature.kind, found[0])
    words = [f"{sign} {kind.replace('_', ' ')}" for kind, sign in kinds.items()]
    console.print(Text("; ".join([*words, "numbers are levels, edges in inches"]), style="dim"))


def describe_place(table: TableMap, view: View, at: Point) -> Iterator[str]:
    """What covers the ground at a place, how high it lies, and who stands within an inch of it."""
    kinds = [feature.kind.replace("_", " ") for feature in table.at(at)]
    yield f"{table.label(at)}: {', '.join(kinds) or 'clear'}, level {table.level(at)}"
    for counter in view.counters:
        place = read_point(counter.hex)
        if place is not None and not counter.box and range_inches(at, place) <= 1:
            yield f"  {counter.id}, {counter.face.title} of {counter.side}, at {counter.hex}"
    for patch in view.patches:
        if locate(at, patch.outline) is not PointPosition.OUTSIDE:
            yield f"  {patch.title or patch.kind}"
