"""The map of a game as data for drawing: hexes, hexsides, features and a legend.

Everything comes from the same vector features that the rules look at. What a kind of terrain is called and
what the rules make of it is read from the pack's ``terrain.yaml``; how to paint it from its ``paint`` there
or, failing that, from the words of its name.
"""

from __future__ import annotations

from calendar import month_name
from collections.abc import Iterator, Mapping
from typing import Any

from sandtable.core.content.pack import Library
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.geo.feature import Feature
from sandtable.geo.hex import DIRECTION_NAMES, centre
from sandtable.geo.map import GameMap, map_of
from sandtable.geo.paint import paint_of
from sandtable.session.presenting.shelf import FeatureDrawn, HexDrawn, LegendRow, MapDrawing, SideDrawn

__all__ = ["draw_map", "map_of"]

_FIELDS = {"title", "paint", "status", "source", "verbatim", "note", "is", "half_width"}
"""What a terrain entry says about itself rather than about the terrain."""
_SHORT = 3
"""An abbreviation, which stands in capitals: MF, TEM."""


def draw_map(game_map: GameMap, library: Library) -> MapDrawing:
    """The drawing of a map."""
    used = dict.fromkeys(feature.kind for feature in game_map.features)
    return MapDrawing(
        digest=game_map.digest,
        hexes=tuple(_hexes(game_map)),
        sides=tuple(
            SideDrawn(side.hex.q, side.hex.r, side.dir, kinds) for side, kinds in sorted(game_map.sides.items())
        ),
        features=tuple(_feature(feature, game_map.scale) for feature in game_map.drawn()),
        legend=_legend(library, used),
        names={name: tuple(map(game_map.label, hexes)) for name, hexes in game_map.names.items()},
        exits={
            game_map.label(hex): {DIRECTION_NAMES[way]: tuple(edges) for way, edges in ways.items()}
            for hex, ways in game_map.exits.items()
        },
    )


def _hexes(game_map: GameMap) -> Iterator[HexDrawn]:
    for hex, facts in sorted(game_map.facts.items()):
        x, y = centre(hex)
        yield HexDrawn(
            label=game_map.label(hex),
            q=hex.q,
            r=hex.r,
            x=x,
            y=y,
            level=facts.level,
            terrain=facts.terrain,
            routes=facts.routes,
            playable=hex in game_map,
            board=game_map.boards[hex][0],
        )


def _feature(feature: Feature, scale: int) -> FeatureDrawn:
    def point(at: tuple[int, int]) -> tuple[float, float]:
        return at[0] / scale, at[1] / scale

    return FeatureDrawn(
        kind=feature.kind,
        hexes=tuple((hex.q, hex.r) for hex in feature.hexes),
        sides=tuple((side.hex.q, side.hex.r, side.dir) for side in feature.sides),
        outline=tuple(map(point, feature.outline)),
        line=tuple(map(point, feature.line)),
        at=None if feature.at is None else point(feature.at),
        text=feature.text,
        level=feature.level,
        attributes=dict(feature.attributes),
        board=feature.board,
    )


def _legend(library: Library, used: Mapping[str, Any]) -> dict[str, LegendRow]:
    """The kinds that the map shows, and clear ground as ``""``."""
    entries: dict[str, Any] = {}
    for pack in library.packs:
        if "terrain.yaml" in pack.files:
            plain = parse_yaml(pack.files["terrain.yaml"], f"{pack.where}/terrain.yaml")
            terrain = plain.get("terrain") if isinstance(plain, Mapping) else None
            entries |= terrain if isinstance(terrain, Mapping) else {}
    clear = entries.get("clear") or entries.get("open", {})
    effects = _effects(library)
    return {"": _row("clear", clear, effects)} | {kind: _row(kind, entries.get(kind, {}), effects) for kind in used}


def _effects(library: Library) -> dict[str, dict[str, str]]:
    """What tables with an axis of terrain and one of fields say about each terrain: cost to enter, TEM."""
    found: dict[str, dict[str, str]] = {}
    for table in library.tables().values():
        if [axis.name for axis in table.axes] == ["terrain", "field"]:
            terrains, fields = table.axes
            for terrain, row in zip(terrains.values, table.cells, strict=True):
                told = {_effect(str(field), cell) for field, cell in zip(fields.values, row, strict=True) if cell}
                found.setdefault(str(terrain), {}).update(sorted(told))
    return found


def _effect(field: str, cell: int) -> tuple[str, str]:
    """A field and its value for people: what is counted in halves in whole ones, a modifier with its sign."""
    name = field.removesuffix("_halves")
    text = f"{cell / 2:g}" if name != field else f"+{cell}"
    return name.upper() if len(name) <= _SHORT else name.replace("_", " "), text


def _row(kind: str, entry: Mapping[str, Any], effects: Mapping[str, Mapping[str, str]]) -> LegendRow:
    verbatim = entry.get("verbatim") or {}
    status = {str(name): "verbatim" for name in verbatim if name not in _FIELDS}
    given = {str(name): value for name, value in entry.items() if name not in _FIELDS}
    # What a terrain does not give is not said.
    told = {name: _text(value) for name, value in given.items() if value not in (None, "None")}
    if isinstance(entry.get("season"), list):
        told["season"] = " to ".join(month_name[int(month)] for month in entry["season"])
    facts = {**effects.get(str(entry.get("is", "")), {}), **told}
    title = str(entry.get("title") or kind.replace("_", " ").capitalize())
    return LegendRow(title, str(entry.get("paint") or paint_of(kind)), facts, status)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value)
