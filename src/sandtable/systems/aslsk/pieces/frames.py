"""The open questions: one frame for each part of the sequence of play and each window inside it (3.0).

A frame holds what its question needs; the stack of frames is part of the state, so interrupts are saved with it.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.counters import UnitId, WeaponId
from sandtable.systems.aslsk.pieces.vehicle import VehicleId

__all__ = [
    "Advances",
    "Attacked",
    "CcAttack",
    "CcStage",
    "CloseCombat",
    "CloseCombats",
    "Crowded",
    "FirePhase",
    "FirstFire",
    "Frame",
    "MoveGroup",
    "MoveStep",
    "MovementPhase",
    "Moving",
    "RallyStep",
    "Rallying",
    "RoutPhase",
    "Routing",
    "SettingUp",
    "StepKind",
    "UnderWay",
    "VehicleDeed",
    "VehicleMoving",
    "VehicleStep",
]


class StepKind(StrEnum):
    """What MF are spent on (3.3.1)."""

    ENTER = "enter"
    """Enter the hex ``to``, from off board too."""
    WOODS = "woods"
    """Enter a woods-road or orchard-road at the rate and with the cover of the woods or orchard (1.1.1)."""
    EXIT = "exit"
    """Leave the map in direction ``way``."""
    SMOKE = "smoke"
    """Smoke grenades in the hex ``to``."""
    RECOVER = "recover"
    """Attempt to recover the weapon."""
    PLACE_DC = "place DC"
    """Place the weapon in the hex ``to``, against the AFV ``unit`` if one is named (4.3)."""
    DROP = "drop"
    """Drop the weapon: no MF."""
    MANHANDLE = "manhandle"
    """Push the Gun into the hex ``to``, so that it points at hexspine ``way`` there (6.5)."""


class MoveStep(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that a moving unit or stack does."""

    kind: StepKind = StepKind.ENTER
    to: Hex | None = None
    unit: UnitId = UnitId("")
    """The one of the stack that does it, where it is not the stack."""
    weapon: WeaponId = WeaponId("")
    way: int = 0


class VehicleDeed(StrEnum):
    """What a vehicle does in its MPh (3.3.2)."""

    START = "start"
    STOP = "stop"
    DELAY = "delay"
    """Spend a MP where it has stopped."""
    TURN = "turn"
    """Change its VCA by one hexspine, to ``spine``."""
    ENTER = "enter"
    """Enter the hex ``to``, at the road rate through a road hexside; from off board with its VCA at ``spine``."""
    OFF_ROAD = "off road"
    """Enter the hex ``to`` through a road hexside at the cost of its terrain."""
    ALL = "all MP"
    """Enter the hex ``to`` by spending all MP."""
    EXIT = "exit"
    """Leave the map in direction ``way``."""
    CREW = "crew"
    """Become CE, or button up: no MP (7.7)."""
    SMOKE = "smoke"
    """Try the smoke dispenser, a smoke mortar at the hex ``to`` (7.5)."""
    UNBOG = "unbog"
    """Attempt to get out of Bog: that is its start (7.6)."""


class VehicleStep(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that a vehicle does in its MPh."""

    kind: VehicleDeed = VehicleDeed.ENTER
    to: Hex | None = None
    spine: int = -1
    tca: int = -1
    """The hexspine at which its turret points once this is done; left out, it goes with the hull (3.2.4)."""
    extra: int = 0
    """Halves of MP that it declares on entering a hex beyond what it costs (3.3.2)."""
    way: int = 0


class Frame(msgspec.Struct, frozen=True, tag=True, gc=False, omit_defaults=True):
    """An open question; the handlers of a ruleset say which there are."""


class SettingUp(Frame, frozen=True):
    """1.3: this side sets up."""

    seat: Seat


class RallyStep(StrEnum):
    """The parts of the RPh in which somebody decides (3.1 b-h)."""

    RECOVERY = "recovery"
    REPAIR = "repair"
    TRANSFER = "transfer"
    SELF_RALLY = "self rally"
    UNIT_RALLY = "unit rally"
    DM_REMOVAL = "marker removal"


class Rallying(Frame, frozen=True):
    """3.1: this side's part of a step of the RPh."""

    seat: Seat
    step: RallyStep
    defending: bool = False
    """Whether it is the DEFENDER's part."""
    extra_used: bool = False
    """Whether the ATTACKER has used his one self rally of an unboxed MMC."""
    mmc_attempts: int = 0
    """Self rallies that MMC of the side have attempted in this RPh (5.3)."""
    kept: tuple[UnitId, ...] = ()
    """Units that keep their DM by choice."""
    answered: bool = False
    """Whether the side has said so."""


class Attacked(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """3.2.2: units and weapons in one hex that have fired at a hex."""

    by: Hex
    on: Hex
    firers: tuple[str, ...]
    subsequent: tuple[UnitId, ...] = ()
    """Those of them that used Subsequent First Fire, which a MG need not join (4.1)."""
    vehicle: VehicleId = VehicleId("")
    """The vehicle whose weapons these are: they bind nobody else (7.8)."""


class FirePhase(Frame, frozen=True):
    """3.2, 3.4, 3.5: this player fires; the phase says how."""

    player: Seat
    smoke: bool = True
    """Whether ordnance may still fire Smoke: before all other fire (1.2.5)."""
    attacked: tuple[Attacked, ...] = ()
    """The fire so far: units of one hex that fire at the same target do so together (3.2.2)."""
    turned: tuple[str, ...] = ()
    """Guns, turrets and hulls whose covered arc was changed without firing: all fire is over then (3.2.4)."""


class MovementPhase(Frame, frozen=True):
    """3.3: this player's MPh."""

    player: Seat


class MoveGroup(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """3.3.1: units of a stack that wait while others of it move on, with what is true of their location."""

    units: tuple[UnitId, ...]
    here: int = 0
    via: int = -1
    open_road: bool = False
    road: bool = True
    shots: dict[str, int] = {}
    residual_drm: int | None = None
    hexes: int = 0
    trail: tuple[tuple[Hex, int], ...] = ()


class Moving(Frame, frozen=True):
    """3.3.1: a unit or stack on its way."""

    stack: tuple[UnitId, ...]
    """All that began together and have not ended their MPh: nobody else may move before."""
    movers: tuple[UnitId, ...]
    """Those of the stack that move together now."""
    plan: tuple[MoveStep, ...]
    """Steps not yet executed: known to the owner alone."""
    spent: dict[UnitId, int] = {}
    """Halves of MF spent by each of the stack."""
    allowance: dict[UnitId, int] = {}
    """Halves of MF that each of the stack has, without road bonus."""
    assault: bool = False
    double_time: bool = False
    road: bool = True
    """Whether every hexside crossed so far was a road hexside at the road rate."""
    start: Hex | None = None
    here: int = 0
    """Halves of MF spent in the present location."""
    open_road: bool = False
    """Entered the present woods-road or orchard-road hex at the road rate (1.1.1)."""
    via: int = -1
    """Direction in which the present hex was entered, -1 if it was not (Height Advantage, 1.1.1)."""
    shots: dict[str, int] = {}
    """How often each firer has fired at the present location (3.3.3)."""
    residual_drm: int | None = None
    """DRM of the Residual FP attack already suffered in the present location (3.3.5)."""
    watched: bool = True
    """Whether the opponent has had his chance to fire since MF were last spent."""
    interrupted: bool = False
    """Drew fire, or was told to halt: the owner decides anew how to go on."""
    hexes: int = 0
    """Hexes entered."""
    waiting: tuple[MoveGroup, ...] = ()
    """Others of the stack that have not ended their MPh."""
    placing: WeaponId = WeaponId("")
    """The DC that one of them is placing while the opponent may fire (4.3)."""
    placing_in: Hex | None = None
    placing_on: str = ""
    """The AFV that it is meant for (4.3)."""
    halt: bool = False
    """Whether the owner is asked anew once the plan is executed."""
    trail: tuple[tuple[Hex, int], ...] = ()
    """Halves of MF that those who move now have spent in each hex; kept only where there are vehicles (3.3.2.1)."""

    @property
    def vehicle(self) -> VehicleId:
        """No vehicle moves."""
        return VehicleId("")

    @property
    def entered(self) -> bool:
        """Asked of vehicles alone: Infantry does not enter the hex of an enemy (3.3)."""
        return True


class VehicleMoving(Frame, frozen=True):
    """3.3.2: a vehicle on its way. Fire asks of it what it asks of units that move."""

    vehicle: VehicleId
    plan: tuple[VehicleStep, ...]
    """Steps not yet executed: known to the owner alone."""
    allowance: int
    """Halves of its MP allotment."""
    start: Hex | None = None
    spent: int = 0
    """Halves of MP."""
    hexes: int = 0
    """Hexes entered."""
    only_started: bool = True
    """Nothing but a start MP was spent so far: it may enter a hex by all its MP."""
    all_in: bool = False
    """Has entered woods by all its MP, and may still spend one to stop."""
    uninvited: Hex | None = None
    """The hex of an enemy AFV that it could not hurt when it entered: it may not choose to stay there."""
    here: int = 0
    """Halves of MP spent in the present location."""
    via: int = -1
    """Direction in which the present hex was entered, -1 if it was not (Height Advantage, 1.1.1)."""
    open_road: bool = False
    """Entered the present woods-road or orchard-road hex at the road rate (1.1.1)."""
    shots: dict[str, int] = {}
    """How often each firer has fired at the present location (3.3.3)."""
    residual_drm: int | None = None
    """DRM of the Residual FP attack already suffered in the present location (3.3.5)."""
    watched: bool = True
    """Whether the opponent has had his chance since MP were last spent."""
    interrupted: bool = False
    """Drew fire, or was told to halt: the owner decides anew how to go on."""
    halt: bool = False
    """Whether the owner is asked anew once the plan is executed."""
    over: bool = False
    """It does nothing more in this MPh."""
    attacked: tuple[Attacked, ...] = ()
    """Its own fire so far: what it fires at one target fires together (7.8)."""
    fired: int = -1
    """Halves of MP that it had spent when its MA fired last: it fires again after another MP (3.3.2.2)."""
    entered: bool = False
    """The MP spent last were those to enter its hex (7.6)."""
    signal: bool | None = None
    """Of a vehicle without a radio: whether it was told to leave its hex in this MPh; None before a DR (1.3)."""

    @property
    def movers(self) -> tuple[UnitId, ...]:
        """No Infantry moves."""
        return ()

    @property
    def assault(self) -> bool:
        """Vehicles do not assault move."""
        return False

    @property
    def trail(self) -> tuple[tuple[Hex, int], ...]:
        """No MF were spent; where MP were the vehicle itself knows."""
        return ()


class Crowded(Frame, frozen=True):
    """3.3.2: a hex with two vehicles of a side at the end of its MPh: one of them is turned over."""

    player: Seat
    hex: Hex


UnderWay = Moving | VehicleMoving
"""What Defensive First Fire interrupts."""


class FirstFire(Frame, frozen=True):
    """3.3.3: the DEFENDER may fire at what has just spent MF or MP."""

    asked: Seat
    movers: tuple[UnitId, ...]
    hex: Hex
    attacked: tuple[Attacked, ...] = ()
    vehicle: VehicleId = VehicleId("")
    """The vehicle that has spent MP, where no units have spent MF."""


class RoutPhase(Frame, frozen=True):
    """3.6: this side's units rout, one at a time."""

    player: Seat


class Routing(Frame, frozen=True):
    """3.6: a broken unit on its way; interdicted, it decides anew how to go on."""

    unit: UnitId
    escort: UnitId = UnitId("")
    """The unbroken leader that routs with it."""
    plan: tuple[Hex, ...] = ()
    spent: int = 0
    """Halves of MF."""
    known: tuple[str, ...] = ()
    """Enemy units and vehicles that it has seen during this RtPh."""
    interrupted: bool = False
    low_crawl: bool = False


class Advances(Frame, frozen=True):
    """3.7: this player's APh."""

    player: Seat


class CloseCombats(Frame, frozen=True):
    """3.8: the ATTACKER says in which hex close combat is resolved next."""

    player: Seat
    done: tuple[Hex, ...] = ()


class CcAttack(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """3.8: some units attack some enemy units in their hex."""

    by: tuple[UnitId, ...]
    against: tuple[UnitId, ...]


class CcStage(StrEnum):
    """How far a close combat is."""

    ARRANGE = "arrange"
    """Leaders are stacked with the units that they fight with."""
    DECLARE = "declare"
    ALTERNATE = "alternate"
    """A vehicle is in the hex: the sides attack in turn, one attack at a time."""


class CloseCombat(Frame, frozen=True):
    """3.8: close combat in one hex."""

    hex: Hex
    asked: Seat
    """Who arranges or declares now."""
    stage: CcStage = CcStage.ARRANGE
    second: bool = False
    """Whether the other side has done so already."""
    ambusher: str = ""
    """The side that has ambushed the other."""
    pairs: dict[UnitId, UnitId] = {}
    """Each leader that fights with a unit, and that unit."""
    attacks: tuple[CcAttack, ...] = ()
    """What the first side has declared and not yet resolved."""
    factors: dict[UnitId, int] = {}
    """FP in quarters of every unit as the close combat began: losses change no declared attack."""
    fought: tuple[str, ...] = ()
    """In turn with a vehicle: units that have attacked, and vehicles' weapons as ``id CMG``."""
    struck: tuple[str, ...] = ()
    """In turn with a vehicle: units and vehicles that were attacked."""
    passed: tuple[Seat, ...] = ()
    """In turn with a vehicle: sides that attack no more."""
