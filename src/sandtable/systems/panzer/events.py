"""What happened, as far as it needs no place: turns, commands, initiative, fire and what came of it."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.core.frames import Changed, Closed, Opened
from sandtable.core.modifier import Breakdown
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Aspect, Command, Order, Shot, Spot, UnitId

__all__ = [
    "ArmourStruck",
    "AssaultRolled",
    "AttackBound",
    "BoutRolled",
    "BrewUpSmokeTookEffect",
    "CommandConverted",
    "CommandRevealed",
    "CommandsPlaced",
    "CommandsRemoved",
    "CountersAdjusted",
    "CoverAdjusted",
    "Event",
    "Fact",
    "FireAnnounced",
    "FirstPlayerChosen",
    "ForceRolled",
    "GameEnded",
    "InitiativeRolled",
    "MoveEnded",
    "ObjectivesReviewed",
    "OrdersPlaced",
    "OverwatchDeclined",
    "PhaseBegan",
    "PositionAbandoned",
    "PositionDesignated",
    "QuickmarchRolled",
    "ShotResolved",
    "ShotWasted",
    "SmokeTookEffect",
    "SpotMarked",
    "SpottingDetermined",
    "SuppressionRolled",
    "TurnBegan",
    "UnitCrawls",
    "UnitEliminated",
    "UnitReduced",
    "UnitSuppressed",
    "VehicleDamaged",
    "VehiclePartHit",
    "WallStruck",
]


class Fact(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Something that happened; the folds of a ruleset say what there is."""


class TurnBegan(Fact, frozen=True):
    """4.0: a new turn."""

    turn: int


class PhaseBegan(Fact, frozen=True):
    """4.0: a new phase."""

    phase: Phase


class SpottingDetermined(Fact, frozen=True, omit_defaults=True):
    """4.1: who spots whom this turn; the new SPOT counters come into force, extraneous ones go (4.1.5)."""

    spotted: dict[UnitId, tuple[UnitId, ...]]
    unspotted: tuple[UnitId, ...]
    sightings: str = ""
    """Fingerprint of ``spotted``."""


class CommandsPlaced(Fact, frozen=True):
    """4.2.1: a force has placed its commands, face down."""

    seat: Seat
    commands: dict[UnitId, Command]


class OrdersPlaced(Fact, frozen=True):
    """6.2.1.1.3: a force has given its orders, face down."""

    seat: Seat
    orders: dict[UnitId, Order]


class CommandConverted(Fact, frozen=True):
    """4.2.1: an illegal command counts as N/C."""

    unit: UnitId
    given: Command
    rule: str
    reason: str


class InitiativeRolled(Fact, frozen=True):
    """4.3.1: both forces rolled; on a tie nobody won and they roll again."""

    rolls: dict[Seat, int]
    winner: str


class ForceRolled(Fact, frozen=True):
    """6.3.1: a Force's Initiative roll and its Force Grade Modifier."""

    seat: Seat
    roll: int
    net: Breakdown


class FirstPlayerChosen(Fact, frozen=True):
    """4.3.1: who is First Player."""

    first: Seat


class CommandRevealed(Fact, frozen=True):
    """4.2.1, 4.4.3.2.2: a command was turned over for the other side to see."""

    unit: UnitId
    command: Command


class FireAnnounced(Fact, frozen=True):
    """4.4.1: all fire on one target."""

    target: UnitId
    shots: tuple[Shot, ...]
    overwatch: bool


class ShotResolved(Fact, frozen=True):
    """4.4.3.2.3: the hit number and the roll."""

    firer: UnitId
    target: UnitId
    weapon: str
    ammo: str
    range_hexes: int
    range_factor: str
    number: Breakdown
    roll: int
    hit: bool


class ShotWasted(Fact, frozen=True):
    """4.4.1: announced fire on a target that was eliminated first."""

    firer: UnitId
    target: UnitId


class ArmourStruck(Fact, frozen=True):
    """4.4.3.2.5: penetration against armour."""

    firer: UnitId
    target: UnitId
    aspect: Aspect
    penetration: int
    armour: int
    margin: Breakdown
    effect: str
    """``none``, ``damaged``, ``KO`` or ``BU`` (4.4.3.2.6)."""


class VehicleDamaged(Fact, frozen=True):
    """4.4.3.2.6: a DMGD counter."""

    unit: UnitId


class SpotMarked(Fact, frozen=True):
    """4.4.1, 4.5.1: a new SPOT counter, in force from the next Spotting Phase."""

    unit: UnitId
    spot: Spot


class OverwatchDeclined(Fact, frozen=True):
    """4.4.2: a force does not fire now."""

    seat: Seat


class SmokeTookEffect(Fact, frozen=True):
    """4.4.3.2.2: the player step is over, its Brew-Up Smoke hinders from now on."""


class BrewUpSmokeTookEffect(Fact, frozen=True):
    """6.1.4.3.10: the same in the Direct Fire Step, whose smoke shells hinder only when all of it is over."""


class MoveEnded(Fact, frozen=True):
    """4.5.1.1: a vehicle has executed its move; what it spent is told at the rate of the whole of it."""

    unit: UnitId
    rate: str = ""
    spent: int = 0
    allowance: int = 0


class CoverAdjusted(Fact, frozen=True):
    """6.8.2: who of a force went into Full Cover, and who came out of it."""

    seat: Seat
    into: tuple[UnitId, ...]
    out: tuple[UnitId, ...]


class SuppressionRolled(Fact, frozen=True):
    """6.8.3: an attempt to get over suppression."""

    unit: UnitId
    number: Breakdown
    roll: int
    recovered: bool


class CountersAdjusted(Fact, frozen=True):
    """6.8.4: UNDER FIRE counters go, counters of this turn are turned to their other side."""

    turned: tuple[UnitId, ...]
    """Units whose SUPPRESSION/ON becomes SUPPRESSION/OFF."""


class UnitSuppressed(Fact, frozen=True):
    """5.10: a SUPPRESSION/ON counter."""

    unit: UnitId
    rule: str
    """What it comes from."""


class QuickmarchRolled(Fact, frozen=True):
    """6.6.4.2: whether the haste suppressed the unit."""

    unit: UnitId
    number: int
    roll: int


class UnitCrawls(Fact, frozen=True):
    """6.6.4.3: a unit crawls and keeps its Full Cover."""

    unit: UnitId


class PositionAbandoned(Fact, frozen=True):
    """6.6.9: a vehicle that reveals a moving command gives its hull down position up."""

    unit: UnitId


class PositionDesignated(Fact, frozen=True):
    """6.1.4.1.2: an Improved Position hides its vehicle in part alone."""

    unit: UnitId


class VehiclePartHit(Fact, frozen=True):
    """6.5.2.2.1, 6.5.2.5, 6.6.3: a TURRET DMGD, HULL DMGD or TRACK counter."""

    unit: UnitId
    part: str
    """``turret``, ``hull`` or ``track``."""


class WallStruck(Fact, frozen=True):
    """6.6.3: a vehicle goes into a building or out of it; up to the number it is harmed."""

    unit: UnitId
    number: Breakdown
    roll: int


class UnitReduced(Fact, frozen=True):
    """6.5.4.4.3, 6.6.1.2.3: a squad has become a half-squad."""

    unit: UnitId


class UnitEliminated(Fact, frozen=True):
    """6.5.4.4.3, 6.6.1.2.3: a leg or towed unit is gone."""

    unit: UnitId


class AssaultRolled(Fact, frozen=True):
    """6.6.1.1.1: a Close Assault."""

    target: UnitId
    attackers: tuple[UnitId, ...]
    factor: int
    defense: int
    modifier: Breakdown
    roll: int
    """0 where none was needed: the crew had bailed out (6.6.1.1.3)."""
    result: str


class AttackBound(Fact, frozen=True):
    """6.6.11: units that move to attack a target; those who share their commands may attack no other."""

    target: UnitId
    units: tuple[UnitId, ...]


class BoutRolled(Fact, frozen=True):
    """6.6.1.2.1: a roll-off of a Hand-to-Hand combat."""

    target: UnitId
    attackers: tuple[UnitId, ...]
    attack: Breakdown
    defense: Breakdown
    rolls: tuple[int, int]
    """The attackers' and the defender's."""

    @property
    def margin(self) -> int:
        """How much higher the attackers' net result is."""
        return self.rolls[0] + self.attack.total - self.rolls[1] - self.defense.total


class CommandsRemoved(Fact, frozen=True):
    """4.6.1: all commands are turned over and taken off."""

    unused: dict[UnitId, Command]
    """Commands that should have been executed and were not."""


class ObjectivesReviewed(Fact, frozen=True):
    """3.6: how the objectives stand at the end of the turn."""

    objectives: dict[str, Objective]


class GameEnded(Fact, frozen=True):
    """4.6.2: the last turn is over, or one force is gone."""

    why: str


Event = Opened[Frame] | Changed[Frame] | Closed | Fact
