"""What a player says of Guns and vehicles: their fire, their arcs, how they drive, their crews (3.2.4, 3.3.2, 6, 7)."""

from __future__ import annotations

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import UNDER_FIRE, Action, FreeAction
from sandtable.systems.aslsk.common.words import Words, listed
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import UnitId, VehicleGun, VehicleId, VehicleStep, WeaponId

__all__ = [
    "AttemptMotion",
    "ChangeCrew",
    "ContinueVehicle",
    "DispenseSmoke",
    "FireGun",
    "FireVehicle",
    "FlipVehicle",
    "MoveVehicle",
    "RepairVehicleGun",
    "TurnArc",
]


class RepairVehicleGun(Action, frozen=True):
    """3.1: a crew attempts to repair a malfunctioned weapon of its vehicle."""

    deed = "repair of a vehicle's weapon"
    when = "the RPh"

    vehicle: VehicleId
    gun: VehicleGun

    def phrase(self, words: Words) -> str:
        return f"repair the {self.gun.value} of {self.vehicle}"


class FireVehicle(Action, frozen=True):
    """7.8: machine guns of a vehicle, and its MA by IFE, fire at a hex together."""

    deed = "fire of a vehicle"
    when = f"the fire phases and {UNDER_FIRE}"

    vehicle: VehicleId
    guns: tuple[VehicleGun, ...]
    target: Hex
    facing: int = -1
    """The hexspine at which its turret is turned first; -1 if nothing is turned (3.2.4)."""
    turn_hull: bool = False
    """Turn the hull there, and the turret with it."""

    def phrase(self, words: Words) -> str:
        guns = listed(gun.value for gun in self.guns)
        part = "hull" if self.turn_hull else "turret"
        turn = f", {part} to {words.spine(self.facing)}" if self.facing >= 0 else ""
        return f"fire at {words.hex(self.target)} with {guns} of {self.vehicle}{turn}"


class TurnArc(Action, frozen=True):
    """3.2.4: a Gun or turret changes its covered arc without firing, once all fire of the phase is over."""

    deed = "a change of a covered arc"
    when = "the end of an own fire phase"

    facing: int
    """The hexspine at which it points from now on."""
    weapon: WeaponId = WeaponId("")
    vehicle: VehicleId = VehicleId("")
    turn_hull: bool = False

    def phrase(self, words: Words) -> str:
        what = words.weapon(self.weapon) if self.weapon else f"{'the hull of ' if self.turn_hull else ''}{self.vehicle}"
        return f"turn {what} to {words.spine(self.facing)}"


class MoveVehicle(Action, frozen=True):
    """3.3.2: a vehicle spends its MP; steps that are still to come are known to its owner alone."""

    deed = "a vehicle's move"
    when = "the MPh, when nobody else is on the way"

    vehicle: VehicleId
    steps: tuple[VehicleStep, ...]
    halt: bool = False
    """Decide anew after these steps, rather than end the MPh there."""

    def spends(self) -> bool:
        """Where anything is done at all."""
        return bool(self.steps)

    def phrase(self, words: Words) -> str:
        return f"move {self.vehicle} {words.vehicle_steps(self.steps)}".rstrip()


class ContinueVehicle(Action, frozen=True):
    """3.3.2: how a vehicle goes on after drawing fire; no steps ends its MPh here."""

    deed = "going on with a vehicle"
    when = "a vehicle's move that has halted"

    steps: tuple[VehicleStep, ...] = ()
    halt: bool = False
    """Decide anew after these steps."""

    def spends(self) -> bool:
        """Where anything is done at all."""
        return bool(self.steps)

    def phrase(self, words: Words) -> str:
        return f"go on {words.vehicle_steps(self.steps)}" if self.steps else "go no farther"


class ChangeCrew(FreeAction, frozen=True):
    """7.7: a crew becomes CE or buttons up."""

    deed = "a change between CE and BU"
    when = "the MPh and the APh"

    vehicle: VehicleId

    def phrase(self, words: Words) -> str:
        return f"the crew of {self.vehicle} changes between CE and BU"


class FireGun(Action, frozen=True):
    """3.2.4: a Gun, or the Main Armament of a vehicle, fires at a hex, or at one vehicle in it."""

    deed = "fire of a Gun"
    when = f"the fire phases and {UNDER_FIRE}"

    target: Hex
    weapon: WeaponId = WeaponId("")
    """The Gun, unless a vehicle's MA fires."""
    vehicle: VehicleId = VehicleId("")
    """The vehicle whose MA fires."""
    target_type: TargetType = TargetType.INFANTRY
    ammo: Ammo = Ammo.HE
    facing: int = -1
    """The hexspine at which it points from now on; -1 if its covered arc stays."""
    turn_hull: bool = False
    """Of a vehicle with a turret: turn its VCA, and the turret with it."""
    intensive: bool = False
    at: str = ""
    """The vehicle meant, on the Vehicle Target Type."""
    leader: UnitId = UnitId("")
    """A leader who directs the Gun, where a special rule of the scenario lets him (1.3)."""

    def phrase(self, words: Words) -> str:
        what = words.weapon(self.weapon) if self.weapon else f"the MA of {self.vehicle}"
        at = f"{self.at} in {words.hex(self.target)}" if self.at else words.hex(self.target)
        turn = f", turned to {words.spine(self.facing)}" if self.facing >= 0 else ""
        how = ", Intensive Fire" if self.intensive else ""
        led = f", directed by {self.leader}" if self.leader else ""
        return f"fire {what} at {at}, {self.target_type.value}, {self.ammo.value}{turn}{how}{led}"


class AttemptMotion(Action, frozen=True):
    """3.3.2.1: a defending vehicle attempts Motion Status, and how it turns if it succeeds."""

    deed = "a Motion Status attempt"
    when = UNDER_FIRE

    vehicle: VehicleId
    vca: int = -1
    """The hexspine at which its front points then; left out, as now."""
    tca: int = -1
    """The same of its turret; left out, it goes with the hull."""

    def phrase(self, words: Words) -> str:
        return f"{self.vehicle} attempts Motion Status"


class DispenseSmoke(Action, frozen=True):
    """7.5: a defending vehicle tries its smoke dispenser; in its own MPh that is a step of its move."""

    deed = "a smoke dispenser"
    when = f"{UNDER_FIRE}, or a step of a vehicle's move"

    vehicle: VehicleId
    hex: Hex | None = None
    """Of a smoke mortar: where the smoke is to be."""
    tca: int = -1
    """Of a smoke mortar: the hexspine to which the turret is turned for it."""

    def phrase(self, words: Words) -> str:
        return f"{self.vehicle} dispenses smoke{f' in {words.hex(self.hex)}' if self.hex else ''}"


class FlipVehicle(Action, frozen=True):
    """3.3.2: of two vehicles in a hex, the one that becomes a wreck."""

    deed = "turning a vehicle over"
    when = "the end of the MPh, where two vehicles are in a hex"

    vehicle: VehicleId

    def phrase(self, words: Words) -> str:
        return f"turn {self.vehicle} over"
