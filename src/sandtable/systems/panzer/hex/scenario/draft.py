"""A scenario of the Panzer family on hexes as an author writes it (2.0), before anything of it is checked."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from sandtable.geo.map import Edge
from sandtable.systems.panzer.air.sorties import SortieDraft
from sandtable.systems.panzer.cards import AmmoType
from sandtable.systems.panzer.edition import Level, Module
from sandtable.systems.panzer.fires.batteries import BatteryDraft
from sandtable.systems.panzer.formations import (
    NO_ROLES,
    FormationDraft,
    Roles,
)
from sandtable.systems.panzer.hex.features import FeatureDraft
from sandtable.systems.panzer.markers import Floor, HullDown, Suppression
from sandtable.systems.panzer.unit import Command, Grade, Spot, Status, UnitId, WreckKind

__all__ = [
    "COLOURS",
    "Conditions",
    "Exit",
    "ObjectiveDraft",
    "ScenarioDraft",
    "SideDraft",
    "Sun",
    "UnitDraft",
    "Victory",
]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When and where a reserve comes in (4.5.1.1.9)."""

    turn: int
    hexes: tuple[str, ...]


class UnitDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vehicle as an author places it."""

    id: str
    card: str
    at: str = ""
    facing: str = "N"
    enters: Entry | None = None
    command: Command = Command.NONE
    known: bool | None = None
    spot: Spot = Spot.NONE
    new_spot: Spot = Spot.NONE
    damaged: bool = False
    fired: bool = False
    moved: bool = False
    status: Status = Status.IN_PLAY
    grade: Grade | None = None
    """Unit Grade; left out, that of the formation (5.8.3)."""
    roles: Roles = NO_ROLES
    """Command, Recon, Engineer and FO labels (5.9)."""
    attached: tuple[str, ...] = ()
    """Crew-served weapons, by the ids of their cards (5.1.3)."""
    carried_by: str = ""
    """The vehicle that it rides on; it stands where that stands (6.6.7)."""
    suppression: Suppression = Suppression.NONE
    turret_damaged: bool = False
    hull_damaged: bool = False
    track: bool = False
    bailed: bool = False
    hull_down: HullDown = HullDown.NONE
    open_way: str = ""
    """Direction in which a hull down position does not protect, by its name."""
    full_cover: bool = False
    crawling: bool = False
    floor: Floor = Floor.GROUND
    reduced: bool = False
    under_fire: bool = False
    dug: int = 0
    shares: UnitId = UnitId("")
    """The unit whose command it shares (6.2.1.1.3)."""


COLOURS = {"german": "grey", "british": "green", "american": "green", "us": "green", "nato": "green", "soviet": "brown"}
"""Colours of forces that are called like a nation, where a scenario gives none."""


class SideDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A force."""

    id: str
    title: str
    units: tuple[UnitDraft, ...]
    colour: str = ""
    grade: Grade | None = None
    """Force Grade (5.8.1)."""
    special_ammo: tuple[AmmoType, ...] | None = None
    """The special ammo that it is issued; left out, all that is in date (5.16.1)."""
    formations: tuple[FormationDraft, ...] = ()
    """Left out, the whole force is one formation (5.8.2)."""
    aircraft: tuple[SortieDraft, ...] = ()
    """Of the one force that has local air superiority (6.7)."""
    batteries: tuple[BatteryDraft, ...] = ()
    """Off-map artillery (5.3)."""


class ObjectiveDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place worth points (3.6)."""

    id: str
    title: str
    hexes: tuple[str, ...]
    points: dict[str, int]
    """Points for each force that may hold it at the end."""
    turns: int = 1
    """Complete turns of occupation that capture it."""
    holder: str = ""
    """The force that controls it at the start."""


class Exit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points for leaving the mapboard (4.5.1.1.9)."""

    side: str
    hexes: tuple[str, ...]
    points: int
    """For each vehicle that exits from one of the hexes."""


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a scenario is won (4.6.2)."""

    losses: dict[str, int] = {}
    """For each force: percent of a destroyed enemy vehicle's card points that it scores (default 100)."""
    exits: tuple[Exit, ...] = ()
    handicap: dict[str, int] = {}
    """Points that a force has from the start."""
    draw_within: int = 0
    """A difference up to this is a draw."""


class Sun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sun Blinding: the edge over which the sun stands, and what it does to Direct Fire (6.1.4.3.13)."""

    edge: Edge
    ap: int = 0
    gp: int = 0


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Special Conditions (2.0)."""

    building_storeys: dict[str, int] = {}
    """Storeys of building hexes that are not one storey high (4.1.4.1.3)."""
    bridge_defense: dict[str, int] = {}
    """GP Defense Factors of bridges; one without cannot be attacked (6.5.4.2.5)."""
    desert_buildings: bool = False
    """4.1.4.1.3.1."""
    tracks: tuple[Literal["road", "path"], ...] = ()
    """4.5.1.1.11: Road hexes, Path hexes or both count as Track hexes."""
    initiative_tie: str = ""
    """4.3.1: the force that wins ties; "" rolls again."""
    dust: bool = False
    """6.1.4.3.12: moving vehicles raise Dust."""
    heat_haze: bool = False
    """6.5.2.4, 6.5.4.3."""
    sun: Sun | None = None
    """6.1.4.3.13."""


class ScenarioDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as written."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    map: dict[str, Any]
    sides: tuple[SideDraft, ...]
    level: Level = Level.BASIC
    without: tuple[Module, ...] = ()
    """Parts of the Advanced Game that this scenario does not use."""
    date: str = ""
    """Year and month: cards and ammo must be in date (5.16.1)."""
    summary: str = ""
    briefing: str = ""
    objectives: tuple[ObjectiveDraft, ...] = ()
    victory: Victory = Victory()
    conditions: Conditions = Conditions()
    wrecks: dict[str, WreckKind] = {}
    features: tuple[FeatureDraft, ...] = ()
    """Terrain counters that lie on the map at the start (6.1.4.3)."""
