"""A line of sight as the ``los`` command, situations and the sight tool show it."""

from __future__ import annotations

from typing import Any

from sandtable.geo.map import GameMap
from sandtable.systems.panzer.hex.sight.ground import Ground

__all__ = ["sight_report"]


def sight_report(ground: Ground, game_map: GameMap, a: str, b: str) -> dict[str, Any]:
    """Sight between two labels: ``{a, b, range, blocked, at, by, hindrance, rule}``."""
    result = ground.sight(game_map.hex(a), game_map.hex(b))
    return {
        "a": a,
        "b": b,
        "range": result.range_hexes,
        "blocked": result.blocked,
        "at": result.at_label or None,
        "by": result.by or None,
        "hindrance": result.hindrance,
        "rule": result.rule or None,
    }
