"""Scenarios of the Panzer family on hexes (2.0), checked and bound.

:func:`read_scenario` turns what an author wrote into everything that stays the same in a game, or rejects it with every
fault at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.core.content.reading import convert
from sandtable.core.content.rule import rule
from sandtable.core.content.scenario import check_sides, check_size
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Faults
from sandtable.geo.hex import Hex, direction_named
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.air.aircraft import Aircraft
from sandtable.systems.panzer.air.sorties import AirForce, Sortie, bind_sorties
from sandtable.systems.panzer.card_files import CardShelf
from sandtable.systems.panzer.cards import Card, CardId
from sandtable.systems.panzer.edition import Edition, Level, Module
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.fires.batteries import Artillery, BatteryDraft, BatteryFacts, bind_batteries
from sandtable.systems.panzer.fires.missions import Battery, BatteryId, Plot, PlotStep
from sandtable.systems.panzer.forces.equipment import Armory, check_equipment, check_loads, stocked
from sandtable.systems.panzer.forces.establishments import Establishment, check_establishments
from sandtable.systems.panzer.formations import (
    Enlisted,
    Force,
    Formation,
    FormationId,
    Recruit,
    enlist,
    with_guns,
)
from sandtable.systems.panzer.hex.features import Feature, build_features
from sandtable.systems.panzer.hex.scenario.draft import Conditions, ScenarioDraft, SideDraft, UnitDraft
from sandtable.systems.panzer.hex.state import Unit, Wreck
from sandtable.systems.panzer.markers import NO_MARKERS, UnitMarkers
from sandtable.systems.panzer.support_cards import AircraftCard
from sandtable.systems.panzer.unit import Command, Grade, Status, UnitId, WreckKind, portee_gun

__all__ = ["Scenario", "build_units", "build_wrecks", "read_scenario"]

_MARKERS = (
    "suppression",
    "turret_damaged",
    "hull_damaged",
    "track",
    "bailed",
    "hull_down",
    "full_cover",
    "crawling",
    "floor",
    "reduced",
    "under_fire",
    "dug",
    "shares",
)
"""Fields of a unit that are counters of the Advanced Game under the same name."""
_STRONGEST = 10
"""Greatest GP Defense Factor of the GP Combat Results Table."""
_ADVANCED = (*_MARKERS, "grade", "roles", "attached", "carried_by", "open_way")


class Scenario(msgspec.Struct, frozen=True):
    """A scenario whose every name was checked."""

    draft: ScenarioDraft
    seats: tuple[Seat, ...]
    objectives: dict[str, tuple[Hex, ...]]
    exits: tuple[frozenset[Hex], ...]
    """The exit hexes of each of ``draft.victory.exits``."""
    units: dict[UnitId, Unit]
    wrecks: tuple[Wreck, ...]
    features: tuple[Feature, ...] = ()
    """The terrain counters that lie on the map at the start."""
    bridges: dict[Hex, int] = {}
    """GP Defense Factors of the bridges that have one (6.5.4.2.5)."""
    modules: frozenset[Module] = frozenset()
    """The parts of the Advanced Game that are played; none in the Basic Game."""
    roster: dict[UnitId, Enlisted] = {}
    """What each unit is in its force; empty in the Basic Game."""
    formations: dict[FormationId, Formation] = {}
    grades: dict[Seat, Grade] = {}
    """Force Grades (5.8.1)."""
    artillery: dict[BatteryId, BatteryFacts] = {}
    """What the off-map batteries are (5.3)."""
    batteries: dict[BatteryId, Battery[Hex]] = {}
    """As they are before the first turn."""
    armories: dict[Seat, Armory] = {}
    """The weapons of each force; empty in the Basic Game."""
    aircraft: dict[UnitId, Aircraft] = {}
    """As they are before the first turn (6.7)."""
    sorties: dict[UnitId, Sortie] = {}
    """When and where each may appear first (6.7.2.1)."""

    @property
    def level(self) -> Level:
        """The Basic or the Advanced Game."""
        return self.draft.level


def read_scenario(
    draft: Mapping[str, Any],
    game_map: GameMap,
    shelf: CardShelf,
    edition: Edition,
    where: str,
    *,
    situation: bool = False,
    establishments: Mapping[str, Establishment] | None = None,
) -> Scenario:
    """Check a draft against its map and cards; raise :class:`BadInput` with every fault.

    A ``situation`` may leave out what an example does not speak of: grades and headquarters.
    """
    read = convert(dict(draft), ScenarioDraft, where)
    faults = Faults(where)
    check_sides([side.id for side in read.sides], faults)
    check_size(sum(len(side.units) for side in read.sides), faults)
    faults.check()
    if read.turns < 1:
        faults.add("turns", str(read.turns), "1 or more")
    seats = tuple(Seat(side.id) for side in read.sides)
    units = build_units(read.sides, game_map, shelf.cards, faults)
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
    bridges = _bridges(read.conditions, game_map, faults)
    wrecks = build_wrecks(read.wrecks, game_map, faults)
    features = build_features(read.features, game_map, faults)
    scenario = Scenario(read, seats, objectives, exits, units, wrecks, features, bridges)
    if read.level is Level.ADVANCED:
        scenario = _advanced(scenario, shelf, establishments or {}, edition, faults, situation=situation)
        scenario = _with_aircraft(scenario, game_map, shelf.aircraft, faults)
        scenario = _with_batteries(scenario, game_map, shelf, faults, situation=situation)
    else:
        _check_basic(read, faults)
    faults.check()
    return scenario


def _check_basic(read: ScenarioDraft, faults: Faults) -> None:
    """The Basic Game has no word of the Advanced one."""
    right = "level: advanced, or nothing of it"
    for name in ("without", "date"):
        if getattr(read, name):
            faults.add(name, "a part of the Advanced Game", right)
    for s, side in enumerate(read.sides):
        for name in ("grade", "formations", "special_ammo", "aircraft", "batteries"):
            if getattr(side, name):
                faults.add(f"sides[{s}].{name}", "belongs to the Advanced Game", right)
        for u, unit in enumerate(side.units):
            for name in _ADVANCED:
                if getattr(unit, name) != getattr(_PLAIN, name):
                    faults.add(f"sides[{s}].units[{u}].{name}", "belongs to the Advanced Game", right)


_PLAIN = UnitDraft("", "")


def _advanced(
    scenario: Scenario,
    shelf: CardShelf,
    establishments: Mapping[str, Establishment],
    edition: Edition,
    faults: Faults,
    *,
    situation: bool,
) -> Scenario:
    """What the Advanced Game adds: modules, grades, formations, counters and passengers (5.0, 6.0)."""
    read = scenario.draft
    if not edition.modules:
        faults.add("level", f"{edition.id} has no Advanced Game", "basic")
    forces = []
    for s, side in enumerate(read.sides):
        if side.grade is None and not situation:
            faults.add(f"sides[{s}].grade", "missing", f"the Force Grade, one of {', '.join(Grade)} (5.8.1)")
        recruits = [
            Recruit(
                UnitId(unit.id),
                f"sides[{s}].units[{u}]",
                unit.grade,
                unit.roles,
                unit.attached,
                unit.carried_by,
                CardId(unit.card),
            )
            for u, unit in enumerate(side.units)
        ]
        grade = side.grade or Grade.SEASONED
        field, seat = f"sides[{s}]", Seat(side.id)
        forces.append(Force(seat, field, side.title, grade, recruits, side.formations, side.special_ammo))
    roster = enlist(forces, faults, needs_hq=not situation)
    scenario = _with_portee_guns(scenario, shelf, faults)
    roster = with_guns(roster, {gun: unit for unit in roster.units if (gun := portee_gun(unit)) in scenario.units})
    check_equipment(forces, shelf, read.date, faults, needs_values=not situation)
    check_loads(forces, shelf.cards, faults)
    check_establishments(forces, establishments, faults)
    return replace(
        scenario,
        units=_with_counters(scenario, faults),
        modules=frozenset(edition.modules) - frozenset(read.without),
        roster=roster.units,
        formations=roster.formations,
        grades={force.seat: force.grade for force in forces},
        armories={force.seat: stocked(shelf, read.date, force.special_ammo) for force in forces},
    )


def _with_aircraft(
    scenario: Scenario, game_map: GameMap, cards: Mapping[CardId, AircraftCard], faults: Faults
) -> Scenario:
    """The aircraft of the force that has any (6.7); where they fly is told by hexes, so none is called like one."""
    read = scenario.draft
    labels = {label for hex in game_map.hexes for label in game_map.labels(hex)}
    forces = [
        AirForce(Seat(side.id), f"sides[{s}].aircraft", side.grade or Grade.SEASONED, side.aircraft)
        for s, side in enumerate(read.sides)
    ]
    for force in forces:
        if force.drafts and Module.AIR not in scenario.modules:
            faults.add(force.field, "the scenario goes without air", "no aircraft, or without: less")
        for index, draft in enumerate(force.drafts):
            if draft.id.upper() in labels:
                faults.add(f"{force.field}[{index}].id", f"{draft.id!r} is the name of a hex", "another name")
    flights, sorties = bind_sorties(forces, cards, scenario.units, faults, turns=read.turns, date=read.date)
    return replace(scenario, aircraft=flights, sorties=sorties)


def _with_batteries(
    scenario: Scenario, game_map: GameMap, shelf: CardShelf, faults: Faults, *, situation: bool
) -> Scenario:
    """The off-map batteries of both forces (5.3)."""
    read = scenario.draft
    forces = [Artillery(Seat(side.id), f"sides[{s}].batteries", side.batteries) for s, side in enumerate(read.sides)]
    for force in forces:
        if force.drafts and Module.INDIRECT_FIRE not in scenario.modules:
            faults.add(force.field, "the scenario goes without indirect fire", "no batteries, or without: less")
    taken = frozenset(scenario.units)
    facts = bind_batteries(forces, shelf.batteries, scenario.formations, taken, faults, situation=situation)
    batteries = {}
    for force in forces:
        for index, draft in enumerate(force.drafts):
            field = f"{force.field}[{index}]"
            points = _hexes(draft.registered, game_map, f"{field}.registered", faults)
            plot = _plot(draft, game_map, field, faults)
            key, begun = BatteryId(draft.id), draft.plot.begun if draft.plot is not None else 0
            batteries[key] = Battery(id=key, side=force.seat, registered=points, plot=plot, begun=begun)
    return replace(scenario, artillery=facts, batteries=batteries)


def _plot(draft: BatteryDraft, game_map: GameMap, field: str, faults: Faults) -> Plot[Hex] | None:
    if draft.plot is None:
        return None
    steps = []
    for index, step in enumerate(draft.plot.steps):
        where = f"{field}.plot.steps[{index}]"
        way = direction_named(step.way) if step.way else -1
        if way is None:
            faults.add(f"{where}.way", repr(step.way), "N, NE, SE, S, SW or NW")
            way = -1
        steps += [
            PlotStep(kind=step.kind, pattern=step.sheaf, target=target, way=way, turns=step.turns)
            for target in _hexes((step.at,), game_map, f"{where}.at", faults)
        ]
    return Plot(draft.plot.turn, tuple(steps))


def _with_portee_guns(scenario: Scenario, shelf: CardShelf, faults: Faults) -> Scenario:
    """With the guns of the Portées, which wait aboard until they are unloaded (5.2.1)."""
    units = dict(scenario.units)
    for unit in scenario.units.values():
        card = shelf.cards.get(unit.card)
        if card is None or card.advanced is None or card.advanced.portee is None:
            continue
        gun = portee_gun(unit.id)
        if gun in scenario.units:
            faults.add("sides", f"{gun} is the gun of {unit.id} (5.2.1)", "another id")
        units[gun] = Unit(gun, unit.side, CardId(card.advanced.portee.gun), None, unit.facing, Status.ABOARD)
    return replace(scenario, units=units)


def _with_counters(scenario: Scenario, faults: Faults) -> dict[UnitId, Unit]:
    """The units with the counters of the Advanced Game that lie on them, passengers on their vehicles (6.6.7)."""
    units = dict(scenario.units)
    riding: dict[UnitId, list[UnitId]] = {}
    for s, side in enumerate(scenario.draft.sides):
        for u, draft in enumerate(side.units):
            unit, field = units[UnitId(draft.id)], f"sides[{s}].units[{u}]"
            open_way = direction_named(draft.open_way) if draft.open_way else -1
            if open_way is None:
                faults.add(f"{field}.open_way", repr(draft.open_way), "N, NE, SE, S, SW or NW")
            changes = {name: getattr(draft, name) for name in _MARKERS}
            markers = UnitMarkers(
                **changes, carrier=UnitId(draft.carried_by), open_way=-1 if open_way is None else open_way
            )
            place = unit.hex
            holder = units.get(draft.shares, unit)
            if draft.shares and (holder.id == unit.id or (holder.side, holder.command) != (unit.side, unit.command)):
                faults.add(f"{field}.shares", f"no {unit.command} command of {draft.shares!r} of the force")
            if draft.carried_by:
                carrier = units.get(UnitId(draft.carried_by))
                if carrier is None or carrier.side != unit.side or carrier.id == unit.id:
                    faults.add(f"{field}.carried_by", f"no vehicle {draft.carried_by!r} of the force")
                elif draft.at and carrier.hex != unit.hex:
                    faults.add(f"{field}.at", f"{draft.at}, but {carrier.id} is elsewhere", "left out where it rides")
                else:
                    place = carrier.hex
                    riding.setdefault(carrier.id, []).append(unit.id)
            units[unit.id] = replace(unit, hex=place, markers=NO_MARKERS if markers == NO_MARKERS else markers)
    for feature in scenario.features:
        inside = units.get(feature.unit)
        if inside is not None and feature.kind is FeatureKind.IMPROVED_POSITION and inside.markers.open_way < 0:
            # As it is set up the way in lies behind it (6.1.4.3.7).
            units[inside.id] = replace(inside, markers=replace(inside.markers, open_way=(inside.facing + 3) % 6))
    for carrier_id, passengers in riding.items():
        carrier = units[carrier_id]
        if carrier.markers.carrier:
            faults.add("sides", f"{carrier_id} rides itself and carries {passengers[0]}", "one of the two")
        units[carrier_id] = replace(carrier, markers=replace(carrier.markers, passengers=tuple(passengers)))
    return units


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
            if not draft.at and not off_map and not draft.carried_by:
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


@rule("6.5.4.2.5", editions=("panzer-na",))
def _bridges(conditions: Conditions, game_map: GameMap, faults: Faults) -> dict[Hex, int]:
    """The bridges that can be destroyed, each with the factor of the scenario (6.5.4.2.5)."""
    found: dict[Hex, int] = {}
    for label, defense in conditions.bridge_defense.items():
        field = f"conditions.bridge_defense.{label}"
        with faults.gathering():
            hex = game_map.hex(label, field)
            facts = game_map.at(hex)
            if "bridge" not in (*facts.terrain, *facts.routes):
                faults.add(field, "no bridge", "a hex with a bridge (6.5.4.2.5)")
            found[hex] = defense
        if not 1 <= defense <= _STRONGEST:
            faults.add(field, str(defense), f"1 to {_STRONGEST}")
    return found


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
