"""Tables of terrain for tests, and the ground and sights on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable import packs
from sandtable.core.content.pack import Library
from sandtable.geo.plane.points import INCH, Point
from sandtable.geo.plane.table import TableMap, read_table
from sandtable.systems.panzer.mini.ground import Ground
from sandtable.systems.panzer.mini.layers import FOOTINGS
from sandtable.systems.panzer.mini.sight.lines import Sights
from sandtable.systems.panzer.mini.state import Patch
from sandtable.systems.panzer.terrain import TerrainId, parse_terrain

LIBRARY = Library([packs.shipped("panzer-mini")])
TERRAIN = parse_terrain(LIBRARY.every("terrain.yaml"))
TABLES = LIBRARY.tables()


def table_of(features: Sequence[dict[str, Any]], width: float = 72, depth: float = 48) -> TableMap:
    plain = {"id": "test", "table": {"width": width, "depth": depth}, "features": list(features)}
    return read_table(plain, "test", FOOTINGS)


def sights_on(*features: dict[str, Any], patches: Sequence[Patch] = ()) -> Sights:
    return Sights(Ground(table_of(features), TERRAIN, patches=patches), TABLES["line_of_sight"])


def box(kind: str, left: float, top: float, right: float, bottom: float, **more: Any) -> dict[str, Any]:
    """A feature that is a rectangle."""
    return {"kind": kind, "outline": [[left, top], [right, top], [right, bottom], [left, bottom]], **more}


def patch(kind: str, x: float, y: float, size: float = 1.0) -> Patch:
    """A square patch about a place."""
    half = size / 2
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    return Patch(TerrainId(kind), tuple(inch(x + dx, y + dy) for dx, dy in corners))


def inch(x: float, y: float) -> Point:
    return Point(round(x * INCH), round(y * INCH))
