"""Light, sky and ground of a game turn, as far as sight and movement ask for them (8.1.2b, 8.1.2c, 19.3-19.4)."""

from __future__ import annotations

from enum import StrEnum

import msgspec

__all__ = ["GroundCondition", "Sky", "Weather"]


class Sky(StrEnum):
    """Atmospheric conditions (19.3.0; snow and fog as 8.1.2c and 8.3.0 name them)."""

    CLEAR = "Clear"
    PARTIAL_OVERCAST = "POvr"
    OVERCAST = "Ovr"
    STORM = "Storm"
    SNOW = "Snow"
    FOG = "Fog"


class GroundCondition(StrEnum):
    """Ground conditions (19.4.0)."""

    DRY = "Dry"
    WET = "Wet"
    MUD = "Mud"
    SNOW = "Snow"
    FREEZE = "Freeze"

    @property
    def is_hard(self) -> bool:
        """Whether soft ground and marsh are frozen (19.4.4, 19.4.5)."""
        return self is GroundCondition.FREEZE or self is GroundCondition.SNOW


class Weather(msgspec.Struct, frozen=True, omit_defaults=True):
    """The weather of a game turn."""

    sky: Sky = Sky.CLEAR
    ground: GroundCondition = GroundCondition.DRY
    rain: bool = False
    zones: tuple[tuple[str, Weather], ...] = ()
    """Of the zones that have weather of their own (19.4.0)."""
