"""What happened: facts enough to fold. Past tense, one event a fact.

``Opened``, ``Changed`` and ``Closed`` move the stack of open questions; everything else is what players would tell.
"""

from __future__ import annotations

from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.events import Fact
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.markers import Floor, HullDown
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "ColumnFormed",
    "EntrenchmentDug",
    "FeaturePlaced",
    "FeaturesAdjusted",
    "FeaturesRemoved",
    "GunLoaded",
    "GunUnloaded",
    "PositionSearched",
    "PositionTaken",
    "SmokeAimed",
    "TerrainStruck",
    "UnitDismounted",
    "UnitEntered",
    "UnitExited",
    "UnitMoved",
    "UnitPivoted",
    "UnitShifted",
    "UnitThrownBack",
    "UnitTurned",
    "UnitsMounted",
    "VehicleBrewedUp",
    "VehicleKnockedOut",
]


class VehicleKnockedOut(Fact, frozen=True):
    """4.4.3.2.6: out of action; the hex holds a wreck."""

    unit: UnitId
    hex: Hex


class VehicleBrewedUp(Fact, frozen=True):
    """4.4.3.2.6: burning; the hex holds a wreck and Brew-Up Smoke."""

    unit: UnitId
    hex: Hex


class UnitEntered(Fact, frozen=True):
    """4.5.1.1.9: a vehicle held off the mapboard comes into play."""

    unit: UnitId
    hex: Hex
    facing: int
    cost: Breakdown


class UnitTurned(Fact, frozen=True):
    """4.5.1.1.4: a vehicle pivoted."""

    unit: UnitId
    facing: int
    cost: Breakdown


class UnitPivoted(Fact, frozen=True):
    """6.8.1: a leg or towed unit changed its facing in the Adjustment Phase."""

    unit: UnitId
    facing: int


class UnitMoved(Fact, frozen=True):
    """4.5.1.1: a vehicle entered a hex."""

    unit: UnitId
    hex: Hex
    cost: Breakdown


class UnitShifted(Fact, frozen=True):
    """6.6.3, 6.6.4.1: a unit went into a building, out of it, or up and down in it."""

    unit: UnitId
    hex: Hex
    floor: Floor
    cost: Breakdown


class PositionSearched(Fact, frozen=True):
    """6.6.9: a vehicle looked for a hull down position; up to the number it has found one."""

    unit: UnitId
    position: HullDown
    facing: int
    open_way: int
    """The direction in which the position does not protect."""
    number: Breakdown
    roll: int


class PositionTaken(Fact, frozen=True):
    """6.1.4.3.6, 6.1.4.3.7: an entrenchment or Improved Position has another unit in it, or none."""

    feature: Feature
    unit: UnitId | None
    open_way: int = -1
    """Where an Improved Position does not protect the vehicle (6.1.4.3.7)."""


class EntrenchmentDug(Fact, frozen=True):
    """6.6.8: a turn of work on a Hasty Entrenchment."""

    unit: UnitId
    hex: Hex
    turns: int
    """The side that shows now, 0 when it is done."""


class UnitThrownBack(Fact, frozen=True):
    """6.6.10.1: a vehicle that did not clear the hex of its Overrun is back where it came from."""

    unit: UnitId
    hex: Hex


class UnitExited(Fact, frozen=True):
    """4.5.1.1.9: a vehicle left the mapboard."""

    unit: UnitId
    hex: Hex
    """The last hex that it stood in."""
    direction: int
    cost: Breakdown
    way: str = ""
    """Number of the scenario's exit that it took, if it took one."""


class UnitsMounted(Fact, frozen=True):
    """6.6.7.1.1: units have mounted a vehicle; for them it is a whole move."""

    carrier: UnitId
    units: tuple[UnitId, ...]
    cost: int
    """What it took of the vehicle's allowance."""


class UnitDismounted(Fact, frozen=True):
    """6.6.7.1.1, 6.6.7.1.2: a passenger has got off; for it that is a whole move."""

    carrier: UnitId
    unit: UnitId
    hex: Hex
    facing: int
    cost: int
    """What it took of the vehicle's allowance."""


class ColumnFormed(Fact, frozen=True):
    """6.2.1.1.3: vehicles that share a MOVE set off in a column, the head first."""

    holder: UnitId
    units: tuple[UnitId, ...]


class GunUnloaded(Fact, frozen=True):
    """5.2.1: a Portée has become a truck and a gun; for the gun that is a whole move."""

    unit: UnitId
    gun: UnitId
    truck: CardId
    hex: Hex
    facing: int
    gun_facing: int
    cost: int
    """What it took of the vehicle's allowance."""


class GunLoaded(Fact, frozen=True):
    """5.2.1: a truck has taken its gun up and is a Portée again."""

    unit: UnitId
    gun: UnitId
    portee: CardId
    facing: int
    cost: int


class FeaturePlaced(Fact, frozen=True):
    """6.1.4.3: a terrain counter lies in a hex."""

    feature: Feature


class FeaturesRemoved(Fact, frozen=True):
    """6.1.4.3: terrain counters are gone: destroyed, cleared, or their time is over."""

    features: tuple[Feature, ...]


class FeaturesAdjusted(Fact, frozen=True):
    """6.8.4: OFF sides of SMOKE and DUST go, ON sides are turned."""


class SmokeAimed(Fact, frozen=True):
    """6.2.1.1.4: where a unit that shares its command fires smoke: the targets of the others lie close to it."""

    unit: UnitId
    hex: Hex


class TerrainStruck(Fact, frozen=True):
    """6.5.4.4.3: GP fire on the terrain that its target is in; two Effective results destroy it, one does Mines."""

    source: str
    terrain: str
    hex: Hex
    factor: int
    defense: int
    modifier: Breakdown
    rolls: tuple[int, ...]
    destroyed: bool
