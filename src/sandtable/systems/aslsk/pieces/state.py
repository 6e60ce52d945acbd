"""What changes in a game: units, weapons, vehicles, smoke, residual FP, control, and the stack of open questions.

Frozen throughout; dicts are treated as immutable. No map, no cards and no dice in here.
"""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.counters import (
    Hold,
    Mark,
    Phase,
    Residual,
    Smoke,
    SmokeKind,
    Unit,
    UnitId,
    Weapon,
    WeaponId,
    WeaponState,
    Whereabouts,
)
from sandtable.systems.aslsk.pieces.frames import (
    Advances,
    Attacked,
    CcAttack,
    CcStage,
    CloseCombat,
    CloseCombats,
    Crowded,
    FirePhase,
    FirstFire,
    Frame,
    MoveGroup,
    MovementPhase,
    MoveStep,
    Moving,
    Rallying,
    RallyStep,
    Routing,
    RoutPhase,
    SettingUp,
    StepKind,
    UnderWay,
    VehicleDeed,
    VehicleMoving,
    VehicleStep,
)
from sandtable.systems.aslsk.pieces.vehicle import Bog, Shock, Stun, Vehicle, VehicleGun, VehicleId

__all__ = [
    "Advances",
    "Attacked",
    "Bog",
    "Brought",
    "CcAttack",
    "CcStage",
    "CloseCombat",
    "CloseCombats",
    "Crowded",
    "FirePhase",
    "FirstFire",
    "Frame",
    "Hold",
    "Mark",
    "MoveGroup",
    "MoveStep",
    "MovementPhase",
    "Moving",
    "Phase",
    "RallyStep",
    "Rallying",
    "Residual",
    "RoutPhase",
    "Routing",
    "SettingUp",
    "Shock",
    "Smoke",
    "SmokeKind",
    "State",
    "StepKind",
    "Stun",
    "UnderWay",
    "Unit",
    "UnitId",
    "Vehicle",
    "VehicleDeed",
    "VehicleGun",
    "VehicleId",
    "VehicleMoving",
    "VehicleStep",
    "Weapon",
    "WeaponId",
    "WeaponState",
    "Whereabouts",
]


class Brought(msgspec.Struct, frozen=True, gc=False):
    """When and where a group enters that its side has chosen to bring (1.3)."""

    turn: int
    hex: Hex | None = None
    """It enters here or next to it; None where it enters as its force does."""


class State(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything that changes."""

    turn: int
    attacker: Seat
    """Whose player turn it is."""
    phase: Phase
    units: dict[UnitId, Unit]
    weapons: dict[WeaponId, Weapon] = {}
    vehicles: dict[VehicleId, Vehicle] = {}
    """Vehicles and wrecks."""
    smoke: tuple[Smoke, ...] = ()
    residual: tuple[Residual, ...] = ()
    control: dict[str, str] = {}
    """The side that controls each place that the victory conditions name."""
    holds: dict[str, Hold] = {}
    """Standing orders of the present MPh, by seat: known to their owner alone."""
    dealt: dict[str, int] = {}
    """Numbers that a scenario's dice have fixed."""
    panzerfausts: dict[str, int] = {}
    """Panzerfausts fired, by seat (4.4.2)."""
    created: int = 0
    """Leaders created so far (5.3)."""
    rendezvous: dict[str, Hex] = {}
    """By group that jumps, where it is to land: known to its owner alone (1.3)."""
    companions: dict[UnitId, UnitId] = {}
    """SMC that jump, each with the MMC in whose stack it does: known to their owner alone (1.3)."""
    brought: dict[str, Brought] = {}
    """Groups that a side has chosen to bring: known to it alone (1.3)."""
    set_up: tuple[Seat, ...] = ()
    """Sides that have finished setting up."""
    stack: tuple[Frame, ...] = ()
    ended: str = ""
    """Why the game is over, "" while it runs."""
    winner: str = ""
