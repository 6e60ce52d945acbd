"""Scenarios on a table, checked and bound (2.0, 23.1).

:func:`read_scenario` turns what an author wrote into everything that stays the same in a game, or rejects it with every
fault at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.core.content.reading import convert
from sandtable.core.content.rule import rule
from sandtable.core.content.scenario import check_sides, check_size
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Faults
from sandtable.geo.plane.bases import Base, overlap
from sandtable.geo.plane.points import INCH, Point, label, read_inches
from sandtable.geo.plane.table import TableMap
from sandtable.geo.shapes.polygon import is_simple
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.markers import NO_MARKERS
from sandtable.systems.panzer.mini.cards import MiniCard, Points
from sandtable.systems.panzer.mini.scenario.draft import (
    Edge,
    EntryDraft,
    ObjectiveDraft,
    ScenarioDraft,
    UnitDraft,
    ZoneDraft,
)
from sandtable.systems.panzer.mini.state import RUBBLE, FieldOfFire, Patch, Unit
from sandtable.systems.panzer.terrain import Placement, Terrain, TerrainId
from sandtable.systems.panzer.unit import Command, Status, UnitId

__all__ = ["Entry", "Scenario", "base_of", "holds_base", "read_scenario"]

BOOK = ("panzer-mini",)
Corners = tuple[Point, ...]
_OPPOSITE = {Edge.NORTH: 1800, Edge.EAST: 2700, Edge.SOUTH: 0, Edge.WEST: 900}
"""Heading from an edge onto the table."""


class Entry(msgspec.Struct, frozen=True):
    """9.8: where a reserve comes onto the table."""

    edge: Edge
    begin: Point
    end: Point
    """The stretch of the edge on which its centre crosses it."""
    inward: int
    """The heading straight onto the table."""


class Scenario(msgspec.Struct, frozen=True):
    """A scenario whose every name was checked."""

    draft: ScenarioDraft
    seats: tuple[Seat, ...]
    units: dict[UnitId, Unit]
    """As they are before anybody sets up."""
    points: dict[UnitId, Points]
    """What each is worth (10.4.3.2)."""
    platoons: dict[str, tuple[UnitId, ...]]
    """Those that may be set up together."""
    zones: dict[str, Corners]
    inward: dict[str, int]
    """The heading from the edge of a zone onto the table; to the north for one without an edge."""
    objectives: dict[str, Corners]
    """A single corner where the objective is one place."""
    patches: tuple[Patch, ...]
    entries: dict[UnitId, Entry] = {}
    """Of those that are held off the table (9.8)."""


def base_of(card: MiniCard, at: tuple[int, int], heading: int) -> Base:
    """The base of a vehicle somewhere."""
    width, depth = card.base
    return Base(at, heading, round(width * INCH), round(depth * INCH))


def holds_base(table: TableMap, base: Base) -> bool:
    """Whether a base lies on the table with all its corners."""
    (x, y), reach = base.at, base.reach
    if reach <= x <= table.width - reach and reach <= y <= table.depth - reach:
        return True
    right, bottom = table.width * 10**9, table.depth * 10**9
    return all(0 <= x <= right and 0 <= y <= bottom for x, y in base.corners)


@rule("2.0", editions=BOOK)
def read_scenario(
    draft: Mapping[str, Any],
    table: TableMap,
    cards: Mapping[CardId, MiniCard],
    terrain: Mapping[TerrainId, Terrain],
    where: str,
    *,
    situation: bool = False,
) -> Scenario:
    """Check a draft against its table and cards (2.0); raise :class:`BadInput` with every fault.

    A ``situation`` needs no set-up: units without a place are off the table.
    """
    read = convert(dict(draft), ScenarioDraft, where)
    faults = Faults(where)
    check_sides([side.id for side in read.sides], faults)
    check_size(sum(len(side.units) for side in read.sides), faults)
    faults.check()
    if read.turns < 1:
        faults.add("turns", str(read.turns), "1 or more")
    if read.victory.lead < 1:
        faults.add("victory.lead", str(read.victory.lead), "1 or more: equal points are a draw")
    reader = _Reader(read, table, cards, faults)
    zones = {name: reader.zone(zone, f"zones.{name}") for name, zone in read.zones.items()}
    scenario = Scenario(
        draft=read,
        seats=tuple(Seat(side.id) for side in read.sides),
        units=reader.units(),
        points=reader.points(),
        platoons=reader.platoons(),
        zones=zones,
        inward={name: _OPPOSITE[zone.edge] if zone.edge else 0 for name, zone in read.zones.items()},
        objectives={one.id: reader.objective(one, f"objectives[{index}]") for index, one in enumerate(read.objectives)},
        patches=reader.patches(terrain),
        entries=reader.entries(),
    )
    reader.check_names()
    reader.check_storeys(terrain)
    if not situation:
        reader.check_set_up(scenario)
    reader.check_apart(scenario)
    faults.check()
    return scenario


class _Reader:
    """Reads one draft and notes what is wrong with it."""

    def __init__(self, read: ScenarioDraft, table: TableMap, cards: Mapping[CardId, MiniCard], faults: Faults) -> None:
        self.read, self.table, self.cards, self.faults = read, table, cards, faults

    def _listed(self) -> list[tuple[str, str, UnitDraft]]:
        """Every unit with its side and its field."""
        return [
            (side.id, f"sides[{s}].units[{u}]", unit)
            for s, side in enumerate(self.read.sides)
            for u, unit in enumerate(side.units)
        ]

    def units(self) -> dict[UnitId, Unit]:
        found: dict[UnitId, Unit] = {}
        for side, field, draft in self._listed():
            if not draft.id.strip() or draft.id in found:
                self.faults.add(f"{field}.id", f"{draft.id!r} is empty or stands twice", "an id of its own")
            if draft.card not in self.cards:
                self.faults.add(f"{field}.card", f"no card {draft.card!r}", f"one of {', '.join(sorted(self.cards))}")
                continue
            found[UnitId(draft.id)] = self._unit(side, field, draft)
        return found

    def _unit(self, side: str, field: str, draft: UnitDraft) -> Unit:
        card = self.cards[CardId(draft.card)]
        at = self._place(draft.at, f"{field}.at") if draft.at else None
        heading = round(draft.heading * 10)
        if abs(draft.heading * 10 - heading) > 1e-6 or not 0 <= heading < 3600:
            self.faults.add(f"{field}.heading", f"is {draft.heading}", "0 to 359.9, with one decimal at most")
        if draft.turret is not FieldOfFire.FRONT and not card.has_turret:
            self.faults.add(f"{field}.turret", f"{card.name} has no turret", "front")
        if at is not None and not holds_base(self.table, base_of(card, at, heading)):
            self.faults.add(f"{field}.at", f"{label(at)} is too near to the edge for its base", "a place on the table")
        known = draft.known if draft.known is not None else draft.command is Command.NONE
        return Unit(
            id=UnitId(draft.id),
            side=Seat(side),
            card=card.id,
            at=at,
            heading=heading % 3600,
            turret=draft.turret,
            status=Status.RESERVE if draft.enters else draft.status,
            command=draft.command,
            known=known,
            spot=draft.spot,
            new_spot=draft.new_spot,
            damaged=draft.damaged,
            fired=draft.fired,
            moved=draft.moved,
            enters_turn=draft.enters.turn if draft.enters else 0,
            markers=replace(NO_MARKERS, track=True) if draft.track else NO_MARKERS,
        )

    @rule("9.8", editions=BOOK)
    def entries(self) -> dict[UnitId, Entry]:
        """Where those that are held off the table come onto it (9.8)"""
        found = {}
        for _, field, draft in self._listed():
            if draft.enters is not None:
                if draft.at:
                    self.faults.add(f"{field}.at", "it is held off the table", "a place, or how it enters")
                if not 1 <= draft.enters.turn <= self.read.turns:
                    self.faults.add(f"{field}.enters.turn", str(draft.enters.turn), f"1 to {self.read.turns}")
                entry = self._entry(draft.enters, f"{field}.enters")
                if entry is not None:
                    found[UnitId(draft.id)] = entry
            elif draft.status is Status.RESERVE:
                self.faults.add(f"{field}.enters", "missing", "turn and edge of one that is held off the table")
        return found

    def _entry(self, draft: EntryDraft, where: str) -> Entry | None:
        lies_across = draft.edge in (Edge.NORTH, Edge.SOUTH)
        long = self.table.width if lies_across else self.table.depth
        begin, end = (read_inches(one) for one in draft.stretch or (0, long / INCH))
        if begin is None or end is None or not 0 <= begin < end <= long:
            wrong = ", ".join(f"{one:g}" for one in draft.stretch or ())
            self.faults.add(f"{where}.stretch", wrong, f"two places from 0 to {long / INCH:g} inches, the lower first")
            return None
        far = {Edge.SOUTH: self.table.depth, Edge.EAST: self.table.width}.get(draft.edge, 0)
        ends = [Point(one, far) if lies_across else Point(far, one) for one in (begin, end)]
        return Entry(draft.edge, ends[0], ends[1], _OPPOSITE[draft.edge])

    def points(self) -> dict[UnitId, Points]:
        return {
            UnitId(draft.id): draft.points or self.cards[CardId(draft.card)].points
            for _, _, draft in self._listed()
            if draft.card in self.cards
        }

    def platoons(self) -> dict[str, tuple[UnitId, ...]]:
        found: dict[str, list[UnitId]] = {}
        sides: dict[str, str] = {}
        for side, field, draft in self._listed():
            if draft.platoon and sides.setdefault(draft.platoon, side) != side:
                self.faults.add(f"{field}.platoon", f"{draft.platoon!r} is of {sides[draft.platoon]}", "another name")
            if draft.platoon:
                found.setdefault(draft.platoon, []).append(UnitId(draft.id))
        return {name: tuple(units) for name, units in found.items()}

    def zone(self, draft: ZoneDraft, where: str) -> Corners:
        if (draft.edge is None) == (not draft.outline):
            self.faults.add(where, "has an edge and an outline, or neither", "one of them")
            return ()
        if draft.edge is None:
            return self._outline(draft.outline, f"{where}.outline")
        depth = read_inches(draft.depth)
        across = self.table.depth if draft.edge in (Edge.NORTH, Edge.SOUTH) else self.table.width
        if depth is None or not 0 < depth <= across:
            self.faults.add(f"{where}.depth", f"is {draft.depth}", f"inches, up to {across / INCH:g}")
            return ()
        return strip_along(self.table, draft.edge, depth)

    @rule("4.6.1", editions=BOOK)
    def objective(self, draft: ObjectiveDraft, where: str) -> Corners:
        """The area that an objective is, agreed on before the scenario begins (4.6.1)"""
        if bool(draft.point) == bool(draft.outline):
            self.faults.add(where, "has a point and an outline, or neither", "one of them")
            return ()
        if draft.point:
            place = self._place(draft.point, f"{where}.point")
            return () if place is None else (place,)
        return self._outline(draft.outline, f"{where}.outline")

    def patches(self, terrain: Mapping[TerrainId, Terrain]) -> tuple[Patch, ...]:
        """What lies on the ground for a while: markers and rubble. All else is a feature of the table."""
        kinds = sorted(kind for kind, row in terrain.items() if row.placement is Placement.MARKER or kind == RUBBLE)
        found = []
        for index, draft in enumerate(self.read.patches):
            where = f"patches[{index}]"
            if draft.kind not in kinds:
                wrong = f"{draft.kind!r} is no terrain that comes and goes"
                self.faults.add(f"{where}.kind", wrong, f"a feature of the table, or one of {', '.join(kinds)}")
            if bool(draft.at) == bool(draft.outline):
                self.faults.add(where, "has a place and an outline, or neither", "one of them")
            elif draft.at:
                place = self._place(draft.at, f"{where}.at")
                if place is not None:
                    corners = Base(place, 0, INCH, INCH).outline
                    found.append(Patch(TerrainId(draft.kind), tuple(Point(*corner) for corner in corners)))
            else:
                found.append(Patch(TerrainId(draft.kind), self._outline(draft.outline, f"{where}.outline")))
        return tuple(found)

    def _place(self, text: str, where: str) -> Point | None:
        try:
            return self.table.place(text)
        except BadInput as bad:
            for fault in bad.faults:
                self.faults.add(where, fault.wrong, fault.right)
            return None

    def _outline(self, corners: Sequence[tuple[float, float]], where: str) -> Corners:
        found = []
        for index, (across, down) in enumerate(corners):
            x, y = read_inches(across), read_inches(down)
            if x is None or y is None or (x, y) not in self.table:
                wrong = f"{across:g}, {down:g} is off the table or has more than three decimals"
                self.faults.add(f"{where}[{index}]", wrong, "a place on the table, in inches")
            else:
                found.append(Point(x, y))
        if len(found) == len(corners) and not (len(found) > 2 and is_simple(found)):
            self.faults.add(where, "is no simple polygon", "at least three corners, no two sides crossing")
        return tuple(found)

    def _check_streams(self) -> None:
        """Streams that are named are on the table (5.5.1.20)."""
        passable = self.read.conditions.passable_streams
        names = sorted({feature.text for feature in self.table.features if feature.kind == "stream" and feature.text})
        for name in () if isinstance(passable, bool) else passable:
            if name not in names:
                wrong = f"no stream {name!r}"
                self.faults.add("conditions.passable_streams", wrong, f"one of {', '.join(names) or 'none'}")

    @rule("5.5.1.3", editions=BOOK)
    def check_storeys(self, terrain: Mapping[TerrainId, Terrain]) -> None:
        """Buildings that are given storeys are on the table, and have one at least (5.5.1.3)."""
        kinds = {kind for kind, row in terrain.items() if row.each == "storey"}
        names = sorted({feature.text for feature in self.table.features if feature.kind in kinds and feature.text})
        for name, storeys in self.read.conditions.storeys.items():
            if name not in names:
                right = f"one of {', '.join(names) or 'none'}"
                self.faults.add("conditions.storeys", f"no building {name!r}", right)
            if storeys < 1:
                self.faults.add(f"conditions.storeys.{name}", str(storeys), "1 or more")

    def check_names(self) -> None:
        """Forces that are named must play."""
        self._check_streams()
        seats = [side.id for side in self.read.sides]
        named = [(f"objectives[{i}].holder", one.holder) for i, one in enumerate(self.read.objectives) if one.holder]
        named += [
            (f"objectives[{i}].points", side) for i, one in enumerate(self.read.objectives) for side in one.points
        ]
        named += [(f"victory.exits[{i}].side", one.side) for i, one in enumerate(self.read.victory.exits)]
        named += [("victory.handicap", side) for side in self.read.victory.handicap]
        named += [("set_up.order", side) for side in self.read.set_up.order]
        named += [("set_up.zones", side) for side in self.read.set_up.zones]
        for field, name in named:
            if name not in seats:
                self.faults.add(field, f"no force {name!r}", f"one of {', '.join(seats)}")
        ids = [one.id for one in self.read.objectives]
        if len(set(ids)) < len(ids):
            self.faults.add("objectives", "an id stands twice", "an id of its own for each")
        areas = [("set_up.zones", zone) for zone in self.read.set_up.zones.values()]
        for field, zone in [*areas, *(("set_up.choice", zone) for zone in self.read.set_up.choice)]:
            if zone not in self.read.zones:
                self.faults.add(field, f"no zone {zone!r}", f"one of {', '.join(self.read.zones) or 'none there are'}")

    def check_set_up(self, scenario: Scenario) -> None:
        """Whoever has no place must be told where it may be put."""
        plan = self.read.set_up
        waiting = {unit.side for unit in scenario.units.values() if unit.at is None and unit.status is Status.IN_PLAY}
        if plan.choice and (plan.zones or len(plan.choice) != 2 or len(set(plan.choice)) != 2):
            self.faults.add("set_up.choice", ", ".join(plan.choice), "two different ones, and no zones beside")
        if plan.order and sorted(plan.order) != sorted(scenario.seats):
            self.faults.add("set_up.order", ", ".join(plan.order), "every force once, or nothing for a roll")
        if not plan.choice:
            for side in sorted(waiting - set(plan.zones)):
                self.faults.add("set_up.zones", f"none for {side}", "a zone for every force whose units have no place")

    def check_apart(self, scenario: Scenario) -> None:
        """No unit stands upon another (9.9)."""
        standing = [(unit, base_of(self.cards[unit.card], unit.at, unit.heading)) for unit in _placed(scenario)]
        for index, (unit, base) in enumerate(standing):
            for other, beside in standing[:index]:
                if overlap(base, beside):
                    self.faults.add("sides", f"{unit.id} stands upon {other.id}", "places that do not overlap")


def _placed(scenario: Scenario) -> list[Any]:
    return [unit for unit in scenario.units.values() if unit.at is not None and unit.in_play]


def strip_along(table: TableMap, edge: Edge, depth: int) -> Corners:
    """The strip of a depth along an edge of the table."""
    left, top, right, bottom = 0, 0, table.width, table.depth
    if edge is Edge.NORTH:
        bottom = depth
    elif edge is Edge.SOUTH:
        top = bottom - depth
    elif edge is Edge.WEST:
        right = depth
    else:
        left = right - depth
    return Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)
