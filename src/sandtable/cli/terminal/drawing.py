"""The map and the counters as text with colours, from a view: geometry only, no rules.

A hex shows its label and level above, and below it who stands there, with an arrow for the facing, or what
lies there. Counters are named by their ids, which are what one types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sandtable.core.view import Counter, View
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.geo.render import lay_out_text

__all__ = ["draw_map", "draw_roster", "draw_score", "side_styles"]

ARROWS = "↑↗↘↓↙↖"
PLAIN_ARROWS = "^'.v,`"
SIDE_STYLES = ("bold white on dark_red", "bold white on dark_blue", "bold black on yellow", "bold black on green")
TERRAIN_STYLES = {
    "wood": "green",
    "grove": "green",
    "brush": "green",
    "scrub": "green",
    "crop": "green",
    "orchard": "green",
    "build": "red",
    "village": "red",
    "sand": "yellow",
    "rough": "bright_black",
    "gully": "blue",
    "stream": "blue",
    "ford": "blue",
    "water": "blue",
    "bridge": "bright_black",
}
GROUND = ("hill", "depression")
"""Kinds that a level already tells."""


def side_styles(seats: Sequence[str]) -> dict[str, str]:
    """A colour for each side."""
    return {seat: SIDE_STYLES[index % len(SIDE_STYLES)] for index, seat in enumerate(seats)}


def draw_map(console: Console, game_map: GameMap, view: View, seats: Sequence[str]) -> None:
    """Print the map with its counters, as wide as the screen allows."""
    columns = len({hex.q for hex in game_map.hexes})
    width = max(3, min(6, (console.width - 1) // columns - 1))
    standing = _standing(game_map, view)
    signs = _signs(game_map, view)
    letters = _letters(game_map)
    arrows = _arrows(console)

    def cell(hex: Hex) -> tuple[str, str]:
        label = game_map.label(hex)[-width:]
        level = str(game_map.at(hex).level or "")
        # Beside the label where there is a gap between them, else before the terrain.
        beside = len(label) + len(level) < width
        upper = label + level.rjust(width - len(label)) if beside else label
        terrain = _terrain(game_map, hex, letters)
        if not beside:
            terrain = level + terrain
        return upper, _lower(standing.get(hex, []), signs.get(hex, ""), terrain, arrows, width)

    layout = lay_out_text(game_map, cell, width=width, hexes=game_map.hexes)
    lines = [Text(line, no_wrap=True, overflow="crop") for line in layout.lines]
    styles = side_styles(seats)
    for hex, (row, column) in layout.places.items():
        label = game_map.label(hex)[-width:]
        lines[row].stylize("dim", column, column + len(label))
        lines[row].stylize("yellow", column + len(label), column + width)
        here = standing.get(hex, [])
        style = styles.get(here[0].side, "bold") if here else _terrain_style(game_map, hex)
        if here or style:
            end = column + (len(layout.lines[row + 1][column : column + width].rstrip("_")) or width)
            lines[row + 1].stylize(style, column, end)
    for line in lines:
        console.print(line, soft_wrap=True)
    _legend(console, game_map, view, letters)


def draw_roster(console: Console, view: View, seats: Sequence[str]) -> None:
    """Print who stands where, side by side of the game."""
    styles = side_styles(seats)
    arrows = _arrows(console)
    table = Table(box=None, pad_edge=False, show_header=False)
    for counter in sorted(view.counters, key=lambda one: (one.side, not one.hex, one.id)):
        place = counter.hex or counter.box
        facing = arrows[counter.facing] if counter.facing is not None else ""
        if counter.heading is not None:
            facing = f"{counter.heading / 10:g}°"
        markers = " ".join(marker.text for marker in counter.markers)
        table.add_row(
            Text(counter.id, style=styles.get(counter.side, "")),
            escape(counter.face.title),
            f"{escape(place)} {facing}",
            escape(markers),
        )
    console.print(table)


def draw_score(console: Console, view: View) -> None:
    """Print the tracks and how the sides stand."""
    # A phase is known by its own name.
    tracks = [
        track.steps[track.at] if track.id == "phase" else f"{track.title} {track.steps[track.at]}"
        for track in view.tracks
        if track.steps
    ]
    scores = [f"{score.side} {score.points}" for score in view.scores]
    console.rule(escape(" · ".join([*tracks, *scores])), align="left", style="dim")


def _arrows(console: Console) -> str:
    return ARROWS if console.encoding.lower().startswith("utf") else PLAIN_ARROWS


def _standing(game_map: GameMap, view: View) -> dict[Hex, list[Counter]]:
    found: dict[Hex, list[Counter]] = {}
    for counter in view.counters:
        if counter.hex and not counter.box:
            found.setdefault(game_map.hex(counter.hex), []).append(counter)
    return found


def _signs(game_map: GameMap, view: View) -> dict[Hex, str]:
    found: dict[Hex, str] = {}
    for sign in view.hex_markers:
        hex = game_map.hex(sign.hex)
        found[hex] = f"{found[hex]} {sign.marker.text}" if hex in found else sign.marker.text
    return found


def _lower(here: Sequence[Counter], sign: str, terrain: str, arrows: str, width: int) -> str:
    """The lower line of a hex: counters before signs before terrain."""
    if not here:
        return sign or terrain
    first = here[0]
    arrow = arrows[first.facing] if first.facing is not None else ""
    more = f"+{len(here) - 1}" if len(here) > 1 else ""
    room = width - len(arrow) - len(more)
    name = first.id if len(first.id) <= room else first.face.code[:room]
    return name + arrow + more


def _kinds(game_map: GameMap, hex: Hex) -> list[str]:
    return [kind for kind in game_map.at(hex).terrain if kind not in GROUND]


def _letters(game_map: GameMap) -> dict[str, str]:
    """Three letters for each kind of terrain on the map, no two alike."""
    found: dict[str, str] = {}
    for kind in sorted({kind for hex in game_map.hexes for kind in _kinds(game_map, hex)}):
        first, *rest = kind.split("_")
        wanted = first[:3] if not rest else first[0] + rest[-1][:2]
        others = (kind[0] + a + b for a, b in combinations(kind.replace("_", "")[1:], 2))
        found[kind] = next((one for one in (wanted, *others) if one not in found.values()), wanted)
    return found


def _terrain(game_map: GameMap, hex: Hex, letters: Mapping[str, str]) -> str:
    """A few letters for what lies in a hex; a road or track through it is a sign of its own."""
    lies = "".join(letters[kind] for kind in _kinds(game_map, hex)[-1:])
    road = any(game_map.has_route(kind, hex, way) for kind in game_map.routes for way in range(6))
    return f"{lies}=" if road else lies


def _terrain_style(game_map: GameMap, hex: Hex) -> str:
    for kind in reversed(_kinds(game_map, hex)):
        for stem, style in TERRAIN_STYLES.items():
            if stem in kind:
                return style
    return ""


def _legend(console: Console, game_map: GameMap, view: View, letters: Mapping[str, str]) -> None:
    words = [f"{short} {kind.replace('_', ' ')}" for kind, short in letters.items()]
    if game_map.routes:
        words.append("= " + ", ".join(sorted(game_map.routes)).replace("_", " "))
    signs = {sign.marker.text: sign.marker.title for sign in view.hex_markers if sign.marker.tone == "bad"}
    words += [f"{text} {title}" for text, title in signs.items()]
    console.print(Text("; ".join(words), style="dim"))
    goals: dict[str, list[str]] = {}
    for sign in view.hex_markers:
        if sign.marker.tone == "good":
            goals.setdefault(sign.marker.title, []).append(sign.hex)
    for title, hexes in goals.items():
        console.print(Text(f"VP {', '.join(hexes)}: {title}", style="dim"))
