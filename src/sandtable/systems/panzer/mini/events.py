"""What happened on a table, beside what needs no place: who stands where, what came of a move, who is lost."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.events import Fact
from sandtable.systems.panzer.mini.state import FieldOfFire, Hold, Patch
from sandtable.systems.panzer.unit import Command, UnitId, WreckKind

__all__ = [
    "OrderWasted",
    "OverwatchHeld",
    "SetUpRolled",
    "ShotFired",
    "TurretsTurned",
    "UnitEntered",
    "UnitExited",
    "UnitMoved",
    "UnitPivoted",
    "UnitTurnedBack",
    "UnitsPlaced",
    "VehicleLost",
    "WallHarmed",
    "WallRolled",
    "ZoneChosen",
]


class SetUpRolled(Fact, frozen=True):
    """23.1.3: both forces rolled, the lower sets up first; on a tie they roll again."""

    rolls: dict[Seat, int]
    first: str


class ZoneChosen(Fact, frozen=True):
    """23.1.3: where a force sets up."""

    seat: Seat
    zone: str


class UnitsPlaced(Fact, frozen=True):
    """23.1.3: vehicles were set up."""

    places: dict[UnitId, tuple[Point, int]]
    """Where each stands, and its heading."""


class OrderWasted(Fact, frozen=True):
    """6.1.3, 8.1.1.2.4: an order to fire that could not be carried out counts as executed."""

    unit: UnitId
    command: Command


class UnitMoved(Fact, frozen=True):
    """9.1.1: what a vehicle did up to the next inch mark, or the end of its move."""

    unit: UnitId
    at: Point
    heading: int
    cost: Breakdown


class UnitEntered(Fact, frozen=True):
    """9.8: a vehicle comes to the edge of the table."""

    unit: UnitId
    at: Point
    heading: int


class UnitTurnedBack(Fact, frozen=True):
    """9.8: a vehicle that did not come wholly onto the table is still held off it."""

    unit: UnitId


class UnitExited(Fact, frozen=True):
    """9.8: a vehicle has left the table."""

    unit: UnitId
    edge: str
    cost: Breakdown
    way: str = ""
    """Number of the scenario's exit that it counts for."""


class UnitPivoted(Fact, frozen=True):
    """10.1: a vehicle faces another way."""

    unit: UnitId
    heading: int


class TurretsTurned(Fact, frozen=True):
    """10.2: where turrets point."""

    turrets: dict[UnitId, FieldOfFire]


class WallRolled(Fact, frozen=True):
    """9.7.3.1: a vehicle breaks into a building or out of it; up to the limit it is harmed."""

    unit: UnitId
    net: Breakdown
    limit: int
    harmed: bool


class WallHarmed(Fact, frozen=True):
    """9.7.3.2: what a building did to a vehicle."""

    unit: UnitId
    roll: int
    track: bool
    """A Track hit; else it is Damaged."""


class VehicleLost(Fact, frozen=True):
    """8.4.7.5, 8.4.7.6: a vehicle is a wreck, and burns if it was brewed up."""

    unit: UnitId
    kind: WreckKind
    patches: tuple[Patch, ...]
    """The wreck, and its smoke."""


class ShotFired(Fact, frozen=True):
    """8.4.3, 8.4.4: the hit number and the roll of a shot."""

    firer: UnitId
    target: UnitId
    weapon: str
    ammo: str
    range_inches: int
    range_factor: str
    number: Breakdown
    roll: int
    hits: int


class OverwatchHeld(Fact, frozen=True):
    """8.3.2: a standing order of a force, which it alone knows."""

    seat: Seat
    hold: Hold
