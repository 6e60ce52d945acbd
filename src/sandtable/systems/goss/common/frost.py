"""19.4.4, 19.4.5 The terrain of a hex as frost and snow leave it."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.kinds import Terrain
from sandtable.systems.goss.ground.weather import GroundCondition

__all__ = ["features_of", "has_marsh"]

_HARD = frozenset((GroundCondition.FREEZE, GroundCondition.SNOW))
_WET = frozenset((Terrain.MARSH, Terrain.SWAMP, Terrain.SOFT_GROUND))


@rule("19.4.4", "19.4.5")
def features_of(context: Context, state: State, hex: Hex) -> frozenset[str]:
    """Terrain and population of a hex; frost makes soft ground clear, and marsh rough (19.4.4, 19.4.5)."""
    ground = context.ground.at(hex)
    terrain = set(ground.terrain)
    if terrain & _WET and context.weather_at(state, hex).ground in _HARD:
        terrain = (terrain - _WET) | ({Terrain.ROUGH} if terrain & {Terrain.MARSH, Terrain.SWAMP} else set())
    return frozenset((*terrain, *((ground.population,) if ground.population is not None else ())))


def has_marsh(context: Context, state: State, hex: Hex) -> bool:
    """Marsh, swamp or soft ground that is not frozen (13.3.2)."""
    return not _WET.isdisjoint(features_of(context, state, hex))
