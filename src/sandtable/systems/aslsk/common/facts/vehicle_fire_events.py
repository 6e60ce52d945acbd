"""What happened with the weapons of vehicles (7.8)."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered
from sandtable.systems.aslsk.common.shown import REPAIRS, mark_word
from sandtable.systems.aslsk.common.words import Words, listed, repaired
from sandtable.systems.aslsk.pieces.spines import spine_name
from sandtable.systems.aslsk.pieces.state import Mark, VehicleGun, VehicleId, WeaponState

__all__ = ["VehicleFireDeclared", "VehicleGunBroke", "VehicleGunsFired", "VehicleRepairAttempted", "VehicleTurned"]

_BROKEN = {WeaponState.MALFUNCTIONED: "malfunctions", WeaponState.REMOVED: "is disabled"}


class VehicleFireDeclared(Fact, frozen=True):
    """7.8: which weapons of a vehicle fire at which hex on the IFT."""

    seat: Seat
    kind: str
    vehicle: VehicleId
    guns: tuple[VehicleGun, ...]
    target: Hex

    def sentence(self, words: Words) -> str:
        return f"{self.kind} by {listed(gun.value for gun in self.guns)} of {self.vehicle} at {words.hex(self.target)}."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="fire", firers=(self.vehicle,), hex=words.label(self.target))


class VehicleTurned(Fact, frozen=True):
    """3.2.4: hull or turret turned to fire."""

    vehicle: VehicleId
    vca: int
    tca: int
    spines: int
    """Hexspines by which turret weapons were turned: those that fire later in the phase suffer it too (7.8)."""
    hull: bool = False
    """Whether the hull was turned for them, and the turret with it."""
    bow: int = 0
    """Hexspines by which bow mounted weapons were turned."""

    def sentence(self, words: Words) -> str:
        return (
            f"{self.vehicle} points its hull at {spine_name(self.vca)}, its turret at {spine_name(self.tca)} (3.2.4)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(self.vehicle,))


class VehicleGunsFired(Fact, frozen=True):
    """7.8: these weapons have fired in this phase, from this hex; the marker if the MA lost its ROF."""

    vehicle: VehicleId
    guns: tuple[VehicleGun, ...]
    phase: str
    hex: Hex
    mark: Mark = Mark.NONE

    def sentence(self, words: Words) -> str:
        return f"{self.mark.value} marker: {self.vehicle} MA." if self.mark is not Mark.NONE else ""

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(self.vehicle,), effect=mark_word(self.mark))


class VehicleGunBroke(Fact, frozen=True):
    """7.2, 7.8: a weapon of a vehicle malfunctions, or is disabled for good."""

    vehicle: VehicleId
    gun: VehicleGun
    state: WeaponState

    def sentence(self, words: Words) -> str:
        return f"{self.vehicle} {self.gun.value} {_BROKEN[self.state]}."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="effect",
            units=(self.vehicle,),
            effect=f"{self.gun.value} {'malfunctions' if self.state is WeaponState.MALFUNCTIONED else 'disabled'}",
        )


class VehicleRepairAttempted(Numbered, frozen=True):
    """3.1: a repair dr for a weapon of a vehicle."""

    vehicle: VehicleId
    gun: VehicleGun
    roll: int
    number: Breakdown
    result: str
    """``repaired``, ``removed`` or ``none``."""

    def sentence(self, words: Words) -> str:
        return f"The crew of {self.vehicle} repairs its {self.gun.value}: {repaired(self.roll, self.result)} (3.1)."

    def shown(self, words: Words) -> Shown:
        return Shown(
            kind="result", units=(self.vehicle,), faces=(self.roll,), rolled=f"{self.roll}", effect=REPAIRS[self.result]
        )
