"""1.3 Scenario cards are read: a draft is bound to its map and counters, or rejected with every fault at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sandtable.core.content.reading import convert
from sandtable.core.content.scenario import check_sides, check_size
from sandtable.core.decision import Seat
from sandtable.core.errors import Faults
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.systems.aslsk.pieces.card_files import Cards
from sandtable.systems.aslsk.pieces.cards import CardId, UnitKind
from sandtable.systems.aslsk.pieces.spines import SPINE_NAMES, spine_named
from sandtable.systems.aslsk.pieces.state import (
    Unit,
    UnitId,
    Vehicle,
    VehicleId,
    Weapon,
    WeaponId,
    WeaponState,
    Whereabouts,
)
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleType
from sandtable.systems.aslsk.scenario.card import ControlPlace, Scenario
from sandtable.systems.aslsk.scenario.draft import (
    Force,
    OrderOfBattle,
    ScenarioDraft,
    SideDraft,
)
from sandtable.systems.aslsk.scenario.zones import zone_hexes

__all__ = ["SITUATION", "Lie", "read_scenario"]

SITUATION = "situation"
"""Status of a scenario that a situation file is made into."""


class Lie(NamedTuple):
    """What a scenario must know of the lie of the land."""

    hills: frozenset[Hex]
    buildings: frozenset[Hex]


def read_scenario(
    draft: Mapping[str, Any],
    game_map: GameMap,
    cards: Cards,
    ground: Lie,
    where: str,
) -> Scenario:
    """Check a draft against its map and counters; raise ``BadInput`` with every fault (1.3)."""
    read = convert(dict(draft), ScenarioDraft, where)
    faults = Faults(where)
    sides = [Seat(side.id) for side in read.sides]
    check_sides(sides, faults)
    forces = [force for side in read.sides for force in side.forces]
    orders = [order for force in forces for order in (*force.units, *force.weapons, *force.vehicles)]
    check_size(sum(max(order.count, 1) for order in orders), faults)
    if read.turns < 1:
        faults.add("turns", str(read.turns), "1 or more")
    _check_names(read, sides, faults)
    if read.deal is not None and sorted(read.deal.chart) != list("123456"):
        faults.add("deal.chart", f"rows {', '.join(read.deal.chart)}", "one for each dr, 1 to 6")
    faults.check()
    builder = _Builder(read, game_map, cards, ground.buildings, faults)
    for index, side in enumerate(read.sides):
        builder.side(side, f"sides[{index}]")
    places, groups = _places(read, game_map, ground.hills, faults)
    exits = tuple(
        zone_hexes(way.zone, game_map, f"exits[{index}].zone", faults) for index, way in enumerate(read.exits)
    )
    builder.possessors_exist()
    builder.joined_forces_enter()
    builder.cards_exist()
    if read.status != SITUATION:
        builder.guns_have_crews()
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
        vehicles=builder.vehicles,
        facings=builder.facings,
        concealed=tuple(builder.concealed),
        exposed=frozenset(builder.exposed),
        joins=builder.joins,
        suggested=builder.suggested,
        possessors=builder.possessors,
        places=places,
        groups=groups,
        places_at=_places_at(places),
        exits=exits,
        conditions=read.conditions,
        hiders=builder.hiders(),
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
    named += [(field, one.side) for field, one in (("drop.side", read.drop), ("muster.side", read.muster)) if one]
    for field, side in named:
        if side not in sides:
            faults.add(field, f"no side {side!r}", f"one of {', '.join(sides)}")
    places = {place.id for place in read.places}
    for v, victory in enumerate(read.victory):
        for g, goal in enumerate(victory.goals):
            for name in goal.places:
                if name not in places:
                    faults.add(f"victory[{v}].goals[{g}].places", f"no place {name!r}", ", ".join(sorted(places)))
    _check_forces(read, faults)


def _check_forces(read: ScenarioDraft, faults: Faults) -> None:
    """Every force that special rules name must exist."""
    forces = {force.id for side in read.sides for force in side.forces}
    conditions = read.conditions
    mentioned = [*conditions.self_rally, *conditions.ambush, *conditions.hidden]
    mentioned += [conditions.glare.force] if conditions.glare is not None else []
    named = [("conditions", name) for name in mentioned]
    if read.deal is not None:
        named.append(("deal.force", read.deal.force))
    if read.drop is not None:
        jumping = (*read.drop.groups, *filter(None, [read.drop.divided]), *read.drop.rendezvous)
        named += [("drop", name) for name in jumping]
    if read.muster is not None:
        named += [("muster", name) for name in (*read.muster.groups, *read.muster.suggested)]
    for field, name in named:
        if name not in forces:
            faults.add(field, f"no force {name!r}", f"one of {', '.join(sorted(forces))}")


class _Builder:
    """Gathers units, weapons and zones of all forces."""

    def __init__(
        self, read: ScenarioDraft, game_map: GameMap, cards: Cards, buildings: frozenset[Hex], faults: Faults
    ) -> None:
        self.read = read
        self.game_map = game_map
        self.cards = cards
        self.buildings = buildings
        self.faults = faults
        self.forces: dict[str, Force] = {}
        self.side_of: dict[str, Seat] = {}
        self.zones: dict[str, frozenset[Hex]] = {}
        self.entry: dict[str, frozenset[Hex]] = {}
        self.units: dict[UnitId, Unit] = {}
        self.weapons: dict[WeaponId, Weapon] = {}
        self.vehicles: dict[VehicleId, Vehicle] = {}
        self.suggested: dict[str, Hex] = {}
        self.facings: dict[str, int] = {}
        self.concealed: list[str] = []
        self.exposed: list[str] = []
        self.joins: dict[UnitId, tuple[str, ...]] = {}
        self.possessors: dict[WeaponId, UnitId] = {}
        drop = read.drop
        self.jumping = (*drop.groups, drop.divided) if drop is not None else ()
        """Forces that jump."""

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
            if not self.zones[force.id] and not self.entry[force.id] and force.id not in self.jumping:
                self.faults.add(place, "neither set_up nor enters names a hex of the map", "one of them")
            for number, order in enumerate(force.units):
                self._units(force, Seat(side.id), order, f"{place}.units[{number}]")
            for number, order in enumerate(force.weapons):
                self._weapons(force, Seat(side.id), order, f"{place}.weapons[{number}]")
            for number, order in enumerate(force.vehicles):
                self._vehicles(force, Seat(side.id), order, f"{place}.vehicles[{number}]")

    def _names(self, force: Force, order: OrderOfBattle, letter: str, field: str) -> list[str]:
        """Ids as given, or made: G-1 for MMC, G-L1 leaders, G-W1 weapons, G-V1 vehicles; no hex is called so."""
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
            if not self._stands(name):
                names.append(name)
        return names

    def _stands(self, name: str) -> bool:
        return name in self.units or name in self.weapons or name in self.vehicles

    def _units(self, force: Force, seat: Seat, order: OrderOfBattle, field: str) -> None:
        if order.card not in self.cards.units:
            self.faults.add(f"{field}.card", f"no card {order.card!r}", _near(order.card, self.cards.units))
        place, turn = Whereabouts.TO_SET_UP, 0
        if force.enters is not None or force.id in self.jumping:
            place, turn = Whereabouts.DUE_LATER, force.enters.turn if force.enters is not None else 0
        card = self.cards.units.get(CardId(order.card))
        letter = "L" if card is not None and card.is_leader else ""
        for index, name in enumerate(self._names(force, order, letter, field)):
            if self._stands(name):
                self.faults.add(f"{field}.ids", f"{name!r} stands twice")
            unit_id = UnitId(name)
            self.units[unit_id] = Unit(unit_id, seat, force.id, CardId(order.card), None, place, turn=turn)
            if index < len(order.at):
                with self.faults.gathering():
                    self.suggested[unit_id] = self.game_map.hex(order.at[index], f"{field}.at")
                    self._in_zone(self.suggested[unit_id], force, name, f"{field}.at[{index}]")
            if order.hidden:
                self.concealed.append(name)
            if order.joins:
                self.joins[unit_id] = order.joins

    def _weapons(self, force: Force, seat: Seat, order: OrderOfBattle, field: str) -> None:
        if order.card not in self.cards.weapons:
            self.faults.add(f"{field}.card", f"no card {order.card!r}", _near(order.card, self.cards.weapons))
        for index, name in enumerate(self._names(force, order, "W", field)):
            if self._stands(name):
                self.faults.add(f"{field}.ids", f"{name!r} stands twice")
            weapon_id = WeaponId(name)
            self.weapons[weapon_id] = Weapon(weapon_id, seat, CardId(order.card), force=force.id)
            if index < len(order.owners):
                self.possessors[weapon_id] = UnitId(order.owners[index])
            if order.hidden:
                self.concealed.append(name)
            self._facing(order, index, name, field)

    def _vehicles(self, force: Force, seat: Seat, order: OrderOfBattle, field: str) -> None:
        if order.card not in self.cards.vehicles:
            self.faults.add(f"{field}.card", f"no card {order.card!r}", _near(order.card, self.cards.vehicles))
        place, turn = Whereabouts.TO_SET_UP, 0
        if force.enters is not None:
            place, turn = Whereabouts.DUE_LATER, force.enters.turn
            if order.exposed:
                self.faults.add(f"{field}.exposed", "who enters is asked whether his crew is exposed (7.7)", "left out")
        disabled = dict.fromkeys(order.disabled, WeaponState.REMOVED)
        for index, name in enumerate(self._names(force, order, "V", field)):
            if self._stands(name):
                self.faults.add(f"{field}.ids", f"{name!r} stands twice")
            vehicle_id = VehicleId(name)
            # All vehicles that start off board start in Motion (3.3.2).
            self.vehicles[vehicle_id] = Vehicle(
                vehicle_id, seat, force.id, CardId(order.card), None, place, turn=turn, motion=turn > 0, broken=disabled
            )
            if index < len(order.at):
                with self.faults.gathering():
                    self.suggested[vehicle_id] = self.game_map.hex(order.at[index], f"{field}.at")
                    self._in_zone(self.suggested[vehicle_id], force, name, f"{field}.at[{index}]")
                    self._out_of_doors(self.suggested[vehicle_id], order.card, f"{field}.at[{index}]")
            if order.exposed:
                self.exposed.append(name)
            self._facing(order, index, name, field)

    def _facing(self, order: OrderOfBattle, index: int, name: str, field: str) -> None:
        if index < len(order.facing):
            facing = spine_named(order.facing[index])
            if facing is None:
                self.faults.add(f"{field}.facing[{index}]", f"no hexspine {order.facing[index]!r}", SPINE_NAMES)
            else:
                self.facings[name] = facing

    def hiders(self) -> frozenset[Seat]:
        """Sides with a Gun, or with a force that may set up hidden (6.4)."""
        guns = {weapon.side for weapon in self.weapons.values() if self.cards.weapons[weapon.card].gun is not None}
        return frozenset(guns | {self.side_of[force] for force in self.read.conditions.hidden})

    def cards_exist(self) -> None:
        """Cards that special rules name."""
        conditions = self.read.conditions
        named = {"smoke": conditions.smoke, "ccv": conditions.ccv, "gun_leaders": conditions.gun_leaders}
        for field, names in named.items():
            for name in names:
                if name not in self.cards.units:
                    self.faults.add(f"conditions.{field}", f"no card {name!r}", _near(name, self.cards.units))
        for name in conditions.radioless:
            if name not in self.cards.vehicles:
                self.faults.add("conditions.radioless", f"no card {name!r}", _near(name, self.cards.vehicles))

    def joined_forces_enter(self) -> None:
        """Units that set up may join forces of their side that enter, and no others (1.3)."""
        for s, side in enumerate(self.read.sides):
            entering = [force.id for force in side.forces if force.enters is not None]
            for f, force in enumerate(side.forces):
                for u, order in enumerate(force.units):
                    field = f"sides[{s}].forces[{f}].units[{u}].joins"
                    if order.joins and not force.set_up:
                        self.faults.add(field, "only units that set up may join another force", "left out")
                    for name in [name for name in order.joins if name not in entering]:
                        self.faults.add(field, f"no force {name!r} of this side enters", ", ".join(entering))

    def guns_have_crews(self) -> None:
        """Every Gun needs a crew of its force (1.2.6)."""
        for s, side in enumerate(self.read.sides):
            for f, force in enumerate(side.forces):
                crews = sum(order.count for order in force.units if self._is_crew(order.card))
                for w, order in enumerate(force.weapons):
                    card = self.cards.weapons.get(CardId(order.card))
                    if card is None or card.gun is None:
                        continue
                    crews -= order.count
                    if crews < 0:
                        field = f"sides[{s}].forces[{f}].weapons[{w}]"
                        self.faults.add(field, f"{card.name} without a crew", "a crew in the force for every Gun")
                    if force.enters is not None and not card.gun.qsu:
                        field = f"sides[{s}].forces[{f}].weapons[{w}].card"
                        self.faults.add(field, f"{card.name} cannot move, so it cannot enter", "a force that sets up")

    def _is_crew(self, name: str) -> bool:
        card = self.cards.units.get(CardId(name))
        return card is not None and card.kind is UnitKind.CREW

    def _in_zone(self, hex: Hex, force: Force, name: str, field: str) -> None:
        """A suggested hex lies in the set-up area."""
        if hex not in self.zones[force.id]:
            where = f"{self.game_map.label(hex)} is not in the set-up area of {name}"
            self.faults.add(field, where, "a hex of set_up")

    def _out_of_doors(self, hex: Hex, name: str, field: str) -> None:
        """No vehicle is suggested for a building where none may be (1.1.1, 1.3)."""
        card = self.cards.vehicles.get(CardId(name))
        if card is None or hex not in self.buildings:
            return
        label = self.game_map.label(hex)
        if self.read.conditions.no_vehicles_in_buildings:
            self.faults.add(field, f"{label} is a building, which no vehicle may enter here", "a hex without one")
        elif card.type is VehicleType.ARMORED_CAR:
            self.faults.add(field, f"{label} is a building, where {card.name} may not set up", "a hex without one")

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
