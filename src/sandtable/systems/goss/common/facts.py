"""What happens in more than one question: time passes, units move, lose steps, change their markers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Fact
from sandtable.systems.goss.common.state import State, Use, moved, with_units
from sandtable.systems.goss.ground.weather import Weather
from sandtable.systems.goss.pieces.unit import Box, Mode, UnitId
from sandtable.systems.goss.turn.segments import Moment

__all__ = [
    "FACTS",
    "GameEnded",
    "ModeSet",
    "SegmentBegan",
    "Shifted",
    "StepsLost",
    "Tired",
    "UnitEliminated",
    "Used",
    "UsesCleared",
    "WeatherCame",
]


class SegmentBegan(Fact, frozen=True):
    """The Sequence of Play went on to its next segment (3.3.0)."""

    at: Moment

    def sentence(self, context: Context) -> str:
        """The segment; a new game turn with its part of the day."""
        segment = self.at.segment
        if segment is None:
            return ""
        calendar = context.calendar
        turn = f"Day {calendar.day(self.at.turn)} {calendar.part(self.at.turn)}"
        return f"{turn}, {self.at.player or 'both'}: {segment.step}."


class WeatherCame(Fact, frozen=True):
    """The weather of the game turn (19.1.0)."""

    weather: Weather

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """Sky and ground."""
        return f"Weather: {self.weather.sky}, ground {self.weather.ground}{', rain' if self.weather.rain else ''}."


class ModeSet(Fact, frozen=True):
    """A unit was put into a mode (5.0)."""

    unit: UnitId
    mode: Mode

    def sentence(self, context: Context) -> str:
        """Who, and which."""
        return f"{context.title(self.unit)}: {self.mode} mode."


class StepsLost(Fact, frozen=True):
    """A unit lost steps and lives on (4.2.1)."""

    unit: UnitId
    steps: int
    """What is left; 0 is its Z-step."""

    def sentence(self, context: Context) -> str:
        """Who, and what is left."""
        left = "its Z-step" if self.steps == 0 else f"{self.steps} step{'s' if self.steps > 1 else ''}"
        return f"{context.title(self.unit)} is down to {left}."


class UnitEliminated(Fact, frozen=True):
    """A unit is gone (4.2.2)."""

    unit: UnitId
    box: Box = Box.ELIMINATED

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)} is eliminated."


class Tired(Fact, frozen=True):
    """A unit's fatigue changed (14.1.0, 14.4.0)."""

    unit: UnitId
    fatigue: int

    def sentence(self, context: Context) -> str:
        """Who, and how worn."""
        return f"{context.title(self.unit)}: fatigue {self.fatigue}."


class Shifted(Fact, frozen=True):
    """A unit's AS markers changed (11.6.1)."""

    unit: UnitId
    shifts: int

    def sentence(self, context: Context) -> str:
        """Who, and how many."""
        return f"{context.title(self.unit)}: {self.shifts} AS." if self.shifts else ""


class Used(Fact, frozen=True):
    """Something was done that counts once in its phase."""

    use: Use


class UsesCleared(Fact, frozen=True):
    """What counts once a phase counts anew."""


class UnitsPlaced(Fact, frozen=True):
    """Units came to stand in a hex: they marched, retreated or advanced there."""

    units: tuple[UnitId, ...]
    hex: Hex

    def sentence(self, context: Context) -> str:
        """Who, and where."""
        return f"{'; '.join(map(context.title, self.units))} to {context.label(self.hex)}."


class GameEnded(Fact, frozen=True):
    """The game is over (3.3.4)."""

    why: str

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """Why."""
        return self.why


def _eliminated(state: State, event: UnitEliminated) -> State:
    return with_units(state, replace(state.units[event.unit], hex=None, box=event.box))


FACTS: Mapping[type, Callable[[Any, Any], Any]] = {
    SegmentBegan: lambda state, event: replace(state, at=event.at),
    WeatherCame: lambda state, event: replace(state, weather=event.weather),
    ModeSet: lambda state, event: with_units(state, replace(state.units[event.unit], mode=event.mode)),
    StepsLost: lambda state, event: with_units(state, replace(state.units[event.unit], steps=event.steps)),
    UnitEliminated: _eliminated,
    Tired: lambda state, event: with_units(state, replace(state.units[event.unit], fatigue=event.fatigue)),
    Shifted: lambda state, event: with_units(state, replace(state.units[event.unit], shifts=event.shifts)),
    Used: lambda state, event: replace(state, used=(*state.used, event.use)),
    UsesCleared: lambda state, event: replace(state, used=()),  # noqa: ARG005
    UnitsPlaced: lambda state, event: moved(state, event.units, event.hex),
    GameEnded: lambda state, event: replace(state, ended=event.why),
}
"""How each changes the state."""
