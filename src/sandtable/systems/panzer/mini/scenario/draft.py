"""A scenario on a table as an author writes it (23.1), before anything of it is checked. Places are in inches."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.systems.panzer.mini.cards import Points
from sandtable.systems.panzer.mini.state import FieldOfFire
from sandtable.systems.panzer.unit import Command, Spot, Status

__all__ = [
    "COLOURS",
    "Conditions",
    "Edge",
    "EntryDraft",
    "ExitDraft",
    "ObjectiveDraft",
    "PatchDraft",
    "ScenarioDraft",
    "SetUp",
    "SideDraft",
    "UnitDraft",
    "Victory",
    "ZoneDraft",
]

COLOURS = {"german": "grey", "soviet": "brown"}
"""Colours of forces that are called like a nation, where a scenario gives none."""


class Edge(StrEnum):
    """An edge of the table; north is where y is 0."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


class ZoneDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the table: a strip along an edge, or an outline."""

    edge: Edge | None = None
    depth: float = 0
    """How far the strip reaches in from its edge, in inches."""
    outline: tuple[tuple[float, float], ...] = ()


class EntryDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """9.8: how a vehicle that is held off the table comes onto it."""

    turn: int
    """The first turn on which it may."""
    edge: Edge
    stretch: tuple[float, float] | None = None
    """The part of the edge, in inches from its western or northern end; left out, all of it."""


class UnitDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vehicle as an author lists it; one without a place is set up by its player."""

    id: str
    card: str
    at: str = ""
    heading: float = 0
    """Degrees clockwise from north, with one decimal at most."""
    turret: FieldOfFire = FieldOfFire.FRONT
    platoon: str = ""
    """Those of one name may be set up together."""
    points: Points | None = None
    """What it is worth; left out, as its card has it (10.4.3.2)."""
    command: Command = Command.NONE
    known: bool | None = None
    spot: Spot = Spot.NONE
    new_spot: Spot = Spot.NONE
    damaged: bool = False
    track: bool = False
    fired: bool = False
    moved: bool = False
    status: Status = Status.IN_PLAY
    enters: EntryDraft | None = None
    """For one that is held off the table (9.8)."""


class SideDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A force."""

    id: str
    title: str
    units: tuple[UnitDraft, ...]
    colour: str = ""


class SetUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sets up first, and where (23.1.3)."""

    order: tuple[str, ...] = ()
    """Forces in their order; left out, they roll, and the lower one is first."""
    zones: dict[str, str] = {}
    """The zone of each force ..."""
    choice: tuple[str, ...] = ()
    """... or two, of which the first force picks one and leaves the other to the second."""


class ObjectiveDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An area worth points (4.6), agreed on before the scenario begins (4.6.1)."""

    id: str
    title: str
    points: dict[str, int]
    """Points for each force that may hold it at the end."""
    point: str = ""
    """A single place, such as ``36,24`` ..."""
    outline: tuple[tuple[float, float], ...] = ()
    """... or an area."""
    holder: str = ""
    """The force that controls it at the start (4.6.4)."""


class ExitDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points for leaving the table (9.8)."""

    side: str
    edge: Edge
    points: int
    """For each vehicle that leaves by the edge."""


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a scenario is won (23.1.4)."""

    lead: int = 1
    """Points that a force must be ahead by; less is a draw."""
    losses: bool = True
    """Whether units eliminated, damaged or tracked count (10.4.3.2)."""
    exits: tuple[ExitDraft, ...] = ()
    handicap: dict[str, int] = {}
    """Points that a force has from the start."""


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Special Conditions (23.1.5)."""

    passable_streams: bool | tuple[str, ...] = False
    """Whether streams may be crossed anywhere, or which of them, by the names of the features (5.5.1.20)."""
    storeys: dict[str, int] = {}
    """Storeys of buildings that are not one storey high, by the name of the feature (5.5.1.3)."""


class PatchDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terrain that lies on the table at the start and is none of its features, such as a wreck."""

    kind: str
    outline: tuple[tuple[float, float], ...] = ()
    at: str = ""
    """Instead of an outline: a square of an inch about a place."""


class ScenarioDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as written."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    map: dict[str, str]
    """``table: NAME``."""
    sides: tuple[SideDraft, ...]
    zones: dict[str, ZoneDraft] = {}
    set_up: SetUp = SetUp()
    date: str = ""
    summary: str = ""
    briefing: str = ""
    objectives: tuple[ObjectiveDraft, ...] = ()
    victory: Victory = Victory()
    conditions: Conditions = Conditions()
    patches: tuple[PatchDraft, ...] = ()
