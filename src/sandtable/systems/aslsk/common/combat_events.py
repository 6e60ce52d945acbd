"""What happened in rout, advance and close combat (3.6 to 3.8)."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, KillNumbered, Priced
from sandtable.systems.aslsk.pieces.state import CcAttack, UnitId

__all__ = [
    "AmbushRolled",
    "CloseCombatDeclared",
    "CloseCombatResolved",
    "Interdicted",
    "LeadersArranged",
    "MeleeHeld",
    "RoutEnded",
    "UnitRouted",
    "UnitsAdvanced",
]


class UnitRouted(Priced, frozen=True):
    """3.6: a routing unit, and the leader with it, entered a hex."""

    unit: UnitId
    hex: Hex
    cost: Breakdown
    """In halves of MF."""
    escort: UnitId = UnitId("")
    low_crawl: bool = False


class Interdicted(Fact, frozen=True):
    """3.6: enemy units interdict a routing unit."""

    unit: UnitId
    by: tuple[UnitId, ...]
    hex: Hex


class RoutEnded(Fact, frozen=True):
    """3.6: a unit, and the leader with it, has ended its RtPh."""

    unit: UnitId
    escort: UnitId = UnitId("")


class UnitsAdvanced(Priced, frozen=True):
    """3.7: units advanced into a hex."""

    units: tuple[UnitId, ...]
    hex: Hex
    cost: Breakdown
    """In halves of MF, as in the MPh."""


class LeadersArranged(Fact, frozen=True):
    """3.8: the units that a side's leaders fight with."""

    seat: Seat
    pairs: dict[UnitId, UnitId]


class AmbushRolled(Fact, frozen=True):
    """3.8: both sides' ambush drs."""

    hex: Hex
    rolls: dict[Seat, int]
    numbers: tuple[Breakdown, ...]
    ambusher: str

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The numbers of the dice."""
        return self.numbers


class CloseCombatDeclared(Fact, frozen=True):
    """3.8: a side's close combat attacks in a hex."""

    seat: Seat
    hex: Hex
    attacks: tuple[CcAttack, ...]


class CloseCombatResolved(KillNumbered, frozen=True):
    """3.8: one close combat attack: ``eliminated``, ``reduced`` or ``none``."""

    seat: Seat
    hex: Hex
    attack: CcAttack
    odds: str
    kill: Breakdown
    """The kill number."""
    drm: Breakdown
    faces: tuple[int, ...]
    result: str


class MeleeHeld(Fact, frozen=True):
    """3.8: the units that are held in Melee in a hex now; those of the hex not named are free."""

    hex: Hex
    units: tuple[UnitId, ...]
