"""The legend of the map: what each word of the boards costs, covers and is worth, as the charts have it (1.3.0)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.pack import Library
from sandtable.geo.legend import TerrainShown, read_legend
from sandtable.systems.goss.tables.charts import Charts, read_charts
from sandtable.systems.goss.tables.movement_costs import Crossing, mp_text

__all__ = ["terrain_legend"]

_CLASSES = ("Leg", "Mech")


def terrain_legend(library: Library) -> dict[str, TerrainShown]:
    """Every word of the boards with its facts."""
    charts = read_charts(library.tables())
    found = read_legend(library, "clear", lambda _: {})
    return {kind: replace(shown, facts=dict(_facts(charts, kind or "clear"))) for kind, shown in found.items()}


def _facts(charts: Charts, kind: str) -> Iterator[tuple[str, str]]:
    """What the charts say of a kind of terrain; nothing of what they do not name."""
    costs = charts.costs
    for name in _CLASSES:
        if (kind, name) in costs.terrain:
            yield f"{name} MP", mp_text(costs.terrain[kind, name])
        elif (kind, Crossing(name)) in costs.water:
            yield f"{name} MP", mp_text(costs.water[kind, Crossing(name)])
    if (kind, "Mech road") in costs.roads:
        yield "Mech road MP", mp_text(costs.roads[kind, "Mech road"])
    if charts.cover.is_movement_cover({kind}):
        yield "cover", "hides who moves (MCT)"
    elif charts.cover.is_observation_cover({kind}):
        yield "cover", "hides who stands still (OCT)"
    if kind in charts.defences.lines:
        yield "assault line", str(charts.defences.lines[kind])
