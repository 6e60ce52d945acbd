"""The map of a game as data for drawing: hexes and hexsides, or a table, with features and a legend.

Everything comes from the same vector features that the rules look at. What a kind of terrain is called, how it is
painted and what the rules make of it is the system's to say (:class:`~sandtable.geo.legend.DescribesTerrain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sandtable.core.content.pack import Library
from sandtable.core.ruleset import System
from sandtable.geo.feature import Feature
from sandtable.geo.hex import DIRECTION_NAMES, centre
from sandtable.geo.legend import DescribesTerrain, TerrainShown
from sandtable.geo.map import GameMap
from sandtable.geo.paint import paint_of
from sandtable.geo.plane.table import TableMap
from sandtable.session.presenting.shelf import FeatureDrawn, HexDrawn, LegendRow, MapDrawing, SideDrawn, TableDrawn

__all__ = ["draw_map", "legend_of"]


def draw_map(space: GameMap | TableMap, legend: Mapping[str, TerrainShown]) -> MapDrawing:
    """The drawing of a map or a table, with what its kinds of terrain are."""
    return _draw_table(space, legend) if isinstance(space, TableMap) else _draw_hexes(space, legend)


def _draw_table(table: TableMap, legend: Mapping[str, TerrainShown]) -> MapDrawing:
    used = [feature.kind for feature in table.features]
    return MapDrawing(
        digest=table.digest,
        hexes=(),
        sides=(),
        features=tuple(_feature(feature, table.scale) for feature in table.drawn()),
        legend=_legend(legend, used),
        names={},
        exits={},
        table=TableDrawn(table.title, table.width / table.scale, table.depth / table.scale),
    )


def _draw_hexes(game_map: GameMap, legend: Mapping[str, TerrainShown]) -> MapDrawing:
    used = [feature.kind for feature in game_map.features]
    return MapDrawing(
        digest=game_map.digest,
        hexes=tuple(_hexes(game_map)),
        sides=tuple(
            SideDrawn(side.hex.q, side.hex.r, side.dir, kinds) for side, kinds in sorted(game_map.sides.items())
        ),
        features=tuple(_feature(feature, game_map.scale) for feature in game_map.drawn()),
        legend=_legend(legend, used),
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


def legend_of(system: System, library: Library) -> Mapping[str, TerrainShown]:
    """What the kinds of terrain are, by the system's own account."""
    return system.legend(library) if isinstance(system, DescribesTerrain) else {}


def _legend(legend: Mapping[str, TerrainShown], used: Iterable[str]) -> dict[str, LegendRow]:
    """The kinds that the map shows, and clear ground as ``""``."""
    return {kind: _row(kind, legend.get(kind)) for kind in dict.fromkeys(("", *used))}


def _row(kind: str, shown: TerrainShown | None) -> LegendRow:
    if shown is None:
        shown = TerrainShown(kind.replace("_", " ").capitalize() or "Clear", paint_of(kind or "clear"))
    return LegendRow(shown.title, shown.paint, shown.facts, shown.status)
