"""A line of sight on a table as the ``los`` command and situations show it."""

from __future__ import annotations

from typing import Any

from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer.mini.sight.lines import Sights

__all__ = ["sight_report"]


def sight_report(sights: Sights, table: TableMap, a: str, b: str) -> dict[str, Any]:
    """Sight between two labels: ``{a, b, range, blocked, at, by, hindrance, rule}``."""
    found = sights.line(table.place(a, "a"), table.place(b, "b"))
    return {
        "a": a,
        "b": b,
        "range": found.range_inches,
        "blocked": found.blocked,
        "at": found.at_label or None,
        "by": found.by or None,
        "hindrance": found.hindrance,
        "rule": found.rules[0] if found.rules else None,
    }
