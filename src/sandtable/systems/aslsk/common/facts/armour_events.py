"""What happened to AFVs and their crews (7.9-7.12)."""

from __future__ import annotations

from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered, OnTheIft
from sandtable.systems.aslsk.common.shown import compared, net
from sandtable.systems.aslsk.common.words import Words
from sandtable.systems.aslsk.pieces.state import Shock, VehicleId, WeaponId
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing

__all__ = [
    "AreaHitResolved",
    "ChargeAimed",
    "ChargePositioned",
    "CrewAttacked",
    "CrewButtonedUp",
    "CrewChecked",
    "RecuperationRolled",
    "ToKillResolved",
    "VehicleEliminated",
    "VehicleImmobilized",
    "VehicleRecalled",
    "VehicleShocked",
    "VehicleStunned",
]

_POSITIONS = {"armour": "the armour", "crew": "the crew alone", "ground": "the ground"}


def _rolled(words: Words, event: AreaHitResolved | CrewAttacked) -> str:
    """Column, DR and result of an attack on the IFT against a vehicle or its crew."""
    total = sum(event.faces)
    return (
        f"{words.vehicle(event.vehicle)}: {event.column} FP column, DR {total} {event.drm.total:+d} = "
        f"{total + event.drm.total}: {event.result or 'no effect'}"
    )


def _shown(event: AreaHitResolved | CrewAttacked) -> Shown:
    return Shown(
        kind="result",
        units=(event.vehicle,),
        faces=event.faces,
        needed=f"{event.column} FP column",
        rolled=net(event.faces, event.drm.total),
        effect=event.result or "no effect",
        came_off=bool(event.result),
    )


class ToKillResolved(Numbered, frozen=True):
    """7.9: a To Kill DR."""

    by: str
    """The weapon or vehicle that hit; "" of a panzerfaust."""
    vehicle: VehicleId
    aspect: Aspect
    facing: Facing
    number: Breakdown
    """The Final TK#."""
    faces: tuple[int, ...]
    result: str
    """``eliminated``, ``immobilized``, ``shock``, ``possible shock``, ``stun`` or ``""``."""
    dud: bool = False

    def sentence(self, words: Words) -> str:
        by = words.weapon(self.by) if words.is_weapon(self.by) else words.vehicle(self.by)
        part = f"{self.aspect.value} {self.facing.value} of {words.vehicle(self.vehicle)}"
        verdict = "dud" if self.dud else self.result or "no effect"
        rolled = f"Final TK# {self.number.total}, rolls {sum(self.faces)}"
        return f"{by or 'Panzerfaust'} hits the {part}: {rolled}: {verdict} (7.9)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.vehicle,),
            firers=(self.by,) if self.by else (),
            faces=self.faces,
            needed=f"less than {self.number.total}",
            rolled=f"{sum(self.faces)}",
            effect="dud" if self.dud else self.result or "no effect",
            came_off=bool(self.result),
        )


class AreaHitResolved(OnTheIft, frozen=True):
    """7.11: a hit on the Area Target Type against an AFV, on the IFT."""

    vehicle: VehicleId
    aspect: Aspect
    firepower: Breakdown
    drm: Breakdown
    faces: tuple[int, ...]
    column: int
    result: str

    def sentence(self, words: Words) -> str:
        return f"Hit on {_rolled(words, self)}, {self.aspect.value} (7.11)."

    def shown(self, words: Words) -> Shown:
        return _shown(self)


class CrewAttacked(OnTheIft, frozen=True):
    """7.12: an attack on the IFT against the CE crew of an AFV."""

    kind: str
    vehicle: VehicleId
    hex: Hex
    firepower: Breakdown
    drm: Breakdown
    faces: tuple[int, ...]
    column: int
    result: str

    def sentence(self, words: Words) -> str:
        return f"{self.kind.capitalize()} on the crew of {_rolled(words, self)} (7.12)."

    def shown(self, words: Words) -> Shown:
        return _shown(self)


class CrewChecked(Numbered, frozen=True):
    """7.10: a MC or PTC of an inherent crew."""

    vehicle: VehicleId
    check: str
    faces: tuple[int, ...]
    number: Breakdown
    """Highest DR that passes."""
    passed: bool

    def sentence(self, words: Words) -> str:
        return (
            f"Crew of {self.vehicle}, {self.check}: needs {self.number.total}, rolls {sum(self.faces)}: "
            f"{'passes' if self.passed else 'fails'}."
        )

    def shown(self, words: Words) -> Shown:
        return compared(
            units=(self.vehicle,),
            faces=self.faces,
            number=self.number.total,
            done=self.passed,
            words=(f"{self.check} passed", f"{self.check} failed"),
        )


class CrewButtonedUp(Fact, frozen=True):
    """3.2.3: a Pin result shuts the hatches for the rest of the player turn."""

    vehicle: VehicleId

    def sentence(self, words: Words) -> str:
        return f"The crew of {self.vehicle} buttons up (3.2.3)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.vehicle,), effect="buttons up")


class VehicleEliminated(Fact, frozen=True):
    """7.4, 7.10: the vehicle is a wreck."""

    vehicle: VehicleId
    why: str
    rule: str
    moving: bool = False
    """Has moved this player turn: neither cover nor hindrance before the AFPh is over (7.4)."""

    def sentence(self, words: Words) -> str:
        return f"{words.vehicle(self.vehicle)} is a wreck: {self.why} ({self.rule})."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.vehicle,), effect="wreck")


class VehicleImmobilized(Fact, frozen=True):
    """7.10: it neither moves nor turns its hull any more."""

    vehicle: VehicleId
    why: str
    rule: str

    def sentence(self, words: Words) -> str:
        return f"{words.vehicle(self.vehicle)} is immobilized: {self.why} ({self.rule})."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.vehicle,), effect="immobilized")


class VehicleShocked(Fact, frozen=True):
    """7.10: a Shock counter, or a UK counter turned back to it."""

    vehicle: VehicleId

    def sentence(self, words: Words) -> str:
        return f"{words.vehicle(self.vehicle)} is shocked (7.10)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.vehicle,), effect="shocked")


class VehicleStunned(Fact, frozen=True):
    """7.10: a Stun counter, or a STUN counter, which means Recall."""

    vehicle: VehicleId
    recall: bool

    def sentence(self, words: Words) -> str:
        return f"{words.vehicle(self.vehicle)} is {'STUNNED' if self.recall else 'Stunned'} (7.10)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.vehicle,), effect="STUNNED" if self.recall else "Stunned")


class VehicleRecalled(Fact, frozen=True):
    """7.10: it must leave by a friendly edge."""

    vehicle: VehicleId
    why: str

    def sentence(self, words: Words) -> str:
        return f"{words.vehicle(self.vehicle)} is recalled: {self.why} (7.10)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="effect", units=(self.vehicle,), effect="recalled")


class RecuperationRolled(Fact, frozen=True):
    """3.1, 7.10: a dr for a Shock or UK counter."""

    vehicle: VehicleId
    roll: int
    before: Shock
    after: Shock
    """What is on it now; of a vehicle that becomes a wreck still UK."""

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} under {self.before.value}: dr {self.roll}, {self.after.value or 'recuperates'} (7.10)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.vehicle,),
            faces=(self.roll,),
            rolled=f"{self.roll}",
            effect=self.after.value or "recuperates",
            came_off=not self.after.value,
        )


class ChargeAimed(Fact, frozen=True):
    """4.3: whence a DC was placed, and for which AFV it is meant if for one."""

    weapon: WeaponId
    vehicle: VehicleId
    side: int
    """Direction of the hexside of the target's hex through which it was placed (4.3, 6.6)."""

    def sentence(self, words: Words) -> str:
        return (
            f"{words.weapon(self.weapon)} is meant for {words.vehicle(self.vehicle)} (4.3)."
            if self.vehicle
            else f"{words.weapon(self.weapon)} is meant for all in the hex (4.3)."
        )


class ChargePositioned(Fact, frozen=True):
    """4.3: the position DR of a DC."""

    weapon: WeaponId
    vehicle: VehicleId
    faces: tuple[int, ...]
    drm: Breakdown
    lies: str
    """``armour``, ``crew`` or ``ground``."""

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """What modified it."""
        return (self.drm,)

    def sentence(self, words: Words) -> str:
        rolled = f"{sum(self.faces)} {self.drm.total:+d}"
        return f"Position of {words.weapon(self.weapon)}: {rolled}, on {_POSITIONS[self.lies]} (4.3)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result",
            units=(self.vehicle,),
            faces=self.faces,
            rolled=net(self.faces, self.drm.total),
            effect=f"on the {self.lies}",
        )
