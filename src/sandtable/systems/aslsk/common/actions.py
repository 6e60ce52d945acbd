"""What a player says. Actions hold his words only; everything else is worked out."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.words import Words, led, listed, who_on_whom
from sandtable.systems.aslsk.pieces.state import (
    CcAttack,
    Hold,
    MoveStep,
    UnitId,
    VehicleGun,
    VehicleId,
    WeaponId,
)

__all__ = [
    "UNDER_FIRE",
    "Action",
    "Advance",
    "ArrangeLeaders",
    "ChooseCombat",
    "CloseAttack",
    "Continue",
    "DeclareCloseCombat",
    "DestroyWeapon",
    "Done",
    "DropWeapon",
    "Exit",
    "Fire",
    "FireOrdnance",
    "FreeAction",
    "HideUnit",
    "HoldFire",
    "KeepDesperation",
    "Move",
    "PlaceGun",
    "PlaceUnit",
    "PlaceVehicle",
    "Rally",
    "ReactionFire",
    "RecoverWeapon",
    "RepairWeapon",
    "Rout",
    "SelfRally",
    "SetUpAction",
    "SetUpAsSuggested",
    "TransferWeapon",
]


UNDER_FIRE = "the enemy's MPh while he spends MF"


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a player says; the handlers say which there are, and when."""

    deed: ClassVar[str]
    """What it is, in the rulebook's words."""
    when: ClassVar[str]
    """When in the Sequence of Play it is taken (3.0)."""

    def phrase(self, words: Words) -> str:
        """It in a phrase, as a log or a button has it."""
        raise NotImplementedError

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

    def phrase(self, words: Words) -> str:
        return f"set up {self.unit} in {words.hex(self.hex)}{words.load(self.weapons)}"


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

    def phrase(self, words: Words) -> str:
        return (
            f"set up {words.vehicle(self.vehicle)} in {words.hex(self.hex)}, {words.pointing(self.vca, self.tca)}"
            f", {'CE' if self.exposed else 'BU'}"
        )


class PlaceGun(SetUpAction, frozen=True):
    """3.2.4, 6.4: say at which hexspine a Gun points that its crew has set up with, and whether both are hidden."""

    deed = "pointing a Gun"

    weapon: WeaponId
    facing: int
    hidden: bool = False

    def phrase(self, words: Words) -> str:
        return f"point {words.weapon(self.weapon)} at {words.spine(self.facing)}{', hidden' if self.hidden else ''}"


class HideUnit(SetUpAction, frozen=True):
    """6.4: a unit that a special rule lets set up hidden does so, or no longer does."""

    deed = "setting up hidden"

    unit: UnitId
    hidden: bool = True

    def phrase(self, words: Words) -> str:
        return f"{self.unit} sets up {'hidden' if self.hidden else 'in the open'}"


class SetUpAsSuggested(SetUpAction, frozen=True):
    """1.3: set up all that is left where the scenario's author suggests."""

    deed = "a suggested set-up"

    def phrase(self, words: Words) -> str:
        return "set up as suggested"


class Done(FreeAction, frozen=True):
    """3.0: this side has no more to do in this part of the sequence of play."""

    deed = "having done"
    when = "what may be left undone"

    def phrase(self, words: Words) -> str:
        return "has finished"


class RecoverWeapon(Action, frozen=True):
    """3.1: a unit attempts to recover an unpossessed weapon in its hex."""

    deed = "recovery"
    when = "the RPh"

    unit: UnitId
    weapon: WeaponId

    def phrase(self, words: Words) -> str:
        return f"{self.unit} recovers {words.weapon(self.weapon)}"


class RepairWeapon(Action, frozen=True):
    """3.1: the owner attempts to repair a malfunctioned weapon."""

    deed = "repair"
    when = "the RPh"

    weapon: WeaponId

    def phrase(self, words: Words) -> str:
        return f"repair {words.weapon(self.weapon)}"


class TransferWeapon(Action, frozen=True):
    """3.1, 3.7: a weapon passes to another Good Order unit in the hex."""

    deed = "a transfer"
    when = "the RPh and the APh"

    weapon: WeaponId
    to: UnitId

    def phrase(self, words: Words) -> str:
        return f"transfer {words.weapon(self.weapon)} to {self.to}"


class DropWeapon(Action, frozen=True):
    """4.0: a unit gives up a weapon where it stands."""

    deed = "dropping a weapon"
    when = "the MPh or the APh"

    weapon: WeaponId

    def phrase(self, words: Words) -> str:
        return f"drop {words.weapon(self.weapon)}"


class DestroyWeapon(Action, frozen=True):
    """4.0: the possessor destroys a weapon in a fire phase: a use of it."""

    deed = "destroying a weapon"
    when = "the PFPh and the DFPh"

    weapon: WeaponId

    def phrase(self, words: Words) -> str:
        return f"destroy {words.weapon(self.weapon)}"


class SelfRally(Action, frozen=True):
    """3.1: a broken unit attempts to rally by itself."""

    deed = "a self rally"
    when = "the RPh"

    unit: UnitId

    def phrase(self, words: Words) -> str:
        return f"{self.unit} self rally"


class Rally(Action, frozen=True):
    """3.1: a leader attempts to rally a broken unit in his hex."""

    deed = "rallying"
    when = "the RPh"

    unit: UnitId
    leader: UnitId

    def phrase(self, words: Words) -> str:
        return f"{self.leader} rallies {self.unit}"


class KeepDesperation(FreeAction, frozen=True):
    """3.1: these units keep the DM that they could lose."""

    deed = "keeping DM"
    when = "the end of the RPh"

    units: tuple[UnitId, ...] = ()

    def phrase(self, words: Words) -> str:
        return f"keep DM on {listed(self.units)}" if self.units else "keep no DM"


class Fire(Action, frozen=True):
    """3.2.2: units and weapons fire at a hex as one fire group, in any fire phase or as Defensive First Fire."""

    deed = "fire"
    when = f"the fire phases and {UNDER_FIRE}"

    units: tuple[UnitId, ...]
    """Those that use their inherent FP."""
    weapons: tuple[WeaponId, ...]
    """MG, ATR or the one flamethrower that fires."""
    target: Hex
    leaders: tuple[UnitId, ...] = ()
    """Those that direct the fire."""

    def phrase(self, words: Words) -> str:
        return f"fire at {words.hex(self.target)} with {words.firers(self.units, self.weapons)}{led(self.leaders)}"


class FireOrdnance(Action, frozen=True):
    """3.2.4, 4.4, 4.5: a light mortar or LATW fires; a panzerfaust has no counter and names its firer instead."""

    deed = "ordnance fire"
    when = f"the fire phases and {UNDER_FIRE}"

    target: Hex
    weapon: WeaponId = WeaponId("")
    unit: UnitId = UnitId("")
    leader: UnitId = UnitId("")
    backblast: bool = False
    """Take the backblast rather than the +2 To Hit DRM (4.4.3)."""
    smoke: bool = False
    victim: UnitId = UnitId("")
    """4.4.2: the unit manning a weapon that a panzerfaust is meant for."""

    def phrase(self, words: Words) -> str:
        what = words.weapon(self.weapon) if self.weapon else f"a panzerfaust of {self.unit}"
        return f"fire {what} at {words.hex(self.target)}"


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

    def phrase(self, words: Words) -> str:
        how = "assault move" if self.assault else "double time" if self.double_time else "move"
        return f"{how} {listed(self.units)} {words.steps(self.steps)}".rstrip()


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

    def phrase(self, words: Words) -> str:
        way = f"{words.steps(self.steps)}{listed(map(words.hex, self.path))}"
        return f"go on {way}" if way else "go no farther"


class ReactionFire(Action, frozen=True):
    """3.3.4: a unit, or one with a SMC, attacks in close combat the vehicle that spends MP in its hex."""

    deed = "CC Reaction Fire"
    when = "the enemy's MPh while a vehicle spends MP in the hex"

    units: tuple[UnitId, ...]
    vehicle: VehicleId

    def phrase(self, words: Words) -> str:
        return f"{listed(self.units)} on {self.vehicle} in close combat"


class HoldFire(FreeAction, frozen=True):
    """3.3.3: no fire now; with a standing order, none until it says so or the MPh ends."""

    deed = "holding fire"
    when = UNDER_FIRE

    until: Hold | None = None

    def phrase(self, words: Words) -> str:
        return "hold fire" if self.until is None else "hold fire by standing order"


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

    def phrase(self, words: Words) -> str:
        return f"rout {self.unit} by {'Low Crawl ' if self.low_crawl else ''}{listed(map(words.hex, self.path))}"


class Advance(Action, frozen=True):
    """3.7: units advance together into an adjacent hex, or onto the map."""

    deed = "an advance"
    when = "the APh"

    units: tuple[UnitId, ...]
    hex: Hex

    def phrase(self, words: Words) -> str:
        return f"advance {listed(self.units)} into {words.hex(self.hex)}"


class Exit(Action, frozen=True):
    """3.3, 3.7: units leave the map together in the APh; in the MPh that is a step of their move."""

    deed = "leaving the map"
    when = "the APh, or a step of a move in the MPh"

    units: tuple[UnitId, ...]
    way: int
    """Direction in which they leave their hex."""

    def phrase(self, words: Words) -> str:
        return f"leave the map with {listed(self.units)}"


class ChooseCombat(FreeAction, frozen=True):
    """3.8: the hex whose close combat is resolved next."""

    deed = "choosing a close combat"
    when = "the CCPh"

    hex: Hex

    def phrase(self, words: Words) -> str:
        return f"close combat in {words.hex(self.hex)}"


class ArrangeLeaders(FreeAction, frozen=True):
    """3.8: the unit that each leader fights and defends with; those not named stand alone."""

    deed = "stacking leaders for close combat"
    when = "the CCPh"

    pairs: dict[UnitId, UnitId] = {}

    def phrase(self, words: Words) -> str:
        return listed(f"{x} with {y}" for x, y in self.pairs.items()) or "leaders stand alone"


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

    def phrase(self, words: Words) -> str:
        if self.vehicle and not self.guns:
            return f"{self.vehicle} uses its close defence weapon"
        who = f"{self.vehicle} with its {listed(self.guns)}" if self.vehicle else listed(self.by)
        return f"{who} on {self.at or listed(self.against)}"


class DeclareCloseCombat(Action, frozen=True):
    """3.8: all close combat attacks of one side in the hex; none is allowed."""

    deed = "close combat"
    when = "the CCPh"

    attacks: tuple[CcAttack, ...] = ()

    def spends(self) -> bool:
        """Where anything is done at all."""
        return bool(self.attacks)

    def phrase(self, words: Words) -> str:
        return "; ".join(map(who_on_whom, self.attacks)) or "no close combat attack"
