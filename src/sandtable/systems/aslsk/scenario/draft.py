"""1.3 Scenario Cards as an author writes them: the fields of a scenario file."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from sandtable.core.content.provision import Provision
from sandtable.geo.map import Edge
from sandtable.systems.aslsk.pieces.armament import Theatre
from sandtable.systems.aslsk.pieces.vehicle import VehicleGun

__all__ = [
    "Bringing",
    "Conditions",
    "Deal",
    "Drop",
    "Entry",
    "ExitWay",
    "Force",
    "Glare",
    "Goal",
    "GoalKind",
    "Muster",
    "OrderOfBattle",
    "PlaceDraft",
    "ScenarioDraft",
    "SideDraft",
    "Victory",
    "When",
    "Zone",
]


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hexes named one by one, by the hexrows of a board, or as an edge of the map."""

    hexes: tuple[str, ...] = ()
    board: str = ""
    """Name of a board; half hexes that it shares with another board do not count (1.3)."""
    hexrows: str = ""
    """Hexrows of the board, such as ``W-BB`` or ``K``; left out, all."""
    rows: str = ""
    """Rows of the board, such as ``1-4``; left out, all."""
    edge: Edge | None = None
    whole: bool = False
    """The whole map."""


class OrderOfBattle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some counters of one kind."""

    card: str
    count: int = 1
    ids: tuple[str, ...] = ()
    """Names of the units; left out, they are made from the force's id and the card."""
    at: tuple[str, ...] = ()
    """Where the author suggests to set them up."""
    owners: tuple[str, ...] = ()
    """Of weapons: ids of the units that the author suggests for them."""
    facing: tuple[str, ...] = ()
    """Of vehicles and Guns: the hexspine at which the author suggests that they point, such as ``N/NE`` (3.2.4)."""
    hidden: bool = False
    """Of Guns, and of units that a special rule lets hide: whether the author suggests to hide them (6.4)."""
    disabled: tuple[VehicleGun, ...] = ()
    """Of vehicles: weapons that are Disabled from the start (7.2)."""
    exposed: bool = False
    """Of vehicles: whether the author suggests to set them up Crew Exposed (7.7)."""
    joins: tuple[str, ...] = ()
    """Of units that set up: forces with which they may enter instead, as their player chooses in the set-up."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When and where a force enters (3.3)."""

    turn: int
    zone: tuple[Zone, ...]
    half_mp: bool = False
    """Whether its vehicles have spent half of their MP already when they enter."""


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of the order of battle: one ELR, one place to set up or enter."""

    id: str
    elr: int
    units: tuple[OrderOfBattle, ...]
    weapons: tuple[OrderOfBattle, ...] = ()
    vehicles: tuple[OrderOfBattle, ...] = ()
    title: str = ""
    prefix: str = ""
    """What the names of its counters begin with; left out, the first letter of its id."""
    set_up: tuple[Zone, ...] = ()
    enters: Entry | None = None


class SideDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One player's forces."""

    id: str
    title: str
    forces: tuple[Force, ...]
    colour: str = ""


class PlaceDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that the victory conditions count: a building, a hex, or every hex of a zone by itself."""

    id: str
    zone: tuple[Zone, ...]
    title: str = ""
    holder: str = ""
    """The side that controls it at the start."""
    each: bool = False
    """Every hex of the zone counts by itself."""
    hill: bool = False
    """Of the zone only the hill hexes."""


class GoalKind(StrEnum):
    """What a victory condition counts."""

    CONTROL = "control"
    CASUALTIES = "casualties"
    """Casualty Victory Points: squad 2, half-squad or crew 1, leader 1, or 2 with a negative leadership DRM."""
    EXIT = "exit"
    """The same points for Good Order units that left the map by the side's exits."""
    GOOD_ORDER = "good order"
    """Good Order MMC of the side in the place's hexes."""
    AFV_LEAD = "afv lead"
    """Enemy AFV eliminated and own ones that left the map by the side's exits, less own AFV eliminated."""
    MOBILE_AFV = "mobile afv"
    """Own AFV on the map that are neither eliminated nor immobile."""
    FIREPOWER = "firepower"
    """FP that Good Order units could apply to attacks on the hexes of the places, each on the best one in its LOS."""


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to achieve."""

    kind: GoalKind
    at_least: int = 0
    places: tuple[str, ...] = ()
    dealt: str = ""
    """Name of a number that the scenario's roll has fixed and that stands for ``at_least``."""


class When(StrEnum):
    """When a victory condition is looked at."""

    GAME_END = "game end"
    TURN_END = "turn end"
    AT_ONCE = "at once"


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side wins if it achieves all the goals."""

    side: str
    goals: tuple[Goal, ...]
    when: When = When.GAME_END
    turn: int = 0
    """Of ``turn end``: the turn."""
    title: str = ""


class ExitWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a side's Good Order units may leave the map (3.3)."""

    side: str
    zone: tuple[Zone, ...]
    from_turn: int = 1
    points: bool = True
    """Whether they count for ``exit`` goals."""


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A roll after a side's set-up that fixes numbers and how many counters of a kind a force has."""

    title: str
    after: str
    """The side after whose set-up it is rolled."""
    force: str
    chart: dict[str, dict[str, int]]
    """For each dr, as a word: counts by card, and other names as numbers."""


class Drop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Groups that jump: stacks of one MMC, SMC and SW at most, scattered by dice around a rendezvous hex.

    The first group jumps when its side has set up, the second when the other side has too.
    """

    side: str
    groups: tuple[str, str]
    """Ids of the two forces."""
    divided: str = ""
    """A force whose counters are divided between the two."""
    rendezvous: dict[str, str] = {}
    """By group: the hex that the author suggests."""


class Bringing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When and where a group enters, as the author suggests."""

    turn: int
    hex: str = ""


class Muster(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Groups of which a side secretly chooses some, with a turn and an edge hex for each.

    It brings ``count`` of them. Of these it may put off all but one to the later turn; for each it may then bring
    another in that turn. With ``one_first`` all of them come, where their forces enter: one in the first of the turns,
    the others in the second.
    """

    side: str
    groups: tuple[str, ...]
    turns: tuple[int, int]
    count: int = 0
    suggested: dict[str, Bringing] = {}
    one_first: bool = False


class Glare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A DRM to all fire at a force in the first turns, such as the sun in the firers' eyes."""

    force: str
    turns: int
    drm: int


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Date, season and scenario special rules (1.3)."""

    year: int = 1944
    month: int = 7
    theatre: Theatre = Theatre.EUROPE
    """Where it is fought: what ammunition there is (6.2)."""
    brush_is_orchard: bool = False
    """Hexes that show brush only count as orchard."""
    self_rally: tuple[str, ...] = ()
    """Forces all of whose units may rally themselves."""
    seasoned: tuple[str, ...] = ()
    """Cards that suffer no Inexperienced penalties."""
    no_smoke: tuple[str, ...] = ()
    """Cards without their smoke exponent."""
    smoke: dict[str, int] = {}
    """By how much the smoke exponent of cards is raised."""
    ccv: dict[str, int] = {}
    """By how much the CCV of cards is raised (3.8)."""
    elr_immune: tuple[str, ...] = ()
    """Cards that count as having underlined morale."""
    steady: tuple[str, ...] = ()
    """Cards that do not cower."""
    own_leaders: bool = False
    """Leaders lend no leadership to units of another nationality."""
    panzerfausts: tuple[str, ...] = ()
    """Sides whose Infantry may have panzerfausts although no enemy AFV is in play (4.4.2)."""
    hidden: tuple[str, ...] = ()
    """Forces all of whose units, with their weapons, may set up hidden in hexes that are no Open Ground (6.4)."""
    gun_leaders: tuple[str, ...] = ()
    """Cards of leaders who direct a Gun in their hex as if it were a support weapon (3.2.4)."""
    ambush: dict[str, int] = {}
    """Ambush drm by force."""
    own_weapons: tuple[str, ...] = ()
    """Cards of captured weapons that crews of the side that has them use as if they were their own (5.5)."""
    radioless: dict[str, int] = {}
    """Cards of vehicles that leave their hex in a MPh only after a DR of so much or less."""
    glare: Glare | None = None
    grain_in_season: bool = False
    """Grain is in season whatever the month (1.1.1)."""
    no_vehicles_in_buildings: bool = False
    free_sight: bool = False
    """For learners: sight may be checked before fire is declared, and only fire with a LOS is offered (3.2.1)."""


class ScenarioDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as written."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    map: dict[str, Any]
    sides: tuple[SideDraft, ...]
    moves_first: str
    victory: tuple[Victory, ...]
    wins_otherwise: str
    """The side that wins at game end if no victory condition is met."""
    sets_up_first: str = ""
    """Left out, the side that does not move first."""
    secret_set_up: bool = False
    """Whether neither side sees the other's set-up before both have finished."""
    half_turn: bool = False
    """Whether only the first side has a player turn in the last game turn (3.9)."""
    summary: str = ""
    briefing: str = ""
    places: tuple[PlaceDraft, ...] = ()
    exits: tuple[ExitWay, ...] = ()
    deal: Deal | None = None
    drop: Drop | None = None
    muster: Muster | None = None
    conditions: Conditions = Conditions()
    balance: tuple[Provision, ...] = ()
    """Balance provisions; whoever opens the scenario chooses among them, and rules see what comes of it."""
