"""The Terrain Effects Table as data (4.1.3, 4.1.4.1, 4.5.1.1.2).

Every terrain of a book's Terrain Key is one :class:`Terrain`: what it does to sight, cover and movement. A
pack's ``terrain.yaml`` holds them by name. Most of the printed table is unknown, so each field says how far
it can be trusted: what the book states is named under ``verbatim`` with its rule, all else is reconstructed.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NewType

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.content.table import Status
from sandtable.core.errors import Faults

__all__ = [
    "Cost",
    "Costs",
    "Cover",
    "Placement",
    "Rate",
    "Sourced",
    "Special",
    "Terrain",
    "TerrainId",
    "Traction",
    "parse_terrain",
    "unknown_paths",
]

TerrainId = NewType("TerrainId", str)


class Traction(StrEnum):
    """Mode of Traction (4.5.1.1.1)."""

    TRACKED = "T"
    HALF_TRACKED = "H"
    WHEELED = "W"
    LEG = "L"
    """On foot, or moved by hand: leg and towed units (6.6.4.1)."""


class Cover(StrEnum):
    """What a terrain gives to those in it (4.1.3)."""

    NONE = "None"
    LIGHT = "Light"
    MEDIUM = "Medium"
    HEAVY = "Heavy"
    OTHER = "Other"
    """The other terrain in the hex decides."""


class Placement(StrEnum):
    """Where a terrain lies."""

    HEX = "hex"
    AREA = "area"
    """Covers an area of a table in inches."""
    HEXSIDE = "hexside"
    ROUTE = "route"
    """Runs through hexes from side to side: roads, paths, tracks, railroads, bridges."""
    LEVEL = "level"
    """Lifts the hex, whose terrain stays: hills."""
    MARKER = "marker"
    """Comes with a counter: wrecks, Brew-Up Smoke."""


class Rate(StrEnum):
    """The movement that a route gives (4.5.1.1.5, 4.5.1.1.11)."""

    ROAD = "road"
    PATH = "path"
    TRACK = "track"
    CONNECTED = "connected"
    """That of the road or path it joins: bridges (4.5.1.1.6)."""


class Special(StrEnum):
    """A cost that is no number."""

    PROHIBITED = "P"
    WHOLE_ALLOWANCE = "ALL"


Cost = int | Special


class Costs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cost for each Mode of Traction (4.5.1.1.2)."""

    T: Cost
    H: Cost
    W: Cost
    L: Cost = Special.PROHIBITED
    """Prohibited where a book has no leg units."""

    def of(self, traction: Traction) -> Cost:
        """The cost for ``traction``."""
        if traction is Traction.TRACKED:
            return self.T
        if traction is Traction.LEG:
            return self.L
        return self.H if traction is Traction.HALF_TRACKED else self.W


class Sourced(msgspec.Struct, frozen=True, kw_only=True):
    """Data that knows, field by field, where it comes from."""

    verbatim: dict[str, str] = {}
    """Field paths (``cost.T``) that the book states, with the rule that does."""
    published: dict[str, str] = {}
    """Field paths taken from public reference works or published cards, with what."""
    status: Status = Status.RECONSTRUCTED
    """Status of every other field."""
    source: str = "docs/reconstruction.md"

    def provenance(self, path: str) -> tuple[Status, str]:
        """Status and source of the field at ``path``; what is said of a field holds for its parts."""
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            head = ".".join(parts[:length])
            if head in self.verbatim:
                return Status.VERBATIM, self.verbatim[head]
            if head in self.published:
                return Status.PUBLISHED, self.published[head]
        return self.status, self.source


class Terrain(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of the Terrain Effects Table (4.1.4.1)."""

    title: str
    rule: str = ""
    """The section that describes it, where the book has one for each."""
    placement: Placement = Placement.HEX
    height: int
    """Height of the terrain over the ground it stands on; with ``each`` the height of one storey or level."""
    each: str = ""
    """``storey`` or ``level`` where the height counts for each."""
    blocks: bool
    """Whether it may block line-of-sight by itself (4.1.4.1.2)."""
    opened_by_route: bool = False
    """Whether a straight road or path through it lets a line-of-sight pass (4.1.4.1.3, 4.1.4.1.7)."""
    cover_spotting: Cover = Cover.OTHER
    cover_fire: Cover = Cover.OTHER
    stands_in: TerrainId = TerrainId("")
    """The terrain whose cover, cost and turn cost a vehicle here uses (4.1.4.1.3: an Alley)."""
    cost: Costs | None = None
    """To enter the hex; nothing where the other terrain in the hex decides."""
    turn: int | None = None
    """To turn two or three hexsides in the hex (4.5.1.1.4)."""
    adder: Costs = Costs(0, 0, 0, 0)
    """Added to the cost of the hex entered: across the hexside, or with the marker in the hex."""
    turn_adder: int = 0
    rate: Rate | None = None
    inside: Costs | None = None
    """To enter the buildings themselves, where there are any (6.1.4.3.1, 6.6.3)."""
    hides_hull: bool = False
    """Whether vehicles in it are hull down from all sides (5.5.3 of the miniatures)."""
    hull_down: int | None = None
    """The roll (100), or less, that finds a Hull Down position here; nothing where there is none (6.6.9)."""
    support: bool = False
    """Vehicles here want infantry to support them in close assault (6.6.1.1.2)."""
    canopy: bool = False
    """Trees hide what is here from aircraft that have no FO unit to spot for them (6.7.3.1.1, 6.7.3.1.2)."""
    gp_defense: int | None = None
    """GP Defense Factor of the terrain itself; nothing where it cannot be destroyed (6.5.4.2.5)."""
    note: str = ""


class _TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    book: str
    terrain: dict[str, Terrain]


def parse_terrain(files: Mapping[str, bytes]) -> dict[TerrainId, Terrain]:
    """Read terrain files, content by place; a later file replaces rows of an earlier one by name.

    Raises ``BadInput`` with the faults of all files.
    """
    faults = Faults()
    rows: dict[TerrainId, Terrain] = {}
    places: dict[TerrainId, str] = {}
    for where, data in files.items():
        with faults.gathering():
            for name, row in read_yaml(data, _TerrainFile, where).terrain.items():
                rows[TerrainId(name)] = row
                places[TerrainId(name)] = f"{where}: terrain.{name}"
    for key, row in rows.items():
        _check_row(row, places[key], faults)
        if row.stands_in and row.stands_in not in rows:
            faults.add(f"{places[key]}.stands_in", f"no terrain {row.stands_in!r}", "a terrain of the pack")
    faults.check()
    return rows


def _check_row(row: Terrain, place: str, faults: Faults) -> None:
    def expect(holds: bool, field: str, wrong: str, right: str) -> None:
        if not holds:
            faults.add(f"{place}.{field}", wrong, right)

    settled = row.placement not in (Placement.HEX, Placement.AREA) or bool(row.stands_in)
    expect(settled or row.cost is not None, "cost", "missing", "a cost for T, H and W, or stands_in")
    expect(settled or row.turn is not None, "turn", "missing", "a turn cost, or stands_in")
    costs = () if row.cost is None else (row.cost.T, row.cost.H, row.cost.W)
    expect(Special.WHOLE_ALLOWANCE not in costs, "cost", "ALL", "a number or P; only an adder may be ALL")
    expect(row.each in {"", "storey", "level"}, "each", repr(row.each), "storey or level")
    blocks_low = row.blocks and row.height < 1
    expect(not blocks_low, "blocks", f"blocks at Height {row.height}", "a Height of 1 or more (4.1.4.1.1)")
    expect(row.hull_down is None or 1 <= row.hull_down <= 100, "hull_down", f"{row.hull_down}", "a roll of 1 to 100")
    expect(row.gp_defense is None or 1 <= row.gp_defense <= 10, "gp_defense", f"{row.gp_defense}", "1 to 10")
    for path in unknown_paths(row):
        faults.add(f"{place}.{path}", "names no field of this row", "a path such as height or cost.T")


def unknown_paths(thing: Sourced) -> list[str]:
    """Paths under ``verbatim`` and ``published`` that lead nowhere in ``thing``."""
    plain: dict[str, Any] = msgspec.to_builtins(thing)
    groups = (("verbatim", thing.verbatim), ("published", thing.published))
    return [f"{group}.{path}" for group, paths in groups for path in paths if not _leads(plain, path)]


def _leads(plain: Any, path: str) -> bool:
    for part in path.split("."):
        if isinstance(plain, dict) and part in plain:
            plain = plain[part]
        elif isinstance(plain, list | tuple) and part.isdigit() and int(part) < len(plain):
            plain = plain[int(part)]
        else:
            return False
    return True
