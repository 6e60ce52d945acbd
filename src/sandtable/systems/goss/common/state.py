"""Everything that changes in a game."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside
from sandtable.systems.goss.common.segments import Moment
from sandtable.systems.goss.common.unit import FormationId, Unit, UnitId
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.ground.weather import Weather

__all__ = ["NOTHING", "Crossing", "Fieldwork", "Frame", "State", "Used"]


class Frame(msgspec.Struct, frozen=True, tag=True):
    """An open question."""


class Fieldwork(msgspec.Struct, frozen=True, omit_defaults=True):
    """Works in a hex (17.3.3-17.6)."""

    hex: Hex
    kind: Work


class Crossing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What has become of a bridge (17.3.1, 17.3.2)."""

    side: Hexside
    is_destroyed: bool = False
    is_marker: bool = False
    """Built in play: a bridge marker, which heavy vehicles may break."""
    is_heavy: bool = False
    is_checked: bool = False
    """Its one chance to collapse, or to be blown up in haste, was taken this segment."""


class Used(msgspec.Struct, frozen=True, omit_defaults=True):
    """What counts once in a segment or phase; one event clears it."""

    moved: frozenset[UnitId] = frozenset()
    """Units that have moved in this phase (7.5.0)."""
    stacks: dict[UnitId, tuple[UnitId, ...]] = {}
    """Who stood where its host stood when the phase began, and may move with it as one unit (6.2.0)."""
    struck: frozenset[Hex] = frozenset()
    """Hexes that an artillery mission has struck in this Combat Phase (11.0)."""
    barrages: dict[UnitId, int] = {}
    """Barrage factors that have fired in this phase (11.4.1)."""
    spotters: frozenset[UnitId] = frozenset()
    """Units that have called a mission (11.2.1a)."""
    assaulted: frozenset[Hex] = frozenset()
    """Hexes that were assaulted in this segment (13.3.1)."""
    supporting: frozenset[Hex] = frozenset()
    """Hexes whose defenders have supported a neighbour in this segment (13.7.4a)."""
    integrity: frozenset[UnitId] = frozenset()
    """Units that have counted for regimental integrity in this segment (13.8.3)."""
    retreated: frozenset[UnitId] = frozenset()
    """Units that have retreated in this phase (13.5.5)."""


NOTHING = Used()


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that changes."""

    at: Moment
    units: dict[UnitId, Unit]
    weather: Weather = Weather()
    tops: frozenset[UnitId] = frozenset()
    """Units that their owner has put on top of a stack, where it is not the plain one (8.4.0)."""
    works: tuple[Fieldwork, ...] = ()
    ruins: frozenset[Hex] = frozenset()
    """Fortified areas that were destroyed (17.4.1f)."""
    bridges: tuple[Crossing, ...] = ()
    """Those with which something has happened."""
    rests: dict[FormationId, str] = {}
    """Rest game turn of each formation today (3.5.2); hidden from the other side."""
    owners: dict[str, Seat] = {}
    """Who holds each objective of the scenario, by its id."""
    used: Used = NOTHING
    stack: tuple[Frame, ...] = ()
    ended: str = ""
