"""What happens in fire of the Advanced Game as far as it needs no place, and how it changes a state (6.5.2, 6.5.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.core.frames import unchanged
from sandtable.core.modifier import Breakdown
from sandtable.systems.panzer.events import Fact
from sandtable.systems.panzer.fold import with_markers, with_unit
from sandtable.systems.panzer.unit import Command, UnitId, WeaponShot

__all__ = [
    "FIRE_FOLDS",
    "AmmoRolled",
    "BailOutRolled",
    "BlastResolved",
    "CrewBailedOut",
    "EngagementAnnounced",
    "HitResolved",
    "HitsScored",
    "HitsSpread",
    "UnitFired",
]


class EngagementAnnounced(Fact, frozen=True):
    """6.5.2, 6.5.4: all AP and GP fire on one target."""

    target: UnitId
    shots: tuple[WeaponShot, ...]
    overwatch: bool


class AmmoRolled(Fact, frozen=True):
    """5.16.2: how much of its ammunition a firer has short: special ammo, basic ammo, or both."""

    firer: UnitId
    ammo: str
    """What it fires now."""
    short: int


class HitsScored(Fact, frozen=True):
    """6.5.2.1: a shot that hit more than once."""

    firer: UnitId
    target: UnitId
    hits: int


class HitsSpread(Fact, frozen=True):
    """6.5.2.1: whom the hits of a shot strike, one by one."""

    firer: UnitId
    targets: tuple[UnitId, ...]


class HitResolved(Fact, frozen=True):
    """6.5.2.2, 6.5.2.5: where a hit struck, and what it did."""

    firer: UnitId
    target: UnitId
    roll: int
    angle: str
    location: str
    """"" where the ground took it (6.5.2.2.3)."""
    margin: Breakdown | None
    """Penetration over armor, where armor decides."""
    effect: str
    """``miss``, ``track``, ``stopped``, ``ND``, ``DM``, ``KO`` or ``BU``."""


class BlastResolved(Fact, frozen=True):
    """6.5.4.4: GP fire on one unit."""

    source: str
    """Who fires: a unit, or a battery or aircraft."""
    target: UnitId
    weapon: str
    factor: int
    range_factor: str
    defense: int
    modifier: Breakdown
    roll: int
    result: str
    effect: str
    """"" for nothing (6.5.4.4.2, 6.5.4.4.3)."""


class BailOutRolled(Fact, frozen=True):
    """5.15: whether a crew or a passenger leaves, or a passenger gets away from a vehicle that is lost."""

    unit: UnitId
    cause: str
    number: Breakdown
    roll: int
    leaves: bool


class CrewBailedOut(Fact, frozen=True):
    """5.15: a vehicle was abandoned for good."""

    unit: UnitId


class UnitFired(Fact, frozen=True):
    """6.5.4: a unit has fired GP; what came of it is told unit by unit."""

    unit: UnitId


def _announced(state: Any, event: EngagementAnnounced) -> Any:
    """The target is under fire, and whoever has several weapons knows which he has used (5.14, 6.8.3.1.2)."""
    for shot in event.shots:
        arms = state.units[shot.firer].markers.arms
        state = with_markers(state, shot.firer, arms=(*arms, shot.weapon))
    return with_markers(state, event.target, under_fire=True)


def _blast_resolved(state: Any, event: BlastResolved) -> Any:
    return with_markers(state, event.target, under_fire=True)


def _hits_spread(state: Any, event: HitsSpread) -> Any:
    for target in dict.fromkeys(event.targets):
        state = with_markers(state, target, under_fire=True)
    return state


def _crew_bailed_out(state: Any, event: CrewBailedOut) -> Any:
    """It carries out no command any more."""
    state = with_unit(state, event.unit, command=Command.NONE, known=True)
    return with_markers(state, event.unit, bailed=True)


def _unit_fired(state: Any, event: UnitFired) -> Any:
    return with_unit(state, event.unit, fired=True)


FIRE_FOLDS: Mapping[type, Callable[[Any, Any], Any]] = {
    EngagementAnnounced: _announced,
    AmmoRolled: unchanged,
    HitsScored: unchanged,
    HitsSpread: _hits_spread,
    HitResolved: unchanged,
    BlastResolved: _blast_resolved,
    BailOutRolled: unchanged,
    CrewBailedOut: _crew_bailed_out,
    UnitFired: _unit_fired,
}
"""Part of the facts of every space."""
