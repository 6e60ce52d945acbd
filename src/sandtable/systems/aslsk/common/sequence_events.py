"""What happened in the sequence of play, the set-up and the Rally Phase (1.3, 3.0, 3.1, 3.9, 5.3)."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered
from sandtable.systems.aslsk.pieces.state import Phase, Unit, UnitId, WeaponId

__all__ = [
    "ControlGained",
    "DesperationKept",
    "DesperationLifted",
    "DiceDealt",
    "GameEnded",
    "LeaderCreated",
    "PhaseBegan",
    "PhaseEnded",
    "RallyAttempted",
    "RecoveryAttempted",
    "ReinforcementsArrived",
    "RepairAttempted",
    "SetUpFinished",
    "TurnBegan",
    "UnitPlaced",
    "UnitRallied",
    "WeaponPossessed",
]


class UnitPlaced(Fact, frozen=True):
    """1.3: a unit is set up, with weapons."""

    unit: UnitId
    hex: Hex | None
    """None to an opponent who may not see it yet."""
    weapons: tuple[WeaponId, ...] = ()


class SetUpFinished(Fact, frozen=True):
    """1.3: a side has set up."""

    seat: Seat


class DiceDealt(Fact, frozen=True):
    """1.3: a scenario's own roll: numbers that it fixes and units that it takes out of the order of battle."""

    title: str
    roll: int
    dealt: dict[str, int] = msgspec.field(default_factory=dict)
    absent: tuple[UnitId, ...] = ()


class TurnBegan(Fact, frozen=True):
    """3.9: a player turn begins."""

    turn: int
    attacker: Seat


class PhaseBegan(Fact, frozen=True):
    """3.0: a new phase."""

    phase: Phase


class PhaseEnded(Fact, frozen=True):
    """3.0: a phase is over and the markers go that last no longer than it."""

    phase: Phase


class ReinforcementsArrived(Fact, frozen=True):
    """3.1: units due this player turn are set up off board."""

    units: tuple[UnitId, ...]


class ControlGained(Fact, frozen=True):
    """2.0: a side controls a place that the victory conditions name."""

    place: str
    seat: Seat


class GameEnded(Fact, frozen=True):
    """3.9: the last turn is over, or the victory conditions are met at once."""

    why: str
    winner: str


class RecoveryAttempted(Numbered, frozen=True):
    """3.1, 3.3.1: a dr to recover a weapon."""

    unit: UnitId
    weapon: WeaponId
    roll: int
    number: Breakdown
    recovered: bool


class RepairAttempted(Numbered, frozen=True):
    """3.1: a dr to repair a weapon: ``repaired``, ``removed`` or ``none``."""

    unit: UnitId
    weapon: WeaponId
    roll: int
    number: Breakdown
    result: str


class WeaponPossessed(Fact, frozen=True):
    """4.0: a weapon has another possessor, or none and lies in the hex."""

    weapon: WeaponId
    unit: UnitId = UnitId("")
    hex: Hex | None = None
    recovered: bool = False


class RallyAttempted(Numbered, frozen=True):
    """3.1: a rally DR."""

    unit: UnitId
    leader: UnitId
    """"" for a self rally."""
    faces: tuple[int, ...]
    number: Breakdown
    """What the DR is compared with: broken morale less DRM."""
    rallied: bool


class UnitRallied(Fact, frozen=True):
    """3.1: back to its unbroken side."""

    unit: UnitId


class DesperationKept(Fact, frozen=True):
    """3.1: units keep their DM by choice."""

    units: tuple[UnitId, ...]


class DesperationLifted(Fact, frozen=True):
    """3.1: DM counters are removed."""

    units: tuple[UnitId, ...]


class LeaderCreated(Numbered, frozen=True):
    """5.3: the dr on the Leader Creation table, and the leader, if any."""

    unit: UnitId
    roll: int
    number: Breakdown
    leader: Unit | None
