"""Scenarios of the Panzer family on hexes (2.0): a draft as written, then checked and bound.

The draft is what an author writes; :func:`bind` turns it into everything that stays the same in a game, or rejects
it with every fault at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from sandtable.core.content.reading import convert
from sandtable.core.content.scenario import check_sides, check_size
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Faults
from sandtable.geo.hex import Hex, direction_named
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.cards import Card, CardId
from sandtable.systems.panzer.hex.state import Unit, Wreck
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId, WreckKind

__all__ = [
    "COLOURS",
    "Conditions",
    "Exit",
    "ObjectiveDraft",
    "Scenario",
    "ScenarioDraft",
    "SideDraft",
    "UnitDraft",
    "Victory",
    "build_units",
    "build_wrecks",
    "read_scenario",
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


COLOURS = {"german": "grey", "british": "green", "american": "green", "us": "green", "nato": "green", "soviet": "brown"}
"""Colours of forces that are called like a nation, where a scenario gives none."""


class SideDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A force."""

    id: str
    title: str
    units: tuple[UnitDraft, ...]
    colour: str = ""


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


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Special Conditions (2.0)."""

    building_storeys: dict[str, int] = {}
    """Storeys of building hexes that are not one storey high (4.1.4.1.3)."""
    desert_buildings: bool = False
    """4.1.4.1.3.1."""
    tracks: tuple[Literal["road", "path"], ...] = ()
    """4.5.1.1.11: Road hexes, Path hexes or both count as Track hexes."""
    initiative_tie: str = ""
    """4.3.1: the force that wins ties; "" rolls again."""


class ScenarioDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as written."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    map: dict[str, Any]
    sides: tuple[SideDraft, ...]
    summary: str = ""
    briefing: str = ""
    objectives: tuple[ObjectiveDraft, ...] = ()
    victory: Victory = Victory()
    conditions: Conditions = Conditions()
    wrecks: dict[str, WreckKind] = {}


class Scenario(msgspec.Struct, frozen=True):
    """A scenario whose every name was checked."""

    draft: ScenarioDraft
    seats: tuple[Seat, ...]
    objectives: dict[str, tuple[Hex, ...]]
    exits: tuple[frozenset[Hex], ...]
    """The exit hexes of each of ``draft.victory.exits``."""
    units: dict[UnitId, Unit]
    wrecks: tuple[Wreck, ...]


def read_scenario(draft: Mapping[str, Any], game_map: GameMap, cards: Mapping[CardId, Card], where: str) -> Scenario:
    """Check a draft against its map and cards; raise :class:`BadInput` with every fault."""
    read = convert(dict(draft), ScenarioDraft, where)
    faults = Faults(where)
    check_sides([side.id for side in read.sides], faults)
    check_size(sum(len(side.units) for side in read.sides), faults)
    faults.check()
    if read.turns < 1:
        faults.add("turns", str(read.turns), "1 or more")
    seats = tuple(Seat(side.id) for side in read.sides)
    units = build_units(read.sides, game_map, cards, faults)
    _check_names(read, seats, faults)
    objectives = {
        objective.id: _hexes(objective.hexes, game_map, f"objectives[{index}].hexes", faults)
        for index, objective in enumerate(read.objectives)
    }
    exits = tuple(
        frozenset(_hexes(way.hexes, game_map, f"victory.exits[{index}].hexes", faults))
        for index, way in enumerate(read.victory.exits)
    )
    _hexes(read.conditions.building_storeys, game_map, "conditions.building_storeys", faults)
    wrecks = build_wrecks(read.wrecks, game_map, faults)
    faults.check()
    return Scenario(read, seats, objectives, exits, units, wrecks)


def _check_names(read: ScenarioDraft, seats: tuple[Seat, ...], faults: Faults) -> None:
    """Every force that is named must exist, and ids must differ."""
    named = [(f"victory.handicap.{side}", side) for side in read.victory.handicap]
    named += [(f"victory.losses.{side}", side) for side in read.victory.losses]
    named += [(f"victory.exits[{i}].side", way.side) for i, way in enumerate(read.victory.exits)]
    for i, objective in enumerate(read.objectives):
        named += [(f"objectives[{i}].points.{side}", side) for side in objective.points]
        if objective.holder:
            named.append((f"objectives[{i}].holder", objective.holder))
        if not objective.hexes:
            faults.add(f"objectives[{i}].hexes", "empty", "one hex or more")
    if read.conditions.initiative_tie:
        named.append(("conditions.initiative_tie", read.conditions.initiative_tie))
    for field, side in named:
        if side not in seats:
            faults.add(field, f"no force {side!r}", f"one of {', '.join(seats)}")
    ids = [objective.id for objective in read.objectives]
    for duplicate in sorted({name for name in ids if ids.count(name) > 1}):
        faults.add("objectives", f"{duplicate!r} stands twice")


def build_units(
    sides: tuple[SideDraft, ...], game_map: GameMap, cards: Mapping[CardId, Card], faults: Faults
) -> dict[UnitId, Unit]:
    """The vehicles of all forces; faults are added to ``faults``."""
    units: dict[UnitId, Unit] = {}
    for s, side in enumerate(sides):
        for u, draft in enumerate(side.units):
            field = f"sides[{s}].units[{u}]"
            if draft.id in units:
                faults.add(f"{field}.id", f"{draft.id!r} stands twice")
            if draft.card not in cards:
                faults.add(f"{field}.card", f"no card {draft.card!r}", _near(draft.card, cards))
            facing = direction_named(draft.facing)
            if facing is None:
                faults.add(f"{field}.facing", repr(draft.facing), "N, NE, SE, S, SW or NW")
            off_map = draft.enters is not None or draft.status not in (Status.IN_PLAY, Status.RESERVE)
            if not draft.at and not off_map:
                faults.add(f"{field}.at", "missing", "a hex, or enters with turn and hexes")
            at = _hexes((draft.at,), game_map, f"{field}.at", faults) if draft.at and not off_map else ()
            entry = _hexes(draft.enters.hexes, game_map, f"{field}.enters.hexes", faults) if draft.enters else ()
            units[UnitId(draft.id)] = Unit(
                id=UnitId(draft.id),
                side=Seat(side.id),
                card=CardId(draft.card),
                hex=at[0] if at else None,
                facing=facing or 0,
                status=Status.RESERVE if draft.enters else draft.status,
                command=draft.command,
                known=draft.command is Command.NONE if draft.known is None else draft.known,
                spot=draft.spot,
                new_spot=draft.new_spot,
                damaged=draft.damaged,
                fired=draft.fired,
                moved=draft.moved,
                enters_turn=draft.enters.turn if draft.enters else 0,
                entry=entry,
            )
    return units


def build_wrecks(drafts: Mapping[str, WreckKind], game_map: GameMap, faults: Faults) -> tuple[Wreck, ...]:
    """The wrecks that lie on the map at the start."""
    return tuple(
        Wreck(hex, kind) for label, kind in drafts.items() for hex in _hexes((label,), game_map, "wrecks", faults)
    )


def _hexes(labels: Any, game_map: GameMap, field: str, faults: Faults) -> tuple[Hex, ...]:
    """The hexes of ``labels``; a label that the map lacks is a fault."""
    found = []
    for label in labels:
        try:
            found.append(game_map.hex(label))
        except BadInput as bad:
            for fault in bad.faults:
                faults.add(field, fault.wrong, fault.right)
    return tuple(found)


def _near(name: str, known: Mapping[Any, Any]) -> str:
    """Names that begin like ``name``, or all of them if there are few."""
    near = sorted(str(key) for key in known if str(key)[:3] == name[:3])
    return f"one of {', '.join(near or sorted(map(str, known))[:12])}"
