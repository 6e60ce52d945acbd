"""1.3 Scenario Cards as an author writes them: the fields of a scenario file."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from sandtable.geo.map import Edge

__all__ = [
    "Conditions",
    "Deal",
    "Entry",
    "ExitWay",
    "Force",
    "Goal",
    "GoalKind",
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


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When and where a force enters (3.3)."""

    turn: int
    zone: tuple[Zone, ...]


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of the order of battle: one ELR, one place to set up or enter."""

    id: str
    elr: int
    units: tuple[OrderOfBattle, ...]
    weapons: tuple[OrderOfBattle, ...] = ()
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


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Date, season and scenario special rules (1.3)."""

    year: int = 1944
    month: int = 7
    brush_is_orchard: bool = False
    """Hexes that show brush only count as orchard."""
    self_rally: tuple[str, ...] = ()
    """Forces all of whose units may rally themselves."""
    seasoned: tuple[str, ...] = ()
    """Cards that suffer no Inexperienced penalties."""
    no_smoke: tuple[str, ...] = ()
    """Cards without their smoke exponent."""
    elr_immune: tuple[str, ...] = ()
    """Cards that count as having underlined morale."""
    steady: tuple[str, ...] = ()
    """Cards that do not cower."""
    own_leaders: bool = False
    """Leaders lend no leadership to units of another nationality."""
    panzerfausts: tuple[str, ...] = ()
    """Sides whose Infantry may have panzerfausts although no enemy AFV is in play (4.4.2)."""
    ambush: dict[str, int] = {}
    """Ambush drm by force."""
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
    conditions: Conditions = Conditions()
