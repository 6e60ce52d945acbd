"""What a player says. Actions hold his words only; everything else is worked out."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.state import CcAttack, Hold, MoveStep, UnitId, WeaponId

__all__ = [
    "Action",
    "Advance",
    "ArrangeLeaders",
    "ChooseCombat",
    "Continue",
    "DeclareCloseCombat",
    "DestroyWeapon",
    "Done",
    "DropWeapon",
    "Exit",
    "Fire",
    "FireOrdnance",
    "HoldFire",
    "KeepDesperation",
    "Move",
    "PlaceUnit",
    "Rally",
    "RecoverWeapon",
    "RepairWeapon",
    "Rout",
    "SelfRally",
    "SetUpAsSuggested",
    "TransferWeapon",
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


class PlaceUnit(Action, frozen=True):
    """1.3: set a unit up in a hex, or say what one that enters later carries; with the weapons in its possession."""

    deed = "placing a unit"
    when = "the set-up"

    unit: UnitId
    hex: Hex | None = None
    weapons: tuple[WeaponId, ...] = ()

    def spends(self) -> bool:
        """Nothing."""
        return False


class SetUpAsSuggested(Action, frozen=True):
    """1.3: set up all that is left where the scenario's author suggests."""

    deed = "a suggested set-up"
    when = "the set-up"

    def spends(self) -> bool:
        """Nothing."""
        return False


class Done(Action, frozen=True):
    """3.0: this side has no more to do in this part of the sequence of play."""

    deed = "having done"
    when = "what may be left undone"

    def spends(self) -> bool:
        """Nothing."""
        return False


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


class KeepDesperation(Action, frozen=True):
    """3.1: these units keep the DM that they could lose."""

    deed = "keeping DM"
    when = "the end of the RPh"

    units: tuple[UnitId, ...] = ()

    def spends(self) -> bool:
        """Nothing."""
        return False


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


class HoldFire(Action, frozen=True):
    """3.3.3: no fire now; with a standing order, none until it says so or the MPh ends."""

    deed = "holding fire"
    when = _UNDER_FIRE

    until: Hold | None = None

    def spends(self) -> bool:
        """Nothing."""
        return False


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


class ChooseCombat(Action, frozen=True):
    """3.8: the hex whose close combat is resolved next."""

    deed = "choosing a close combat"
    when = "the CCPh"

    hex: Hex

    def spends(self) -> bool:
        """Nothing."""
        return False


class ArrangeLeaders(Action, frozen=True):
    """3.8: the unit that each leader fights and defends with; those not named stand alone."""

    deed = "stacking leaders for close combat"
    when = "the CCPh"

    pairs: dict[UnitId, UnitId] = {}

    def spends(self) -> bool:
        """Nothing."""
        return False


class DeclareCloseCombat(Action, frozen=True):
    """3.8: all close combat attacks of one side in the hex; none is allowed."""

    deed = "close combat"
    when = "the CCPh"

    attacks: tuple[CcAttack, ...] = ()

    def spends(self) -> bool:
        """Where anything is done at all."""
        return bool(self.attacks)
