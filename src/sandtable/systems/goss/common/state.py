"""What changes in a game, and nothing else: units, works, bridges, weather, formations, what has been used.

Frozen throughout. What belongs to a hex or a hexside is a tuple of structs: keys of a mapping are text in a log.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.ground.weather import Weather
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.turn.segments import Moment, Part

__all__ = [
    "BridgeChange",
    "BridgeKind",
    "FormationState",
    "FuelState",
    "State",
    "Use",
    "Veil",
    "WorkHere",
    "entered",
    "with_units",
]


class FuelState(StrEnum):
    """16.4.3 The fuel state of a formation."""

    NORMAL = "normal"
    LOW = "low"
    NONE = "none"


class WorkHere(msgspec.Struct, frozen=True, omit_defaults=True):
    """Defensive works in a hex (17.3.3-17.6)."""

    hex: Hex
    kind: Work
    side: Seat
    """Whose they are."""


class BridgeKind(StrEnum):
    """What became of a crossing."""

    DOWN = "down"
    """Demolished or collapsed."""
    BUILT = "built"
    """A bridge marker (17.2)."""
    PROVEN = "proven"
    """It has borne a heavy vehicle, and needs no other check (17.3.2a)."""


class BridgeChange(msgspec.Struct, frozen=True):
    """A hexside whose bridge is no longer as the map has it."""

    side: Hexside
    kind: BridgeKind


class FormationState(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a formation has of its own."""

    fuel: FuelState = FuelState.NORMAL
    fuel_value: int | None = None
    """What its fuel leaves a Mech unit to move this game turn; None in normal fuel (16.4.5b)."""
    is_by_units: bool = False
    """The fuel value is how many Mech units have their full MA, and all others do not move (16.4.5b)."""


class Use(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that counts once in a phase or segment: what was done, with what, where."""

    what: str
    """The deed in a word, e.g. ``spotted``, ``fired``, ``mission``, ``assaulted``."""
    by: str = ""
    hex: Hex | None = None
    count: int = 0
    """How much of it, where that counts."""


class Veil(msgspec.Struct, frozen=True, omit_defaults=True):
    """That there are units in a hex which a seat may not look at, beside those that it sees (8.4.0)."""

    hex: Hex
    side: Seat
    is_designated: bool = False
    """Markers are seen by all: some of them are attack designated."""
    in_strat: bool = False
    in_reserve: bool = False
    """Some of them are in Combat Reserve (5.8.0; ruling B-95)."""
    steps: int | None = None
    """Steps in the hex, as a vantage point tells them (8.4.2)."""
    armour: str = ""
    """``mixed``, ``pure`` or ``none``, as a vantage point tells it; ``""``: nobody does."""


class State(msgspec.Struct, frozen=True, omit_defaults=True, weakref=True):
    """A position of the game."""

    at: Moment
    units: dict[UnitId, Unit]
    weather: Weather = Weather()
    works: tuple[WorkHere, ...] = ()
    ruins: tuple[Hex, ...] = ()
    """Fortified areas that were destroyed in the game (17.4.1f)."""
    bridges: tuple[BridgeChange, ...] = ()
    formations: dict[FormationId, FormationState] = {}
    tops: tuple[UnitId, ...] = ()
    """Units that their owner put on top of their stack instead of the plain one (8.4.0)."""
    rests: dict[str, Part] = {}
    """The rest game turn of the day, by side, or by the formation that designates it; those of the Axis are secret."""
    rests_shown: tuple[str, ...] = ()
    """Those that the enemy was told of (3.5.2)."""
    ammo: dict[str, int] = {}
    """Ammunition points in the stockpile of each side's army (16.3.6)."""
    used: tuple[Use, ...] = ()
    surrendered: tuple[Hex, ...] = ()
    """Where units surrendered in this game turn (15.7.1)."""
    shown: tuple[UnitId, ...] = ()
    """Units that lie open to both sides while their assault is resolved (8.4.4)."""
    veils: tuple[Veil, ...] = ()
    """In a concealed state only: where units lie that the seat may not look at (8.4.0)."""
    stack: tuple[Any, ...] = ()
    ended: str = ""

    def scenery(self) -> State:
        """The hour, weather, works and bridges alone: what may be kept without keeping who is where."""
        return State(self.at, {}, self.weather, works=self.works, ruins=self.ruins, bridges=self.bridges)

    def on(self, hex: Hex) -> tuple[Unit, ...]:
        """The units in a hex; use the board of the context where many hexes are asked for."""
        return tuple(unit for unit in self.units.values() if unit.hex == hex)

    def has_used(self, what: str, by: str = "", hex: Hex | None = None) -> bool:
        """Whether something was done that counts once."""
        return Use(what, by, hex) in self.used

    def work_at(self, hex: Hex) -> WorkHere | None:
        """The works in a hex."""
        return next((work for work in self.works if work.hex == hex), None)


@rule("17.4.1")
def entered(state: State, unit: Unit, hex: Hex) -> Unit:
    """A unit that has come into a hex: in the works of its side, unless it is to attack or in another mode (B-28)."""
    work = state.work_at(hex)
    is_inside = work is not None and work.side == unit.side and unit.mode is Mode.TAC and not unit.is_designated
    return replace(unit, hex=hex, in_works=is_inside)


def with_units(state: State, *units: Unit) -> State:
    """The state with these units as they are now."""
    return replace(state, units=state.units | {unit.id: unit for unit in units})
