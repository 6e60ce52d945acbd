"""What changes in a game: units, weapons, smoke, residual firepower, control, and the stack of open questions.

Frozen throughout; dicts are treated as immutable. No map, no cards and no dice in here.
"""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
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
)

__all__ = [
    "Advances",
    "Attacked",
    "CcAttack",
    "CcStage",
    "CloseCombat",
    "CloseCombats",
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
    "Smoke",
    "SmokeKind",
    "State",
    "StepKind",
    "Unit",
    "UnitId",
    "Weapon",
    "WeaponId",
    "WeaponState",
    "Whereabouts",
]


class State(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything that changes."""

    turn: int
    attacker: Seat
    """Whose player turn it is."""
    phase: Phase
    units: dict[UnitId, Unit]
    weapons: dict[WeaponId, Weapon] = {}
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
    set_up: tuple[Seat, ...] = ()
    """Sides that have finished setting up."""
    stack: tuple[Frame, ...] = ()
    ended: str = ""
    """Why the game is over, "" while it runs."""
    winner: str = ""
