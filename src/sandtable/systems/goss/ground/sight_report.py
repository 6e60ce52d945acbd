"""A line of sight as the ``los`` command and situations show it."""

from __future__ import annotations

from typing import Any

from sandtable.geo.map import GameMap
from sandtable.systems.goss.ground.ground import Ground
from sandtable.systems.goss.ground.sight import Sight

__all__ = ["sight_report"]


def sight_report(ground: Ground, game_map: GameMap, a: str, b: str) -> dict[str, Any]:
    """Sight between two labels: ``{a, b, range, blocked, at, by, hindrance, rule}``; rough ground hinders (8.1.2a)."""
    line = Sight(ground).line(game_map.hex(a), game_map.hex(b))
    at = line.blocked_at
    here = ground.at(at) if at is not None else None
    by = None
    if here is not None:
        by = here.height.value if here.height is not None else here.population.value if here.population else None
    return {
        "a": a,
        "b": b,
        "range": line.range,
        "blocked": at is not None,
        "at": game_map.label(at) if at is not None else None,
        "by": by,
        "hindrance": int(line.is_rough),
        "rule": "8.1.1" if at is not None else "8.1.2a" if line.is_rough else None,
    }
