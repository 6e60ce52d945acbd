"""4.0-4.4 The card of a unit: nation, size, steps, strengths, class, factors, ratings and flags."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, NewType

import msgspec

from sandtable.core.content.table import Status

__all__ = [
    "Card",
    "CardId",
    "Echelon",
    "FormationId",
    "Kind",
    "MovementClass",
    "Nation",
    "Size",
    "Strength",
    "Trait",
    "TypeId",
]

CardId = NewType("CardId", str)
TypeId = NewType("TypeId", str)
FormationId = NewType("FormationId", str)


class Nation(StrEnum):
    """Nations below the two sides (2.1.0)."""

    US = "US"
    BRITISH = "British"
    GERMAN = "German"

    @property
    def is_axis(self) -> bool:
        """Whether it fights for the Axis."""
        return self is Nation.GERMAN


class Size(StrEnum):
    """4.1.0 Unit sizes, the largest first; a reduced unit keeps its own."""

    BATTALION = "Bn"
    COMPANY = "Co"
    Z_STEP = "Z"


class MovementClass(StrEnum):
    """4.3.0 Movement classes."""

    LEG = "Leg"
    MECH = "Mech"
    STATIC = "Static"


class Echelon(StrEnum):
    """What an HQ commands (9.3)."""

    ARMY = "army"
    CORPS = "corps"
    DIVISION = "division"
    BATTLE_GROUP = "battle group"


class Kind(StrEnum):
    """What a unit is, as the symbol on its counter says."""

    HEADQUARTERS = "headquarters"
    INFANTRY = "infantry"
    ARMOURED_INFANTRY = "armoured infantry"
    ENGINEERS = "engineers"
    RECON = "recon"
    TANKS = "tanks"
    TANK_DESTROYERS = "tank destroyers"
    """Tank destroyers, assault guns and Panzerjäger."""
    HYBRID = "hybrid"
    ANTI_TANK = "anti-tank"
    FLAK = "flak"
    ARTILLERY = "artillery"
    FORT = "fort"
    """A Fort with its garrison (17.6.0)."""


class Trait(StrEnum):
    """What else the rules ask of a unit."""

    PERSONNEL = "personnel"
    """All others are vehicular (26.0)."""
    PURE_ARMOUR = "pure armour"
    MIXED_ARMOUR = "mixed armour"
    ARMOURED_CAVALRY = "armoured cavalry"
    """US cavalry, which M5 companies stack with (6.2.3)."""
    LIGHT_TANK = "light tank"
    """A US M5 (6.2.3)."""
    TANK_DESTROYER = "tank destroyer"
    """A M-10, M-18 or M-36, which may fire as artillery (11.4.1c)."""
    LEADS_AS_Z_STEP = "leads as a Z-step"
    """Pz V, Pz VI or Pz VIb (4.1.3)."""
    FUSILIER = "fusilier"
    REAR_ECHELON = "rear echelon"
    LUFTWAFFE = "Luftwaffe"
    COMMANDO = "commando"
    BREAKDOWN = "breakdown"
    """A breakdown company (18.2.0)."""
    OWN_TRUCKS = "own trucks"
    """Allied Leg engineers (7.12.4c)."""
    TOWED = "towed"
    SELF_PROPELLED = "self-propelled"
    HORSE_DRAWN = "horse-drawn"
    ROCKETS = "rockets"
    """Nebelwerfer."""
    HEAVY_ARTILLERY = "heavy artillery"
    """A white circle (11.4.1f)."""
    RED_HEXAGON = "red hexagon"
    """Halts movement (7.7.1, 7.7.2)."""


class Strength(NamedTuple):
    """Combat strength (4.2.2)."""

    attack: int
    defence: int

    def __str__(self) -> str:
        return f"{self.attack}-{self.defence}"


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's counter: all that never changes in a game."""

    id: CardId
    """Formation and unit, e.g. ``61-inf/1-481``."""
    title: str
    nation: Nation
    kind: Kind
    size: Size
    steps: int
    full: Strength
    reduced: Strength | None = None
    """After the first loss of a unit with two or three steps (4.2.2)."""
    z_step: Strength | None = None
    """The Z-step on the back of a company (4.1.3)."""
    movement: MovementClass
    ma: int
    """Printed movement allowance."""
    offensive: int | None
    """Offensive PR; None if it has none (4.4.0)."""
    defensive: int
    arm_attack: int = 0
    arm_defence: int = 0
    at: int = 0
    barrage: int = 0
    range: int = 0
    """In hexes; more than 0 of ranged artillery."""
    arc: tuple[int, ...] = ()
    """Of the guns of a Fort: the directions in which they fire; none: all around (17.6.0)."""
    gun: str = ""
    """Label of the gun: 105mm, 155H, 25lb."""
    calibre: int = 0
    """Of the gun, in mm."""
    weight: str = ""
    """H or VH of vehicles that bridges may not bear (17.3.2a)."""
    traits: frozenset[Trait] = frozenset()
    components: tuple[str, ...] = ()
    """Of a hybrid: its companies in the order in which they are lost (22.6.0)."""
    formation: FormationId
    """Where it is assigned (9.1.0)."""
    regiment: str = ""
    """Regiment, brigade, combat command or Kampfgruppe in its formation (9.3.3)."""
    echelon: Echelon | None = None
    """Of an HQ, or of the battalion that leads a battle group (9.3.3a)."""
    status: Status = Status.RECONSTRUCTED
    source: str = ""
    known: dict[str, str] = {}
    """Fields that are stated by the text or a published list, with where."""

    def has(self, trait: Trait) -> bool:
        """Whether it has a trait."""
        return trait in self.traits

    @property
    def is_artillery(self) -> bool:
        """Artillery that fires from afar (4.4.0); a Fort with guns is none."""
        return self.range > 0 and not self.is_fort

    @property
    def is_fort(self) -> bool:
        """A Fort: it neither moves nor attacks, and lasts as it is to its last step (17.6.0)."""
        return self.kind is Kind.FORT

    @property
    def takes_room(self) -> bool:
        """Whether it counts for stacking: an HQ does, as a battalion (4.1.1, 6.5.0); a Fort does not (17.6.0)."""
        return not self.is_fort

    @property
    def is_hybrid(self) -> bool:
        """Tanks and infantry together (4.1.4)."""
        return self.kind is Kind.HYBRID

    @property
    def is_headquarters(self) -> bool:
        """A unit of staff alone; a battalion that leads a battle group is none."""
        return self.kind is Kind.HEADQUARTERS
