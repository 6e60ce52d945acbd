"""Grounds for tests: maps drawn as text, laid over the terrain and tables of the shipped packs."""

from functools import cache
from pathlib import Path
from typing import Any

import sandtable
from sandtable.core.content.reading import convert
from sandtable.core.content.table import Table, read_table
from sandtable.geo.draw import DrawingDraft, read_drawing
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.scenario.draft import Conditions
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.sight.los import LineOfSight, line_of_sight
from sandtable.systems.panzer.terrain import Terrain, TerrainId, parse_terrain

PACKS = Path(sandtable.__file__).parent / "packs"

LEGEND = {
    PANZER_NA.id: {
        "g": "medium_grove",
        "l": "light_grove",
        "b": "wood_building",
        "s": "scrub",
        "h": "brush",
        "r": "rough",
        "y": "gully",
        "o": "water",
    },
    MBT.id: {
        "w": "woods",
        "l": "light_woods",
        "v": "heavy_woods",
        "b": "brick_building",
        "s": "scrub",
        "h": "brush",
        "r": "rough",
        "y": "gully",
        "t": "stream",
        "f": "ford",
        "o": "water",
    },
}


@cache
def terrain(edition: str) -> dict[TerrainId, Terrain]:
    """The Terrain Effects of a shipped pack."""
    return parse_terrain({"terrain.yaml": (PACKS / edition / "terrain.yaml").read_bytes()})


@cache
def tables(edition: str) -> dict[str, Table]:
    """The tables of a shipped pack."""
    files = sorted((PACKS / edition / "tables").glob("*.yaml"))
    return {file.stem: read_table(file.read_bytes(), file.name) for file in files}


def drawn(
    cells: str, edition: Edition = PANZER_NA, features: list[dict[str, Any]] | None = None, **rest: Any
) -> GameMap:
    """A map drawn as text in the codes of :data:`LEGEND`; more legend may be given."""
    legend = {**LEGEND[edition.id], **rest.pop("legend", {})}
    draft = {"cells": cells, "legend": legend, "features": features or [], **rest}
    return read_drawing(convert(draft, DrawingDraft, "drawing"))


def ground_of(game_map: GameMap, edition: Edition = PANZER_NA, **conditions: Any) -> Ground:
    """The ground of a map in a scenario with these Special Conditions."""
    return Ground(game_map, terrain(edition.id), edition, tables(edition.id), Conditions(**conditions))


def drawn_ground(
    cells: str,
    edition: Edition = PANZER_NA,
    features: list[dict[str, Any]] | None = None,
    conditions: dict[str, Any] | None = None,
    **rest: Any,
) -> Ground:
    """The ground of a map drawn as text."""
    return ground_of(drawn(cells, edition, features, **rest), edition, **(conditions or {}))


TREES = {PANZER_NA.id: "g", MBT.id: "w"}


def column(words: str, edition: Edition = PANZER_NA, **rest: object) -> Ground:
    """A map of one column, drawn from left to right: A1, A2, A3 and so on, southward. T stands for trees."""
    cells = "\n".join(word.replace("T", TREES[edition.id]) for word in words.split())
    return drawn_ground(cells, edition, **rest)  # type: ignore[arg-type]


def look(ground: Ground, a: str, b: str) -> LineOfSight:
    """The line between two labels; the same both ways and by every way of asking."""
    one, other = ground.map.hex(a), ground.map.hex(b)
    there, back = line_of_sight(ground, one, other), line_of_sight(ground, other, one)
    assert there.blocked == back.blocked
    assert ground.sees(one, other) is ground.sees(other, one) is (not there.blocked)
    assert ground.sight(one, other) == there
    if there.blocked:
        assert there.at_label
        assert there.by
        assert there.rule
        assert there.reason
    return there


def seen(ground: Ground, a: str, b: str) -> bool:
    return not look(ground, a, b).blocked
