"""1.3 Scenario Cards: a draft as written, then checked and bound to its map and counters.

The draft is what an author writes; :func:`read_scenario` turns it into everything that stays the same in a
game, or rejects it with every fault at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from sandtable.core.content.reading import convert
from sandtable.core.content.rule import rule
from sandtable.core.content.scenario import check_sides, check_size
from sandtable.core.decision import Seat
from sandtable.core.errors import Faults
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.systems.aslsk.pieces.cards import CardId, Cards
from sandtable.systems.aslsk.pieces.state import Unit, UnitId, Weapon, WeaponId, Whereabouts
from sandtable.systems.aslsk.scenario.draft import (
    Conditions,
    Deal,
    ExitWay,
    Force,
    Goal,
    GoalKind,
    OrderOfBattle,
    PlaceDraft,
    ScenarioDraft,
    SideDraft,
    Victory,
    When,
    Zone,
)

__all__ = [
    "Conditions",
    "ControlPlace",
    "Deal",
    "ExitWay",
    "Force",
    "Goal",
    "GoalKind",
    "PlaceDraft",
    "Scenario",
    "ScenarioDraft",
    "SideDraft",
    "Victory",
    "When",
    "Zone",
    "read_scenario",
    "zone_hexes",
]


class ControlPlace(msgspec.Struct, frozen=True):
    """A place of the victory conditions with its hexes."""

    id: str
    title: str
    hexes: frozenset[Hex]
    holder: str


class Scenario(msgspec.Struct, frozen=True):
    """A scenario whose every name was checked."""

    draft: ScenarioDraft
    seats: tuple[Seat, ...]
    """The side that moves first, then the other."""
    set_up_order: tuple[Seat, ...]
    forces: dict[str, Force]
    side_of: dict[str, Seat]
    """Side by force."""
    zones: dict[str, frozenset[Hex]]
    """Where each force sets up; empty for one that enters."""
    entry: dict[str, frozenset[Hex]]
    """The hexes through which each force enters."""
    units: dict[UnitId, Unit]
    weapons: dict[WeaponId, Weapon]
    suggested: dict[UnitId, Hex]
    possessors: dict[WeaponId, UnitId]
    """Who the author suggests for each weapon."""
    places: dict[str, ControlPlace]
    groups: dict[str, tuple[str, ...]]
    """Ids of the places that each draft of a place stands for."""
    places_at: dict[Hex, tuple[str, ...]]
    """Ids of the places that a hex is part of."""
    exits: tuple[frozenset[Hex], ...]
    conditions: Conditions
    """Date and special rules."""

    def elr(self, unit: Unit) -> int:
        """Experience Level Rating of a unit's group (5.1)."""
        return self.forces[unit.force].elr


_RANGE = re.compile(r"([A-Za-z]+|\d+)(?:\s*-\s*([A-Za-z]+|\d+))?")


@rule("1.1", "1.3")
def zone_hexes(zones: Iterable[Zone], game_map: GameMap, field: str, faults: Faults) -> frozenset[Hex]:
    """The playable hexes of some zones; half hexes shared with another board are no part of a named board (1.3)."""
    found: set[Hex] = set()
    for index, zone in enumerate(zones):
        place = f"{field}[{index}]"
        for label in zone.hexes:
            with faults.gathering():
                found.add(game_map.hex(label, f"{place}.hexes"))
        if zone.whole:
            found |= game_map.hexes
        if zone.edge is not None:
            found |= game_map.edge_hexes(zone.edge)
        if zone.board or zone.hexrows or zone.rows:
            found |= _board_hexes(zone, game_map, place, faults)
    return frozenset(found)


def _board_hexes(zone: Zone, game_map: GameMap, field: str, faults: Faults) -> set[Hex]:
    boards = [one for one in game_map.placed if not zone.board or one.name == zone.board]
    if not boards:
        faults.add(f"{field}.board", f"no board {zone.board!r}", ", ".join(one.name for one in game_map.placed))
    found: set[Hex] = set()
    for one in boards:
        labels = one.board.layout.labels
        first_column, last_column = 1, one.board.layout.columns
        first_row, last_row = 0, 10**6
        with faults.gathering():
            if zone.hexrows:
                low, high = _bounds(zone.hexrows)
                first_column, last_column = labels.column_number(low, field), labels.column_number(high, field)
            if zone.rows:
                low, high = _bounds(zone.rows)
                first_row, last_row = int(low), int(high)
        for local in one.board.layout.hexes():
            hex = one.transform.hex(local)
            spot = one.board.layout.place_of(local)
            if spot is None or hex not in game_map.hexes:
                continue
            if zone.board and len(game_map.boards[hex]) > 1:
                continue
            if first_column <= spot[0] <= last_column and first_row <= spot[1] <= last_row:
                found.add(hex)
    return found


def _bounds(text: str) -> tuple[str, str]:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        return text, text
    return match[1], match[2] or match[1]


def read_scenario(
    draft: Mapping[str, Any],
    game_map: GameMap,
    cards: Cards,
    hills: frozenset[Hex],
    where: str,
) -> Scenario:
    """Check a draft against its map and counters; raise ``BadInput`` with every fault (1.3)."""
    read = convert(dict(draft), ScenarioDraft, where)
    faults = Faults(where)
    sides = [Seat(side.id) for side in read.sides]
    check_sides(sides, faults)
    orders = [order for side in read.sides for force in side.forces for order in (*force.units, *force.weapons)]
    check_size(sum(max(order.count, 1) for order in orders), faults)
    if read.turns < 1:
        faults.add("turns", str(read.turns), "1 or more")
    _check_names(read, sides, faults)
    if read.deal is not None and sorted(read.deal.chart) != list("123456"):
        faults.add("deal.chart", f"rows {', '.join(read.deal.chart)}", "one for each dr, 1 to 6")
    faults.check()
    builder = _Builder(read, game_map, cards, faults)
    for index, side in enumerate(read.sides):
        builder.side(side, f"sides[{index}]")
    places, groups = _places(read, game_map, hills, faults)
    exits = tuple(
        zone_hexes(way.zone, game_map, f"exits[{index}].zone", faults) for index, way in enumerate(read.exits)
    )
    builder.possessors_exist()
    if read.secret_set_up:
        builder.zones_apart()
    faults.check()
    second = next(seat for seat in sides if seat != read.moves_first)
    opener = Seat(read.sets_up_first) if read.sets_up_first else second
    return Scenario(
        draft=read,
        seats=(Seat(read.moves_first), second),
        set_up_order=(opener, next(seat for seat in sides if seat != opener)),
        forces=builder.forces,
        side_of=builder.side_of,
        zones=builder.zones,
        entry=builder.entry,
        units=builder.units,
        weapons=builder.weapons,
        suggested=builder.suggested,
        possessors=builder.possessors,
        places=places,
        groups=groups,
        places_at=_places_at(places),
        exits=exits,
        conditions=read.conditions,
    )


def _check_names(read: ScenarioDraft, sides: list[Seat], faults: Faults) -> None:
    """Every side, force, place and card that is named must exist."""
    named = [("moves_first", read.moves_first), ("wins_otherwise", read.wins_otherwise)]
    if read.sets_up_first:
        named.append(("sets_up_first", read.sets_up_first))
    named += [(f"victory[{i}].side", victory.side) for i, victory in enumerate(read.victory)]
    named += [(f"exits[{i}].side", way.side) for i, way in enumerate(read.exits)]
    named += [(f"places[{i}].holder", place.holder) for i, place in enumerate(read.places) if place.holder]
    named += [("conditions.panzerfausts", side) for side in read.conditions.panzerfausts]
    if read.deal is not None:
        named.append(("deal.after", read.deal.after))
    for field, side in named:
        if side not in sides:
            faults.add(field, f"no side {side!r}", f"one of {', '.join(sides)}")
    places = {place.id for place in read.places}
    for v, victory in enumerate(read.victory):
        for g, goal in enumerate(victory.goals):
            for name in goal.places:
                if name not in places:
                    faults.add(f"victory[{v}].goals[{g}].places", f"no place {name!r}", ", ".join(sorted(places)))
    forces = {force.id for side in read.sides for force in side.forces}
    mentioned = [*read.conditions.self_rally, *read.conditions.ambush]
    if read.deal is not None:
        mentioned.append(read.deal.force)
    for name in mentioned:
        if name not in forces:
            faults.add("conditions", f"no force {name!r}", f"one of {', '.join(sorted(forces))}")


class _Builder:
    """Gathers units, weapons and zones of all forces."""

    def __init__(self, read: ScenarioDraft, game_map: GameMap, cards: Cards, faults: Faults) -> None:
        self.read = read
        self.game_map = game_map
        self.cards = cards
        self.faults = faults
        self.forces: dict[str, Force] = {}
        self.side_of: dict[str, Seat] = {}
        self.zones: dict[str, frozenset[Hex]] = {}
        self.entry: dict[str, frozenset[Hex]] = {}
        self.units: dict[UnitId, Unit] = {}
        self.weapons: dict[WeaponId, Weapon] = {}
        self.suggested: dict[UnitId, Hex] = {}
        self.possessors: dict[WeaponId, UnitId] = {}

    def side(self, side: SideDraft, field: str) -> None:
        """All forces of a side."""
        for index, force in enumerate(side.forces):
            place = f"{field}.forces[{index}]"
            if force.id in self.forces:
                self.faults.add(f"{place}.id", f"{force.id!r} stands twice")
            self.forces[force.id] = force
            self.side_of[force.id] = Seat(side.id)
            self.zones[force.id] = zone_hexes(force.set_up, self.game_map, f"{place}.set_up", self.faults)
            entry = force.enters.zone if force.enters is not None else ()
            self.entry[force.id] = zone_hexes(entry, self.game_map, f"{place}.enters.zone", self.faults)
            if not self.zones[force.id] and not self.entry[force.id]:
                self.faults.add(place, "neither set_up nor enters names a hex of the map", "one of them")
            for number, order in enumerate(force.units):
                self._units(force, Seat(side.id), order, f"{place}.units[{number}]")
            for number, order in enumerate(force.weapons):
                self._weapons(force, Seat(side.id), order, f"{place}.weapons[{number}]")

    def _names(self, force: Force, order: OrderOfBattle, letter: str, field: str) -> list[str]:
        """Ids as given, or made: G-1, G-2 for MMC, G-L1 for leaders, G-W1 for weapons; no hex is called so."""
        if order.ids:
            if len(order.ids) != order.count:
                self.faults.add(f"{field}.ids", f"{len(order.ids)} ids", f"{order.count}, one a counter")
            return list(order.ids)
        stem = f"{force.prefix or force.id[:1].upper()}-{letter}"
        names: list[str] = []
        number = 0
        while len(names) < order.count:
            number += 1
            name = f"{stem}{number}"
            if name not in self.units and name not in self.weapons:
                names.append(name)
        return names

    def _units(self, force: Force, seat: Seat, order: OrderOfBattle, field: str) -> None:
        if order.card not in self.cards.units:
            self.faults.add(f"{field}.card", f"no card {order.card!r}", _near(order.card, self.cards.units))
        place, turn = Whereabouts.TO_SET_UP, 0
        if force.enters is not None:
            place, turn = Whereabouts.DUE_LATER, force.enters.turn
        card = self.cards.units.get(CardId(order.card))
        letter = "L" if card is not None and card.is_leader else ""
        for index, name in enumerate(self._names(force, order, letter, field)):
            if name in self.units or name in self.weapons:
                self.faults.add(f"{field}.ids", f"{name!r} stands twice")
            unit_id = UnitId(name)
            self.units[unit_id] = Unit(unit_id, seat, force.id, CardId(order.card), None, place, turn=turn)
            if index < len(order.at):
                with self.faults.gathering():
                    self.suggested[unit_id] = self.game_map.hex(order.at[index], f"{field}.at")

    def _weapons(self, force: Force, seat: Seat, order: OrderOfBattle, field: str) -> None:
        if order.card not in self.cards.weapons:
            self.faults.add(f"{field}.card", f"no card {order.card!r}", _near(order.card, self.cards.weapons))
        for index, name in enumerate(self._names(force, order, "W", field)):
            if name in self.units or name in self.weapons:
                self.faults.add(f"{field}.ids", f"{name!r} stands twice")
            weapon_id = WeaponId(name)
            self.weapons[weapon_id] = Weapon(weapon_id, seat, CardId(order.card), force=force.id)
            if index < len(order.owners):
                self.possessors[weapon_id] = UnitId(order.owners[index])

    def possessors_exist(self) -> None:
        """Suggested owners must be units of the weapon's force."""
        for weapon_id, unit_id in self.possessors.items():
            unit = self.units.get(unit_id)
            if unit is None or unit.side != self.weapons[weapon_id].side:
                self.faults.add("weapons", f"{weapon_id} is meant for {unit_id!r}", "a unit of its side")

    def zones_apart(self) -> None:
        """Where nobody sees the other's set-up, the sides may not set up in the same hex."""
        taken: dict[Hex, Seat] = {}
        for force, hexes in self.zones.items():
            for hex in hexes:
                if taken.setdefault(hex, self.side_of[force]) != self.side_of[force]:
                    label = self.game_map.label(hex)
                    self.faults.add("secret_set_up", f"both sides may set up in {label}", "zones that lie apart")
                    return


def _places_at(places: Mapping[str, ControlPlace]) -> dict[Hex, tuple[str, ...]]:
    found: dict[Hex, tuple[str, ...]] = {}
    for name, place in places.items():
        for hex in place.hexes:
            found[hex] = (*found.get(hex, ()), name)
    return found


def _places(
    read: ScenarioDraft, game_map: GameMap, hills: frozenset[Hex], faults: Faults
) -> tuple[dict[str, ControlPlace], dict[str, tuple[str, ...]]]:
    places: dict[str, ControlPlace] = {}
    groups: dict[str, tuple[str, ...]] = {}
    for index, draft in enumerate(read.places):
        hexes = zone_hexes(draft.zone, game_map, f"places[{index}].zone", faults)
        if draft.hill:
            hexes &= hills
        if not hexes:
            faults.add(f"places[{index}].zone", "no hex of the map", "one hex or more")
        title = draft.title or draft.id
        if not draft.each:
            places[draft.id] = ControlPlace(draft.id, title, hexes, draft.holder)
            groups[draft.id] = (draft.id,)
            continue
        names = []
        for hex in sorted(hexes):
            name = f"{draft.id}/{game_map.label(hex)}"
            places[name] = ControlPlace(name, f"{title} {game_map.label(hex)}", frozenset((hex,)), draft.holder)
            names.append(name)
        groups[draft.id] = tuple(names)
    return places, groups


def _near(name: str, known: Iterable[str]) -> str:
    nationality = name.partition("/")[0]
    near = sorted(key for key in known if key.startswith(f"{nationality}/"))
    return f"one of {', '.join(near)}" if near else "a card such as german/4-6-7"
