"""1.1.1 What each word of the boards means to players: the Terrain Effects Chart, and the months of a season."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Mapping
from typing import Any

from sandtable.core.content.pack import Library
from sandtable.core.content.table import Table, read_table
from sandtable.geo.legend import TerrainShown, fact_text, read_legend
from sandtable.systems.aslsk.terrain.survey import TERRAIN_TABLE

__all__ = ["terrain_legend"]

_FIELDS = {"mf_halves": "MF", "tem": "TEM", "rally_bonus": "rally bonus"}
"""Fields of the chart as players call them; MF are counted in halves there."""
_OF_THE_PROGRAM = {"is", "half_width"}


def terrain_legend(library: Library) -> dict[str, TerrainShown]:
    """Every word of the boards, with what the chart says of it."""
    chart = _chart(read_table(*library.file(f"tables/{TERRAIN_TABLE}.yaml")))

    def facts(entry: Mapping[str, Any]) -> dict[str, str]:
        told = {name: fact_text(value) for name, value in entry.items() if name not in _OF_THE_PROGRAM}
        if isinstance(entry.get("season"), list):
            told["season"] = " to ".join(month_name[int(month)] for month in entry["season"])
        return {**chart.get(str(entry.get("is", "")), {}), **told}

    return read_legend(library, "open", facts)


def _chart(table: Table) -> dict[str, dict[str, str]]:
    """What the chart says of each terrain."""
    terrains, fields = table.axes
    return {
        str(terrain): {
            _FIELDS[str(field)]: f"{cell / 2:g}" if field == "mf_halves" else f"+{cell}"
            for field, cell in sorted(zip(fields.values, row, strict=True))
            if cell
        }
        for terrain, row in zip(terrains.values, table.cells, strict=True)
    }
