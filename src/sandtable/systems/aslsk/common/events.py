"""What happened: facts enough to fold. Past tense, one event a fact.

``Opened``, ``Changed`` and ``Closed`` move the stack of open questions; everything else is what players
would tell.
"""

from __future__ import annotations

from sandtable.core.frames import Changed, Closed, Opened
from sandtable.systems.aslsk.common.combat_events import (
    AmbushRolled,
    CloseCombatDeclared,
    CloseCombatResolved,
    Interdicted,
    LeadersArranged,
    MeleeHeld,
    RoutEnded,
    UnitRouted,
    UnitsAdvanced,
)
from sandtable.systems.aslsk.common.effect_events import (
    AcquisitionChanged,
    DemolitionPlaced,
    Desperation,
    MoraleChecked,
    UnitBroke,
    UnitEliminated,
    UnitPinned,
    UnitReduced,
    UnitReplaced,
    UnitWounded,
    WeaponMalfunctioned,
    WeaponRemoved,
    WeaponUsed,
    WoundRolled,
)
from sandtable.systems.aslsk.common.fire_events import (
    BackblastStruck,
    CounterExhausted,
    FireDeclared,
    FireHeld,
    FireResolved,
    HexesBlocked,
    HoldOrdered,
    MarksPlaced,
    MoveEnded,
    OrdnanceResolved,
    PanzerfaustChecked,
    ResidualPlaced,
    SmokeCleared,
    SmokePlaced,
    SmokeRolled,
    UnitsExited,
    UnitsMoved,
    UnitsSpent,
)
from sandtable.systems.aslsk.common.sequence_events import (
    ControlGained,
    DesperationKept,
    DesperationLifted,
    DiceDealt,
    GameEnded,
    LeaderCreated,
    PhaseBegan,
    PhaseEnded,
    RallyAttempted,
    RecoveryAttempted,
    ReinforcementsArrived,
    RepairAttempted,
    SetUpFinished,
    TurnBegan,
    UnitPlaced,
    UnitRallied,
    WeaponPossessed,
)
from sandtable.systems.aslsk.pieces.state import Frame

__all__ = [
    "AcquisitionChanged",
    "AmbushRolled",
    "BackblastStruck",
    "Changed",
    "CloseCombatDeclared",
    "CloseCombatResolved",
    "Closed",
    "ControlGained",
    "CounterExhausted",
    "DemolitionPlaced",
    "Desperation",
    "DesperationKept",
    "DesperationLifted",
    "DiceDealt",
    "Event",
    "FireDeclared",
    "FireHeld",
    "FireResolved",
    "GameEnded",
    "HexesBlocked",
    "HoldOrdered",
    "Interdicted",
    "LeaderCreated",
    "LeadersArranged",
    "MarksPlaced",
    "MeleeHeld",
    "MoraleChecked",
    "MoveEnded",
    "Opened",
    "OrdnanceResolved",
    "PanzerfaustChecked",
    "PhaseBegan",
    "PhaseEnded",
    "RallyAttempted",
    "RecoveryAttempted",
    "ReinforcementsArrived",
    "RepairAttempted",
    "ResidualPlaced",
    "RoutEnded",
    "SetUpFinished",
    "SmokeCleared",
    "SmokePlaced",
    "SmokeRolled",
    "TurnBegan",
    "UnitBroke",
    "UnitEliminated",
    "UnitPinned",
    "UnitPlaced",
    "UnitRallied",
    "UnitReduced",
    "UnitReplaced",
    "UnitRouted",
    "UnitWounded",
    "UnitsAdvanced",
    "UnitsExited",
    "UnitsMoved",
    "UnitsSpent",
    "WeaponMalfunctioned",
    "WeaponPossessed",
    "WeaponRemoved",
    "WeaponUsed",
    "WoundRolled",
]

Event = (
    Opened[Frame]
    | Changed[Frame]
    | Closed
    | UnitPlaced
    | SetUpFinished
    | DiceDealt
    | TurnBegan
    | PhaseBegan
    | PhaseEnded
    | ReinforcementsArrived
    | ControlGained
    | GameEnded
    | RecoveryAttempted
    | RepairAttempted
    | WeaponPossessed
    | RallyAttempted
    | UnitRallied
    | DesperationKept
    | DesperationLifted
    | LeaderCreated
    | MoraleChecked
    | UnitBroke
    | Desperation
    | UnitPinned
    | UnitReduced
    | UnitReplaced
    | WoundRolled
    | UnitWounded
    | UnitEliminated
    | WeaponMalfunctioned
    | WeaponRemoved
    | WeaponUsed
    | DemolitionPlaced
    | AcquisitionChanged
    | FireDeclared
    | HexesBlocked
    | FireResolved
    | OrdnanceResolved
    | PanzerfaustChecked
    | BackblastStruck
    | MarksPlaced
    | ResidualPlaced
    | SmokePlaced
    | SmokeCleared
    | FireHeld
    | HoldOrdered
    | CounterExhausted
    | UnitsMoved
    | UnitsSpent
    | UnitsExited
    | MoveEnded
    | SmokeRolled
    | UnitRouted
    | Interdicted
    | RoutEnded
    | UnitsAdvanced
    | LeadersArranged
    | AmbushRolled
    | CloseCombatDeclared
    | CloseCombatResolved
    | MeleeHeld
)
