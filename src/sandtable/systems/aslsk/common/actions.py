"""What a player says. Actions hold his words only; everything else is worked out."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import (
    CcAttack,
    Hold,
    MoveStep,
    UnitId,
    VehicleGun,
    VehicleId,
    VehicleStep,
    WeaponId,
)

__all__ = [
    "Action",
    "Advance",
    "ArrangeLeaders",
    "AttemptMotion",
    "ChangeCrew",
    "ChooseCombat",
    "CloseAttack",
    "Continue",
    "ContinueVehicle",
    "DeclareCloseCombat",
    "DestroyWeapon",
    "DispenseSmoke",
    "Done",
    "DropWeapon",
    "Exit",
    "Fire",
    "FireGun",
    "FireOrdnance",
    "FireVehicle",
    "FlipVehicle",
    "FreeAction",
    "HideUnit",
    "HoldFire",
    "KeepDesperation",
    "Move",
    "MoveVehicle",
    "PlaceGun",
    "PlaceUnit",
    "PlaceVehicle",
    "Rally",
    "ReactionFire",
    "RecoverWeapon",
    "RepairVehicleGun",
    "RepairWeapon",
    "Rout",
    "SelfRally",
    "SetUpAction",
    "SetUpAsSuggested",
    "TransferWeapon",
    "TurnArc",
]


_UNDER_FIRE = "the enemy's MPh while he spends MF"


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a player says; the handlers say which there are, and when."""

    deed: ClassVar[str]
    """What it is, in the rulebook's words."""
    when: ClassVar[str]
    """When in the Sequence of Play it is taken (3.0)."""

    def spends(self) -> bool:
        """Whether it uses something up: a shot, MF, a try at the dice, a weapon."""
        return True


class FreeAction(Action, frozen=True):
    """What a player says that uses nothing up."""

    def spends(self) -> bool:
        """Nothing."""
        return False


class SetUpAction(FreeAction, frozen=True):
    """What a player says in the set-up (1.3)."""

    when = "the set-up"


class PlaceUnit(SetUpAction, frozen=True):
    """1.3: set a unit up in a hex, or say what one that enters later carries; with the weapons in its possession."""

    deed = "placing a unit"

    unit: UnitId
    hex: Hex | None = None
    weapons: tuple[WeaponId, ...] = ()


class PlaceVehicle(SetUpAction, frozen=True):
    """1.3, 3.2.4, 7.7: set a vehicle up in a hex, where its front and its turret point, and whether it is CE."""

    deed = "placing a vehicle"

    vehicle: VehicleId
    hex: Hex
    vca: int
    """The hexspine at which its front points."""
    tca: int
    """The hexspine at which its turret points; without a turret the same."""
    exposed: bool = False


class PlaceGun(SetUpAction, frozen=True):
    """3.2.4, 6.4: say at which hexspine a Gun points that its crew has set up with, and whether both are hidden."""

    deed = "pointing a Gun"

    weapon: WeaponId
    facing: int
    hidden: bool = False


class HideUnit(SetUpAction, frozen=True):
    """6.4: a unit that a special rule lets set up hidden does so, or no longer does."""

    deed = "setting up hidden"

    unit: UnitId
    hidden: bool = True


class SetUpAsSuggested(SetUpAction, frozen=True):
    """1.3: set up all that is left where the scenario's author suggests."""

    deed = "a suggested set-up"


class Done(FreeAction, frozen=True):
    """3.0: this side has no more to do in this part of the sequence of play."""

    deed = "having done"
    when = "what may be left undone"


class RecoverWeapon(Action, frozen=True):
    """3.1: a unit attempts to recover an unpossessed weapon in its hex."""

    deed = "recovery"
    when = "the RPh"

    unit: UnitId
    weapon: WeaponId


class RepairWeapon(Action, frozen=True):
    """3.1: the owner attempts to repair a malfunctioned weapon."""

    deed = "repair"
    when = "the RPh"

    weapon: WeaponId


class RepairVehicleGun(Action, frozen=True):
    """3.1: a crew attempts to repair a malfunctioned weapon of its vehicle."""

    deed = "repair of a vehicle's weapon"
    when = "the RPh"

    vehicle: VehicleId
    gun: VehicleGun


class TransferWeapon(Action, frozen=True):
    """3.1, 3.7: a weapon passes to another Good Order unit in the hex."""

    deed = "a transfer"
    when = "the RPh and the APh"

    weapon: WeaponId
    to: UnitId


class DropWeapon(Action, frozen=True):
    """4.0: a unit gives up a weapon where it stands."""

    deed = "dropping a weapon"
    when = "the MPh or the APh"

    weapon: WeaponId


class DestroyWeapon(Action, frozen=True):
    """4.0: the possessor destroys a weapon in a fire phase: a use of it."""

    deed = "destroying a weapon"
    when = "the PFPh and the DFPh"

    weapon: WeaponId


class SelfRally(Action, frozen=True):
    """3.1: a broken unit attempts to rally by itself."""

    deed = "a self rally"
    when = "the RPh"

    unit: UnitId


class Rally(Action, frozen=True):
    """3.1: a leader attempts to rally a broken unit in his hex."""

    deed = "rallying"
    when = "the RPh"

    unit: UnitId
    leader: UnitId


class KeepDesperation(FreeAction, frozen=True):
    """3.1: these units keep the DM that they could lose."""

    deed = "keeping DM"
    when = "the end of the RPh"

    units: tuple[UnitId, ...] = ()


class Fire(Action, frozen=True):
    """3.2.2: units and weapons fire at a hex as one fire group, in any fire phase or as Defensive First Fire."""

    deed = "fire"
    when = f"the fire phases and {_UNDER_FIRE}"

    units: tuple[UnitId, ...]
    """Those that use their inherent FP."""
    weapons: tuple[WeaponId, ...]
    """MG, ATR or the one flamethrower that fires."""
    target: Hex
    leaders: tuple[UnitId, ...] = ()
    """Those that direct the fire."""


class FireOrdnance(Action, frozen=True):
    """3.2.4, 4.4, 4.5: a light mortar or LATW fires; a panzerfaust has no counter and names its firer instead."""

    deed = "ordnance fire"
    when = f"the fire phases and {_UNDER_FIRE}"

    target: Hex
    weapon: WeaponId = WeaponId("")
    unit: UnitId = UnitId("")
    leader: UnitId = UnitId("")
    backblast: bool = False
    """Take the backblast rather than the +2 To Hit DRM (4.4.3)."""
    smoke: bool = False
    victim: UnitId = UnitId("")
    """4.4.2: the unit manning a weapon that a panzerfaust is meant for."""


class FireVehicle(Action, frozen=True):
    """7.8: machine guns of a vehicle, and its MA by IFE, fire at a hex together."""

    deed = "fire of a vehicle"
    when = f"the fire phases and {_UNDER_FIRE}"

    vehicle: VehicleId
    guns: tuple[VehicleGun, ...]
    target: Hex
    facing: int = -1
    """The hexspine at which its turret is turned first; -1 if nothing is turned (3.2.4)."""
    turn_hull: bool = False
    """Turn the hull there, and the turret with it."""


class TurnArc(Action, frozen=True):
    """3.2.4: a Gun or turret changes its covered arc without firing, once all fire of the phase is over."""

    deed = "a change of a covered arc"
    when = "the end of an own fire phase"

    facing: int
    """The hexspine at which it points from now on."""
    weapon: WeaponId = WeaponId("")
    vehicle: VehicleId = VehicleId("")
    turn_hull: bool = False


class Move(Action, frozen=True):
    """3.3.1: a unit or stack moves; steps that are still to come are known to its owner alone."""

    deed = "a move"
    when = "the MPh, when nobody else is on the way"

    units: tuple[UnitId, ...]
    steps: tuple[MoveStep, ...]
    assault: bool = False
    double_time: bool = False
    drop: tuple[WeaponId, ...] = ()
    """Weapons left behind before any MF is spent (4.0)."""
    resting: tuple[UnitId, ...] = ()
    """Those of the stack that do not Double Time with it."""
    halt: bool = False
    """Decide anew after these steps, rather than end the MPh there."""

    def spends(self) -> bool:
        """Where anything is done at all."""
        return bool(self.steps)


class Continue(Action, frozen=True):
    """3.3.1, 3.6: how to go on after drawing fire, or with a part of a stack; no steps ends it here."""

    deed = "going on"
    when = "a move or rout that has halted"

    units: tuple[UnitId, ...] = ()
    steps: tuple[MoveStep, ...] = ()
    path: tuple[Hex, ...] = ()
    """Of a rout."""
    halt: bool = False
    """Decide anew after these steps."""

    def spends(self) -> bool:
        """Where anything is done at all."""
        return bool(self.steps or self.path)


class ReactionFire(Action, frozen=True):
    """3.3.4: a unit, or one with a SMC, attacks in close combat the vehicle that spends MP in its hex."""

    deed = "CC Reaction Fire"
    when = "the enemy's MPh while a vehicle spends MP in the hex"

    units: tuple[UnitId, ...]
    vehicle: VehicleId


class HoldFire(FreeAction, frozen=True):
    """3.3.3: no fire now; with a standing order, none until it says so or the MPh ends."""

    deed = "holding fire"
    when = _UNDER_FIRE

    until: Hold | None = None


class Rout(Action, frozen=True):
    """3.6: a broken unit routs; no path if it stays, which only a unit that need not rout may do."""

    deed = "a rout"
    when = "the RtPh"

    unit: UnitId
    path: tuple[Hex, ...] = ()
    low_crawl: bool = False
    escort: UnitId = UnitId("")
    """An unbroken leader of its hex that routs with it."""
    keep: tuple[WeaponId, ...] = ()
    """Weapons that it carries; the others it drops."""

    def spends(self) -> bool:
        """Where anything is done at all."""
        return bool(self.path)


class Advance(Action, frozen=True):
    """3.7: units advance together into an adjacent hex, or onto the map."""

    deed = "an advance"
    when = "the APh"

    units: tuple[UnitId, ...]
    hex: Hex


class Exit(Action, frozen=True):
    """3.3, 3.7: units leave the map together in the APh; in the MPh that is a step of their move."""

    deed = "leaving the map"
    when = "the APh, or a step of a move in the MPh"

    units: tuple[UnitId, ...]
    way: int
    """Direction in which they leave their hex."""


class ChooseCombat(FreeAction, frozen=True):
    """3.8: the hex whose close combat is resolved next."""

    deed = "choosing a close combat"
    when = "the CCPh"

    hex: Hex


class ArrangeLeaders(FreeAction, frozen=True):
    """3.8: the unit that each leader fights and defends with; those not named stand alone."""

    deed = "stacking leaders for close combat"
    when = "the CCPh"

    pairs: dict[UnitId, UnitId] = {}


class CloseAttack(Action, frozen=True):
    """3.8: one close combat attack in a hex with a vehicle: by Infantry on either, or by a vehicle on Infantry."""

    deed = "a close combat attack"
    when = "the CCPh, in a hex with a vehicle"

    by: tuple[UnitId, ...] = ()
    vehicle: VehicleId = VehicleId("")
    """The vehicle that attacks, where no units do."""
    guns: tuple[VehicleGun, ...] = ()
    """What it attacks with; none for its close defence weapon, which attacks all Infantry in the hex."""
    against: tuple[UnitId, ...] = ()
    at: VehicleId = VehicleId("")
    """The vehicle that is attacked, where no units are."""


class DeclareCloseCombat(Action, frozen=True):
    """3.8: all close combat attacks of one side in the hex; none is allowed."""

    deed = "close combat"
    when = "the CCPh"

    attacks: tuple[CcAttack, ...] = ()

    def spends(self) -> bool:
        """Where anything is done at all."""
        return bool(self.attacks)


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


class ChangeCrew(FreeAction, frozen=True):
    """7.7: a crew becomes CE or buttons up."""

    deed = "a change between CE and BU"
    when = "the MPh and the APh"

    vehicle: VehicleId


class FireGun(Action, frozen=True):
    """3.2.4: a Gun, or the Main Armament of a vehicle, fires at a hex, or at one vehicle in it."""

    deed = "fire of a Gun"
    when = f"the fire phases and {_UNDER_FIRE}"

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


class AttemptMotion(Action, frozen=True):
    """3.3.2.1: a defending vehicle attempts Motion Status, and how it turns if it succeeds."""

    deed = "a Motion Status attempt"
    when = _UNDER_FIRE

    vehicle: VehicleId
    vca: int = -1
    """The hexspine at which its front points then; left out, as now."""
    tca: int = -1
    """The same of its turret; left out, it goes with the hull."""


class DispenseSmoke(Action, frozen=True):
    """7.5: a defending vehicle tries its smoke dispenser; in its own MPh that is a step of its move."""

    deed = "a smoke dispenser"
    when = f"{_UNDER_FIRE}, or a step of a vehicle's move"

    vehicle: VehicleId
    hex: Hex | None = None
    """Of a smoke mortar: where the smoke is to be."""
    tca: int = -1
    """Of a smoke mortar: the hexspine to which the turret is turned for it."""


class FlipVehicle(Action, frozen=True):
    """3.3.2: of two vehicles in a hex, the one that becomes a wreck."""

    deed = "turning a vehicle over"
    when = "the end of the MPh, where two vehicles are in a hex"

    vehicle: VehicleId
